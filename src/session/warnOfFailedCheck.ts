import { InvalidCredentialError, RedirectRefusedError, UntrustedOriginError } from '../errors.js';
import { isDevelopment } from '../isDevelopment.js';
import { warnOnce } from '../warnOnce.js';

/** Warns in development of a mistake because of which a check has failed: the user reads only that it has failed. */
export function warnOfFailedCheck(cause: unknown): void {
  if (!isDevelopment) return;
  const isMistake = [InvalidCredentialError, RedirectRefusedError, UntrustedOriginError].some(
    mistake => cause instanceof mistake,
  );
  if (isMistake) warnOnce(`The session could not check who is signed in. ${(cause as Error).message}`);
}
