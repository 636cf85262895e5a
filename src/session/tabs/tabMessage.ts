import { locksAt, reasonHere } from '../locksAt.js';
import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';
import type { TabReason } from '../persistence.js';
import type { SignedIn } from '../signedIn.js';

type Modules<Credential, User> = Pick<SessionModules<Credential, User>, 'restore' | 'tabs'>;

/** When the storage is read again for a sign-in that a message has announced, in milliseconds after the last read. */
const READ_AGAIN_MS = [50, 100, 200, 400, 800];

/**
 * Handles a message about who is signed in in another tab. If tabs share a storage, the storage decides: a message may
 * be out of date.
 *
 * @param subject Null: no user is signed in in the other tab. That ends a locked session too, unless the reason is an expiry or
 * an idle end, and the app still locks.
 */
export function onTabMessage<Credential, User>(
  parts: SessionParts<Credential, User>,
  modules: Modules<Credential, User>,
  subject: string | null,
  reason?: TabReason,
): void {
  const { mechanism, store } = parts;
  const { restore, tabs } = modules;
  const { signedIn: current, lockedUser, status } = store.state;
  const end = { reason: reasonHere(reason), locks: locksAt(parts, reason) };
  if (lockedUser && subject === null) {
    if (!end.locks) store.dispatch({ type: 'signed-out', ...end });
    return;
  }
  const isKnown = current !== undefined && current.subject === subject;
  // The tab's own sign-in may be in memory only, so that no storage returns it.
  const isKept = isKnown || mechanism.tabs?.hasOwnSignIn?.() === true;
  if (mechanism.load && status !== 'restoring')
    return readStored(parts, modules, isKept ? current : undefined, {
      onRead(found) {
        if (!found) restore.cancel();
        tabs.adopt(found, end);
        if (found?.subject !== subject) awaitStored(parts, modules, subject);
      },
      readAgain: () => onTabMessage(parts, modules, subject, reason),
    });
  if (isKnown) return reason === undefined ? onSignedInAgain(parts, modules, current) : undefined;
  if (!mechanism.load && reason === 'expired' && mechanism.restore && status !== 'anonymous') {
    // The expired sign-in of the other tab may be an earlier one, so ask the server. With a cookie, requests wait for the answer.
    restore.due.mark('stale');
    return void restore.restore();
  }
  const isUnlocked = lockedUser !== undefined && lockedUser.subject === subject;
  if (!mechanism.load && !isUnlocked) store.dispatch({ type: 'signed-out', ...end });
  restore.cancel();
  if (mechanism.load || subject !== null) void restore.restore();
  awaitStored(parts, modules, subject);
}

/**
 * Reads the storage again until it has the sign-in that a message has announced, or until the next message: a browser may
 * pass on the message before the write. WebKit does so often.
 */
function awaitStored<Credential, User>(
  parts: SessionParts<Credential, User>,
  modules: Modules<Credential, User>,
  subject: string | null,
  reads = 0,
): void {
  const { mechanism, store } = parts;
  const delayMs = READ_AGAIN_MS[reads];
  if (!mechanism.load || subject === null || delayMs === undefined) return;
  const readAgain = () => awaitStored(parts, modules, subject, reads + 1);
  modules.tabs.beforeNextMessage(delayMs, () => {
    if (store.state.status === 'restoring') return readAgain();
    readStored(parts, modules, store.state.signedIn, {
      onRead: found => (found?.subject === subject ? adoptChange(parts, modules, found) : readAgain()),
      readAgain,
    });
  });
}

/** Call when the session starts to listen: adopts a sign-in or sign-out that another tab made before. */
export function adoptMissedChange<Credential, User>(
  parts: SessionParts<Credential, User>,
  modules: Modules<Credential, User>,
): void {
  const { mechanism, store } = parts;
  const { signedIn: current, status } = store.state;
  if (!mechanism.load || !modules.tabs.isListening || status === 'restoring') return;
  readStored(parts, modules, current, {
    onRead: found => adoptChange(parts, modules, found),
    readAgain: () => adoptMissedChange(parts, modules),
  });
}

/** Adopts a change that another page has stored. */
function adoptChange<Credential, User>(
  { store }: SessionParts<Credential, User>,
  { tabs }: Modules<Credential, User>,
  found: SignedIn<Credential, User> | undefined,
): void {
  // While no user is signed in here, the storage may still have the sign-in that has ended: adopt only a later one.
  if (store.state.signedIn || (found && tabs.stored.ended.isAfterLast(found))) tabs.adopt(found);
}

interface OnStoredRead<Credential, User> {
  onRead(found: SignedIn<Credential, User> | undefined): void;
  /** Called instead if the session changed during the read, and this tab stores sign-ins itself. */
  readAgain(): void;
}

/** @param fallback Used if the storage does not answer. */
function readStored<Credential, User>(
  { mechanism, store, withDeadline }: SessionParts<Credential, User>,
  { tabs }: Modules<Credential, User>,
  fallback: SignedIn<Credential, User> | undefined,
  { onRead, readAgain }: OnStoredRead<Credential, User>,
): void {
  const before = store.state.signedIn;
  void withDeadline(tabs.stored.load(fallback), store.epochSignal)
    .catch(() => fallback)
    .then(found => {
      if (store.state.signedIn === before) onRead(found);
      // The result is out of date. A tab that does not store sign-ins itself ignores it.
      else if (mechanism.save && tabs.isListening && store.state.status !== 'restoring') readAgain();
    });
}

/** Call when the same user has signed in again in another tab, and the tabs share no storage. */
function onSignedInAgain<Credential, User>(
  { mechanism, store }: SessionParts<Credential, User>,
  { restore }: Modules<Credential, User>,
  current: SignedIn<Credential, User>,
): void {
  // The check under way was sent before that sign-in, and may find no user: check again.
  if (restore.isUnderWay) {
    restore.cancel();
    restore.due.mark('stale');
    void restore.restore();
  }
  // A request with the old cookie may be refused. As the credential now counts as replaced, the request is sent again, and the
  // session does not end.
  if (mechanism.browserManaged) store.dispatch({ type: 'credential-replaced', signedIn: { ...current } });
}
