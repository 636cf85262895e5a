import type { JournalEntry } from './JournalEntry.js';

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
