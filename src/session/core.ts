import type { ClockedSession } from './clockedSession.js';
import type { Challenges } from './challenges/challenge.js';
import type { RequestToSend } from './requests/requestScope.js';
import type { Session, SessionSnapshot, SignOutReason } from './session.js';
import type { SignedIn } from './signedIn.js';
import type { LockedUser } from './state.js';
import type { UserClass } from './userClass.js';

/** A session as the kit's own providers and endpoints see it. */
export interface SessionCore<Credential = unknown, User = unknown>
  extends Session<User, readonly unknown[], readonly unknown[], readonly unknown[]>, ClockedSession {
  /** Tells the sessions of a page apart. */
  readonly id: number;
  /** The snapshot that a server renders, and a page until it is hydrated: the first one, or the one after `start`. */
  getServerSnapshot(): SessionSnapshot<User>;
  /**
   * Starts as the user that is known already, or signed out (null). No effect once a check has started, or a login or
   * logout has ended: they know better.
   */
  start(initial: SignedIn<Credential, User> | null): void;
  /** How many identities were left so far. A store made in one generation never serves another. */
  getStoreGeneration(): number;
  /** Aborted when the current store generation ends. */
  getStoreGenerationSignal(): AbortSignal;
  /** The subject of the current user, also while locked. Undefined while no user is signed in, and for a user without a subject. */
  getSubject(): string | undefined;
  /** The class of the user's record; see `UserOption`. Undefined: the user is no record. */
  readonly userClass: UserClass | undefined;
  /** Whose session it is, with the user as the server described them, before `UserClass` makes an instance of it. */
  getOwner(): LockedUser<User> | undefined;
  getCredential(): Credential | undefined;
  /** See `CurrentCredential.getUsable`. */
  getUsableCredential(): Promise<Credential>;
  /** Calls the listener after each new credential, and after each sign-out. Starts nothing. */
  subscribeToCredential(listener: () => void): () => void;
  /** Undefined without the option `challenge`. */
  readonly challenges: Challenges | undefined;
  /** Sends one request as the current identity. See `RequestSender` in `sendRequest.ts`. */
  send<T>(request: RequestToSend<T>): Promise<T>;
  /** Takes over a user who signed in elsewhere (with an SDK), or a new credential of the current user. */
  adopt(signedIn: SignedIn<Credential, User>): void;
  /** Signs out on this page only, and cancels a check under way. */
  leave(reason: SignOutReason): void;
  /** Ends the session because the server refuses the credential. Further calls have no effect. */
  expire(): void;
  /**
   * From now on, an expiry locks the session: its screen and its requests wait for the same user. Returns the function
   * that ends this.
   *
   * @param onUnused Called when that has ended for all callers.
   */
  lockOnExpiry(onUnused: () => void): () => void;
  /** Signs out on this page, in the storage and in the other tabs. */
  endSession(reason: SignOutReason): void;
  /** Resolves when no login or logout is under way. */
  authCallsSettled(): Promise<void>;
}

const cores = new WeakSet<object>();

export function registerCore<Core extends SessionCore<unknown, unknown>>(core: Core): Core {
  cores.add(core);
  return core;
}

/** Returns true if the object is a session of this kit. */
export function isSessionCore(session: object): session is SessionCore {
  return cores.has(session);
}
