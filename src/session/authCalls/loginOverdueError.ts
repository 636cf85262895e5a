import { RefreshUnavailableError } from '../../errors.js';

/**
 * For a request or check while a login takes longer than the session waits for it: the login may replace the cookie at
 * any moment.
 */
export function loginOverdueError(): RefreshUnavailableError {
  return new RefreshUnavailableError(
    undefined,
    'A login on this page has not ended in time, so nothing was sent: it may change who is signed in. Try again when the login has ended.',
  );
}
