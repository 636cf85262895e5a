import type { Clock } from '../../clock.js';
import { addListener, notifyListeners } from '../../notifyListeners.js';
import type { ClockedSession } from '../../session/clockedSession.js';
import type { Extension } from '../session/extension.js';

/** What the clock of a session asks, made of what each extension gets. */
export function clockedSession(clock: Clock): Extension {
  return session => {
    const { mechanism } = session;
    const beforeSending = new Set<() => void>();
    let { user } = session.getOwner() ?? {};
    let userTime = clock.now();
    let seen = session.getSnapshot();
    /** The server has named the user when the page started: when that one signed in, nobody knows. */
    let isFound = false;
    session.subscribeToSnapshot(() => {
      const { user: latest, askedAt } = session.getOwner() ?? {};
      if (latest !== user) userTime = clock.now();
      user = latest;
      const { status, epoch } = seen;
      seen = session.getSnapshot();
      if (seen.status !== status) isFound = status === 'restoring' && seen.epoch === epoch && askedAt !== undefined;
    });
    const { endSession, recheck, signOut } = session;
    // The refresh of a cookie session gets a CSRF token only.
    const canRefresh = () => mechanism.refresh !== undefined && !mechanism.gate;
    const canReload = () => mechanism.profile !== undefined || mechanism.gate !== undefined;
    const clocked: ClockedSession = {
      // Only this tab can end its own sign-in on the server.
      signOut: (reason, claim) => signOut(reason, session.sharesSignIn() ? claim : undefined),
      leaveOrLock(reason) {
        if (reason === 'idle' && !session.sharesSignIn()) void signOut(reason).catch(() => {});
        else endSession(reason);
      },
      getSharedSignIn() {
        const owner = session.getOwner();
        if (session.getSnapshot().status !== 'authenticated' || !session.sharesSignIn()) return undefined;
        return mechanism.storage ? owner?.signInId : owner?.subject;
      },
      getSignInTime: () => (!isFound && Number.parseInt(session.getOwner()?.signInId ?? '', 10)) || undefined,
      getUserTime: () => userTime,
      getExpiry() {
        const credential = session.getCredential();
        return credential === undefined || mechanism.refresh ? undefined : mechanism.expiresAt?.(credential);
      },
      async extendOnServer(needsUser) {
        if (canRefresh()) await session.refresh();
        if (canReload() && (needsUser || !canRefresh())) await session.reload();
      },
      // The answer to a refresh may describe the user where that is a record.
      canUpdateUser: () => canReload() || (canRefresh() && session.userClass !== undefined),
      recheck: () => (mechanism.profile ? session.reload() : mechanism.gate ? recheck() : undefined),
      tabsName: mechanism.tabs,
      subscribeToSnapshot: session.subscribeToSnapshot,
      beforeSending: listener => addListener(beforeSending, listener),
    };
    Object.assign(session, clocked);
    return { beforeSending: () => notifyListeners(beforeSending) };
  };
}
