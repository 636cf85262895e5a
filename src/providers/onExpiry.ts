import type { SessionCore } from '../session/core.js';

/**
 * Calls back once each time the session expires. Where the callback returns a promise, the session signs in after it.
 *
 * @returns what ends the subscription.
 */
export function onExpiry(session: Pick<SessionCore, 'getSnapshot' | 'subscribe' | 'login'>, callback: () => void | Promise<unknown>): () => void {
  let { reason } = session.getSnapshot();
  return session.subscribe(() => {
    const before = reason;
    ({ reason } = session.getSnapshot());
    if (reason !== 'expired' || before === 'expired') return;
    const signIn = callback();
    // The SDK reports a sign-in that fails; `useAuth().error` has the failure to get a token after it.
    if (signIn instanceof Promise) signIn.then(() => session.login()).catch(() => undefined);
  });
}
