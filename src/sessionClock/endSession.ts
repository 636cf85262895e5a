import type { ClockedSession } from './clockedSession.js';
import type { EndCause } from './RunningClock.js';
import type { SessionClockOptions } from './RunningClock.js';
import type { SharedActivity, SharedEnd } from './SharedActivity.js';

interface Ending {
  readonly session: ClockedSession;
  readonly options: SessionClockOptions<never>;
  readonly shared: SharedActivity;
}

interface EndNow {
  readonly cause: EndCause;
  readonly activeAt: number;
  /** The end that the server has set, if it is known. */
  readonly setEnd: SharedEnd | undefined;
}

/**
 * The time is over: ends the session, or locks it where the provider has a lock. An idle end is one of the person at the
 * computer, so it ends the sessions of all tabs, and one of the tabs signs out on the server, so that no other person can use
 * the credential. A tab with its own sign-in always does so itself. An expiry is the end of one sign-in.
 */
export function endSession({ session, options, shared }: Ending, { cause, activeAt, setEnd }: EndNow): void {
  shared.postEnd(activeAt, cause, setEnd);
  if (cause === 'expired') session.expire();
  else void signOutIdle({ session, options, shared }, activeAt);
}

/** Another tab has ended the session because of no activity, and ends it on the server. */
export function endHere({ session, options }: Pick<Ending, 'session' | 'options'>): void {
  // The app's own `signOut` ends more than this session.
  if (options.signOut) session.leave('idle');
  else session.leaveOrLock('idle');
}

/** Ends the session on this page at once, then on the server: in one tab, or in each tab that has its own sign-in. */
async function signOutIdle({ session, options, shared }: Ending, activeAt: number): Promise<void> {
  const { signOut } = options;
  const claim = () => shared.claimEnd(activeAt);
  if (signOut) {
    endHere({ session, options });
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
