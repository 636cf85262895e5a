import { InvalidCredentialError, RefreshUnavailableError, SessionExpiredError } from '../../errors.js';
import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';
import { RetryPause } from '../requests/retryAfter.js';
import type { SignedIn } from '../signedIn.js';

/** The result of a check: a user, no user, or the error because of which it failed. */
export interface Found<Credential, User> {
  readonly signedIn?: SignedIn<Credential, User> | undefined;
  readonly error?: Error;
}

/** Finds an existing session: in the storage of the tabs, else on the server. */
export class ExistingSession<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Pick<SessionModules<Credential, User>, 'tabs' | 'authCalls'>;
  readonly #pause: RetryPause;
  #checkedAt = -Infinity;
  /** The check at the server, until it has answered; also one that does not count any more. */
  #answer: Promise<SignedIn<Credential, User> | undefined> | undefined;

  constructor(
    parts: SessionParts<Credential, User>,
    modules: Pick<SessionModules<Credential, User>, 'tabs' | 'authCalls'>,
  ) {
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

  /**
   * Never rejects.
   *
   * @param signal Ends the search.
   * @param isLatest Returns true if this check still counts. Only then its result is stored.
   */
  async find(signal: AbortSignal, isLatest: () => boolean): Promise<Found<Credential, User>> {
    const { mechanism, withDeadline } = this.#parts;
    const { tabs } = this.#modules;
    try {
      const stored = mechanism.load && (await withDeadline(tabs.stored.load(undefined), signal));
      if (stored || !mechanism.restore) return { signedIn: stored };
      if (this.#pause.error) return { error: this.#pause.error };
      return {
        signedIn: await tabs.withTabLock(() => withDeadline(this.#askServer(signal, isLatest), signal), signal),
      };
    } catch (cause) {
      if (cause instanceof SessionExpiredError) return {};
      const isExplained = cause instanceof InvalidCredentialError || cause instanceof RefreshUnavailableError;
      const error = isExplained ? cause : new RefreshUnavailableError(cause);
      this.#pause.start(cause, error);
      return { error };
    }
  }

  /**
   * For a logout before the check has ended. Starts to read the storage at once, and remembers the check under way: call it
   * before the sign-out clears the storage.
   *
   * @returns a function that resolves with the stored sign-in, else with the result of that check, else of a new one. It
   * stores nothing. It rejects with RefreshUnavailableError if the server cannot be reached.
   */
  captureForLogout(): () => Promise<SignedIn<Credential, User> | undefined> {
    const { mechanism, withDeadline } = this.#parts;
    const stored = mechanism.load?.(undefined);
    const answer = this.#answer;
    const ask = async () => {
      const { signedIn, error } = await this.find(new AbortController().signal, () => false);
      if (error) throw error;
      return signedIn;
    };
    return async () => {
      const found = stored && (await withDeadline(stored));
      if (found) return found;
      return answer ? withDeadline(answer).catch(ask) : ask();
    };
  }

  /** Checks at the server, unless another tab has stored a sign-in while this one waited for the lock. */
  async #askServer(signal: AbortSignal, isLatest: () => boolean): Promise<SignedIn<Credential, User> | undefined> {
    const { mechanism, runAuthCall, clock } = this.#parts;
    const { tabs, authCalls } = this.#modules;
    const stored = mechanism.load && (await tabs.stored.load(undefined));
    if (stored) return stored;
    let askedId: string | undefined;
    const send = () => {
      this.#checkedAt = clock.now();
      askedId = tabs.stored.newId();
      const sent = runAuthCall('restore', () => mechanism.restore!(signal), {
        signal: mechanism.browserManaged ? signal : undefined,
      }).finally(() => {
        if (this.#answer === sent) this.#answer = undefined;
      });
      this.#answer = sent;
      return sent;
    };
    const found = await authCalls.sendAfterwards(send, signal);
    return found && isLatest() ? tabs.writes.storeRestored({ ...found, signInId: askedId }) : found;
  }
}

/** True if a session can check for an existing session before a login. */
export function canRestore({ load, restore }: { load?: unknown; restore?: unknown }): boolean {
  return load !== undefined || restore !== undefined;
}
