import { classifyRefusal } from '../requests/classifyRefusal.js';
import { responseOf } from '../requests/responseOf.js';
import type { SessionParts } from '../parts.js';
import { isSameUser, type SignedIn } from '../signedIn.js';

/**
 * Sends the logout of this user. If the server refuses the CSRF token, the cookie may be another user's by now, whose session must not
 * end: the logout is sent once more only if a check finds the same user. If it finds another one, or none, there is nothing to end.
 */
export async function sendLogout<Credential, User>(
  { mechanism, runAuthCall }: SessionParts<Credential, User>,
  signedIn: SignedIn<Credential, User> | undefined,
  args: readonly unknown[],
  signal: AbortSignal,
): Promise<void> {
  const { browserManaged, refreshOn = 'unauthorized' } = mechanism;
  const send = (credential: Credential | undefined) =>
    runAuthCall('logout', async () => mechanism.logout!(credential, ...args), { credential });
  try {
    await send(signedIn?.credential);
  } catch (error) {
    const response = responseOf(error);
    const isRefused = browserManaged && response && (await classifyRefusal(mechanism, response)) === refreshOn;
    if (!isRefused || !signedIn || !mechanism.restore) throw error;
    const found = await runAuthCall('restore', () => mechanism.restore!(signal));
    if (!isSameUser(found, signedIn)) return;
    const fresh = mechanism.refresh && (await runAuthCall('refresh', () => mechanism.refresh!(signedIn, signal)));
    await send(fresh?.credential);
  }
}
