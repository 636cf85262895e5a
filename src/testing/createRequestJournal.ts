import { RequestJournal, type JournalSource, type RequestJournalOptions } from './RequestJournal.js';

/**
 * Records what a page sends, so that a story can say what its screen cost: each request with its credentials, in order.
 * Recording starts at once and goes on until `dispose()`; call `clear()` before each story.
 *
 * What msw can see is recorded: method, URL, the headers that code has set, the credentials mode and the body. A browser
 * adds `Cookie`, `Origin` and `Referer` later, so they are never seen.
 *
 * @example
 * export const worker = setupWorker();
 * export const journal = createRequestJournal(worker, { credentialHeaders: ['x-api-key'] });
 * // in a play function
 * await expect(journal).toHaveSent(['GET /article  same-origin  access-token: ada-1']);
 * @see journalMatchers
 */
export function createRequestJournal(worker: JournalSource, options?: RequestJournalOptions): RequestJournal {
  return new RequestJournal(worker, options);
}
