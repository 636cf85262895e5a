import { SessionExpiredError } from '../../errors.js';
import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';

/** See `Session.refresh`. */
export async function refreshOrRestore<Credential, User>(
  { store }: SessionParts<Credential, User>,
  { refresh, restore }: Pick<SessionModules<Credential, User>, 'refresh' | 'restore'>,
): Promise<void> {
  if (store.state.signedIn) {
    await refresh.refresh();
    if (store.isLocked) throw new SessionExpiredError();
    return;
  }
  await restore.tryAgain();
  if (store.state.error) throw store.state.error;
}
