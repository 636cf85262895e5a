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
}

/**
 * Holds an identity, or none. A plain object made outside React, like a query client. Give it to a provider, or to
 * `authEndpoint` for use outside React.
 */
export interface Session<User = unknown, LoginArgs extends readonly unknown[] = readonly never[]> {
  /**
   * Signs in. Resolves when the identity is known, its credentials are in place and every subscriber was called. Waits as
   * long as the `login` option does. The last call wins: an earlier one under way rejects with `IdentityChangedError`.
   *
   * @throws what the `login` option threw. The status is unchanged then, and the snapshot has the `error`.
   * @throws InvalidCredentialError when its answer has no usable credential.
   */
  login(...args: LoginArgs): Promise<User | undefined>;
  /**
   * Signs out: on this page at once, then on the server.
   *
   * @throws what the `logout` option threw. The user is signed out on this page even then, but the server may not know.
   */
  logout(): Promise<void>;
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

/** A request that is about to be sent. */
export interface OutgoingRequest {
  /** The final address, absolute or relative to the page. */
  readonly url: string;
  /** The endpoint's own prefix: trusted when the session lists no origins. */
  readonly urlPrefix: string;
  readonly init: RequestInit;
}

/** What a login, restore or refresh has found out: the credential and whose it is. */
export interface SignedIn<Credential, User> {
  readonly credential: Credential;
  readonly user?: User | undefined;
  /** Tells users apart. Undefined when nothing tells, and then every login is a new identity. */
  readonly subject?: string | undefined;
}

/** What a refused request says about the credential: it is no longer accepted, or only its CSRF token is out of date. */
export type AuthFailure = 'unauthorized' | 'csrf-rejected';

/** The other tabs of the browser that share a session's credential. */
export interface Tabs {
  /** Calls back when another tab posts who is signed in there; null means no user. Returns the function that ends it. */
  listen(onMessage: (subject: string | null) => void): () => void;
  post(subject: string | null): void;
  /** Runs the function while no other tab runs its own. The signal ends the wait for that, not the run. Absent: at once. */
  withLock?<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** What a session calls one of its own functions for. A fetch of the CSRF token is a refresh, a `whoami` a restore. */
export type AuthCallName = 'login' | 'refresh' | 'restore' | 'logout';

/**
 * How credentials reach a request and are renewed: all that token, cookie and context sessions differ in.
 *
 * `restore`, `refresh` and `readCredential` reject with `SessionExpiredError` where the answer is “no”, and with anything else
 * for “not now”, which ends no session.
 */
export interface Mechanism<Credential, User, LoginArgs extends readonly unknown[] = readonly never[]> {
  /** How long a refresh, a restore or a logout on the server may take, in milliseconds. @default 10000 */
  readonly timeoutMs?: number | undefined;
  /**
   * The only origins that the session's requests and auth calls may reach; anything else is an `UntrustedOriginError`, and nothing is sent.
   *
   * @default the page's own and each endpoint's `urlPrefix`
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /** True when the browser keeps the credential (a cookie): a login's answer replaces it before the page knows, so requests wait for a login under way. @default false */
  readonly browserManaged?: boolean | undefined;
  /** The failure that `refresh` can mend. @default 'unauthorized' */
  readonly refreshOn?: AuthFailure | undefined;
  /** The tabs that share the credential. @default none */
  readonly tabs?: Tabs | undefined;
  /** True when a credential is refreshed at its `refreshAt` even while nothing is sent. @default false */
  readonly refreshProactively?: boolean | undefined;
  /** Signs in. Called with the arguments of `session.login`. Absent: signing in happens elsewhere (an SDK). */
  login?(...args: LoginArgs): Promise<SignedIn<Credential, User>>;
  /** Checks for an existing session, at the first subscription; resolves with undefined when there is none. Absent: there is none. */
  restore?(): Promise<SignedIn<Credential, User> | undefined>;
  /** Who is signed in, where a component above knows it. Read instead of `restore` when a frozen page is shown again. */
  readIdentity?(): SignedIn<Credential, User> | undefined;
  /** Ends the session on the server. Called after the user is signed out here, with the credential of then. */
  logout?(credential: Credential | undefined): Promise<unknown>;
  /** Gets fresh credentials for the same user. One call at a time. Absent: a refused credential ends the session. */
  refresh?(current: SignedIn<Credential, User>): Promise<SignedIn<Credential, User>>;
  /** Whether a request of this method carries what `refresh` renews, and so waits for a refresh. Absent: all do. */
  appliesTo?(method: string): boolean;
  /** When to refresh the credential before it is sent, in milliseconds since 1970; undefined when that is not known. */
  refreshAt?(credential: Credential): number | undefined;
  /** True when the credential is known not to have expired yet. */
  isUnexpired?(credential: Credential): boolean;
  /** The credential to send now, when it lives outside the session. Read when a request is sent; undefined: there is none any more. */
  readCredential?(credential: Credential): Credential | undefined | Promise<Credential | undefined>;
  /** Whether both are the same credential. @default Object.is */
  isSameCredential?(a: Credential, b: Credential): boolean;
  /**
   * Puts the credential on a request, right before it is sent. Undefined: no user is signed in.
   *
   * @throws UntrustedOriginError, InvalidCredentialError; nothing is sent then.
   */
  attachCredential(request: OutgoingRequest, credential: Credential | undefined): RequestInit | Promise<RequestInit>;
  /** What a failed response says about the credential; undefined when it says nothing. @default 401 is `'unauthorized'` */
  classifyResponse?(response: Response): AuthFailure | undefined | Promise<AuthFailure | undefined>;
  /** Whose answer a response is, where the server names the user in each of them; undefined: it does not say. Read before its body is. */
  subjectOfResponse?(response: Response): string | undefined;
  /** What is stored beyond this page, by this tab or another; `current` where that cannot be read. Never rejects. Absent: nothing is. */
  load?(current: SignedIn<Credential, User> | undefined): Promise<SignedIn<Credential, User> | undefined>;
  /** Stores the sign-in beyond this page, or with undefined removes it. Never rejects. */
  save?(signedIn: SignedIn<Credential, User> | undefined): Promise<void>;
}
