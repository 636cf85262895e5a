import type { Clock } from '../clock.js';
import { RefreshUnavailableError } from '../errors.js';
import { responseOf } from './errorKinds.js';

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

/** The longest wait that a server can ask for, in milliseconds. */
const MAX_WAIT_MS = 60_000;

/** Statuses whose `Retry-After` is about another attempt (RFC 6585, section 4; RFC 9110, section 15.6.4). */
const STATUSES = new Set([429, 503]);

/**
 * Returns when a failed call may be tried again, in milliseconds since 1970: now, or later if the server's
 * `Retry-After` says so.
 *
 * A page reads the header of another origin only if the server lists it in `Access-Control-Expose-Headers`.
 *
 * @param error The error of the call. Its `response` is read, if it has one.
 * @see https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function retryAt(error: unknown, now: number): number {
  const response = responseOf(error);
  if (!(response instanceof Response) || !STATUSES.has(response.status)) return now;
  const text = response.headers.get('Retry-After') ?? '';
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : parseHttpDate(text) - serverTime(response, now);
  return now + (waitMs > 0 ? Math.min(waitMs, MAX_WAIT_MS) : 0);
}

/** The time of the response by the server's clock, because the system clock of this page may be wrong. */
function serverTime(response: Response, now: number): number {
  return parseHttpDate(response.headers.get('Date') ?? '') || now;
}

/** Returns `NaN` for a text that is not a date. `Date.parse` alone accepts "-5". */
function parseHttpDate(text: string): number {
  return /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : NaN;
}
