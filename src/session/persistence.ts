import type { SignedIn } from './signedIn.js';

/**
 * Why a tab posts a message. Absent: the user has signed in or out, or the tab has stored a sign-in after a refresh, a check
 * or a reload.
 *
 * - `expired`: the server has ended the session. Tabs with `onExpiry` lock. A tab without a shared storage checks at the
 *   server first, if it can: the user may have signed in again.
 * - `idle`: the user was idle. Tabs lock or sign out without a check at the server.
 * - `answered`: the user has answered a challenge, for all tabs with this cookie.
 * - `unconfirmed`: the server has not confirmed the sign-out, so the browser's cookie may still be the user's. Tabs do not
 *   check for a session until a user signs in.
 */
export type TabReason = 'expired' | 'idle' | 'answered' | 'unconfirmed';

/** The other tabs of the browser that share a session's credential. */
export interface Tabs {
  /** Calls back when another tab posts who is signed in there; null means no user. Returns the function that ends it. */
  listen(onMessage: (subject: string | null, endedId?: string, reason?: TabReason) => void): () => void;
  /**
   * @param endedId The sign-in that has ended; all earlier ones have ended too. Absent: not known.
   * @param reason See `TabReason`.
   */
  post(subject: string | null, endedId?: string, reason?: TabReason): void;
  /**
   * True if the last sign-in of this tab is its own: no other tab has it. Stays true after that sign-in has ended. Absent: the tabs
   * share every sign-in.
   */
  hasOwnSignIn?(): boolean;
  /**
   * Runs the function while no other tab runs its own. The signal ends the wait for the lock, not the run. Absent:
   * there is no lock, and the session runs the function at once.
   *
   * @param run Gets a function that restarts the time limit of the lock, if the lock has one.
   */
  withLock?<T>(run: (extendLock: () => void) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Resolves when the other tabs can read all that this tab has written before it posted. */
  propagated?(): Promise<void>;
}

/** How a mechanism stores a sign-in beyond the page. */
export interface SignInStorage<Credential, User> {
  /**
   * Reads the sign-in that this tab or another one has stored; returns `current` when the storage cannot be read.
   * Called before `restore`, before and after a refresh, and when another tab posts. Must not reject. Absent: nothing
   * is stored.
   */
  load?(current: SignedIn<Credential, User> | undefined): Promise<SignedIn<Credential, User> | undefined>;
  /**
   * Stores the sign-in, or removes the stored one when called with undefined. Called after each login, restore, refresh
   * and sign-out. Must not reject.
   *
   * @param condition Checked right before the write. Absent: always writes.
   * @returns true if the condition was met.
   */
  save?(
    signedIn: SignedIn<Credential, User> | undefined,
    condition?: SaveCondition<SignedIn<Credential, User>>,
  ): Promise<boolean>;
  /**
   * True if `save` has already written when it returns its promise, so that the page may be closed at once.
   * @default false
   */
  savesAtOnce?(): boolean;
}

/** The condition for a write. `isMet` gets the stored value. If the storage cannot be read, `isMet` gets `current`. */
export interface SaveCondition<Stored> {
  readonly current: Stored | undefined;
  isMet(stored: Stored | undefined): boolean;
}
