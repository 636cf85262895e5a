import { untilAborted } from '../clock.js';
import type { SessionStore } from './store.js';

type Waited = Pick<SessionStore<any, any>, 'state' | 'subscribeToCredential'>;

/**
 * Waits for the user: resolves when the condition is true. It is checked now, and after each new credential and each
 * sign-out.
 *
 * @param signal Ends the wait: that of a request scope, or of the epoch.
 * @throws the reason of the signal.
 */
export async function waitUntil(store: Waited, isMet: () => boolean, signal: AbortSignal): Promise<void> {
  if (isMet()) return;
  let stop = () => {};
  const met = new Promise<void>(resolve => {
    stop = store.subscribeToCredential(() => isMet() && resolve());
  });
  await untilAborted(signal, met).finally(stop);
}

/** Waits while the session is locked. */
export function untilUnlocked(store: Waited, signal: AbortSignal): Promise<void> {
  return waitUntil(store, () => store.state.status !== 'locked', signal);
}
