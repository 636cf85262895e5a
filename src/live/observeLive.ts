import { addListener, notifyListeners } from '../notifyListeners.js';

/** What happened on a connection of `liveManager`, without what it carried. */
export interface ObservedLive {
  readonly kind: 'WS' | 'SSE';
  /** Without its query, in which a ticket may be. Empty for a source that does not say. */
  readonly url: string;
  /** Whose connection it is. Undefined for a user without an id. */
  readonly subject: string | undefined;
  /** `close` without a code: by the page. `renew`: the source got a new token. */
  readonly event: 'open' | 'frame' | 'renew' | 'close' | `close ${number}`;
}

/** One set for the page, not for the module: the request journal finds it without the kit's code. */
const LISTENERS = Symbol.for('data-client-auth/observeLive');
const page = globalThis as { [LISTENERS]?: Set<(event: ObservedLive) => void> };

/** Calls the listener at each connect, frame and close. Returns the function that unsubscribes. For tools like the requests panel. */
export function observeLive(listener: (event: ObservedLive) => void): () => void {
  return addListener((page[LISTENERS] ??= new Set()), listener);
}

export function notifyLive(url: string | undefined, event: Omit<ObservedLive, 'url' | 'kind'>): void {
  const listeners = page[LISTENERS];
  if (!listeners || listeners.size === 0) return;
  const address =
    url && URL.canParse(url, globalThis.location?.href) ? new URL(url, globalThis.location?.href) : undefined;
  const observed: ObservedLive = {
    ...event,
    kind: address?.protocol.startsWith('http') ? 'SSE' : 'WS',
    url: address ? `${address.protocol}//${address.host}${address.pathname}` : '',
  };
  notifyListeners(listeners, observed);
}
