import type { ObservedStatus } from '../session/observeRequests.js';

const REASONS = { 'signed-out': 'signed out', expired: 'expired', elsewhere: 'ended elsewhere', idle: 'idle' };

/** Describes the status of a session: `authenticated`, `anonymous (expired)`. */
export function describeStatus({ status, reason }: ObservedStatus): string {
  return reason ? `${status} (${REASONS[reason]})` : status;
}
