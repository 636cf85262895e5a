import { ChallengeCancelledError } from '../../errors.js';
import { failureKind, getErrorStatus } from '../labels/failureKind.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';

/** The text for a failed sign-in, for the user of the app. `serverMessage` is the server's own, if it sent one. */
export function describeLoginError(error: Error, serverMessage: string | undefined, labels: WidgetLabels): string {
  if (getErrorStatus(error) === 401) return labels.wrongLogin;
  if (error instanceof ChallengeCancelledError) return labels.failure(error, serverMessage);
  const isForDevelopers = ['unexpected', 'unreadable', 'canceled'].includes(failureKind(error));
  return isForDevelopers ? labels.loginFailed : labels.failure(error, serverMessage);
}
