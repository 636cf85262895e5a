import { IdentityChangedError, RequestError } from '../../errors.js';
import { getErrorStatus } from '../labels/describeError.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';

/** The text for a failed sign-in, for the user of the app. */
export function describeLoginError(error: Error, labels: WidgetLabels): string {
  if (getErrorStatus(error) === 401) return labels.wrongLogin;
  return isForDevelopers(error) ? labels.loginFailed : labels.failure(error);
}

/**
 * True for an error whose message is for the developer: an error of the kit, an unreadable response, or a bug. A
 * TypeError with a `status` comes from fetch: the server could not be reached.
 */
export function isForDevelopers(error: unknown): boolean {
  if (error instanceof RequestError || error instanceof IdentityChangedError || error instanceof SyntaxError)
    return true;
  return error instanceof TypeError && getErrorStatus(error) === undefined;
}
