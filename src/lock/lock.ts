import { systemClock, type Clock } from '../clock.js';
import type { SessionCore } from '../session/extension.js';
import type { Extension } from '../session/extension.js';
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
 * Only a user with a subject can be recognized (see `parseTokens`, `getSubject`); a session without a subject ends at once. A token session
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
export function lock(options: LockOptions = {}): ExpiryLock {
  return { attach: session => attach(session, lockExtension(options)), Screen: LockScreen };
}

interface Attached {
  users: number;
  readonly remove: () => void;
}

const attached = new WeakMap<SessionCore, Attached>();

/** Adds the lock to a session as long as a provider has it. React takes it away and adds it again at once, also with a new `lock()`. */
function attach(session: SessionCore, extension: Extension): () => void {
  const lock = attached.get(session) ?? add(session, extension);
  attached.set(session, lock);
  lock.users++;
  return () => {
    lock.users--;
    queueMicrotask(() => {
      if (lock.users > 0 || attached.get(session) !== lock) return;
      attached.delete(session);
      lock.remove();
      const { status, reason = 'expired' } = session.getSnapshot();
      if (status === 'locked') session.leave(reason);
    });
  };
}

/** It runs at once, subscribers or not. */
function add(session: SessionCore, extension: Extension): Attached {
  let stop: (() => void) | undefined;
  const remove = session.use(core => {
    const { start, ...hooks } = extension(core);
    stop = start?.();
    return hooks;
  });
  return {
    users: 0,
    remove() {
      remove();
      stop?.();
    },
  };
}

/** Keeps the screen of a user who can be recognized, until the same user is back, or `lockFor` is over. */
function lockExtension({ lockFor = LOCK_FOR_MS, clock = systemClock }: LockOptions): Extension {
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
