import { InvalidCredentialError, RefreshUnavailableError, SessionExpiredError } from '../../errors.js';
import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';
import { RetryPause } from '../requests/retryAfter.js';
import type { SignedIn } from '../signedIn.js';
import { withTabLock } from '../tabs/tabLock.js';
import { warnOfFailedCheck } from './warnOfFailedCheck.js';

/** The result of a check: a user, no user, or the error because of which it failed. */
export interface Found<Credential, User> {
  readonly signedIn?: SignedIn<Credential, User> | undefined;
  readonly error?: Error;
}

interface Search {
  /** Ends the search. */
  readonly signal: AbortSignal;
  /** Returns true if this check still counts. Only then its result is stored. */
  readonly isLatest: () => boolean;
  /** Called right before the server is asked. */
  readonly onSend?: () => void;
}

type Modules<Credential, User> = Pick<SessionModules<Credential, User>, 'tabs' | 'authCalls'>;

/** Finds an existing session: in the storage of the tabs, else on the server. */
export class ExistingSession<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Modules<Credential, User>;
  readonly #pause: RetryPause;
  #checkedAt = -Infinity;
  /** The call of `restore` under way, until the server has answered. */
  #restoreCall: Promise<SignedIn<Credential, User> | undefined> | undefined;

  constructor(parts: SessionParts<Credential, User>, modules: Modules<Credential, User>) {
    this.#parts = parts;
    this.#modules = modules;
    this.#pause = new RetryPause(parts.clock);
  }

  /** The time of the last check at the server, or of the last successful login, in milliseconds since 1970. */
  get checkedAt(): number {
    return this.#checkedAt;
  }

  /** Counts a successful login as a check. */
  confirm(): void {
    this.#pause.end();
    this.#checkedAt = this.#parts.clock.now();
  }

  /** Allows checks again, whatever the `Retry-After` of the server said. */
  endPause(): void {
    this.#pause.end();
  }

  /** Never rejects. */
  find(search: Search): Promise<Found<Credential, User>> {
    return this.#find(search, false);
  }

  async #find(search: Search, hasLock: boolean): Promise<Found<Credential, User>> {
    const { mechanism } = this.#parts;
    try {
      // No await without a storage: the request then starts at once.
      const stored = mechanism.load && (await this.#loadStored(search.signal));
      if (stored || !mechanism.restore) return { signedIn: stored };
      if (this.#pause.error) return { error: this.#pause.error };
      const askServer = () => this.#askServer(search);
      return { signedIn: await (hasLock ? askServer() : withTabLock(this.#parts, askServer, search.signal)) };
    } catch (cause) {
      if (cause instanceof SessionExpiredError) return {};
      warnOfFailedCheck(cause);
      const isExplained = cause instanceof InvalidCredentialError || cause instanceof RefreshUnavailableError;
      const error = isExplained ? cause : new RefreshUnavailableError(cause);
      this.#pause.start(cause, error);
      return { error };
    }
  }

  /**
   * For a logout while the page does not know who is signed in. Call it before the sign-out clears the storage: it starts to read
   * the storage, and remembers the `restore` call under way.
   *
   * @returns a function to call with the lock. It resolves with the stored sign-in, else with the result of that `restore` call. If
   * there was no such call, or it failed, it checks again. It stores nothing. It rejects with RefreshUnavailableError if the server
   * cannot be reached, and with InvalidCredentialError if the result cannot be read.
   */
  captureForLogout(): (signal: AbortSignal) => Promise<SignedIn<Credential, User> | undefined> {
    const { mechanism, withDeadline } = this.#parts;
    const stored = mechanism.load?.(undefined);
    const restoreCall = this.#restoreCall;
    const checkAgain = async (signal: AbortSignal) => {
      signal.throwIfAborted();
      const { signedIn, error } = await this.#find({ signal, isLatest: () => false }, true);
      if (error) throw error;
      // A sign-in that is stored now was made later. `restore` may have returned its tokens, so there is nothing to end.
      return (await this.#loadStored(signal)) ? undefined : signedIn;
    };
    return async signal => {
      const found = stored && (await withDeadline(stored, signal));
      if (found) return found;
      if (!restoreCall) return checkAgain(signal);
      return withDeadline(restoreCall, signal).catch(() => checkAgain(signal));
    };
  }

  #loadStored(signal: AbortSignal): Promise<SignedIn<Credential, User> | undefined> | undefined {
    const { mechanism, withDeadline } = this.#parts;
    return mechanism.load && withDeadline(this.#modules.tabs.stored.load(undefined), signal);
  }

  /** Forgets the check under way, so that no logout uses its result. */
  cancel(): void {
    this.#restoreCall = undefined;
  }

  /**
   * Call with the lock: checks at the server, unless another tab has stored a sign-in while this one waited for the lock. Each step
   * has its own time limit, so that the lock is held until the result is stored.
   */
  async #askServer({ signal, isLatest, onSend }: Search): Promise<SignedIn<Credential, User> | undefined> {
    const { mechanism, runAuthCall, withDeadline, clock } = this.#parts;
    const { tabs, authCalls } = this.#modules;
    const stored = mechanism.load && (await this.#loadStored(signal));
    if (stored) return stored;
    let restoredId: string | undefined;
    const send = () => {
      onSend?.();
      this.#checkedAt = clock.now();
      restoredId = tabs.stored.newId();
      const sent = runAuthCall('restore', () => mechanism.restore!(signal), {
        signal: mechanism.browserManaged ? signal : undefined,
      }).finally(() => {
        if (this.#restoreCall === sent) this.#restoreCall = undefined;
      });
      this.#restoreCall = sent;
      return sent;
    };
    const found = await withDeadline(authCalls.sendAfterwards(send, signal), signal);
    return found && isLatest() ? tabs.writes.storeRestored({ ...found, signInId: restoredId }) : found;
  }
}

/** True if a session can check for an existing session before a login. */
export function canRestore({ load, restore }: { load?: unknown; restore?: unknown }): boolean {
  return load !== undefined || restore !== undefined;
}
