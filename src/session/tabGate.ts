/** What a tab gate asks its session, and tells it. */
export interface TabGateEvents {
  /** True while a user is signed in here: a signed-out page needs no lock. */
  isSignedIn(): boolean;
  /** The page does not know any more whose cookie the browser has: the lock is gone, or another page writes. */
  onStale(): void;
  /** Another tab has signed the user out: this page ends at once, without a request. */
  onSignedOut(): void;
  /** Another tab has signed a user in, and this page will not notice by its lock. */
  onSignedIn(): void;
  /** The page may ask again whose cookie it is. */
  onOpen(): void;
}

/** A lock `shared` that the page has asked for. */
export interface Lease {
  /** True while the page holds the lock and no writer waits for it: what `whoami` answers is knowledge. */
  readonly isHeld: boolean;
}

/** One request on the wire, from the gate to the headers of its answer. */
export interface Passage {
  /** Aborted when a writer waits no longer, or the lock is stolen. */
  readonly signal: AbortSignal;
  leave(): void;
}

/** A login or logout while it has the cookie for itself. */
export interface WriterTurn {
  /** Aborted when the lock is stolen from the writer: it has taken too long. */
  readonly signal: AbortSignal;
  /** The page has held the lock since the call: the cookie is that of its user. The other tabs know of a sign-out. */
  readonly isSure: boolean;
  /** Tells the other tabs. */
  tell(message: 'signed-in' | 'signed-out'): void;
}

/**
 * The gate of a cookie, which spans the tabs of a browser: a page knows whose cookie it has while it holds one Web Lock `shared`, and a
 * login or logout takes that lock alone.
 */
export interface TabGate {
  /** The lock that the page holds, or has asked for. */
  readonly lease: Lease | undefined;
  /** Takes the lock `shared`, unless the page has it. Waits for the writers that it knows of. */
  hold(): Promise<Lease>;
  /** Releases the lock: no user is signed in. */
  release(): void;
  /** Undefined if a request may pass; else what it waits for: a writer of another tab, or a look at the lock that is due. */
  obstacle(): Promise<void> | undefined;
  /** Counts a request from its call to its headers: while one is open, a hidden page keeps its lock. Returns what ends that. */
  open(): () => void;
  /**
   * A request, a check or a refresh goes on the wire, under the lock.
   *
   * @param signal What else may abort it: an answer of an aborted request may still set its cookie for a moment.
   */
  enter(signal?: AbortSignal): Passage;
  /** Runs a login or logout alone in all tabs. `lease`: what the page held when it was called. */
  write<T>(kind: 'login' | 'logout', lease: Lease | undefined, act: (turn: WriterTurn) => Promise<T>): Promise<T>;
  /** Runs a refresh, which the refreshes, logins and logouts of all tabs follow. */
  inTurn<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** With the first subscriber. Returns what ends it: the channel is closed, the lock let go. */
  start(): () => void;
}
