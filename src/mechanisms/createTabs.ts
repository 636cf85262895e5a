import type { Clock } from '../clock.js';
import type { Tabs } from '../session/types.js';
import { PROPAGATION_MS, withLock } from './withLock.js';

/** The name of a session that was given none. */
export const DEFAULT_NAME = 'data-client-auth';

/** What a session shares with the other tabs of the browser. */
export interface TabsOptions {
  /**
   * The name under which tabs of one origin share the sign-in: a sign-in or sign-out in one tab happens in all, and one tab
   * at a time refreshes. Two sessions of one page need two names. False: each tab for itself.
   *
   * @default where tabs share the credential, the name of its place ('data-client-auth' and the `origins` for cookies, the
   * `storageKey` for `storage: 'local'` or a store of your own); false for memory and session storage
   */
  readonly tabs?: string | false | undefined;
}

/** The subject in a message of another tab; undefined when it is not a message that `post` has sent. */
function subjectIn(message: unknown): string | null | undefined {
  const { subject } = (typeof message === 'object' && message !== null ? message : {}) as { subject?: unknown };
  return subject === null || typeof subject === 'string' ? subject : undefined;
}

/** Messages through `localStorage`: other tabs get an event for every change. Where it is denied, none arrive. */
const storageMessages = {
  post(address: string, subject: string | null, now: number): void {
    try {
      // Without the time, the same message twice would be no change.
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
        // Another program's text.
      }
    };
    globalThis.addEventListener?.('storage', read);
    return () => globalThis.removeEventListener?.('storage', read);
  },
};

/**
 * The tabs of this browser that share a session under one name. A message says who is signed in, and never has a token.
 *
 * Messages travel by BroadcastChannel, else through `localStorage`. Where a page has neither, each tab is on its own.
 *
 * @param name False: there are none.
 * @param lockTimeoutMs How long a tab may hold the lock. Absent: there is no lock.
 * @see https://html.spec.whatwg.org/multipage/web-messaging.html#broadcasting-to-other-browsing-contexts
 */
export function createTabs(name: string | false, clock: Clock, lockTimeoutMs?: number): Tabs | undefined {
  if (name === false) return undefined;
  const address = `data-client-auth:${name}`;
  let channel: BroadcastChannel | undefined;
  let posted = 0;

  return {
    listen(onMessage) {
      let cancel = () => {};
      const receive = (message: unknown) => {
        const subject = subjectIn(message);
        if (subject === undefined) return;
        if (lockTimeoutMs === undefined) return onMessage(subject);
        // The storage may show what the message is about a moment later. Of several messages, the last one counts.
        cancel();
        cancel = clock.setTimeout(() => onMessage(subject), PROPAGATION_MS);
      };
      const close = openChannel(address, receive, opened => (channel = opened));
      return () => {
        cancel();
        close();
      };
    },

    post(subject) {
      posted++;
      if (typeof BroadcastChannel === 'undefined') return storageMessages.post(address, subject, clock.now());
      // Through the open channel: that one would receive what a second one posts.
      const sender = channel ?? new BroadcastChannel(address);
      sender.postMessage({ subject });
      if (sender !== channel) sender.close();
    },

    ...(lockTimeoutMs !== undefined && {
      withLock: (run, signal) =>
        withLock(`${address}:lock`, holdUntilPropagated(run, () => posted, clock), { signal, timeoutMs: lockTimeoutMs, clock }),
    }),
  };
}

/** The function, followed by a moment of waiting if it posted anything: the next tab must be able to read what that was about. */
function holdUntilPropagated<T>(run: () => Promise<T>, posted: () => number, clock: Clock): () => Promise<T> {
  return async () => {
    const before = posted();
    const result = await run();
    if (posted() !== before) await new Promise<void>(resolve => clock.setTimeout(resolve, PROPAGATION_MS));
    return result;
  };
}

/** Starts to receive messages, and returns the function that stops it. */
function openChannel(address: string, receive: (message: unknown) => void, onChange: (channel: BroadcastChannel | undefined) => void): () => void {
  if (typeof BroadcastChannel === 'undefined') return storageMessages.listen(address, receive);
  const opened = new BroadcastChannel(address);
  opened.onmessage = ({ data }) => receive(data);
  onChange(opened);
  return () => {
    opened.close();
    onChange(undefined);
  };
}
