import type { SessionModules } from './modules.js';
import type { SessionParts } from './parts.js';
import type { SignedIn } from './signedIn.js';

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
): void {
  const { mechanism, store, withDeadline } = parts;
  const { restore, tabs } = modules;
  const current = store.state.signedIn;
  const isKnown = current !== undefined && current.subject === subject;
  if (mechanism.load && store.state.status !== 'restoring') {
    const stored = withDeadline(tabs.stored.load(isKnown ? current : undefined), store.epochSignal);
    const adopt = (found: SignedIn<Credential, User> | undefined) => {
      if (store.state.signedIn !== current) {
        // The session changed during the read, so the result may be out of date. If this tab stores sign-ins, read
        // again.
        if (mechanism.save && tabs.isListening && store.state.status !== 'restoring')
          onTabMessage(parts, modules, subject);
        return;
      }
      if (!found) restore.cancel();
      tabs.adopt(found);
    };
    // If the storage does not answer, only the message counts.
    void stored.catch(() => (isKnown ? current : undefined)).then(adopt);
  } else if (!isKnown) {
    if (!mechanism.load) store.dispatch({ type: 'signed-out', reason: 'elsewhere' });
    restore.cancel();
    if (mechanism.load || subject !== null) void restore.restore();
  }
}
