import { isAutomaticEnd } from './locksAt.js';
import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';
import type { TabReason } from '../persistence.js';
import type { SignedIn } from '../signedIn.js';

/**
 * Handles a message about who is signed in in another tab. If tabs share a storage, the storage decides: a message may
 * be out of date.
 *
 * @param subject Null: no user. Then a message without a reason that locks ends a locked session.
 */
export function onTabMessage<Credential, User>(
  parts: SessionParts<Credential, User>,
  modules: Pick<SessionModules<Credential, User>, 'restore' | 'tabs'>,
  subject: string | null,
  reason?: TabReason,
): void {
  const { mechanism, store, withDeadline, locking } = parts;
  const locks = isAutomaticEnd(reason) && locking.callers > 0;
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
          onTabMessage(parts, modules, subject, reason);
        return;
      }
      if (!found) restore.cancel();
      tabs.adopt(found, locks);
    };
    // If the storage does not answer, only the message counts.
    void stored.catch(() => (isKnown ? current : undefined)).then(adopt);
  } else if (!isKnown) {
    const isUnlocked = lockedUser !== undefined && lockedUser.subject === subject;
    // The sign-in that has expired in the other tab may be an earlier one: the server knows.
    const asksServer = reason === 'expired' && mechanism.restore !== undefined && store.state.status !== 'anonymous';
    if (!mechanism.load && !isUnlocked && !asksServer)
      store.dispatch({ type: 'signed-out', reason: 'elsewhere', locks });
    restore.cancel();
    // With a cookie, requests wait for this check.
    if (asksServer) restore.markStale();
    if (mechanism.load || subject !== null || asksServer) void restore.restore();
  } else if (mechanism.browserManaged && reason === undefined) {
    // The same user has signed in again, and the browser has a new cookie: a refusal of the old one is out of date.
    store.dispatch({ type: 'credential-replaced', signedIn: { ...current } });
  }
}
