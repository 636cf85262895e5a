import type { SessionModules } from './modules.js';
import type { SessionParts } from './parts.js';
import type { SignedIn } from './signedIn.js';

/**
 * Another tab has posted who is signed in there. Where tabs store that in one place, the place decides: messages may be overtaken.
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
        // It may have been read before what is here now was stored, or after. Where this tab stores its sign-ins, a further look tells.
        if (mechanism.save && tabs.isListening && store.state.status !== 'restoring')
          onTabMessage(parts, modules, subject);
        return;
      }
      if (!found) restore.cancel();
      tabs.adopt(found);
    };
    // Where the storage does not answer, the message alone counts.
    void stored.catch(() => (isKnown ? current : undefined)).then(adopt);
  } else if (!isKnown) {
    if (!mechanism.load) store.dispatch({ type: 'signed-out', reason: 'elsewhere' });
    restore.cancel();
    if (mechanism.load || subject !== null) void restore.restore();
  }
}
