import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';
import type { SignedIn } from '../signedIn.js';

/**
 * Handles a message about who is signed in in another tab. If tabs share a storage, the storage decides: a message may
 * be out of date.
 *
 * @param subject Null: no user.
 * @param locks True if the sign-in of the other tab has expired, and that locks this session. A locked session ends when
 * the other tab has signed out, or another user has signed in there.
 */
export function onTabMessage<Credential, User>(
  parts: SessionParts<Credential, User>,
  modules: Pick<SessionModules<Credential, User>, 'restore' | 'tabs'>,
  subject: string | null,
  locks = false,
): void {
  const { mechanism, store, withDeadline } = parts;
  const { restore, tabs } = modules;
  const current = store.state.signedIn;
  const { lockedUser } = store.state;
  if (lockedUser && subject === null) {
    if (!locks) store.dispatch({ type: 'signed-out', reason: 'elsewhere' });
    return;
  }
  const isKnown = current !== undefined && current.subject === subject;
  if (mechanism.load && store.state.status !== 'restoring') {
    const stored = withDeadline(tabs.stored.load(isKnown ? current : undefined), store.epochSignal);
    const adopt = (found: SignedIn<Credential, User> | undefined) => {
      if (store.state.signedIn !== current) {
        // The session changed during the read, so the result may be out of date. If this tab stores sign-ins, read
        // again.
        if (mechanism.save && tabs.isListening && store.state.status !== 'restoring')
          onTabMessage(parts, modules, subject, locks);
        return;
      }
      if (!found) restore.cancel();
      tabs.adopt(found, locks);
    };
    // If the storage does not answer, only the message counts.
    void stored.catch(() => (isKnown ? current : undefined)).then(adopt);
  } else if (!isKnown) {
    const isUnlocked = lockedUser !== undefined && lockedUser.subject === subject;
    if (!mechanism.load && !isUnlocked) store.dispatch({ type: 'signed-out', reason: 'elsewhere', locks });
    restore.cancel();
    if (mechanism.load || subject !== null) void restore.restore();
  }
}
