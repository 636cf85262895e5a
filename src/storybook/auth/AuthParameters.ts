import type { ContextTokenProviderProps, GetToken, Session } from 'data-client-auth';

/** What the toolbar can do to the answers of a server, besides `fast`. */
export type StoryNetwork = 'slow' | 'offline' | 'expired';

/**
 * The server behind a story, as the addon needs it. The mock servers of `data-client-auth/testing` have all of it; an object of your own
 * may have less.
 */
export interface StoryServer {
  /**
   * Signs a user in without a request. Returns what the session's `enter` takes: for a token session the answer to a login. With a
   * cookie, sets the cookie. Called before the first render, and again when a context session needs a fresh token.
   */
  signIn(personId: string): unknown;
  /** For a cookie session: returns the user as `whoami` does. Then the session starts with it (`initial`), and sends no `whoami`. */
  userOf?(personId: string): unknown;
  /** Makes the server refuse the current credentials. Absent: the toolbar does not offer _Expired credentials_. */
  expire?(): void;
  /** Restores the initial state. Called before and after each story. */
  reset?(): void;
  /**
   * Creates an msw handler that makes all answers slow or lost, until the signal is aborted. See `networkHandler` of
   * `data-client-auth/testing`. Absent: the toolbar offers neither _Slow_ nor _Offline_.
   */
  networkHandler?(network: StoryNetwork, signal: AbortSignal): object;
}

/** Who a story starts with. */
export interface SessionStart {
  /** The id of the user who is signed in; undefined: signed out. */
  readonly person: string | undefined;
  /** Gets the user's token from the server, as an SDK does. For `ContextTokenProvider` and `createSdkSession`. */
  readonly getToken: GetToken;
}

/** A session of the kit, or the props of `ContextTokenProvider`. */
export type StorySession = Session<unknown, never, never, never> | Omit<ContextTokenProviderProps, 'children'>;

/** One way to sign in. */
export interface AuthMechanism {
  /**
   * Creates the session. Called once when a story starts. A function, because Storybook sends parameters to its own frame. Absent: the
   * story makes its own session, and reads the choices of the toolbar from `context.auth`.
   */
  session?: ((start: SessionStart) => StorySession) | undefined;
  /** @default a server that issues `{ accessToken, user }` and never sees a request: enough for data-client's `MockResolver` */
  server?: StoryServer | undefined;
}

/**
 * `parameters.auth`: a story with a session, signed in before its first render and without a request, and the toolbar's choices.
 *
 * @example
 * parameters: {
 *   auth: { session: () => createTokenSession({ login, refresh }), server, people: { ada: 'Ada', grace: 'Grace' }, as: 'ada' },
 * }
 */
export interface AuthParameters extends AuthMechanism {
  /** Who can be signed in: ids of the server's users, and the labels of the toolbar. @default no user */
  people?: Readonly<Record<string, string>> | undefined;
  /** The id of the user who is signed in when the story starts. @default none: signed out */
  as?: string | undefined;
  /** Several ways to sign in, for the toolbar to choose from; the first is the default. In place of `session` and `server`. */
  mechanisms?: Readonly<Record<string, AuthMechanism & { readonly title?: string }>> | undefined;
  /** False: the story ignores the toolbar. @default true for a story without a play, whose test is written for one choice */
  toolbar?: boolean | undefined;
  /** The worker of msw, for slow and lost answers. @default the `msw` that msw-storybook-addon adds to the context */
  worker?: { use(...handlers: readonly object[]): void } | undefined;
  /** True: no session and no toolbar in this story. @default false */
  disable?: boolean | undefined;
}

/** The ids that connect the two parts of the auth toolbar, in the story's frame and in Storybook's own frame. */
export const AUTH_ID = 'data-client-auth/auth';
export const TOOLBAR_NEWS = `${AUTH_ID}/tools`;

/** The parameter of a story, as in `parameters: { auth: { as: 'ada' } }`. */
export const AUTH_PARAM_KEY = 'auth';
