import type { ObservedStatus } from '../endpoints/observeRequests.js';

const REASONS = { 'signed-out': 'signed out', expired: 'expired', elsewhere: 'ended elsewhere' };

/** Who is signed in, for a reader: `authenticated`, `anonymous (expired)`. */
export function describeStatus({ status, reason }: ObservedStatus): string {
  return reason ? `${status} (${REASONS[reason]})` : status;
}
