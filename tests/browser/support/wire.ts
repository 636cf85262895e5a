import type { Page } from 'playwright';
import type { Call } from '../app/callThrough.js';
import type { ApiServer, Arrived } from './apiServer.js';

/** Whose cookie a request carries. */
export const carrierOf = ({ headers }: Arrived): string =>
  /secret-sid-([a-z]+)-/.exec(headers.cookie ?? '')?.[1] ?? 'nobody';

/** Each request, and whose cookie it carries: `PATCH /article/1 as ada`. */
export const linesOf = ({ requests }: ApiServer): string[] =>
  requests.map(arrived => `${arrived.method} ${arrived.path} as ${carrierOf(arrived)}`);

export const linesTo = (server: ApiServer, path: string): string[] =>
  linesOf(server).filter(line => line.includes(path));

/** Calls an address with the session of the page; resolves with `answered`, or with the error. */
export const call = (page: Page, given: Call): Promise<string> => page.evaluate(one => window.app.call(one), given);

/** Makes the same call 20 times in one tick. */
export const burst = (page: Page, given: Call): Promise<string[]> =>
  page.evaluate(one => Promise.all(Array.from({ length: 20 }, () => window.app.call(one))), given);

/** Has the server seen all that the page has sent so far? It has, once this arrived. */
export const marker = (page: Page): Promise<void> => page.evaluate(() => fetch('/blank').then(() => undefined));

/** The outcome of a call whose identity has changed: `IdentityChangedError`. */
export const IDENTITY_CHANGED = /^AbortError: /;
