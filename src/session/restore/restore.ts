import { CheckDue, type CheckReason } from './checkDue.js';
import { eventOfCheck } from './eventOfCheck.js';
import { canRestore, ExistingSession, type Found } from './existingSession.js';
import { checkedCredential, LastCheck, type CheckedCredential } from './lastCheck.js';
import type { SessionModules } from '../modules.js';
import { isHistoryNavigation } from '../pageEvents.js';
import { credentialNow } from '../requests/credentialNow.js';
import type { SessionParts } from '../parts.js';
import { isSameCredential, isSameUser, type SignedIn } from '../signedIn.js';

interface RestoreUnderWay {
  /** Resolves with the result, or with undefined if it does not count any more. */
  readonly promise: Promise<Found<unknown, unknown> | undefined>;
  /** Aborted when the epoch in which the check started ends, or a login does not wait for it: its result then comes too late. */
  readonly signal: AbortSignal;
  readonly credential: CheckedCredential;
}

type Modules<Credential, User> = Pick<SessionModules<Credential, User>, 'tabs' | 'authCalls'>;

/** Checks for an existing session, one check at a time, and remembers whether a new check is due. */
export class Restore<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Modules<Credential, User>;
  readonly existing: ExistingSession<Credential, User>;
  readonly due: CheckDue;
  readonly lastCheck: LastCheck;
  #latest: RestoreUnderWay | undefined;

  constructor(parts: SessionParts<Credential, User>, modules: Modules<Credential, User>) {
    this.#parts = parts;
    this.#modules = modules;
    this.existing = new ExistingSession(parts, modules);
    this.due = new CheckDue(parts, modules);
    this.lastCheck = new LastCheck(parts);
  }

  get #underWay(): RestoreUnderWay | undefined {
    return this.#latest?.signal.aborted ? undefined : this.#latest;
  }

  get isUnderWay(): boolean {
    return this.#underWay !== undefined;
  }

  /** The browser's credential may be another user's by now: makes a check due. One that was sent with another credential is made again. */
  markReplaced(credential: Credential, reason: CheckReason): void {
    const underWay = this.#underWay;
    const isCurrent = isSameCredential(this.#parts.mechanism, underWay?.credential.get() as Credential, credential);
    // Not `cancel`: the reasons for a check still hold.
    if (!isCurrent) this.#drop();
    this.due.mark(reason);
    if (underWay && !isCurrent) void this.restore();
  }

  /** Notes that a login has succeeded: no check is due. One that was sent before says nothing; one that waits for the login counts. */
  confirm(): void {
    const isOlder = !this.#parts.mechanism.browserManaged || this.#latest?.credential.isSent();
    if (isOlder) this.#latest = undefined;
    this.due.onLogin();
    this.due.release();
    this.existing.confirm();
  }

  /**
   * The session was made with a known user: counts that as a check. A document that the browser took from its history
   * may be old, so a new check is due there.
   */
  trustInitial(): void {
    this.confirm();
    if (isHistoryNavigation()) this.due.mark('stale');
  }

  /** See `SessionCore.start`. */
  start(initial: SignedIn<Credential, User> | null): void {
    const { store } = this.#parts;
    if (store.state.status !== 'restoring' || store.state.epoch > 0 || this.isUnderWay) return;
    store.dispatch({ type: 'restored', signedIn: initial ?? undefined });
    store.captureServerSnapshot();
    this.trustInitial();
  }

  /** Resolves when no check is due or under way. Starts a check if one is due. */
  ensureRestored(): Promise<unknown> {
    const isUnknown = this.due.isDue || this.#parts.store.state.status === 'restoring';
    return this.#underWay?.promise ?? (isUnknown ? this.restore() : Promise.resolve());
  }

  /** Resolves when it is known who is signed in. Never rejects. */
  async ready(): Promise<void> {
    while (this.#parts.store.state.status === 'restoring') await this.ensureRestored();
  }

  /** Checks for an existing session because the user or the app asked for it, whatever `Retry-After` said. */
  tryAgain(): RestoreUnderWay['promise'] {
    this.existing.endPause();
    return this.restore();
  }

  /**
   * Checks for an existing session. Concurrent calls share one check. During the wait of a `Retry-After` it sends
   * nothing, and its result is the previous error.
   */
  restore(): RestoreUnderWay['promise'] {
    const { mechanism, store } = this.#parts;
    if (this.#underWay || !canRestore(mechanism)) return this.#underWay?.promise ?? Promise.resolve({});
    const askedAt = Date.now();
    const { wireSignal: signal } = store;
    const credential = checkedCredential(this.#parts);
    const isLatest = () => this.#underWay === underWay;
    const promise = this.existing.find({ signal, isLatest, onSend: credential.onSend }).then(found => {
      // A login or logout in the meantime wins.
      if (!isLatest()) return undefined;
      this.#latest = undefined;
      const isExpiry = this.due.isAfterRefusal && !found.signedIn && !found.error;
      const isSame = isSameUser(store.state.signedIn, found.signedIn);
      if (!found.error) {
        this.lastCheck.note(credential.get(), credentialNow(this.#parts), isSame && this.due.isAfterChange);
        this.due.onChecked();
      }
      const event = isExpiry ? undefined : eventOfCheck(this.#parts, found, askedAt);
      if (isExpiry) void this.#modules.tabs.endSignIn('expired');
      if (event) store.dispatch(event);
      return found;
    });
    const underWay: RestoreUnderWay = { promise, signal, credential };
    this.#latest = underWay;
    return promise;
  }

  /** Ignores the result of a check under way. No further check is due. */
  cancel(): void {
    this.#drop();
    this.due.clear();
  }

  #drop(): void {
    this.#latest = undefined;
    this.existing.cancel();
  }
}
