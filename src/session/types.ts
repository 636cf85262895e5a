/** Who is signed in, in one word. A refresh of credentials is not a status. */
export type SessionStatus = 'restoring' | 'anonymous' | 'authenticated';

/** Why no user is signed in: by their own act, by the server's refusal, or by an act outside this page. */
export type SignOutReason = 'signed-out' | 'expired' | 'elsewhere';

/** The state of a session as its readers see it. The same object until one of its fields changes; a refresh changes none. */
export interface SessionSnapshot<User = unknown> {
  readonly status: SessionStatus;
  /** Why no user is signed in. Undefined while a user is signed in, and before anyone ever was. */
  readonly reason: SignOutReason | undefined;
  /** What the login or `whoami` answered about the user. Undefined while no user is signed in. */
  readonly user: User | undefined;
  /** Grows by one at each change of identity, never at a refresh. Not a clock. */
  readonly epoch: number;
  /** The failure of the last login, logout or restore. Undefined once one succeeds. */
  readonly error: Error | undefined;
  /**
   * The answer that is still missing while no user is signed in: `'restore'`, it could not be checked who is signed in;
   * `'logout'`, the server has not confirmed the sign-out. A login that fails changes nothing about it. Undefined: none.
   */
  readonly unconfirmed: 'restore' | 'logout' | undefined;
}

/**
 * Holds an identity, or none. A plain object made outside React, like a query client. Give it to a provider, or to
 * `authEndpoint` for use outside React.
 */
export interface Session<User = unknown, LoginArgs extends readonly unknown[] = readonly never[], LogoutArgs extends readonly unknown[] = []> {
  /**
   * Signs in. Resolves when the identity is known, its credentials are in place and every subscriber was called. Waits as
   * long as the `login` option does. The last call wins: an earlier one under way rejects with `IdentityChangedError`.
   *
   * @throws what the `login` option threw. The status is unchanged then, and the snapshot has the `error`.
   * @throws InvalidCredentialError when its answer has no usable credential.
   */
  login(...args: LoginArgs): Promise<User | undefined>;
  /**
   * Signs out: on this page at once, then on the server. The arguments go to the `logout` option; the event of an `onClick={logout}` does not.
   *
   * @throws what the `logout` option threw. The user is signed out on this page even then, but the server may not know: the
   * snapshot is `unconfirmed`, and another `logout()` sends the request again.
   */
  logout(...args: LogoutArgs): Promise<void>;
  /**
   * Gets fresh credentials for the same user; concurrent calls share one refresh. While no user is signed in, it checks again
   * for an existing session (the `restore` or `whoami` option).
   *
   * @throws SessionExpiredError when the server refuses, RefreshUnavailableError when the server cannot be reached in time,
   * TypeError when a user is signed in and the session has no way to refresh.
   */
  refresh(): Promise<void>;
  /** Calls the listener after each change of the snapshot. Returns the function that ends the subscription. */
  subscribe(listener: () => void): () => void;
  getSnapshot(): SessionSnapshot<User>;
  /**
   * Aborts everything under way and forgets credentials held in memory; storage is left as it is. For a session whose
   * provider is gone. A mounted one checks for an existing session at once. Safe to call twice.
   */
  dispose(): void;
}

/** Created when a caller starts a request: what that request may still do depends on it. */
export interface RequestScope {
  /** Aborted, with the error to reject with, when the epoch in which the request was started ends, or the caller gives up. */
  readonly signal: AbortSignal;
  /** The caller's own abort signal. */
  readonly callerSignal: AbortSignal | undefined;
  /** The version of the credential that the last attempt carried. */
  credentialVersion: number;
  /** Removes its listeners from the signals above; called once the request is settled. */
  readonly release: () => void;
}

/** A request that is about to be sent, as `attachCredential` gets it. */
export interface OutgoingRequest {
  /** The final address, absolute or relative to the page. */
  readonly url: string;
  /** The endpoint's own prefix: trusted when the session lists no origins. */
  readonly urlPrefix: string;
  /** What `fetch` would get: `method`, `headers` and `body` among others. `body` is what is sent: a string for JSON, else a `FormData`, a `Blob`, ... */
  readonly init: RequestInit;
}

/** The outcome of a login, restore or refresh: the credential, and whose it is. */
export interface SignedIn<Credential, User> {
  /** What `attachCredential` gets. The session never looks into it. */
  readonly credential: Credential;
  /** What `useAuth().user` shows. */
  readonly user?: User | undefined;
  /** Tells users apart, e.g. the user's id. Undefined when nothing tells; then every login is a new identity, and everything on screen is fetched again. */
  readonly subject?: string | undefined;
  /** Tells one sign-in from the next, of the same user too; a refresh keeps it. A later sign-in has a greater one. The session gives it. */
  readonly signInId?: string | undefined;
}

/** What a refused request says about the credential: it is no longer accepted, or only its CSRF token is out of date. */
export type AuthFailure = 'unauthorized' | 'csrf-rejected';

/** The other tabs of the browser that share a session's credential. */
export interface Tabs {
  /** Calls back when another tab posts who is signed in there; null means no user. Returns the function that ends it. */
  listen(onMessage: (subject: string | null, endedId?: string) => void): () => void;
  /** @param endedId The sign-in that has ended, and each one before it; where it is known. */
  post(subject: string | null, endedId?: string): void;
  /** Runs the function while no other tab runs its own. The signal ends the wait for that, not the run. Absent: at once. */
  withLock?<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Resolves when the other tabs can read all that this tab has written before it posted. */
  propagated?(): Promise<void>;
}

/** What a session calls one of its own functions for. A fetch of the CSRF token is a refresh, a `whoami` a restore. */
export type AuthCallName = 'login' | 'refresh' | 'restore' | 'logout';

/**
 * How credentials are obtained, sent and renewed: all that one kind of session differs in from another. `createSession` takes a mechanism
 * of your own; `createTokenSession` and `createCookieSession` bring theirs.
 *
 * Only `attachCredential` is required. An endpoint that `login`, `restore`, `refresh` or `logout` calls before its first `await` is an auth
 * call: it goes to `trustedOrigins` only, follows no redirect, and never waits for a refresh. Requests that such a function makes
 * by itself (`fetch`, an SDK, an endpoint after an `await`) are beyond the session's control.
 *
 * `restore`, `refresh` and `readCredential` reject with `SessionExpiredError` where the answer is “no”, and with anything else
 * for “not now”, which ends no session.
 *
 * @example
 * const mechanism: Mechanism<CryptoKey, User, [secret: string]> = {
 *   trustedOrigins: ['https://api.example.com'],
 *   async login(secret) {
 *     const key = await importKey(secret);
 *     return { credential: key, subject: 'me' };
 *   },
 *   async attachCredential({ url, init }, key) {
 *     return key ? attachHeader(init, 'X-Signature', await sign(key, url, init)) : init;
 *   },
 * };
 * @see https://github.com/urql-graphql/urql/blob/main/docs/advanced/authentication.md an auth exchange with the same four verbs
 */
export interface Mechanism<Credential, User, LoginArgs extends readonly unknown[] = readonly never[], LogoutArgs extends readonly unknown[] = readonly never[]> {
  /**
   * The only origins that the session's requests and auth calls may reach; anything else is an `UntrustedOriginError`, and nothing is sent.
   *
   * @default the page's own and each endpoint's `urlPrefix`
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /** How long a refresh, a restore or a logout on the server may take, in milliseconds. @default 10000 */
  readonly timeoutMs?: number | undefined;
  /** True when the browser keeps the credential (a cookie): a login's answer replaces it before the page knows, so requests wait for a login under way. @default false */
  readonly browserManaged?: boolean | undefined;
  /** The failure that `refresh` can mend. @default 'unauthorized' */
  readonly refreshOn?: AuthFailure | undefined;
  /** The tabs that share the credential. @default none */
  readonly tabs?: Tabs | undefined;
  /** True when a credential is refreshed at its `refreshAt` even while nothing is sent. @default false */
  readonly refreshProactively?: boolean | undefined;
  /**
   * Signs in. Called by `session.login`, with its arguments, when earlier logins and logouts are answered. There is no time limit.
   * Absent: signing in happens elsewhere (an SDK), and `session.login` rejects with a `TypeError`.
   *
   * @returns the credential, and whose it is.
   * @throws anything: `session.login` rejects with it, the snapshot has it as `error`, and who is signed in does not change.
   */
  login?(...args: LoginArgs): Promise<SignedIn<Credential, User>>;
  /**
   * Checks for an existing session. Called once at the first subscription (a provider that mounts) or before the first request, unless
   * `load` finds one; and by `session.refresh()` while no user is signed in. Requests wait for it. Absent: there is none.
   *
   * @returns undefined when no user is signed in.
   * @throws SessionExpiredError when no user is signed in. Anything else means that the session could not check: no user is signed in
   * then, and the snapshot has a `RefreshUnavailableError` (or the `InvalidCredentialError` that was thrown). After a 429 or 503, only
   * `session.refresh()` calls it before its `Retry-After`.
   */
  restore?(): Promise<SignedIn<Credential, User> | undefined>;
  /**
   * Who is signed in, where a component above knows it. Called instead of `restore` when the browser shows a page that it kept frozen or prerendered.
   *
   * @returns undefined when no user is, or when only `restore` can say.
   */
  readIdentity?(): SignedIn<Credential, User> | undefined;
  /**
   * Ends the session on the server. Called by `session.logout`, with its arguments, after the user is signed out here. Its endpoints carry
   * the credential of then. Not called while no user is signed in. Absent: the server is not told.
   *
   * @throws anything: `session.logout` rejects with it, and the user is signed out here all the same.
   */
  logout?(credential: Credential | undefined, ...args: LogoutArgs): Promise<unknown>;
  /**
   * Gets a fresh credential for the same user. Called when a request is refused with the failure of `refreshOn`, when `refreshAt` has come, and
   * by `session.refresh()`; one call at a time for all requests, and for all `tabs` with a lock, and no other until it settles or the signal is aborted. Absent: a refused credential ends the session.
   *
   * @param current The user and the credential of now.
   * @param signal Aborted when the user signs out or another one signs in.
   * @returns the fresh credential. `user` is ignored. A `subject` other than before ends the session.
   * @throws SessionExpiredError to end the session. Anything else: the waiting requests reject with `RefreshUnavailableError`, the
   * user stays signed in, and the next request tries again; after a 429 or 503 not before its `Retry-After`.
   */
  refresh?(current: SignedIn<Credential, User>, signal: AbortSignal): Promise<SignedIn<Credential, User>>;
  /** Whether a request of this method carries what `refresh` renews, and so waits for a refresh. Called before each request. Must not throw. @default all do */
  appliesTo?(method: string): boolean;
  /** When to refresh the credential before it is sent, in milliseconds since 1970. Called before each request. Must not throw. @default undefined: not known, so a refused request leads to the refresh */
  refreshAt?(credential: Credential): number | undefined;
  /** Whether the credential is known not to have expired yet: it is sent then although a refresh at `refreshAt` failed. Must not throw. @default false */
  isUnexpired?(credential: Credential): boolean;
  /**
   * The credential to send now, when it lives outside the session: in a cookie, with an SDK. Called before each attempt of a request.
   *
   * @param credential The one that the session knows.
   * @returns the same or a newer one of the same user; undefined when there is none any more, which signs out here.
   * @throws SessionExpiredError to end the session, InvalidCredentialError for the caller of the request. Anything else is a `RefreshUnavailableError`.
   * @default the credential of the latest login, restore or refresh
   */
  readCredential?(credential: Credential): Credential | undefined | Promise<Credential | undefined>;
  /**
   * Whether both are the same credential. Give it where a credential is an object that `load` or `readCredential` builds again: else every read looks like
   * a new credential. Must not throw.
   *
   * @default Object.is
   */
  isSameCredential?(a: Credential, b: Credential): boolean;
  /**
   * Puts the credential on a request. Called for each attempt, right before it is sent, and for the requests of `logout`. It may take its
   * time: when the identity changes before it is done, nothing is sent.
   *
   * @param request Goes to a trusted origin: that was checked before.
   * @param credential Undefined: no user is signed in.
   * @returns a new init; `request.init` stays as it is. `attachHeader` makes one with a header, and without redirects. A mechanism that puts the
   * credential elsewhere sets `redirect: 'manual'` itself.
   * @throws anything, e.g. InvalidCredentialError: the caller of the request gets it, nothing is sent, and the user stays signed in.
   */
  attachCredential(request: OutgoingRequest, credential: Credential | undefined): RequestInit | Promise<RequestInit>;
  /**
   * What a refused response says about the credential; undefined when it says nothing. Called for each refusal while a user is signed in. To read the body,
   * read a `clone()`.
   *
   * @throws anything: the caller of the request gets it in place of the refusal.
   * @default 401 is `'unauthorized'`
   */
  classifyResponse?(response: Response): AuthFailure | undefined | Promise<AuthFailure | undefined>;
  /**
   * Whose answer a response is, where the server names the user in each of them. Called for every response, before its body is read. An answer for
   * another user is dropped with an `IdentityChangedError`, and it is checked again who is signed in.
   *
   * @returns the subject; undefined when the response does not name it.
   */
  subjectOfResponse?(response: Response): string | undefined;
  /**
   * What is stored beyond this page, by this tab or another; `current` where that cannot be read. Called before `restore`, before and after a refresh, and
   * when another tab posts. Must not reject. Absent: nothing is stored.
   */
  load?(current: SignedIn<Credential, User> | undefined): Promise<SignedIn<Credential, User> | undefined>;
  /**
   * Stores the sign-in beyond this page, or with undefined removes what is stored. Called after each login, restore, refresh and sign-out. Must not reject.
   *
   * @param condition Asked right before the write. Absent: whatever is stored is replaced.
   * @returns Whether the condition allowed it.
   */
  save?(signedIn: SignedIn<Credential, User> | undefined, condition?: SaveCondition<Credential, User>): Promise<boolean>;
  /** Whether `save` has stored all by the time it returns its promise, so that a page may be closed then. @default false */
  savesAtOnce?(): boolean;
}

/** What has to be stored for a write to go ahead. */
export interface SaveCondition<Credential, User> {
  /** What is taken for stored where that cannot be read. */
  readonly current: SignedIn<Credential, User> | undefined;
  readonly isMet: (stored: SignedIn<Credential, User> | undefined) => boolean;
}
