import { addListener } from '../notifyListeners.js';
import { locksAt } from './locksAt.js';
import type { SessionModules } from './modules.js';
import type { SessionParts } from './parts.js';
import { refreshOrRestore } from './refresh/refreshOrRestore.js';
import type { SignOutReason } from './session.js';

/** A session as its clock sees it: see `sessionClock`. */
export interface ClockedSession {
  /**
   * Signs out like `logout()`, for another reason. Does not use `claim` if the sign-in is this tab's own: no other tab can end it.
   * See `AuthCalls.signOut`.
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
  recheck(): Promise<unknown> | undefined;
  /** The name under which tabs share the sign-in. Undefined: they share none. */
  readonly tabsName: string | undefined;
  /** Calls the listener after each change of the snapshot. Starts nothing, unlike `subscribe`. */
  subscribeToSnapshot(listener: () => void): () => void;
  /** Calls the listener before the session sends something. If it ends the session, that is not sent. */
  beforeSending(listener: () => void): () => void;
}

export function createClockedSession<Credential, User>(
  parts: SessionParts<Credential, User>,
  modules: SessionModules<Credential, User>,
): ClockedSession {
  const { authCalls, reload, restore } = modules;
  const { mechanism, store, beforeSending, userClass } = parts;
  const hasOwnSignIn = () => {
    if (mechanism.tabs) return mechanism.tabs.hasOwnSignIn?.() === true;
    // No other tab has this page's tokens. Other tabs do share a cookie, and the token of an SDK.
    return !mechanism.browserManaged && !mechanism.readIdentity;
  };
  // The refresh of a cookie session gets a CSRF token only.
  const canRefresh = () => mechanism.refresh !== undefined && !mechanism.browserManaged;
  const canReload = () => mechanism.profile !== undefined || mechanism.browserManaged === true;
  return {
    leaveOrLock(reason) {
      // Only this tab can end its own sign-in, in its storage and on the server.
      if (reason === 'idle' && hasOwnSignIn()) return void authCalls.signOut(reason, []).catch(() => {});
      restore.cancel();
      if (reason === 'idle') authCalls.expectLogoutElsewhere();
      store.dispatch({ type: 'signed-out', reason, locks: locksAt(parts, reason) });
    },
    getSharedSignIn() {
      const { signedIn } = store.state;
      if (!signedIn || hasOwnSignIn()) return undefined;
      return mechanism.save ? signedIn.signInId : signedIn.subject;
    },
    signOut: (reason, claim) => authCalls.signOut(reason, [], hasOwnSignIn() ? undefined : claim),
    getSignInTime: () => authCalls.signIn.signedInAt,
    getUserTime: noteUserTime(parts),
    getExpiry() {
      const { signedIn } = store.state;
      return signedIn && !mechanism.refresh ? mechanism.expiresAt?.(signedIn.credential) : undefined;
    },
    async extendOnServer(needsUser) {
      if (canRefresh()) await refreshOrRestore(parts, modules);
      if (canReload() && (needsUser || !canRefresh())) await reload.reload();
    },
    // The answer to a refresh may describe the user where that is a record.
    canUpdateUser: () => canReload() || (canRefresh() && userClass !== undefined),
    recheck() {
      if (mechanism.profile) return reload.reload();
      return mechanism.browserManaged ? restore.restore() : undefined;
    },
    tabsName: mechanism.tabsName,
    subscribeToSnapshot: listener => store.subscribe(listener),
    beforeSending: listener => addListener(beforeSending, listener),
  };
}

/** Notes from now on when the session gets a user, or other data of the same one. Returns the function that reads the time. */
function noteUserTime({ store, clock }: Pick<SessionParts<unknown, unknown>, 'store' | 'clock'>): () => number {
  let { user } = store.owner ?? {};
  let userTime = clock.now();
  store.subscribe(() => {
    const { user: latest } = store.owner ?? {};
    if (latest === user) return;
    user = latest;
    userTime = clock.now();
  });
  return () => userTime;
}
