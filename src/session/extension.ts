import type { Clock } from '../clock.js';
import type { AnyMechanism, RequestToAttach, SignedIn } from './mechanism.js';
import type { Role } from './queue.js';
import type { Session, SessionSnapshot, SignOutReason } from './session.js';
import type { Position, SignIn } from './state.js';
import type { UserClass } from './userClass.js';

/**
 * What an app may do without: step-up, lock, the session's clock, the user as a record. Only apps that import one load its code.
 * Called when the session is made, so that each session has its own.
 */
export type Extension = (session: SessionCore) => Hooks;

export interface Hooks {
  /** Called before a request waits at the gate, and, without a scope, before a check. An extension that ends the session here stops it. */
  beforeSending?(scope?: Scope): void;
  /** Called with each refused response. True: sent again; false: not; undefined: the next one decides. */
  onRefusal?(response: Response, scope: Scope): Promise<boolean | undefined>;
  /** Called at the end of a sign-in, after the record of the tabs has it. `lock` keeps the screen of a user who can be recognized. */
  onEnd?(reason: SignOutReason): 'lock' | undefined;
  /** Called with the first subscriber. Returns what ends it. */
  start?(): () => void;
  /**
   * Sends a login, and returns what the server answers in the end: a server may want a second factor.
   *
   * @param send Sends the first request. Its own result is the answer where nothing else is wanted.
   * @param run Sends a further one as a part of this login.
   * @param signal Aborted when a later login or logout wins.
   */
  onLogin?(send: Send, run: (send: Send) => Promise<unknown>, signal: AbortSignal): Promise<unknown>;
  /** Called with each request after the mechanism's own `attach`, whose init it gets. */
  attach?(request: RequestToAttach, credential: unknown, role?: Role): RequestInit;
  /** Called with each user whom a login or a check has found: the same subject may be another identity. */
  identify?(found: SignedIn<unknown, unknown>): { readonly tenant?: string | undefined };
}

export type Send = () => Promise<unknown>;

/** The option of a session for what an app may do without. */
export interface ExtensionsOption {
  /** What the session can do beside its core, such as `stepUp()`. Read when the session is made. @default nothing */
  readonly extensions?: readonly Extension[] | undefined;
}

/** A session as endpoints, providers and extensions see it. */
export interface SessionCore<Credential = unknown, User = unknown> extends Session<
  User,
  readonly unknown[],
  readonly unknown[],
  readonly unknown[]
> {
  /** Tells the sessions of a page apart. */
  readonly id: number;
  readonly userClass: UserClass | undefined;
  /** What the page started with, for hydration. */
  getServerSnapshot(): SessionSnapshot<User>;
  /** Grows when an identity is left: its store is never shown to another. */
  getStoreGeneration(): number;
  /** Aborted when the current generation ends. */
  getStoreGenerationSignal(): AbortSignal;
  getSubject(): string | undefined;
  /** Who is signed in, or whose screen is locked. */
  getOwner(): (SignIn<User> & { readonly signInId: string; readonly revision: number }) | undefined;
  getCredential(): Credential | undefined;
  /** True if other tabs may have the same sign-in: that of a cookie, an SDK or a shared storage. */
  sharesSignIn(): boolean;
  /** Waits until a request could be sent, and returns its credential. @throws SignedOutError */
  getUsableCredential(): Promise<Credential>;
  subscribeToCredential(listener: () => void): () => void;
  /** Calls the listener after each change of the snapshot. Starts nothing, unlike `subscribe`. */
  subscribeToSnapshot(listener: () => void): () => void;
  /** Starts as the user whom the server has found; null if it has found none. No effect after a check. */
  start(initial: SignedIn<Credential, User> | null): void;
  /** A component above or an SDK has signed a user in, or out. */
  adopt(signedIn: SignedIn<Credential, User>): void;
  leave(reason: SignOutReason): void;
  /** Ends the sign-in in all tabs, as after a refusal. */
  expire(): void;
  endSession(reason: SignOutReason): void;
  /** Ends the sign-in here, then on the server, unless `claim` says that another tab does that. */
  signOut(reason: SignOutReason, claim?: () => Promise<boolean>): Promise<void>;
  /** Another user may be signed in: asks the server, unless the page is hidden. */
  recheck(): Promise<void>;
  /** Adds an extension. Returns what takes it away. */
  use(extension: Extension): () => void;
  readonly clock: Clock;
  /** How the credential of this session is obtained: extensions ask what it can do. */
  readonly mechanism: AnyMechanism<Credential, User>;
  /** Opens the scope of a call, before anything is awaited. */
  open(callerSignal?: AbortSignal, role?: Role): Scope;
  send(scope: Scope, request: Promise<OutgoingRequest>, transport: Transport): Promise<Response>;
  /** Runs a function of the app: what it sends before its first `await` is this writer's. */
  callAs<T>(role: Role, call: () => T): T;
  readonly runAs: RunAs;
  /** Runs a function of the app as a request of the user: it waits at the gate. What it sends is sent once, and its 401 ends nothing. */
  act<T>(role: Role, signal: AbortSignal, call: () => Promise<T>): Promise<T>;
  /** Takes over another credential of the same user, while no tab refreshes. `read`: undefined leaves it as it is. */
  renew(read: (current: SignedIn<Credential, User>) => Credential | undefined, signal: AbortSignal): Promise<void>;
  /** Resolves when this tab knows a record that another one has written, after a second at the latest. */
  catchUp(position: Position): Promise<void>;
  /** Signs in by a request of the app in place of the mechanism's, with the same CSRF token, second factor and check. */
  loginBy(send: Send): Promise<User | undefined>;
  /** The login that runs right now counts no longer: its caller gets this reason. */
  cancelLogin(reason: Error): void;
  /** Sends what a login sends, and whatever an extension wants then. Call it while the mechanism's `login` runs. */
  sendLogin(send: Send, run?: (send: Send) => Promise<unknown>): Promise<unknown>;
  /** Resolves when no login or logout is under way. */
  authCallsSettled(): Promise<void>;
}

/** The conditions of one call: it is sent as the identity that started it, or not at all. */
export interface Scope {
  /** Aborted when that identity ends, or the caller aborts. */
  readonly signal: AbortSignal;
  readonly callerSignal: AbortSignal | undefined;
  /** What aborts `signal`, and the body of the answer when the scope has been released. */
  readonly ends: readonly AbortSignal[];
  /** The writer that makes the call; undefined for a request of the user. */
  readonly role: Role | undefined;
  /** Removes the listeners of the scope. */
  readonly release: () => void;
}

/** A request that is built, without its credential. */
export interface OutgoingRequest {
  readonly url: string;
  /** The endpoint's own prefix. Its origin is trusted when the session lists no origins. */
  readonly urlPrefix: string;
  readonly method: string;
  readonly init: RequestInit;
  /** Called with a copy of each response, beside the mechanism's own rule. */
  readonly isRefused?: ((response: Response) => boolean | Promise<boolean>) | undefined;
}

/** Sends a request. A refusal of data-client is an error with a `response`. */
export type Transport = (url: string, init: RequestInit) => Promise<Response>;

/** A writer at work, as its own requests see it. */
export interface Writer {
  readonly signal?: AbortSignal | undefined;
  /** Of a logout: that of the user who has signed out. */
  readonly credential?: unknown;
}

/** Runs a function of the mechanism. What it sends before its first `await`, and by its endpoints, is the writer's own. */
export type RunAs = <T>(role: Role, writer: Writer, act: (signal: AbortSignal) => Promise<T>) => Promise<T>;
