import type { JournalEntry } from './JournalEntry.js';

export interface RequestLineOptions {
  /** Names of the headers to print where the request has them. */
  headers: readonly string[];
  /** The origin whose URLs are printed as paths. */
  origin: string | undefined;
}

/** Prints one request as `METHOD URL  credentials  header: value  body`, headers in alphabetical order, secrets included. */
export function formatRequestLine(entry: JournalEntry, { headers, origin }: RequestLineOptions): string {
  const address = entry.origin === origin ? entry.url.slice(entry.origin.length) : entry.url;
  const names = [...new Set(headers.map(name => name.toLowerCase()))].sort();
  const printed = names.filter(name => name in entry.headers).map(name => `${name}: ${printValue(entry.headers[name] ?? '')}`);
  return [`${entry.method} ${address}`, entry.credentials, ...printed, ...(entry.body ? [entry.body] : [])].join('  ');
}

/** Two spaces end a field, so a value may not hold them; an empty header is a mistake that has to be seen. */
function printValue(value: string): string {
  return value.trim() === '' ? '‹empty›' : value.replace(/\s+/g, ' ');
}
