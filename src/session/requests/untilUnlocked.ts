import { untilAborted } from '../../clock.js';
import type { SessionStore } from '../store.js';

type Waited = Pick<SessionStore<unknown, unknown>, 'isLocked' | 'subscribeToCredential'>;

/**
 * Waits while the session is locked.
 *
 * @param signal Ends the wait: that of a request scope, or of the epoch.
 * @throws the reason of the signal.
 */
export async function untilUnlocked(store: Waited, signal: AbortSignal): Promise<void> {
  if (!store.isLocked) return;
  let stop = () => {};
  const unlocked = new Promise<void>(resolve => {
    stop = store.subscribeToCredential(() => store.isLocked || resolve());
  });
  await untilAborted(signal, unlocked).finally(stop);
}
