// The entry `data-client-auth/testing`: a journal of requests and mock servers, for stories and tests.
export { createRequestJournal } from './createRequestJournal.js';
export type { JournalEntry } from './JournalEntry.js';
export type { JournalLinesOptions, JournalSource, RequestJournal, RequestJournalOptions } from './RequestJournal.js';
export { journalMatchers, type JournalMatchers, type ToHaveSentOptions } from './journalMatchers.js';
export { requestLines, type RequestLine, type RequestLines, type RequestLinesOptions } from './requestLines.js';

export type { IncomingRequest, MockAuth, MockPerson } from './MockAuth.js';
export { createGate, type Gate, type Release } from './createGate.js';
export type { Outage } from './outageResponse.js';
export {
  tokenAuthHandlers,
  type MockTokens,
  type MockTokenServer,
  type TokenAuthCounts,
  type TokenAuthOptions,
} from './tokenAuthHandlers.js';
export {
  cookieAuthHandlers,
  type CookieAuthCounts,
  type CookieAuthOptions,
  type MockCookieServer,
} from './cookieAuthHandlers.js';
export {
  resourceHandlers,
  type MockResource,
  type MockResourceSource,
  type ResourceHandlersOptions,
} from './resourceHandlers.js';
export type { MockPagination } from './paginate.js';
