import { canRestore, ExistingSession, type Found } from './existingSession.js';
import type { SessionModules } from './modules.js';
import type { SessionParts } from './parts.js';
import { isSameUser } from './signedIn.js';

interface RestoreUnderWay {
  readonly promise: Promise<void>;
  /** Aborted when the epoch ends in which the session asked: what it finds then comes too late. */
  readonly epochSignal: AbortSignal;
  /** What the browser kept when the session asked. */
  readonly credential: unknown;
}

/** Knows whether it is certain who is signed in, and checks where it is not. One check at a time. */
export class Restore<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Pick<SessionModules<Credential, User>, 'tabs' | 'authCalls'>;
  readonly #existing: ExistingSession<Credential, User>;
  #latest: RestoreUnderWay | undefined;
  #isStale = false;

  constructor(
    parts: SessionParts<Credential, User>,
    modules: Pick<SessionModules<Credential, User>, 'tabs' | 'authCalls'>,
  ) {
    this.#parts = parts;
    this.#modules = modules;
    this.#existing = new ExistingSession(parts, modules);
  }

  get #underWay(): RestoreUnderWay | undefined {
    return this.#latest?.epochSignal.aborted ? undefined : this.#latest;
  }

  get isUnderWay(): boolean {
    return this.#underWay !== undefined;
  }

  /**
   * True when it must be checked again who is signed in, before anything is sent.
   *
   * Not after a sign-out that the server has not confirmed: the cookie is still the user's, and a check would sign
   * them in again. Not while a signed-out user signs in, perhaps at their leisure: the login says who is signed in,
   * and until then requests go without a cookie.
   */
  get isStale(): boolean {
    const { hasUnconfirmedLogout, hasPendingLogin } = this.#modules.authCalls;
    const isSignedOutHere = this.#parts.store.state.status === 'anonymous' && (hasUnconfirmedLogout || hasPendingLogin);
    return this.#isStale && !isSignedOutHere;
  }

  /** When it was checked last who is signed in, in milliseconds since 1970. */
  get checkedAt(): number {
    return this.#existing.checkedAt;
  }

  /** Another page may have replaced the cookie: what is known must be checked before anything is sent. */
  markStale(): void {
    const { browserManaged, restore } = this.#parts.mechanism;
    if (browserManaged && restore && this.#parts.store.state.status !== 'restoring') this.#isStale = true;
  }

  /** Another page has replaced what the browser keeps. A check that was sent before that decides nothing. */
  markReplaced(credential: Credential): void {
    const { isSameCredential = Object.is } = this.#parts.mechanism;
    const before = this.#underWay?.credential as Credential | undefined;
    if (before === undefined || !isSameCredential(before, credential)) this.cancel();
    this.markStale();
  }

  /** It is known who is signed in, from the answer to a login. */
  confirm(): void {
    this.#isStale = false;
    this.#existing.confirm();
  }

  /** Resolves when it is known who is signed in. Starts the check if nothing did. */
  ensureRestored(): Promise<void> {
    const isUnknown = this.isStale || this.#parts.store.state.status === 'restoring';
    return this.#underWay?.promise ?? (isUnknown ? this.restore() : Promise.resolve());
  }

  /** Checks for an existing session because the user or the app wants it, whatever `Retry-After` said. */
  tryAgain(): Promise<void> {
    this.#existing.endPause();
    return this.restore();
  }

  /**
   * Checks for an existing session. Concurrent calls share one check. While the server has asked to wait, it sends
   * nothing and finds the error of before.
   */
  restore(): Promise<void> {
    const { mechanism, store } = this.#parts;
    if (this.#underWay || !canRestore(mechanism)) return this.#underWay?.promise ?? Promise.resolve();
    const { epochSignal } = store;
    const isLatest = () => this.#underWay === underWay;
    const promise = this.#existing.find(epochSignal, isLatest).then(found => {
      // A login or logout in the meantime wins.
      if (!isLatest()) return;
      this.#latest = undefined;
      if (!found.error) this.#isStale = false;
      this.#apply(found);
    });
    const { signedIn } = store.state;
    const credential = signedIn && mechanism.readCredential?.(signedIn.credential);
    const underWay: RestoreUnderWay = { promise, epochSignal, credential };
    this.#latest = underWay;
    return promise;
  }

  /** What a check under way finds is ignored, and no further check is due. */
  cancel(): void {
    this.#latest = undefined;
    this.#isStale = false;
  }

  /** A check that finds the same user with the same data changes nothing that is shown. */
  #apply({ signedIn, error }: Found<Credential, User>): void {
    const { mechanism, store } = this.#parts;
    const { isSameCredential = Object.is } = mechanism;
    const current = store.state.signedIn;
    if (
      !signedIn ||
      !isSameUser(current, signedIn) ||
      JSON.stringify(current?.user) !== JSON.stringify(signedIn.user)
    ) {
      store.dispatch({ type: 'restored', signedIn, error });
    } else if (!isSameCredential(current!.credential, signedIn.credential)) {
      store.dispatch({ type: 'credential-replaced', signedIn: { ...signedIn, user: current!.user } });
    }
  }
}
