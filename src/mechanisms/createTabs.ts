import type { Clock } from '../clock.js';
import type { Tabs } from '../session/types.js';
import { PROPAGATION_MS, takeTurn } from './takeTurn.js';

/** The name of a session that was given none. */
export const DEFAULT_NAME = 'data-client-auth';

/** What a session shares with the other tabs of the browser. */
export interface TabsOptions {
  /**
   * The name under which tabs of one origin share the sign-in: who signs in or out in one does so in all, and one of them at a
   * time refreshes. Two sessions of one page need two names. False: each tab for itself.
   *
   * @default where tabs share the credential, the name of its place ('data-client-auth' and the `origins` for cookies, the
   * `storageKey` for `storage: 'local'` or a store of your own); false for memory and session storage
   */
  readonly tabs?: string | false | undefined;
}

/** Who signed in, by a message of another tab; undefined when it is not one that `tell` has sent. */
function subjectIn(message: unknown): string | null | undefined {
  const { subject } = (typeof message === 'object' && message !== null ? message : {}) as { subject?: unknown };
  return subject === null || typeof subject === 'string' ? subject : undefined;
}

/** Messages through `localStorage`: another tab hears of every change. Where it is denied, nobody does. */
const byStorage = {
  tell(address: string, subject: string | null, now: number): void {
    try {
      // The time only makes it differ from the message before it.
      globalThis.localStorage?.setItem(address, JSON.stringify({ subject, now }));
    } catch {
      // Denied or full: this tab is on its own.
    }
  },
  listen(address: string, receive: (message: unknown) => void): () => void {
    const read = ({ key, newValue }: StorageEvent) => {
      if (key !== address || newValue === null) return;
      try {
        receive(JSON.parse(newValue));
      } catch {
        // Somebody else's text.
      }
    };
    globalThis.addEventListener?.('storage', read);
    return () => globalThis.removeEventListener?.('storage', read);
  },
};

/**
 * The tabs of this browser that share a session under one name. A message tells who is signed in, and never a token.
 *
 * News travel by BroadcastChannel, else through `localStorage`; where a page has neither, each tab is on its own.
 *
 * @param name False: there are none.
 * @param timeoutMs How long a tab may keep its turn. Absent: what one tab does, all may do at once.
 * @see https://html.spec.whatwg.org/multipage/web-messaging.html#broadcasting-to-other-browsing-contexts
 */
export function createTabs(name: string | false, clock: Clock, timeoutMs?: number): Tabs | undefined {
  if (name === false) return undefined;
  const address = `data-client-auth:${name}`;
  let channel: BroadcastChannel | undefined;
  let told = 0;

  return {
    listen(hear) {
      let cancel = () => {};
      const receive = (message: unknown) => {
        const subject = subjectIn(message);
        if (subject === undefined) return;
        if (timeoutMs === undefined) return hear(subject);
        // What it is about may be read a moment later than the message; the last one stands for all.
        cancel();
        cancel = clock.after(PROPAGATION_MS, () => hear(subject));
      };
      const stop = hearFrom(address, receive, opened => (channel = opened));
      return () => {
        cancel();
        stop();
      };
    },

    tell(subject) {
      told++;
      if (typeof BroadcastChannel === 'undefined') return byStorage.tell(address, subject, clock.now());
      // Through the open channel, for a second one would be heard by it.
      const through = channel ?? new BroadcastChannel(address);
      through.postMessage({ subject });
      if (through !== channel) through.close();
    },

    ...(timeoutMs !== undefined && {
      alone: (act, signal) => takeTurn(`${address}:turn`, lingering(act, () => told, clock), { signal, timeoutMs, clock }),
    }),
  };
}

/** The function, which ends a moment later where anything was told in it: the next tab has to read what it was about. */
function lingering<T>(act: () => Promise<T>, told: () => number, clock: Clock): () => Promise<T> {
  return async () => {
    const before = told();
    const result = await act();
    if (told() !== before) await new Promise<void>(resolve => clock.after(PROPAGATION_MS, resolve));
    return result;
  };
}

/** Opens the way by which messages come, and returns the function that closes it. */
function hearFrom(address: string, receive: (message: unknown) => void, keep: (channel: BroadcastChannel | undefined) => void): () => void {
  if (typeof BroadcastChannel === 'undefined') return byStorage.listen(address, receive);
  const opened = new BroadcastChannel(address);
  opened.onmessage = ({ data }) => receive(data);
  keep(opened);
  return () => {
    opened.close();
    keep(undefined);
  };
}
