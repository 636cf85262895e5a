import type { Clock } from '../../../src/clock.js';
import { createRecord, type RecordStore, type SignInRecord, type Told } from '../../../src/session/record.js';
import { initialState } from '../../../src/session/state.js';
import { createStore } from '../../../src/session/store.js';
import { createTurn } from '../../../src/session/turn.js';
import { fakeLocks, type FakeLockOptions } from './fakeLocks.js';
import { jumpingClock } from './time.js';

type Shared = SignInRecord<string, unknown>;

interface Tab {
  /** When the last of the others' writes reaches it. */
  seenAt: number;
  view(): string | null;
  state(): string;
  see(text: string | null, isOwn: boolean): void;
  focus(): void;
  login(): Promise<void>;
  logout(): Promise<void>;
  refresh(): Promise<void>;
  clock(ms: number): void;
  close(): void;
}

export interface Physics {
  /** Numbers from 0 to 1, in which all delays are. */
  readonly random: () => number;
  /** How late a write is seen by another tab, at most, in milliseconds. Chromium: 36, WebKit: 141. */
  readonly lagMs: number;
  /** Plain http has no Web Locks. */
  readonly hasLocks: boolean;
}

/**
 * Tabs of one browser, each with a session's state, record and turn; a storage that each of them sees as late as browsers do, while the grant
 * of a lock is seen at once; and a server with one-use tokens.
 */
export function createTabs({ random, lagMs, hasLocks }: Physics) {
  const time = jumpingClock();
  const delay = (ms: number) => Math.floor(random() * ms);
  const tabs: Tab[] = [];
  const isGone = (tab: Tab) => !tabs.includes(tab);
  let here: Tab | undefined;
  const locks = fakeLocks<Tab>({ here: () => here, run: (_tab, act) => act(), isGone });

  /** What the browser has. */
  let committed: string | null = null;
  const removed = new Set<string>();
  const signedOut = new Set<string>();

  function commit(text: string | null, author: Tab | undefined): void {
    if (text === null && committed !== null) removed.add((JSON.parse(committed) as Shared).id);
    committed = text;
    for (const tab of tabs) {
      tab.seenAt = Math.max(tab.seenAt, time.now() + delay(lagMs / 2));
      time.after(tab.seenAt - time.now(), () => tab.see(text, author === tab));
    }
  }

  /** Sessions of the server by number: which of their tokens is the newest, and which were sent. */
  const sessions: { newest: number; isOver: boolean; isTorn: boolean; readonly sent: Set<number> }[] = [];
  const seen = { refreshes: 0, twice: 0 };
  const sessionOf = (token: string) => sessions[Number(token.split(':')[0])]!;
  function spend(token: string): string | undefined {
    const [id, number] = token.split(':').map(Number) as [number, number];
    const session = sessions[id]!;
    seen.refreshes++;
    if (session.sent.has(number)) {
      if (!session.isTorn) seen.twice++;
      session.isOver = true;
    }
    session.sent.add(number);
    return session.isOver ? undefined : `${id}:${++session.newest}`;
  }
  function end(token: string): void {
    const session = sessionOf(token);
    if (session.newest === Number(token.split(':')[1])) session.isOver = true;
  }

  function openTab(): Tab {
    let isOpen = true;
    let view = committed;
    let pending = 0;
    let writtenAt = 0;
    let offset = 0;
    /** The token that is on the wire. */
    let refreshing: string | undefined;
    /** Those that were, until all tabs know what they brought. */
    const spent = new Set<string>();
    let onTold = (_told: Told<string, unknown>): void => {};
    const clock: Clock = {
      now: () => time.now() + offset,
      setTimeout: (callback, ms) => time.after(ms, () => isOpen && callback()),
    };
    const sleep = (ms: number) => new Promise<void>(resolve => void clock.setTimeout(resolve, ms));
    const shared: RecordStore<string, unknown> = {
      isUsable: true,
      isShared: () => true,
      read: () => (view === null ? undefined : (JSON.parse(view) as Shared)),
      write(record) {
        if (!isOpen) return;
        const text = JSON.stringify(record);
        view = text;
        pending++;
        writtenAt = Math.max(writtenAt, time.now() + delay(lagMs / 2));
        time.after(writtenAt - time.now(), () => commit(text, tab));
      },
      listen(listener) {
        onTold = listener;
        return () => {};
      },
    };
    const store = createStore<string, unknown>(initialState('restoring'));
    const record = createRecord<string, unknown>({ store, shared, clock, endLocks: () => false, onUndone: end });
    const inTab = <T>(act: () => T): T => {
      here = tab;
      try {
        return act();
      } finally {
        here = undefined;
      }
    };
    const manager = {
      request: (name: string, options: FakeLockOptions, hold: () => Promise<void>) =>
        inTab(() => locks.request(name, options, hold)),
      query: locks.query,
    } as unknown as LockManager;
    const turn = createTurn({ name: 'test', manager, clock, timeoutMs: 10_000, record });
    const run = (act: () => Promise<void>) => (hasLocks ? turn.run(act) : act());

    const tab: Tab = {
      seenAt: 0,
      view: () => view,
      state: () => JSON.stringify([store.state.status, store.state.position, store.state.credential]),
      see(text: string | null, isOwn: boolean): void {
        if (!isOpen) return;
        if (isOwn) return void pending--;
        // A browser keeps the tab's own write until it was sent, and tells of the other one.
        if (pending === 0) view = text;
        onTold(text === null ? null : (JSON.parse(text) as Shared));
      },
      focus: () => void record.sync(),
      async login(): Promise<void> {
        await sleep(delay(20));
        const token = `${sessions.push({ newest: 1, isOver: false, isTorn: false, sent: new Set() }) - 1}:1`;
        await record.sync();
        const position = { id: record.nextId(), revision: 0 };
        store.dispatch({ type: 'signed-in', signIn: { subject: 'ada' }, credential: token, position });
        await record.sync({ isLogin: true });
      },
      async logout(): Promise<void> {
        const { status, credential, position } = store.state;
        if (status !== 'authenticated') return;
        const ended = { ...position, ended: 'signed-out' as const };
        store.dispatch({ type: 'signed-out', reason: 'signed-out', position: ended });
        await record.sync();
        signedOut.add(position.id);
        // A refresh on the wire ends what it brings.
        if (refreshing === undefined) end(credential!);
      },
      async refresh(): Promise<void> {
        await run(async () => {
          await record.sync();
          const { status, credential, position, signIn } = store.state;
          if (status !== 'authenticated') return;
          spent.add((refreshing = credential!));
          await sleep(delay(30));
          const token = spend(credential!);
          await sleep(delay(30));
          refreshing = undefined;
          await record.sync();
          const isSame = store.state.status === 'authenticated' && store.state.credential === credential;
          if (!isSame) {
            if (token) end(token);
          } else if (token) {
            const next = { id: position.id, revision: position.revision + 1 };
            store.dispatch({ type: 'refreshed', signIn: signIn!, credential: token, position: next });
          } else store.dispatch({ type: 'signed-out', reason: 'expired', position: { ...position, ended: 'expired' } });
          await record.sync();
          // What it wrote may be on its way, and a closed tab's fence is gone.
          void sleep(3 * lagMs).then(() => spent.delete(credential!));
        });
      },
      clock: (ms: number) => void (offset = ms),
      close(): void {
        isOpen = false;
        for (const token of spent) sessionOf(token).isTorn = true;
        tabs.splice(tabs.indexOf(tab), 1);
        locks.forget(tab);
      },
    };
    tabs.push(tab);
    record.listen();
    void record.sync();
    if (store.state.status === 'restoring') store.dispatch({ type: 'found-no-user', reason: 'expired' });
    return tab;
  }

  return {
    tabs,
    openTab,
    pass: time.pass,
    seen,
    removed,
    signedOut,
    stored: () => (committed === null ? undefined : (JSON.parse(committed) as Shared)),
    /** The user, or another program, empties the storage. */
    clear: () => commit(null, undefined),
    locks,
  };
}
