import type { SessionCore } from '../session/extension.js';

/**
 * Calls the callback once each time the session expires. If the callback returns a promise, signs in after the promise resolves.
 *
 * @returns The function that unsubscribes.
 */
export function listenToExpiry(
  session: Pick<SessionCore, 'getSnapshot' | 'subscribe' | 'login'>,
  callback: () => void | Promise<unknown>,
): () => void {
  let { reason } = session.getSnapshot();
  return session.subscribe(() => {
    const before = reason;
    ({ reason } = session.getSnapshot());
    if (reason !== 'expired' || before === 'expired') return;
    const signIn = callback();
    // The SDK reports a failed sign-in. If the sign-in succeeds but `getToken` fails, `useAuth().error` contains that error.
    if (signIn instanceof Promise) signIn.then(() => session.login()).catch(() => undefined);
  });
}
