import type { SessionCore } from '../session/core.js';
import type { EndCause } from './RunningClock.js';
import type { SessionClockOptions } from './sessionClock.js';
import type { SharedActivity } from './SharedActivity.js';

interface Ending {
  readonly session: SessionCore;
  readonly options: SessionClockOptions<unknown>;
  readonly shared: SharedActivity;
}

/**
 * The time is over: ends the session in all tabs, or locks it where the provider has a lock. At an idle end one of the tabs
 * tells the server, so that nobody else continues with the credential.
 */
export function endSession({ session, options, shared }: Ending, cause: EndCause, activeAt: number): void {
  shared.postEnd(activeAt, cause);
  if (cause === 'expired') session.expire();
  else void signOutIdle({ session, options, shared }, activeAt);
}

/** Another tab has ended the session, and tells the server. */
export function endHere({ session, options }: Pick<Ending, 'session' | 'options'>, cause: EndCause): void {
  // The app's own `signOut` ends more than this session.
  if (options.signOut && cause === 'idle') session.leave(cause);
  else session.leaveOrLock(cause);
}

/** Ends on this page at once. One of the tabs then tells the server. */
async function signOutIdle({ session, options, shared }: Ending, activeAt: number): Promise<void> {
  const { signOut } = options;
  const claim = () => shared.claimEnd(activeAt);
  if (signOut) {
    endHere({ session, options }, 'idle');
    if (await claim()) await signOut();
  } else {
    // The snapshot has the error of a sign-out that failed.
    const isSignedOut = await session.signOut('idle', claim).then(
      () => true,
      () => false,
    );
    if (!isSignedOut) return;
  }
  shared.confirmEnd();
}
