import { IdentityChangedError } from '../errors.js';

/** For a call that the screen of the last identity makes: nothing was sent. */
export function screenEndedError(): IdentityChangedError {
  return new IdentityChangedError(
    'This call belongs to the screen of an identity that has left, so nothing was sent. Call the endpoint or controller that the current screen renders.',
  );
}
