import { systemClock, type Clock } from '../clock.js';
import type { SessionCore } from '../session/core.js';
import type { ExpiryLock } from '../providers/ExpiryLock.js';
import { LockScreen } from './LockScreen.js';

export interface LockOptions {
  /** How long the session stays locked, in milliseconds. Then it ends as without `lock`. @default 900000: 15 minutes */
  readonly lockFor?: number | undefined;
  /** The current time and timers, for tests. @default the system's */
  readonly clock?: Clock | undefined;
}

const LOCK_FOR_MS = 15 * 60_000;
/** No timer runs while the computer sleeps, so the time is read this often. */
const CHECK_EVERY_MS = 5_000;

/** When each locked session was locked, so that a new `lock()` at each render does not start its time again. */
const lockedAt = new WeakMap<SessionCore, number>();

/**
 * Keeps the user's place when the session expires, for the `onExpiry` of a provider. The screen stays mounted below
 * `<Authenticated>`, hidden and inert; the credential is gone; requests, and `getToken()`, wait. The `locked` of
 * `<Authenticated>` asks the user to sign in.
 *
 * - The same user signs in: the screen is shown again with its text, scroll position and focus, and the requests that waited
 *   are sent with the new credential.
 * - Another user, `logout()`, a sign-out in another tab, or after `lockFor`: the identity ends as without `lock`. React
 *   unmounts its screen, and the requests that waited reject.
 *
 * Two ends lock: an expiry (the server refuses the credential, or `whoami` of a cookie session finds no user any more), and the
 * idle end of a `sessionClock`, which also calls `logout`. An idle end does not lock if the clock has a `signOut`, or an SDK
 * holds the sign-in.
 *
 * Only a user with a subject can be recognized (see `getSubject`); a session without a subject ends at once. A token session
 * whose server names no user makes a subject for each sign-in: it locks, but each sign-in counts as another user. While the
 * session is locked, the data is still in the memory of the page.
 *
 * @example
 * <TokenAuthProvider session={session} onExpiry={lock()}>
 *   <Authenticated fallback={<LoginForm />} locked={<LoginForm />}>
 *     <Editor />
 *   </Authenticated>
 * </TokenAuthProvider>
 * @see https://www.w3.org/WAI/WCAG22/Understanding/re-authenticating.html
 */
export function lock({ lockFor = LOCK_FOR_MS, clock = systemClock }: LockOptions = {}): ExpiryLock {
  return { attach: session => attachLock(session, lockFor, clock), Screen: LockScreen };
}

function attachLock(session: SessionCore, lockForMs: number, clock: Clock): () => void {
  let cancelTimer = () => {};
  const leave = () => session.leave(session.getSnapshot().reason ?? 'expired');
  const isLocked = () => session.getSnapshot().status === 'locked';
  const update = () => {
    cancelTimer();
    if (!isLocked()) return void lockedAt.delete(session);
    const now = clock.now();
    // The system clock may have been set back: the lock must not last longer for it.
    const since = Math.min(lockedAt.get(session) ?? now, now);
    lockedAt.set(session, since);
    const leftMs = since + lockForMs - now;
    if (leftMs <= 0) return leave();
    cancelTimer = clock.setTimeout(update, Math.min(leftMs, CHECK_EVERY_MS));
  };
  const stopLocking = session.lockOnExpiry(() => {
    if (isLocked()) leave();
  });
  const unsubscribe = session.subscribeToCredential(update);
  update();
  return () => {
    cancelTimer();
    unsubscribe();
    stopLocking();
  };
}
