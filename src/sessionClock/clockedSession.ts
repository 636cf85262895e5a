import { addListener, notifyListeners } from '../notifyListeners.js';
import type { SessionCore } from '../session/extension.js';
import type { SignOutReason } from '../session/session.js';

/** A session as its clock sees it: see `sessionClock`. */
export interface ClockedSession extends SessionCore {
  /**
   * Signs out like `logout()`, for another reason. Does not use `claim` if the sign-in is this tab's own: no other tab can end it.
   */
  signOut(reason: SignOutReason, claim: () => Promise<boolean>): Promise<void>;
  /**
   * Ends or locks the session on this page; another tab ends it on the server. At an idle end of this tab's own sign-in, this tab
   * does both. Cancels a check under way.
   */
  leaveOrLock(reason: SignOutReason): void;
  /**
   * Tells the sign-in from others that tabs of this browser may have: its id where tabs store it, else its subject. Undefined: no
   * user is signed in, this tab alone has the sign-in, or the user has no subject.
   */
  getSharedSignIn(): string | undefined;
  /** When the user last signed in on this page, in milliseconds since 1970. Undefined: not on this page. */
  getSignInTime(): number | undefined;
  /** When this page got what it knows about the user, in milliseconds since 1970: from an answer of the server, or from a storage. */
  getUserTime(): number;
  /** When the credential ends, in milliseconds since 1970. Undefined when that is not known, or it can be refreshed. */
  getExpiry(): number | undefined;
  /**
   * Asks the server to continue the session: by a refresh, else by asking about the user, else not at all.
   *
   * @param needsUser The user's data say when the session ends: asks about the user after a refresh too, if it can.
   * @throws what `session.refresh()` or `session.reload()` throws.
   */
  extendOnServer(needsUser: boolean): Promise<void>;
  /** True if `extendOnServer` may bring new data of the user. */
  canUpdateUser(): boolean;
  /** Asks the server whether the session continues. Obeys `Retry-After`. Undefined when no request can find out. */
  ask(): Promise<unknown> | undefined;
  /** The name under which tabs share the sign-in. Undefined: they share none. */
  readonly tabsName: string | undefined;
  /** Calls the listener before the session sends something. If it ends the session, that is not sent. */
  beforeSending(listener: () => void): () => void;
}

/** Adds to a session what its clock asks and does. */
export function clockedSession(session: SessionCore): ClockedSession {
  const { mechanism, clock } = session;
  const beforeSending = new Set<() => void>();
  let { user, askedAt } = session.getOwner() ?? {};
  let userTime = askedAt ?? clock.now();
  let seen = session.getSnapshot();
  /** A check has found the user when the page started, so the time of the sign-in is not known. */
  let isFound = seen.epoch === 0 && askedAt !== undefined;
  session.use(() => ({ beforeSending: () => notifyListeners(beforeSending) }));
  session.subscribeToSnapshot(() => {
    const before = user;
    ({ user, askedAt } = session.getOwner() ?? {});
    if (user !== before) userTime = clock.now();
    const { status, epoch } = seen;
    seen = session.getSnapshot();
    if (seen.status !== status) isFound = status === 'restoring' && seen.epoch === epoch && askedAt !== undefined;
  });
  // The refresh of a cookie session gets a CSRF token only.
  const canRefresh = () => mechanism.refresh !== undefined && !mechanism.gate;
  const canReload = () => mechanism.profile !== undefined || mechanism.gate !== undefined;
  return Object.assign(Object.create(session) as SessionCore, {
    // Only this tab can end its own sign-in on the server.
    signOut: (reason: SignOutReason, claim?: () => Promise<boolean>) =>
      session.signOut(reason, session.sharesSignIn() ? claim : undefined),
    leaveOrLock(reason: SignOutReason) {
      if (reason === 'idle' && !session.sharesSignIn()) void session.signOut(reason).catch(() => {});
      else session.endSession(reason);
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
    async extendOnServer(needsUser: boolean) {
      if (canRefresh()) await session.refresh();
      if (canReload() && (needsUser || !canRefresh())) await session.reload();
    },
    // The answer to a refresh may describe the user where that is a record.
    canUpdateUser: () => canReload() || (canRefresh() && session.userClass !== undefined),
    ask: () => (mechanism.profile ? session.reload() : mechanism.gate ? session.recheck() : undefined),
    tabsName: mechanism.tabs,
    beforeSending: (listener: () => void) => addListener(beforeSending, listener),
  });
}
