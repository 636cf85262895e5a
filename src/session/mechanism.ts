import type { MaybePromise, RecordStore } from './record.js';
import type { Role } from './queue.js';
import type { TabGate, TabGateEvents } from './tabGate.js';

/** What a refused response says. `forbidden`: no other credential would help. */
export type Refusal = 'unauthorized' | 'csrf-rejected' | 'forbidden';

/** What a server asks of a user who is signed in already, or of one whose login is not complete. */
export interface AuthChallenge {
  /** The `error` of the `WWW-Authenticate` header, or the kind that your own `readChallenge` or `readLoginResult` names. */
  readonly kind: 'insufficient_user_authentication' | 'insufficient_scope' | (string & {});
  /** The authentication contexts that the server accepts, the preferred one first (RFC 9470). */
  readonly acrValues?: readonly string[] | undefined;
  /** How old the user's last authentication may be, in seconds (RFC 9470). */
  readonly maxAge?: number | undefined;
  /** The scopes that the request needs, separated by spaces (RFC 6750). */
  readonly scope?: string | undefined;
  /** True for a factor of a login: no user is signed in by it yet. Set by the session. @default false */
  readonly isLogin?: boolean | undefined;
  /** Anything else that `answer` needs, such as the id of a transaction. Never shown. */
  readonly details?: unknown;
}

/** A user with a credential, as a mechanism finds them. */
export interface SignedIn<Credential, User> {
  readonly credential: Credential;
  readonly user?: User | undefined;
  /** A different text for each user. Without it, each sign-in is another identity. */
  readonly subject?: string | undefined;
  /** The organization or tenant: the same subject in another one is another identity. */
  readonly tenant?: string | undefined;
}

/** A request that is about to be sent, as `attach` gets it. */
export interface RequestToAttach {
  /** The final address, absolute or relative to the page. */
  readonly url: string;
  readonly urlPrefix: string;
  /** The init for `fetch`, with `method`, `headers` and the encoded `body`. */
  readonly init: RequestInit;
}

/**
 * How credentials are obtained, sent and refreshed: the part that differs between kinds of sessions. Only `attach` is required.
 *
 * What `login`, `restore`, `refresh` and `logout` send by an endpoint or by `session.fetch` before their first `await` is the session's
 * own: it waits for nothing, follows no redirect, and its 401 ends no session. They reject with `SessionExpiredError` when the server
 * refuses the credential; any other rejection means that the server is unavailable, and ends no session.
 */
export interface Mechanism<
  Credential,
  User,
  LoginArgs extends readonly unknown[] = readonly never[],
  LogoutArgs extends readonly unknown[] = readonly never[],
  EnterArgs extends readonly unknown[] = [signedIn: SignedIn<Credential, User>],
> {
  /** The only origins that get requests of the session. @default the page's own and each endpoint's `urlPrefix` */
  readonly trustedOrigins?: readonly string[] | undefined;
  /** How long a request waits for anything before it rejects, in milliseconds. @default 10000 */
  readonly timeout?: number | undefined;
  /** Puts the credential on a request. Called for each attempt, when it is sent; `role` is set for a request of the session itself. */
  attach(request: RequestToAttach, credential: Credential | undefined, role?: Role): MaybePromise<RequestInit>;
  /** What a response says about the credential that was sent. Called with each response that is not `ok`. @default a 401 refuses it */
  classify?(response: Response, sent?: Credential): MaybePromise<Refusal | undefined>;
  /** Signs in. There is no time limit. Undefined: the answer names no user, and the session calls `restore`. Absent: users sign in elsewhere. */
  login?(...args: LoginArgs): Promise<SignedIn<Credential, User> | undefined>;
  /** Signs in with what the app has from the server already. Undefined: `restore` tells. @default takes the `SignedIn` itself */
  enter?(...args: EnterArgs): Promise<SignedIn<Credential, User> | undefined>;
  /** Finds an existing session. Undefined: there is none. Called while requests wait, and by each check. */
  restore?(signal: AbortSignal): Promise<SignedIn<Credential, User> | undefined>;
  /** Gets a fresh credential for the same user. One call at a time. */
  refresh?(current: SignedIn<Credential, User>, signal: AbortSignal): Promise<SignedIn<Credential, User>>;
  /** Ends the session on the server. Called after the user is signed out here, with the last credential. */
  logout?(credential: Credential | undefined, ...args: LogoutArgs): Promise<unknown>;
  /** Asks the server about the user, as a request of that user. */
  profile?(current: SignedIn<Credential, User>, signal: AbortSignal): Promise<User>;
  /** Reads a credential that lives outside the page. Called before each request. Undefined: it is gone. */
  read?(known: Credential): MaybePromise<Credential | undefined>;
  /** @default Object.is */
  isSame?(a: Credential, b: Credential): boolean;
  /** Who is signed in, when a component above knows it. Called when the page is shown again. */
  readIdentity?(): SignedIn<Credential, User> | undefined;
  /** Asks the user by an SDK, when a server wants more than the credential proves. @returns what `readAnswer` reads */
  answerChallenge?(challenge: AuthChallenge, signal: AbortSignal): Promise<unknown>;
  /** Reads a credential from the answer to such a challenge. @throws InvalidCredentialError when it is none */
  readAnswer?(result: unknown, current: SignedIn<Credential, User>): SignedIn<Credential, User>;
  /** Reads another credential of the same user, which a server may send with any answer. Called with each accepted response. */
  readRenewed?(response: Response, current: SignedIn<Credential, User>): Credential | undefined;
  /** When to refresh, in milliseconds since 1970, before a request of this method. */
  refreshAt?(credential: Credential, method: string): number | undefined;
  /** When the credential expires, in milliseconds since 1970. */
  expiresAt?(credential: Credential): number | undefined;
  /** Which refusal a refresh mends. @default 'unauthorized' */
  readonly refreshOn?: Refusal | undefined;
  /** True: refreshed at `refreshAt` even while nothing is sent. @default false */
  readonly autoRefresh?: boolean | undefined;
  /** Whom a response is for, if it says so. */
  subjectOf?(response: Response): string | undefined;
  /** Where the tabs keep their record. @default this page's memory */
  readonly storage?: RecordStore<Credential, User> | undefined;
  /** The name of what tabs that share the sign-in share with each other. @default they share nothing */
  readonly tabs?: string | undefined;
  /** The name of the lock by which refreshes of all tabs follow each other. @default they do not */
  readonly turn?: string | undefined;
  /** True if logins and logouts take that turn too, because each of them sets a refresh cookie. */
  readonly loginTakesTurn?: boolean | undefined;
  /** The gate of the tabs that share a cookie. @default none */
  readonly gate?: ((events: TabGateEvents) => TabGate) | undefined;
}

/** A mechanism as its session calls it, whatever its arguments are. */
export type AnyMechanism<Credential, User> = Mechanism<
  Credential,
  User,
  readonly unknown[],
  readonly unknown[],
  readonly unknown[]
>;
