import type { ObservedRequest } from '../session/observeRequests.js';
import type { JournalEntry } from '../testing/JournalEntry.js';

/** Matches the journal's entries with the requests that the kit reported right before it sent them. */
interface RequestMatcher {
  add(request: ObservedRequest): void;
  /** Returns the kit's report for an entry, or undefined for a request from elsewhere. Call it once for each entry, in order. */
  match(entry: JournalEntry): ObservedRequest | undefined;
}

/**
 * Matches by method and address, oldest first. An aborted request may never have left the page, so it matches only if there is
 * no other candidate.
 */
export function matchRequests(base: string | undefined = globalThis.location?.href): RequestMatcher {
  const waiting = new Map<string, ObservedRequest[]>();
  return {
    add(request) {
      const url = URL.canParse(request.url, base) ? new URL(request.url, base) : undefined;
      if (!url) return;
      url.hash = '';
      const key = `${request.method} ${url.href}`;
      waiting.set(key, [...(waiting.get(key) ?? []), request]);
    },
    match({ method, url }) {
      const key = `${method} ${url}`;
      const candidates = waiting.get(key) ?? [];
      const found = candidates.find(({ signal }) => !signal?.aborted) ?? candidates[0];
      const rest = candidates.filter(candidate => candidate !== found);
      if (rest.length > 0) waiting.set(key, rest);
      else waiting.delete(key);
      return found;
    },
  };
}
