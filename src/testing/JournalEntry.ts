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

interface RequestLineOptions {
  /** Names of the headers to print where the request has them. */
  headers: readonly string[];
  /** URLs of this origin are printed as paths. */
  origin: string | undefined;
}

type PrintedFields = Pick<JournalEntry, 'method' | 'url' | 'origin' | 'headers' | 'credentials' | 'body'>;

/** Formats one request as `METHOD URL  credentials  header: value  body`, headers in alphabetical order. Contains secrets. */
export function formatRequestLine(entry: PrintedFields, { headers, origin }: RequestLineOptions): string {
  const address = entry.origin === origin ? entry.url.slice(entry.origin.length) : entry.url;
  const names = [...new Set(headers.map(name => name.toLowerCase()))].sort();
  const printed = names
    .filter(name => name in entry.headers)
    .map(name => `${name}: ${printValue(entry.headers[name] ?? '')}`);
  return [`${entry.method} ${address}`, entry.credentials, ...printed, ...(entry.body ? [entry.body] : [])].join('  ');
}

/** Two spaces end a field, so a value must not contain them. An empty header is a mistake, so the line shows it. */
function printValue(value: string): string {
  return value.trim() === '' ? '‹empty›' : value.replace(/\s+/g, ' ');
}
