import { untilAborted, withTimeout, type Clock } from '../clock.js';
import { RefreshUnavailableError } from '../errors.js';
import { linkSignals } from './linkSignals.js';
import { createLocks, ROBBED_MS, webLocks, type HeldLock, type Locks } from './locks.js';
import { isHidden } from './page.js';
import { isServer } from './sharedOnServer.js';

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

/** A page without requests lets its lock go after this time, in milliseconds. */
const IDLE_MS = 5 * 60_000;
/** How many timeouts a writer waits for its turn before it steals it. */
const TURN_TIMEOUTS = 4;

/** `closing`: a login or logout waits for the lock. */
type Message = 'closing' | 'signed-in' | 'signed-out';

interface Options {
  /** The name that the tabs of one cookie share. False: tabs do not coordinate. */
  readonly name: string | false;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly events: TabGateEvents;
}

interface Hold {
  readonly lease: { isHeld: boolean };
  /** Resolves when the lock was granted, or is not needed any more. */
  readonly taken: Promise<void>;
  lock?: HeldLock | undefined;
}

/**
 * Creates the gate of one page. Messages may come late or never, so none of them is needed for a promise: a page that has not heard of a
 * writer still holds the lock that the writer waits for.
 *
 * @see https://w3c.github.io/web-locks/
 */
export function createTabGate({ name, clock, timeoutMs, events }: Options): TabGate {
  const prefix = `data-client-auth:${name}`;
  const [wire, turnName] = [`${prefix}:wire`, `${prefix}:turn`];
  const manager = name === false || isServer() ? undefined : webLocks();
  /** Undefined without Web Locks, or when the page may not use them. */
  let locks: Locks | undefined = manager && createLocks(manager, clock);
  /** The lock `shared` that the page holds, or has asked for. */
  let current: Hold | undefined;
  /** When the page last looked whether it still holds the lock. */
  let seenAt = -Infinity;
  let looking: Promise<void> | undefined;
  /** Another page's writer waits for the lock: what is in flight ends, then the lock is let go. */
  let closing: Promise<void> | undefined;
  /** Without locks: resolves when the last login, logout or refresh of this page has ended. */
  let ownTurn: Promise<void> = Promise.resolve();
  /** A writer of this page runs. */
  let writing: Promise<void> | undefined;
  const inFlight = new Set<AbortController>();
  let onEmpty = () => {};
  /** Resolves when no cookie of an aborted request's answer can come any more. */
  let settled: Promise<void> = Promise.resolve();
  /** The last subscriber has left: from then on, the page releases the lock whenever nothing is in flight. */
  let isLeaving = false;
  /** The page was left: it takes no lock until it is shown again. */
  let away: Promise<void> | undefined;
  let onShown = () => {};
  /** Calls that wait for their headers, or at a gate. */
  let openCalls = 0;
  let cancelIdle = () => {};
  let channel: BroadcastChannel | undefined;

  const pause = (ms: number) => new Promise<void>(resolve => void clock.setTimeout(resolve, ms));

  // The lock.

  function acquire(): Hold {
    seenAt = clock.now();
    const lease = { isHeld: false };
    const onTaken = (lock?: HeldLock) => {
      if (current !== mine) return lock?.release();
      mine.lock = lock;
      lease.isHeld = !closing;
      lock?.over.catch(() => onLost(mine));
    };
    const asked = locks ? locks.take(wire, { mode: 'shared' }) : Promise.resolve(undefined);
    const mine: Hold = { lease, taken: asked.then(onTaken, withoutLocks) };
    // A page in a sandbox has no locks.
    function withoutLocks() {
      locks = undefined;
      onTaken();
    }
    return mine;
  }

  async function hold(): Promise<Lease> {
    for (let wait; (wait = closing ?? writing ?? away);) await wait;
    current ??= acquire();
    const { lease, taken } = current;
    await taken;
    restartIdle();
    return lease;
  }

  function release(): void {
    if (drop()) events.onStale();
  }

  function drop(): boolean {
    cancelIdle();
    const mine = current;
    current = undefined;
    if (!mine) return false;
    mine.lease.isHeld = false;
    mine.lock?.release();
    return true;
  }

  /** Stolen, or the page is left. */
  function onLost(mine: Hold): void {
    if (current !== mine) return;
    release();
    abortAll();
    events.onOpen();
  }

  /** A page that was stopped may have been robbed, or may have missed a message. */
  async function lookAtLock(manager: Locks): Promise<void> {
    const mine = current;
    const at = clock.now();
    const { isHeld, isWanted } = await manager.look(wire).catch(() => ({ isHeld: false, isWanted: false }));
    if (!mine || current !== mine) return;
    if (!isHeld) onLost(mine);
    else if (isWanted) void close();
    else seenAt = at;
  }

  function restartIdle(): void {
    cancelIdle();
    if (current && events.isSignedIn())
      cancelIdle = clock.setTimeout(() => inFlight.size === 0 && release(), IDLE_MS, true);
  }

  /** A hidden page without requests may be frozen at any time, and a page that is unmounted asks for the last of them still. */
  function rest(): void {
    const isUnwanted = isLeaving || (locks && isHidden());
    if (!isUnwanted || openCalls > 0 || inFlight.size > 0 || writing || closing) return;
    release();
  }

  // What is in flight.

  function enter(signal?: AbortSignal): Passage {
    const abort = new AbortController();
    inFlight.add(abort);
    const leave = () => {
      if (!inFlight.delete(abort)) return;
      if (signal?.aborted) settled = pause(ROBBED_MS);
      if (inFlight.size === 0) onEmpty();
      restartIdle();
      rest();
    };
    return { signal: abort.signal, leave };
  }

  function abortAll(): void {
    if (inFlight.size === 0) return;
    settled = pause(ROBBED_MS);
    const reason = new RefreshUnavailableError(undefined, 'A login or logout did not wait longer for this request.');
    for (const abort of inFlight) abort.abort(reason);
    inFlight.clear();
    onEmpty();
  }

  /** Ends what is in flight, at the timeout by aborting it, and lets the lock go. */
  async function drain(): Promise<void> {
    if (current) current.lease.isHeld = false;
    events.onStale();
    if (inFlight.size > 0) {
      const empty = new Promise<void>(resolve => (onEmpty = resolve));
      await withTimeout(clock, timeoutMs, empty, () => new RefreshUnavailableError()).catch(() => {});
      abortAll();
    }
    await settled;
    release();
  }

  function close(): Promise<void> {
    closing ??= drain().finally(() => {
      closing = undefined;
      events.onOpen();
    });
    return closing;
  }

  // Other tabs.

  function tell(message: Message): void {
    if (name === false || isServer()) return;
    try {
      const own = channel ?? new BroadcastChannel(prefix);
      own.postMessage(message);
      if (own !== channel) own.close();
    } catch {
      // The lock tells them.
    }
  }

  function hear({ data }: MessageEvent<unknown>): void {
    if (data === 'signed-out') events.onSignedOut();
    if (data === 'signed-in' && !(locks && events.isSignedIn())) events.onSignedIn();
    if ((data === 'closing' || data === 'signed-out') && current) void close();
  }

  function openChannel(): void {
    if (channel || name === false || isServer()) return;
    try {
      channel = new BroadcastChannel(prefix);
      (channel as { unref?: () => void }).unref?.();
      channel.onmessage = hear;
    } catch {
      // A page in a sandbox has none.
    }
  }

  function closeChannel(): void {
    channel?.close();
    channel = undefined;
  }

  // Writers.

  /** Takes a lock alone; undefined if the page may not use locks. */
  async function seize(lockName: string, limitMs: number): Promise<HeldLock | undefined> {
    try {
      return await locks?.seize(lockName, limitMs);
    } catch {
      locks = undefined;
      return undefined;
    }
  }

  /** One login, logout or refresh at a time: in all tabs, without locks on this page. */
  async function takeTurn(): Promise<HeldLock> {
    const turn = await seize(turnName, TURN_TIMEOUTS * timeoutMs);
    if (turn) return turn;
    const before = ownTurn;
    let end = () => {};
    const over = new Promise<void>(resolve => (end = resolve));
    ownTurn = before.then(() => over);
    await before;
    return { release: end, over };
  }

  const write: TabGate['write'] = async (kind, lease, act) => {
    const turn = await takeTurn();
    let onWritten = () => {};
    writing = new Promise(resolve => (onWritten = resolve));
    const robbed = new AbortController();
    const onRobbed = () => robbed.abort(new RefreshUnavailableError());
    turn.over.catch(onRobbed);
    let alone: HeldLock | undefined;
    try {
      // The lock first, the message second: who does not hear still holds the lock, and who hears queues behind this writer.
      const waiting = seize(wire, timeoutMs);
      const isHeld = (await locks?.look(wire).catch(() => undefined))?.isHeld ?? !locks;
      const isSure = lease?.isHeld === true && isHeld;
      tell(isSure && kind === 'logout' ? 'signed-out' : 'closing');
      const drained = drain();
      alone = await waiting;
      await drained;
      alone?.over.catch(onRobbed);
      return await untilAborted(robbed.signal, act({ signal: robbed.signal, isSure, tell }));
    } finally {
      if (events.isSignedIn() && !robbed.signal.aborted && !away) {
        current ??= acquire();
        alone?.release();
        await current.taken;
      }
      alone?.release();
      turn.release();
      writing = undefined;
      onWritten();
      restartIdle();
      rest();
      events.onOpen();
    }
  };

  const inTurn: TabGate['inTurn'] = async act => {
    const turn = await takeTurn();
    const passage = enter();
    const robbed = new AbortController();
    turn.over.catch(() => robbed.abort(new RefreshUnavailableError()));
    const { signal, unlink } = linkSignals([passage.signal, robbed.signal]);
    try {
      return await act(signal);
    } finally {
      unlink();
      passage.leave();
      turn.release();
    }
  };

  function start(): () => void {
    const onPageHide = ({ persisted }: PageTransitionEvent) => {
      // A page that is unloaded loses its locks by itself. It may send its last request with the cookie that it knows.
      if (!persisted) return;
      away ??= new Promise(resolve => (onShown = resolve));
      closeChannel();
      abortAll();
      locks?.loseAll(new RefreshUnavailableError());
      // Until this task ends, the page knows whose cookie it is: its own listeners may send a last request.
      drop();
      clock.setTimeout(() => away && events.onStale(), 0);
    };
    const onReturn = () => {
      away = undefined;
      onShown();
    };
    const onPageShow = () => {
      if (away) events.onStale();
      onReturn();
      openChannel();
    };
    const page = globalThis.document as Partial<Document> | undefined;
    isLeaving = false;
    openChannel();
    globalThis.addEventListener?.('pagehide', onPageHide, true);
    globalThis.addEventListener?.('pageshow', onPageShow, true);
    page?.addEventListener?.('visibilitychange', rest, true);
    return () => {
      globalThis.removeEventListener?.('pagehide', onPageHide, true);
      globalThis.removeEventListener?.('pageshow', onPageShow, true);
      page?.removeEventListener?.('visibilitychange', rest, true);
      closeChannel();
      onReturn();
      isLeaving = true;
      rest();
    };
  }

  return {
    get lease() {
      return current?.lease;
    },
    hold,
    release,
    obstacle() {
      if (closing) return closing;
      const age = clock.now() - seenAt;
      if (!locks || !current?.lease.isHeld || (age >= 0 && age < timeoutMs / 2)) return undefined;
      return (looking ??= lookAtLock(locks).finally(() => (looking = undefined)));
    },
    open() {
      openCalls++;
      return () => {
        openCalls--;
        rest();
      };
    },
    enter,
    write,
    inTurn,
    start,
  };
}
