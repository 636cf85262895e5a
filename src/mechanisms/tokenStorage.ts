/**
 * A storage that outlives a reload. Its functions may be synchronous or return promises. Do not make one of `sessionStorage`: in Firefox, a
 * page from the back/forward cache reads an old copy of it. The option `storage: 'session'` prevents that.
 */
export interface TokenStorage {
  /** Returns the stored text; null or undefined if there is none. Called before a check, around a refresh, and at a message of another tab. */
  get(): string | null | undefined | Promise<string | null | undefined>;
  /** Stores the text, which contains the tokens. Called after a login, a check and a refresh. */
  set(text: string): void | Promise<void>;
  /** Removes the text. Called at a sign-out and an expiry. */
  remove(): void | Promise<void>;
}

/** How a storage is named and shared. */
interface SharedStorage {
  /**
   * The key in web storage, and the name under which tabs share the sign-in. Two sessions of one origin need two, also those of two apps.
   * @default 'data-client-auth'
   */
  readonly key?: string | undefined;
  /** False: tabs, and the frames of a tab, do not follow each other. @default true */
  readonly tabs?: boolean | undefined;
}

/** One storage, with a name. */
export interface NamedStorage extends SharedStorage {
  readonly in: 'memory' | 'session' | 'local' | TokenStorage;
}

/**
 * Two storages: each login chooses one of them, and removes what the other one has. The later sign-in counts in all tabs.
 *
 * @see https://firebase.google.com/docs/auth/web/auth-state-persistence Firebase's `setPersistence` has the same rules for tabs.
 */
export interface RememberedStorage extends SharedStorage {
  /** For a login whose first argument has `remember: true`. All tabs share it, and it outlives them. */
  readonly remembered: 'local' | TokenStorage;
  /**
   * For all other logins. Each tab has its own: `session` outlives a reload and ends with the tab, `memory` ends with
   * the page.
   */
  readonly otherwise: 'session' | 'memory';
}

/** Where a session stores its tokens. */
export interface TokenStorageOptions {
  /**
   * Where tokens are stored: in memory (a reload loses them), in session or local storage, or in a store of your own. A
   * duplicated tab gets a copy of the session storage, and a closed tab that the user opens again gets its own back. If a
   * refresh token can be used only once, use `local` or a store of your own, so that two tabs share it.
   *
   * On a server, web storage is not used: all visitors would share it.
   *
   * Tabs share the sign-in of `local`, a store of your own and a `RememberedStorage`: a sign-in or sign-out in one tab happens in all, and
   * one tab at a time refreshes. An `<iframe>` of the same origin shares the session storage of its tab, and refreshes for itself.
   *
   * A `RememberedStorage` lets the user choose at the login ("Keep me signed in"). The choice is the property `remember`
   * of the first argument of `session.login`, as `<LoginForm remember>` passes it. A login removes what the other storage
   * has.
   *
   * @default 'memory'
   * @example storage: { in: 'local', key: 'my-app' }
   * @example storage: { remembered: 'local', otherwise: 'session' }
   */
  readonly storage?: 'memory' | 'session' | 'local' | TokenStorage | NamedStorage | RememberedStorage | undefined;
}
