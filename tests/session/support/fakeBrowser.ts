import { AsyncLocalStorage } from 'node:async_hooks';
import { vi } from 'vitest';
import type { Clock } from '../../../src/clock.js';
import { fakeLocks } from './fakeLocks.js';
import { manualClock, settle, until } from './manualClock.js';

export interface BrowserOptions {
  /** Web Locks: there, missing, or there and refused as in a sandboxed page. @default 'there' */
  readonly locks?: 'there' | 'missing' | 'refused';
  /** There, missing, or denied: the constructor throws, as in Firefox. @default 'there' */
  readonly channels?: 'there' | 'missing' | 'denied';
  /** `localStorage`: there, denied at the mere mention, or one whose every function throws. @default 'there' */
  readonly storage?: 'there' | 'denied' | 'throws';
  /** How long one tab's writing to `localStorage` stays unseen by the others, in milliseconds. @default 40 */
  readonly lagMs?: number;
}

/** The tab that runs right now. One for all browsers: each more of them slows down every promise until the process ends. */
const current = new AsyncLocalStorage<Tab>();

/** A browser without Web Locks and BroadcastChannel. */
export const OLD: BrowserOptions = { locks: 'missing', channels: 'missing' };

type Heard = (event: { type?: string; data?: unknown; key?: string; newValue?: string | null }) => void;
type Write = { key: string; value: string | null; by: Tab | undefined; at: number };

/** One tab: what runs inside of `run` sees this tab's view of the storage, its own listeners and its own clock. */
export interface Tab {
  readonly clock: Clock;
  run<T>(act: () => T): T;
  /** The user does something in this tab: calls the listeners of its window. */
  fire(type: string): void;
  /** The person closes it: `pagehide` fires, then nothing runs any more. */
  close(): void;
  /** It crashes: nothing runs any more, and nothing was given back. */
  vanish(): void;
  readonly isGone: boolean;
  /** Channels and event listeners that are open. */
  readonly listening: number;
}

/**
 * A browser with as many tabs as are opened: one `localStorage` whose writes the other tabs see late, a `sessionStorage` for each, BroadcastChannel and Web Locks,
 * put in the place of the globals until the test ends (`localStorage`, which may be denied, stays until it is deleted). The time is the
 * manual clock's.
 */
export function fakeBrowser({
  locks = 'there',
  channels = 'there',
  storage = 'there',
  lagMs = 40,
}: BrowserOptions = {}) {
  const clock = manualClock();
  const tabs: Tab[] = [];
  const writes: Write[] = [];
  const messages: string[] = [];
  const undelivered: (() => void)[] = [];
  let isHeld = false;

  const deliver = (to: Tab, act: () => void) => {
    const arrive = () => void setImmediate(() => to.isGone || to.run(act));
    if (isHeld) undelivered.push(arrive);
    else arrive();
  };

  const seenBy = (tab: Tab | undefined, key: string) =>
    [...writes]
      .reverse()
      .find(write => write.key === key && (write.by === tab || tab === undefined || write.at + lagMs <= clock.now()))
      ?.value ?? null;
  const put = (key: string, value: string | null) => {
    const by = current.getStore();
    if (by?.isGone) return;
    writes.push({ key, value, by, at: clock.now() });
    if (value !== null && key.includes(':') && !key.endsWith(':lock')) messages.push(value);
    clock.setTimeout(() => {
      for (const tab of tabs)
        if (tab !== by) for (const hear of heardBy(tab, 'storage')) deliver(tab, () => hear({ key, newValue: value }));
    }, lagMs);
  };
  const throws = () => {
    throw new DOMException('The storage is not to be had.', 'SecurityError');
  };
  const localStorage =
    storage === 'throws'
      ? { getItem: throws, setItem: throws, removeItem: throws }
      : {
          getItem: (key: string) => seenBy(current.getStore(), key),
          setItem: (key: string, value: string) => put(key, value),
          removeItem: (key: string) => put(key, null),
        };
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get: storage === 'denied' ? throws : () => localStorage,
  });

  const ownStorages = new WeakMap<Tab, Map<string, string>>();
  const ownStorage = (tab = current.getStore()) => ownStorages.get(tab!)!;
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => ownStorage().get(key) ?? null,
    setItem: (key: string, value: string) => {
      ownStorage().set(key, value);
      tellFrames(key, value);
    },
    removeItem: (key: string) => {
      if (ownStorage().delete(key)) tellFrames(key, null);
    },
  });
  const tellFrames = (key: string, newValue: string | null) => {
    for (const tab of tabs)
      if (tab !== current.getStore() && ownStorage(tab) === ownStorage())
        for (const hear of heardBy(tab, 'storage')) deliver(tab, () => hear({ key, newValue }));
  };

  const listeners = new Map<Tab, Set<{ type: string; listener: Heard }>>();
  const heardBy = (tab: Tab, type: string) =>
    [...(listeners.get(tab) ?? [])].filter(one => one.type === type).map(one => one.listener);
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('addEventListener', (type: string, listener: Heard) =>
    listeners.get(current.getStore()!)?.add({ type, listener }),
  );
  vi.stubGlobal('removeEventListener', (type: string, listener: Heard) => {
    const own = listeners.get(current.getStore()!);
    for (const one of own ?? []) if (one.type === type && one.listener === listener) own!.delete(one);
  });

  const open = new Set<FakeChannel>();
  class FakeChannel {
    readonly tab = current.getStore()!;
    onmessage: Heard | undefined;
    constructor(readonly name: string) {
      if (channels === 'denied') throw new DOMException('The operation is insecure.', 'SecurityError');
      open.add(this);
    }
    postMessage(data: unknown) {
      if (!open.has(this)) throw new DOMException('The channel is closed.', 'InvalidStateError');
      if (this.tab.isGone) return;
      messages.push(JSON.stringify(data));
      for (const other of open)
        if (other !== this && other.name === this.name)
          deliver(other.tab, () => open.has(other) && other.onmessage?.({ data }));
    }
    close() {
      open.delete(this);
    }
  }
  vi.stubGlobal('BroadcastChannel', channels === 'missing' ? undefined : FakeChannel);

  const manager = fakeLocks<Tab>({
    here: () => current.getStore(),
    run: (tab, act) => tab.run(act),
    isGone: tab => tab.isGone,
  });
  const refuse = () => Promise.reject(new DOMException('A sandboxed page has no locks.', 'SecurityError'));
  vi.stubGlobal(
    'navigator',
    locks === 'missing' ? {} : { locks: locks === 'refused' ? { request: refuse, query: refuse } : manager },
  );

  const openTab = (sessionStorage = new Map<string, string>()): Tab => {
    let isGone = false;
    const go = () => {
      isGone = true;
      for (const channel of [...open]) if (channel.tab === tab) channel.close();
      listeners.get(tab)!.clear();
      manager.forget(tab);
    };
    const tab: Tab = {
      clock: { now: clock.now, setTimeout: (callback, ms) => clock.setTimeout(() => isGone || tab.run(callback), ms) },
      run: act => current.run(tab, act),
      fire: type => tab.run(() => heardBy(tab, type).forEach(hear => hear({ type }))),
      close() {
        tab.run(() => heardBy(tab, 'pagehide').forEach(hear => hear({})));
        go();
      },
      vanish: go,
      get isGone() {
        return isGone;
      },
      get listening() {
        // Every subscribed session listens to `pageshow` and `pagehide` and to `focus`: those of `focus` are left out.
        const sessions = heardBy(tab, 'pageshow').length;
        return [...open].filter(channel => channel.tab === tab).length + listeners.get(tab)!.size - 3 * sessions;
      },
    };
    listeners.set(tab, new Set());
    ownStorages.set(tab, sessionStorage);
    tabs.push(tab);
    return tab;
  };

  return {
    clock,
    openTab: () => openTab(),
    /** Another frame of the same tab: it shares the session storage. */
    openFrame: (tab: Tab) => openTab(ownStorage(tab)),
    /** Every message that a tab has sent, as text. */
    messages,
    /** What stands in the storage once every tab sees it. */
    stored: (key: string) => seenBy(undefined, key),
    /** What stands in the session storage of one tab. */
    storedIn: (tab: Tab, key: string) => ownStorage(tab).get(key) ?? null,
    /** All that was ever written, as text. */
    written: () => writes.map(({ key, value }) => `${key}=${value}`),
    holds: () => manager.count(),
    /** From now on, messages arrive only when `deliverAll` is called. */
    holdMessages: () => void (isHeld = true),
    async deliverAll() {
      isHeld = false;
      undelivered.splice(0).forEach(arrive => arrive());
      await settle();
    },
    /** Somebody else's message on the session's address. */
    async post(name: string, data: unknown) {
      for (const channel of [...open])
        if (channel.name === name) deliver(channel.tab, () => channel.onmessage?.({ data }));
      const newValue = typeof data === 'string' ? data : JSON.stringify(data);
      for (const tab of tabs)
        for (const hear of heardBy(tab, 'storage')) deliver(tab, () => hear({ key: name, newValue }));
      await settle();
    },
    /** Lets the time pass in steps of ten milliseconds, so that what each timer starts is done before the next. */
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 10) await clock.advance(10);
    },
    until: <T>(promise: Promise<T>) => until(clock, promise),
    /** Requests of a tab that is gone are never answered. Called when `fetch` is in place. */
    cutGoneTabsOff() {
      const reach = globalThis.fetch;
      vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
        const tab = current.getStore();
        return new Promise((resolve, reject) => {
          reach(input, init).then(
            answer => tab?.isGone || resolve(answer),
            (error: unknown) => tab?.isGone || reject(error as Error),
          );
        });
      });
    },
  };
}
