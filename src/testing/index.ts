// The second door, `data-client-auth/testing`: what stories and tests need to see requests and to answer them.
export { createRequestJournal } from './createRequestJournal.js';
export type { JournalEntry } from './JournalEntry.js';
export type {
  JournalLinesOptions,
  JournalSource,
  RequestJournal,
  RequestJournalOptions,
} from './RequestJournal.js';
export { journalMatchers, type JournalMatchers, type ToHaveSentOptions } from './journalMatchers.js';

export type { JudgedRequest, PretendAuth, PretendPerson } from './PretendAuth.js';
export type { Release } from './createGate.js';
export type { Outage } from './outageResponse.js';
export {
  tokenAuthHandlers,
  type PretendTokens,
  type PretendTokenServer,
  type TokenAuthCounts,
  type TokenAuthOptions,
} from './tokenAuthHandlers.js';
export {
  cookieAuthHandlers,
  type CookieAuthCounts,
  type CookieAuthOptions,
  type PretendCookieServer,
} from './cookieAuthHandlers.js';
export {
  resourceHandlers,
  type PretendResource,
  type PretendResourceSource,
  type ResourceHandlersOptions,
} from './resourceHandlers.js';
export type { PretendPagination } from './paginate.js';
