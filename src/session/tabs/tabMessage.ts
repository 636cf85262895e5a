import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';
import type { TabReason } from '../persistence.js';
import type { SignedIn } from '../signedIn.js';

interface MessageOptions {
  /**
   * True if no act of the user has ended the sign-in of the other tab, and that locks this session. A locked session
   * ends when the other tab has signed out, or another user has signed in there.
   */
  readonly locks?: boolean;
  readonly reason?: TabReason | undefined;
}

/**
 * Handles a message about who is signed in in another tab. If tabs share a storage, the storage decides: a message may
 * be out of date.
 *
 * @param subject Null: no user.
 */
export function onTabMessage<Credential, User>(
  parts: SessionParts<Credential, User>,
  modules: Pick<SessionModules<Credential, User>, 'restore' | 'tabs'>,
  subject: string | null,
  { locks = false, reason }: MessageOptions = {},
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
          onTabMessage(parts, modules, subject, { locks, reason });
        return;
      }
      if (!found) restore.cancel();
      tabs.adopt(found, locks);
    };
    // If the storage does not answer, only the message counts.
    void stored.catch(() => (isKnown ? current : undefined)).then(adopt);
  } else if (!isKnown) {
    const isUnlocked = lockedUser !== undefined && lockedUser.subject === subject;
    // What has expired there may be older than what this tab has: the server knows.
    const isDoubtful = reason === 'expired' && mechanism.restore !== undefined && store.state.status !== 'anonymous';
    if (!mechanism.load && !isUnlocked && !isDoubtful)
      store.dispatch({ type: 'signed-out', reason: 'elsewhere', locks });
    restore.cancel();
    if (isDoubtful) restore.markStale();
    if (mechanism.load || subject !== null || isDoubtful) void restore.restore();
  } else if (mechanism.browserManaged && reason === undefined) {
    // The same user has signed in again, and the browser has a new cookie: a refusal of the old one is out of date.
    store.dispatch({ type: 'credential-replaced', signedIn: { ...current } });
  }
}
