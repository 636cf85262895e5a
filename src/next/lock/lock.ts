import { systemClock } from '../../clock.js';
import type { LockOptions } from '../../lock/lock.js';
import type { Extension } from '../session/extension.js';

const LOCK_FOR_MS = 15 * 60_000;
/** No timer runs while the computer sleeps, so the time is read this often. */
const CHECK_EVERY_MS = 5_000;

/**
 * Keeps the user's place when the session expires, or ends because the user was idle. The screen stays mounted below `<Authenticated>`,
 * hidden and inert; the credential is gone; requests, and `getToken()`, wait until the same user is back. Another user, a sign-out, or the
 * time `lockFor` ends the session as without it.
 *
 * Only a user with a subject can be recognized: a session without a subject ends at once.
 *
 * @example
 * createTokenSession({ login, refresh, extensions: [lock()] });
 */
export function lock({ lockFor = LOCK_FOR_MS, clock = systemClock }: LockOptions = {}): Extension {
  return session => {
    let cancelTimer = () => {};
    let lockedAt: number | undefined;

    function update(): void {
      cancelTimer();
      const { status, reason = 'expired' } = session.getSnapshot();
      if (status !== 'locked') return void (lockedAt = undefined);
      const now = clock.now();
      // The system clock may have been set back: the lock must not last longer for it.
      lockedAt = Math.min(lockedAt ?? now, now);
      const leftMs = lockedAt + lockFor - now;
      if (leftMs <= 0) return session.leave(reason);
      cancelTimer = clock.setTimeout(update, Math.min(leftMs, CHECK_EVERY_MS));
    }

    return {
      // An SDK keeps the sign-in of an idle user, and would bring it back.
      onEnd: reason =>
        reason === 'expired' || (reason === 'idle' && !session.mechanism.readIdentity) ? 'lock' : undefined,
      start() {
        const unsubscribe = session.subscribeToCredential(update);
        update();
        return () => {
          cancelTimer();
          unsubscribe();
        };
      },
    };
  };
}
