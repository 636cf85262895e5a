import type { SessionCore } from '../session/core.js';
import type { EndCause } from './RunningClock.js';
import type { SessionClockOptions } from './sessionClock.js';
import type { SharedActivity } from './SharedActivity.js';

interface Ending {
  readonly session: SessionCore;
  readonly options: SessionClockOptions<never>;
  readonly shared: SharedActivity;
}

/**
 * The time is over: ends the session in all tabs, or locks it where the provider has a lock. At an idle end one of the tabs
 * signs out on the server, so that no other person can use the credential. A tab with its own sign-in always does so itself.
 */
export function endSession({ session, options, shared }: Ending, cause: EndCause, activeAt: number): void {
  shared.postEnd(activeAt, cause);
  if (cause === 'expired') session.expire();
  else void signOutIdle({ session, options, shared }, activeAt);
}

/** Another tab has ended the session, and ends it on the server. */
export function endHere({ session, options }: Pick<Ending, 'session' | 'options'>, cause: EndCause): void {
  // The app's own `signOut` ends more than this session.
  if (options.signOut && cause === 'idle') session.leave(cause);
  else session.leaveOrLock(cause);
}

/** Ends the session on this page at once, then on the server: in one tab, or in each tab that has its own sign-in. */
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
