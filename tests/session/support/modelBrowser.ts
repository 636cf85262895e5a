import { AsyncLocalStorage } from 'node:async_hooks';
import { vi } from 'vitest';
import type { Clock } from '../../../src/clock.js';
import { fakeLocks } from './fakeLocks.js';
import type { ManualClock } from './manualClock.js';

/** The tab that runs right now. One for all browsers: each more of them slows down every promise until the process ends. */
const here = new AsyncLocalStorage<number | undefined>();

/**
 * The browser of the model: messages between tabs wait until they are delivered, locks are given in the order asked for, and a tab
 * may vanish. Without locks, tabs fall back to `localStorage`.
 */
export function modelBrowser(clock: ManualClock, hasLocks: boolean) {
  const gone = new Set<number>();
  const waiting: { to: Channel; data: unknown }[] = [];
  const channels = new Set<Channel>();
  const listeners: { tab: number | undefined; type: string; listener: (event: object) => void }[] = [];
  let isShowingAgain = false;

  class Channel {
    onmessage?: (event: { data: unknown }) => void;
    readonly tab = here.getStore();
    constructor() {
      channels.add(this);
    }
    postMessage(data: unknown) {
      for (const to of channels) if (to !== this) waiting.push({ to, data });
    }
    close() {
      channels.delete(this);
    }
  }
  const locks = fakeLocks<number>({
    here: () => here.getStore(),
    run: (tab, act) => here.run(tab, act),
    isGone: tab => gone.has(tab),
  });
  const fire = (tab: number, type: string, event: object) => {
    for (const one of [...listeners])
      if (one.tab === tab && one.type === type) here.run(tab, () => one.listener(event));
  };
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('addEventListener', (type: string, listener: (event: object) => void) =>
    listeners.push({ tab: here.getStore(), type, listener }),
  );
  vi.stubGlobal('removeEventListener', (type: string, listener: unknown) => {
    const index = listeners.findIndex(one => one.type === type && one.listener === listener);
    if (index >= 0) listeners.splice(index, 1);
  });
  vi.stubGlobal('BroadcastChannel', Channel);
  vi.stubGlobal('navigator', hasLocks ? { locks } : {});
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
    removeItem: (key: string) => kept.delete(key),
  });

  return {
    /** The clock as one tab knows it: silent once the tab is gone. */
    clockOf: (tab: number): Clock => ({
      now: clock.now,
      setTimeout: (callback, ms) =>
        gone.has(tab) ? () => {} : clock.setTimeout(() => gone.has(tab) || here.run(tab, callback), ms),
    }),
    /** Channels that it opens and locks that it asks for are the tab's. */
    inTab: <T>(tab: number, act: () => T): T => here.run(tab, act),
    deliver(which: number) {
      const [message] = waiting.splice(which % Math.max(waiting.length, 1), 1);
      if (message && channels.has(message.to))
        here.run(message.to.tab, () => message.to.onmessage?.({ data: message.data }));
    },
    holds: () => waiting.length > 0,
    vanish(tab: number) {
      gone.add(tab);
      for (const channel of channels) if (channel.tab === tab) channel.close();
      locks.forget(tab);
    },
    isGone: (tab: number) => gone.has(tab),
    /** The tab's page is left for the back/forward cache, which runs nothing of it, and shown again after what happens elsewhere. */
    showAgain(tab: number, elsewhere: () => void) {
      fire(tab, 'pagehide', { persisted: true });
      elsewhere();
      isShowingAgain = true;
      fire(tab, 'pageshow', { persisted: true });
      isShowingAgain = false;
    },
    isShowingAgain: () => isShowingAgain,
    /** The user comes back to the tab. */
    focus: (tab: number) => fire(tab, 'focus', {}),
    /** Whether a tab holds a lock, or a lease in its place. */
    isLocked: () => locks.count() + kept.size > 0,
    /** How many locks are held or waited for. */
    lockRequests: locks.count,
  };
}
