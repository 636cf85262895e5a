import { SessionExpiredError } from '../../errors.js';
import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';

/** See `Session.refresh`. */
export async function refreshOrRestore<Credential, User>(
  { mechanism, store }: SessionParts<Credential, User>,
  { refresh, restore, credential }: Pick<SessionModules<Credential, User>, 'refresh' | 'restore' | 'credential'>,
): Promise<void> {
  if (store.state.signedIn) {
    // The cookie may be another user's by now, and so may the CSRF token be that is fetched.
    if (mechanism.browserManaged) await credential.sync();
    await refresh.refresh();
    credential.requireCheck('stale');
    if (store.getSnapshot().status === 'locked') throw new SessionExpiredError();
    return;
  }
  await restore.tryAgain();
  if (store.state.error) throw store.state.error;
}
