import type { SignedIn } from './signedIn.js';

/** The other tabs of the browser that share a session's credential. */
export interface Tabs {
  /** Calls back when another tab posts who is signed in there; null means no user. Returns the function that ends it. */
  listen(onMessage: (subject: string | null, endedId?: string) => void): () => void;
  /** @param endedId The sign-in that has ended, and each one before it; where it is known. */
  post(subject: string | null, endedId?: string): void;
  /**
   * Runs the function while no other tab runs its own. The signal ends the wait for that, not the run. Absent: at once.
   *
   * @param run Gets a function that starts the time again for which the lock may be held, where that is limited.
   */
  withLock?<T>(run: (extendLock: () => void) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Resolves when the other tabs can read all that this tab has written before it posted. */
  propagated?(): Promise<void>;
}

/** How a mechanism stores a sign-in beyond the page. */
export interface SignInStorage<Credential, User> {
  /**
   * What is stored beyond this page, by this tab or another; `current` where that cannot be read. Called before
   * `restore`, before and after a refresh, and when another tab posts. Must not reject. Absent: nothing is stored.
   */
  load?(current: SignedIn<Credential, User> | undefined): Promise<SignedIn<Credential, User> | undefined>;
  /**
   * Stores the sign-in beyond this page, or with undefined removes what is stored. Called after each login, restore,
   * refresh and sign-out. Must not reject.
   *
   * @param condition Asked right before the write. Absent: whatever is stored is replaced.
   * @returns Whether the condition allowed it.
   */
  save?(
    signedIn: SignedIn<Credential, User> | undefined,
    condition?: SaveCondition<Credential, User>,
  ): Promise<boolean>;
  /** Whether `save` has stored all by the time it returns its promise, so that a page may be closed then. @default false */
  savesAtOnce?(): boolean;
}

/** What has to be stored for a write to go ahead. */
export interface SaveCondition<Credential, User> {
  /** What is taken for stored where that cannot be read. */
  readonly current: SignedIn<Credential, User> | undefined;
  readonly isMet: (stored: SignedIn<Credential, User> | undefined) => boolean;
}
