import { InvalidCredentialError, RefreshUnavailableError, SessionExpiredError } from '../errors.js';
import type { SessionParts } from './parts.js';
import { isSameUser } from './state.js';
import { RetryPause } from './retryAfter.js';
import type { TabSync } from './tabs.js';
import type { SignedIn } from './types.js';

/** What a check has found: a user, none, or an error where it cannot be known. */
interface Found<Credential, User> {
  readonly signedIn?: SignedIn<Credential, User> | undefined;
  readonly error?: Error;
}

interface RestoreUnderWay {
  readonly promise: Promise<void>;
  /** Aborted when the epoch ends in which the session asked: what it finds then comes too late. */
  readonly epochSignal: AbortSignal;
  /** What the browser kept when the session asked. */
  readonly credential: unknown;
}

/** What a check has to know of the session's logins and logouts. */
interface LoginsAndLogouts {
  /** True while the server has not confirmed a logout. */
  readonly hasUnconfirmedLogout: boolean;
  /** Resolves when no login or logout is under way. */
  settled(): Promise<void>;
}

/** Finds out who is signed in: from what the tabs store, else from the server. */
export class Restore<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #tabs: TabSync<Credential, User>;
  readonly #authCalls: () => LoginsAndLogouts;
  readonly #pause: RetryPause;
  #latest: RestoreUnderWay | undefined;
  #isStale = false;
  #checkedAt = -Infinity;

  constructor(parts: SessionParts<Credential, User>, tabs: TabSync<Credential, User>, authCalls: () => LoginsAndLogouts) {
    this.#parts = parts;
    this.#tabs = tabs;
    this.#authCalls = authCalls;
    this.#pause = new RetryPause(parts.clock);
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
   * Not after a sign-out that the server has not confirmed: the cookie is still the user's, and a check would sign them in again.
   */
  get isStale(): boolean {
    // A logout that the server has not confirmed left the cookie: a check would undo that logout.
    const isSignedOutHere = this.#parts.store.state.status === 'anonymous' && this.#authCalls().hasUnconfirmedLogout;
    return this.#isStale && !isSignedOutHere;
  }

  /** When the server was asked last who is signed in, in milliseconds since 1970. */
  get checkedAt(): number {
    return this.#checkedAt;
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
    this.#pause.end();
    this.#isStale = false;
    this.#checkedAt = this.#parts.clock.now();
  }

  /** Resolves when it is known who is signed in. Starts the check if nothing did. */
  ensureRestored(): Promise<void> {
    const isUnknown = this.isStale || this.#parts.store.state.status === 'restoring';
    return this.#underWay?.promise ?? (isUnknown ? this.restore() : Promise.resolve());
  }

  /** Checks for an existing session because the user or the app wants it, whatever `Retry-After` said. */
  tryAgain(): Promise<void> {
    this.#pause.end();
    return this.restore();
  }

  /** Checks for an existing session. Concurrent calls share one check. While the server has asked to wait, it sends nothing and finds the error of before. */
  restore(): Promise<void> {
    const { mechanism, store } = this.#parts;
    if (this.#underWay || !canRestore(mechanism)) return this.#underWay?.promise ?? Promise.resolve();
    const { epochSignal } = store;
    const isLatest = () => this.#underWay === underWay;
    const promise = this.#find(epochSignal, isLatest).then(found => {
      // A login or logout in the meantime wins.
      if (!isLatest()) return;
      this.#latest = undefined;
      if (!found.error) this.#isStale = false;
      this.#apply(found);
    });
    const { signedIn } = store.state;
    const credential = mechanism.browserManaged && signedIn ? mechanism.readCredential?.(signedIn.credential) : undefined;
    const underWay: RestoreUnderWay = { promise, epochSignal, credential };
    this.#latest = underWay;
    return promise;
  }

  /** What a check under way finds is ignored, and no further check is due. */
  cancel(): void {
    this.#latest = undefined;
    this.#isStale = false;
  }

  /** Another tab tells who is signed in there. Where tabs store that in one place, the place decides: messages may be overtaken. */
  readonly onTabMessage = (subject: string | null): void => {
    const { mechanism, store, withDeadline } = this.#parts;
    const current = store.state.signedIn;
    const isKnown = current !== undefined && current.subject === subject;
    if (mechanism.load && store.state.status !== 'restoring') {
      const stored = withDeadline(this.#tabs.stored.load(isKnown ? current : undefined), store.epochSignal);
      const adopt = (found: SignedIn<Credential, User> | undefined) => {
        if (store.state.signedIn !== current) return;
        if (!found) this.cancel();
        this.#tabs.stored.adopt(found);
      };
      // Where the storage does not answer, the message alone counts.
      void stored.catch(() => (isKnown ? current : undefined)).then(adopt);
    } else if (!isKnown) {
      if (!mechanism.load) store.dispatch({ type: 'signed-out', reason: 'elsewhere' });
      this.cancel();
      if (mechanism.load || subject !== null) void this.restore();
    }
  };

  /** A check that finds the same user with the same data changes nothing that is shown. */
  #apply({ signedIn, error }: Found<Credential, User>): void {
    const { mechanism, store } = this.#parts;
    const { isSameCredential = Object.is } = mechanism;
    const current = store.state.signedIn;
    if (!signedIn || !isSameUser(current, signedIn) || JSON.stringify(current?.user) !== JSON.stringify(signedIn.user)) {
      store.dispatch({ type: 'restored', signedIn, error });
    } else if (!isSameCredential(current!.credential, signedIn.credential)) {
      store.dispatch({ type: 'credential-replaced', signedIn: { ...signedIn, user: current!.user } });
    }
  }

  async #find(signal: AbortSignal, isLatest: () => boolean): Promise<Found<Credential, User>> {
    const { mechanism, withDeadline } = this.#parts;
    try {
      const stored = mechanism.load && (await withDeadline(this.#tabs.stored.load(undefined), signal));
      if (stored || !mechanism.restore) return { signedIn: stored };
      if (this.#pause.error) return { error: this.#pause.error };
      return { signedIn: await this.#tabs.withTabLock(() => withDeadline(this.#askServer(isLatest), signal), signal) };
    } catch (cause) {
      if (cause instanceof SessionExpiredError) return {};
      const error = cause instanceof InvalidCredentialError ? cause : new RefreshUnavailableError(cause);
      this.#pause.start(cause, error);
      return { error };
    }
  }

  /** Asks the server, unless another tab has done so while this one waited for the lock. */
  async #askServer(isLatest: () => boolean): Promise<SignedIn<Credential, User> | undefined> {
    const { mechanism, runAuthCall } = this.#parts;
    const stored = mechanism.load && (await this.#tabs.stored.load(undefined));
    // A sign-out under way has not reached the server yet.
    if (mechanism.browserManaged) await this.#authCalls().settled();
    if (stored) return stored;
    this.#checkedAt = this.#parts.clock.now();
    const found = await runAuthCall('restore', undefined, () => mechanism.restore!());
    const signedIn = found && this.#tabs.asLatest(found);
    if (signedIn && isLatest()) await mechanism.save?.(signedIn);
    return signedIn;
  }
}

/** Whether a session can find out who is signed in before a login. */
export function canRestore({ load, restore }: { load?: unknown; restore?: unknown }): boolean {
  return load !== undefined || restore !== undefined;
}
