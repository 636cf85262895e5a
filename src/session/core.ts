import type { RequestToSend } from './requestScope.js';
import type { Session, SessionSnapshot, SignOutReason } from './session.js';
import type { SignedIn } from './signedIn.js';

/** A session as the kit's own providers and endpoints see it. */
export interface SessionCore<Credential = unknown, User = unknown> extends Session<
  User,
  readonly never[],
  readonly never[]
> {
  /** Tells the sessions of a page apart. */
  readonly id: number;
  /** What a server renders, and a page until it is hydrated: what was known from the start. */
  getServerSnapshot(): SessionSnapshot<User>;
  /** How many identities were left so far. A store made in one generation never serves another. */
  getStoreGeneration(): number;
  /** Aborted when the next identity is left, and the store generation of now ends with it. */
  getStoreGenerationSignal(): AbortSignal;
  /** Tells the user apart from every other one; undefined while no user is signed in, and where nothing tells. */
  getSubject(): string | undefined;
  getCredential(): Credential | undefined;
  /** Calls the listener after each new credential, and after each sign-out. Starts nothing. */
  subscribeToCredential(listener: () => void): () => void;
  /** Sends one request as the identity of now. */
  send<T>(request: RequestToSend<T>): Promise<T>;
  /** A user signed in elsewhere (an SDK), or has another credential now. */
  adopt(signedIn: SignedIn<Credential, User>): void;
  /** No user is signed in any more; a check under way is cancelled. */
  leave(reason: SignOutReason): void;
  /** The server refuses the identity: ends the session, once. */
  expire(): void;
  /** Signs out here, in the storage and in the other tabs. */
  endSession(reason: SignOutReason): void;
  /** Resolves when no login or logout is under way. */
  authCallsSettled(): Promise<void>;
}

const cores = new WeakSet<object>();

export function registerCore<Core extends SessionCore<any, any>>(core: Core): Core {
  cores.add(core);
  return core;
}

/** Whether the object is a session of this kit. */
export function isSessionCore(session: object): session is SessionCore {
  return cores.has(session);
}
