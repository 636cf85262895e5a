import { InvalidCredentialError } from '../errors.js';

/**
 * Refuses what `fetch()` returns, which has no fields of an answer.
 *
 * @throws InvalidCredentialError for a `Response`.
 */
export function assertNotResponse(result: unknown): void {
  if (typeof Response === 'undefined' || !(result instanceof Response)) return;
  throw new InvalidCredentialError(
    'The session got a Response, and not what it contains. Return `await response.json()`, and throw the response if it is not `ok`.',
  );
}
