import type { BrowserContext, Page } from 'playwright';

/** What a page holds that would outlive what it was for. */
export interface Leftovers {
  /** Timeouts and intervals that have neither fired nor been cleared. */
  timers: number;
  /** Listeners of the window and the document: the target, the type and the phase of each. */
  listeners: string[];
  /** Channels that were opened and not closed. */
  channels: number;
  /** Web Locks held or waited for. */
  locks: number;
}

declare global {
  interface Window {
    findLeaks: () => Promise<Leftovers>;
  }
}

function count() {
  const timers = new Set<unknown>();
  const {
    setTimeout: startTimeout,
    clearTimeout: endTimeout,
    setInterval: startInterval,
    clearInterval: endInterval,
  } = window;
  Object.assign(window, {
    setTimeout: (callback: () => void, delay?: number, ...args: unknown[]) => {
      const fire = (...given: []) => {
        timers.delete(timer);
        callback(...given);
      };
      const timer = startTimeout(fire, delay, ...args);
      timers.add(timer);
      return timer;
    },
    setInterval: (callback: () => void, delay?: number, ...args: unknown[]) => {
      const timer = startInterval(callback, delay, ...args);
      timers.add(timer);
      return timer;
    },
    clearTimeout: (timer?: number) => {
      timers.delete(timer);
      endTimeout(timer);
    },
    clearInterval: (timer?: number) => {
      timers.delete(timer);
      endInterval(timer);
    },
  });

  // One entry for each listener that the browser would keep: type, function and phase tell them apart.
  const listeners = new Map<EventTarget, Map<string, Set<unknown>>>(
    [window, document].map(target => [target, new Map()]),
  );
  const isCapture = (options?: boolean | EventListenerOptions) =>
    typeof options === 'object' ? options.capture === true : options === true;
  const keyOf = (type: string, options?: boolean | EventListenerOptions) =>
    isCapture(options) ? `${type}, capturing` : type;
  const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    const known = listeners.get(this ?? window);
    const key = keyOf(type, options);
    if (known && listener) known.set(key, (known.get(key) ?? new Set()).add(listener));
    if (typeof options === 'object' && known && listener) {
      if (options.once) add.call(this, type, () => known.get(key)?.delete(listener), { once: true });
      options.signal?.addEventListener('abort', () => known.get(key)?.delete(listener));
    }
    add.call(this, type, listener, options);
  };
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    listeners
      .get(this ?? window)
      ?.get(keyOf(type, options))
      ?.delete(listener);
    remove.call(this, type, listener, options);
  };

  const channels = new Set<BroadcastChannel>();
  window.BroadcastChannel = class extends BroadcastChannel {
    constructor(name: string) {
      super(name);
      channels.add(this);
    }
    override close() {
      channels.delete(this);
      super.close();
    }
  };

  window.findLeaks = async () => {
    const { held = [], pending = [] } = await navigator.locks.query();
    const lines = [...listeners].flatMap(([target, known]) =>
      [...known].flatMap(([key, set]) => Array.from(set, () => `${target === window ? 'window' : 'document'} ${key}`)),
    );
    return {
      timers: timers.size,
      listeners: lines.sort(),
      channels: channels.size,
      locks: held.length + pending.length,
    };
  };
}

/** Counts on every page of the context that is opened from now on. */
export async function countLeftovers(context: BrowserContext): Promise<void> {
  await context.addInitScript(count);
}

export const findLeaks = (page: Page): Promise<Leftovers> => page.evaluate(() => window.findLeaks());
