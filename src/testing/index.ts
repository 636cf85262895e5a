// The entry `data-client-auth/testing`: a journal of requests and mock servers, for stories and tests.
export {
  createRequestJournal,
  type JournalLinesOptions,
  type JournalSource,
  type RequestJournal,
  type RequestJournalOptions,
} from './RequestJournal.js';
export type { JournalEntry } from './JournalEntry.js';
export { isPageAsset } from './isPageAsset.js';
export { journalMatchers, type JournalMatchers, type ToHaveSentOptions } from './journalMatchers.js';
export { requestLines, type RequestLine, type RequestLines, type RequestLinesOptions } from './requestLines.js';

export type { IncomingRequest, MockAuth, MockPerson, MockUser } from './MockAuth.js';
export { createGate, type Gate, type Release } from './createGate.js';
export { tokenAuthHandlers } from './tokenAuthHandlers.js';
export type { MockTokens, MockTokenServer, TokenAuthCounts, TokenAuthOptions } from './MockTokenServer.js';
export { cookieAuthHandlers } from './cookieAuthHandlers.js';
export type { CookieAuthCounts, CookieAuthOptions, MockCookieServer } from './MockCookieServer.js';
export { networkHandler, type MockNetwork, type NetworkHandlerOptions, type Outage } from './networkHandler.js';
export { resourceHandlers } from './resourceHandlers.js';
export type { MockResource, MockResourceSource, ResourceHandlersOptions } from './MockResource.js';
export type { MockPagination } from './paginate.js';
