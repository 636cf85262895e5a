import type { ObservedLive } from '../live/observeLive.js';

/** One request as it left the page. Entries are immutable: a change replaces the entry. */
export interface JournalEntry {
  readonly id: string;
  readonly method: string;
  /** Absolute, without the fragment. */
  readonly url: string;
  readonly origin: string;
  /** Every header that msw sees, names in lower case. Contains real credentials: to print a request, use `lines()`. */
  readonly headers: Readonly<Record<string, string>>;
  /** With msw 3 in Node always `same-origin`: msw does not tell the mode there. */
  readonly credentials: RequestCredentials;
  /** `undefined` when the request has no body, and until the body has been read. */
  readonly body: string | undefined;
  /** 1 for the first request with this method and URL since the last `clear()`, 2 for the next one, and so on. */
  readonly attempt: number;
  /** `undefined` until the answer arrives. Stays `undefined` after a network error. */
  readonly status: number | undefined;
  /** True when no msw handler answered the request. */
  readonly unhandled: boolean;
  /** Milliseconds, from `performance.now()`. */
  readonly startedAt: number;
  /** Milliseconds, from `performance.now()`; `undefined` until the request has ended. */
  readonly endedAt: number | undefined;
  /** Of a live connection: whose it is, and what happened. The method is then `WS` or `SSE`. */
  readonly live?: Pick<ObservedLive, 'subject' | 'event'>;
}
