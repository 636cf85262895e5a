import { InvalidCredentialError, RefreshUnavailableError, SessionExpiredError } from '../errors.js';
import type { SessionModules } from './modules.js';
import type { SessionParts } from './parts.js';
import { RetryPause } from './retryAfter.js';
import type { SignedIn } from './signedIn.js';

/** What a check has found: a user, none, or an error where it cannot be known. */
export interface Found<Credential, User> {
  readonly signedIn?: SignedIn<Credential, User> | undefined;
  readonly error?: Error;
}

/** Finds an existing session: what the tabs store, else what the server answers. */
export class ExistingSession<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Pick<SessionModules<Credential, User>, 'tabs' | 'authCalls'>;
  readonly #pause: RetryPause;
  #checkedAt = -Infinity;

  constructor(
    parts: SessionParts<Credential, User>,
    modules: Pick<SessionModules<Credential, User>, 'tabs' | 'authCalls'>,
  ) {
    this.#parts = parts;
    this.#modules = modules;
    this.#pause = new RetryPause(parts.clock);
  }

  /** When the server was asked last, or has answered a login, in milliseconds since 1970. */
  get checkedAt(): number {
    return this.#checkedAt;
  }

  /** The answer to a login says who is signed in. */
  confirm(): void {
    this.#pause.end();
    this.#checkedAt = this.#parts.clock.now();
  }

  /** From now on, the server may be asked, whatever its `Retry-After` said. */
  endPause(): void {
    this.#pause.end();
  }

  /**
   * Never rejects.
   *
   * @param signal Ends the search.
   * @param isLatest Whether what is found will count: only then it is stored.
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
      const error = cause instanceof InvalidCredentialError ? cause : new RefreshUnavailableError(cause);
      this.#pause.start(cause, error);
      return { error };
    }
  }

  /** Asks the server, unless another tab has done so while this one waited for the lock. */
  async #askServer(signal: AbortSignal, isLatest: () => boolean): Promise<SignedIn<Credential, User> | undefined> {
    const { mechanism, runAuthCall, clock } = this.#parts;
    const { tabs, authCalls } = this.#modules;
    const stored = mechanism.load && (await tabs.stored.load(undefined));
    if (stored) return stored;
    const send = () => {
      this.#checkedAt = clock.now();
      return runAuthCall('restore', () => mechanism.restore!(signal), {
        signal: mechanism.browserManaged ? signal : undefined,
      });
    };
    const found = await authCalls.sendAfterwards(send, signal);
    const signedIn = found && tabs.asLatest(found);
    if (signedIn && isLatest()) await mechanism.save?.(signedIn);
    return signedIn;
  }
}

/** Whether a session can find out who is signed in before a login. */
export function canRestore({ load, restore }: { load?: unknown; restore?: unknown }): boolean {
  return load !== undefined || restore !== undefined;
}
