import { IdentityChangedError } from '../errors.js';

/** Creates the error for a call by the screen of an ended identity. */
export function screenEndedError(): IdentityChangedError {
  return new IdentityChangedError(
    'This call belongs to the screen of an identity that has left, so nothing was sent. Call the endpoint or controller that the current screen renders.',
  );
}
