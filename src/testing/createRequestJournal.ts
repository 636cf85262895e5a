import { RequestJournal } from './RequestJournal.js';
import type { JournalSource, RequestJournalOptions } from './RequestJournalOptions.js';

/**
 * Records a page's requests with their credentials, in order, so that a story can assert the complete list.
 * Recording starts immediately and ends with `dispose()`. Call `clear()` before each story.
 *
 * The journal records the parts that msw sees: method, URL, the headers that code has set, the credentials mode and the
 * body. It never contains `Cookie`, `Origin` and `Referer`, because the browser adds them later.
 *
 * @example
 * export const worker = setupWorker();
 * export const journal = createRequestJournal(worker, { credentialHeaders: ['x-api-key'] });
 * // in a play function
 * await expect(journal).toHaveSent(['GET /article  same-origin  access-token: ada-1']);
 * @see journalMatchers
 * @see requestLines
 */
export function createRequestJournal(worker: JournalSource, options?: RequestJournalOptions): RequestJournal {
  return new RequestJournal(worker, options);
}
