import type { ObservedRequest } from '../endpoints/observeRequests.js';
import type { JournalEntry } from '../testing/JournalEntry.js';

/** Finds what the kit told of a request right before it left, for the entry that the journal made of it. */
export interface RequestMatcher {
  told(request: ObservedRequest): void;
  /** To be asked for each entry once, in their order. Undefined for a request that the kit did not send. */
  match(entry: JournalEntry): ObservedRequest | undefined;
}

/**
 * Matches by method and address, first come, first served. One that was called off may never have left the page, and is matched
 * only when there is no other.
 */
export function matchRequests(base: string | undefined = globalThis.location?.href): RequestMatcher {
  const waiting = new Map<string, ObservedRequest[]>();
  return {
    told(request) {
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
