import type { Clock } from '../clock.js';
import { RefreshUnavailableError } from '../errors.js';
import { retryAt } from './retryAfter.js';

/** The wait that a server asked for with `Retry-After`. Until it is over, the session does not repeat the call by itself. */
export function createRetryPause(clock: Clock) {
  let startedAt = 0;
  let waitMs = 0;
  let failure: Error | undefined;
  return {
    /** The failure for callers during the wait; undefined when the call may be sent. */
    get error(): Error | undefined {
      const elapsed = clock.now() - startedAt;
      // Of a clock that was set back nothing can be said.
      return elapsed >= 0 && elapsed < waitMs ? failure : undefined;
    },
    /** Returns the failure for the callers of the call. */
    start(error: unknown): Error {
      startedAt = clock.now();
      failure = error instanceof RefreshUnavailableError ? error : new RefreshUnavailableError(error);
      waitMs = retryAt(failure === error ? failure.cause : error, startedAt) - startedAt;
      return failure;
    },
    end: () => void (waitMs = 0),
  };
}
