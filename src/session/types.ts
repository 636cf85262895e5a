/** Who is signed in, in one word. A refresh of credentials is not a status. */
export type SessionStatus = 'restoring' | 'anonymous' | 'authenticated';

/** Why nobody is signed in: by their own act, by the server's refusal, or by an act outside this page. */
export type SignOutReason = 'signed-out' | 'expired' | 'elsewhere';

/** What a session tells its readers. The same object until one of its fields changes; a refresh changes none. */
export interface SessionSnapshot<User = unknown> {
  readonly status: SessionStatus;
  /** Why nobody is signed in; undefined while somebody is, and before anybody ever was. */
  readonly reason: SignOutReason | undefined;
  /** What the login or whoami answered about the person; undefined while nobody is signed in. */
  readonly user: User | undefined;
  /** Grows by one at each change of identity, never at a refresh. Not a clock. */
  readonly epoch: number;
  /** The failure of the last login, logout or restore; undefined once one succeeds. */
  readonly error: Error | undefined;
}

/**
 * One holder of an identity: who is signed in, or nobody. A plain object made outside React, like a query client. Give it to a
 * provider, or to `authEndpoint` for use outside React.
 */
export interface Session<User = unknown, LoginArgs extends readonly unknown[] = readonly never[]> {
  /**
   * Signs in. Resolves when the identity is known, credentials are in place and every subscriber was told; waits as long as the
   * `login` option does. The last call wins: an earlier one under way rejects with `IdentityChangedError`.
   *
   * @throws what the `login` option threw; the status is unchanged then, and `error` in the snapshot is set.
   * @throws InvalidCredentialError when its answer holds no usable credential.
   */
  login(...args: LoginArgs): Promise<User | undefined>;
  /**
   * Signs out: here at once, then on the server.
   *
   * @throws what the `logout` option threw. Nobody is signed in on this page even then, but the server may not know.
   */
  logout(): Promise<void>;
  /**
   * Gets fresh credentials for the same identity; calls made meanwhile share it. When nobody is signed in, it asks again
   * whether somebody is (the `restore` or `whoami` option).
   *
   * @throws SessionExpiredError when the server refuses, RefreshUnavailableError when it cannot be reached in time, TypeError
   * when somebody is signed in and the session was given no way to refresh.
   */
  refresh(): Promise<void>;
  /** Calls the listener after each change of the snapshot; returns the function that ends it. */
  subscribe(listener: () => void): () => void;
  getSnapshot(): SessionSnapshot<User>;
  /**
   * Calls off everything under way and forgets credentials held in memory; storage is left as it is. For a session whose
   * provider is gone: a mounted one asks at once who is signed in. Safe to call twice.
   */
  dispose(): void;
}

/** What a request is given when its caller starts it. */
export interface Ticket {
  /** Aborted, with the reason to reject with, when the epoch in which the request was started ends, or the caller gives up. */
  readonly signal: AbortSignal;
  /** What the caller gives up by. */
  readonly callerSignal: AbortSignal | undefined;
  /** The version of the credential that the last attempt carried. */
  version: number;
  /** Lets go of the signals that it follows; called once the request is settled. */
  readonly release: () => void;
}

/** A request about to be sent. */
export interface Outgoing {
  /** The final address, absolute or relative to the page. */
  readonly url: string;
  /** The endpoint's own prefix: trusted when the session lists no origins. */
  readonly urlPrefix: string;
  readonly init: RequestInit;
}

/** What a login, restore or refresh has found out: the credential and whose it is. */
export interface Entry<Credential, User> {
  readonly credential: Credential;
  readonly user?: User | undefined;
  /** Who the person is; undefined when nothing tells, and then every login is a new identity. */
  readonly subject?: string | undefined;
}

/** What an answer says of the credential: fine, no longer accepted, or a companion of it (the CSRF token) is out of date. */
export type Verdict = 'accepted' | 'expired' | 'stale';

/** The other tabs of the browser that share a session's credential. */
export interface Tabs {
  /** Calls back when another tab has told who is signed in there; null means nobody. Returns the function that ends it. */
  listen(hear: (subject: string | null) => void): () => void;
  tell(subject: string | null): void;
  /** Runs the function while no other tab runs its own; the signal ends the wait for that, and not the run. Absent: at once. */
  alone?<T>(act: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/**
 * How credentials reach a request and are renewed: all that token, cookie and context sessions differ in. `restore`, `renew`
 * and `read` reject with `SessionExpiredError` where the answer is “no”, and with anything else for “not now”.
 */
export interface Mechanism<Credential, User> {
  /** How long a refresh, a restore or a server-side logout may take, in milliseconds. */
  readonly timeoutMs: number;
  /** True when the browser keeps the credential: a login's answer exchanges it before the page knows, so requests wait for it. */
  readonly ambient?: boolean;
  /** The verdict that `renew` can mend. */
  readonly renews: Exclude<Verdict, 'accepted'>;
  /** The tabs that share the credential. Absent: none. */
  readonly tabs?: Tabs | undefined;
  /** True when a credential that is due is renewed even while nothing is sent. */
  readonly renewsAhead?: boolean | undefined;
  /** Signs in with the arguments of `session.login`. Absent: signing in happens outside (an SDK). */
  login?(...args: never[]): Promise<Entry<Credential, User>>;
  /** Finds out whether somebody is signed in already; undefined when nobody is. Absent: nobody is. */
  restore?(): Promise<Entry<Credential, User> | undefined>;
  logout?(credential: Credential | undefined): Promise<unknown>;
  /** Fresh credentials for the same identity. Absent: none can be had. */
  renew?(held: Entry<Credential, User>): Promise<Entry<Credential, User>>;
  /** Whether a request of this method carries what `renew` renews, and so waits for a refresh. Absent: all do. */
  covers?(method: string): boolean;
  /** When to renew the credential before it is sent, in milliseconds since 1970; undefined when that is not known. */
  dueAt?(credential: Credential): number | undefined;
  /** True when the credential is known not to have expired yet. */
  isGood?(credential: Credential): boolean;
  /** The credential to send now, when it lives outside the session. Read at send time; undefined: there is none any more. */
  read?(credential: Credential): Credential | undefined | Promise<Credential | undefined>;
  same(a: Credential, b: Credential): boolean;
  /** Puts the credential on a request; undefined is nobody's. @throws UntrustedOriginError, InvalidCredentialError. */
  carry(request: Outgoing, credential: Credential | undefined): RequestInit;
  judge(response: Response): Verdict | Promise<Verdict>;
  /** What is kept beyond this page, by this tab or another; `held` where that cannot be read. Never rejects. Absent: nothing is. */
  load?(held: Entry<Credential, User> | undefined): Promise<Entry<Credential, User> | undefined>;
  /** Keeps the entry beyond this page, or with undefined forgets it; never rejects. */
  save?(entry: Entry<Credential, User> | undefined): Promise<void>;
}
