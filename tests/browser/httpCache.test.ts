import type { BrowserContext, Page } from 'playwright';
import { describe, expect } from 'vitest';
import type { Call } from './app/callThrough.js';
import type { ApiServer, ApiServerOptions } from './support/apiServer.js';
import { isFirefox } from './support/browserUnderTest.js';
import { openApp, press, says, signIn, test } from './support/test.js';

type Start = (options?: ApiServerOptions) => Promise<ApiServer>;

const SESSIONS = ['token', 'cookie'];
const ORIGINS = ['same', 'other'];
const CACHINGS = ['max-age', 'last-modified', 'etag'] as const;

const TABLE = SESSIONS.flatMap(session =>
  ORIGINS.flatMap(origin => CACHINGS.map(caching => ({ session, origin, caching }))),
);

/** The app of a session, with an API that lets browsers cache: on the page's own origin, or on another. */
async function setup(startServer: Start, { session, origin, caching }: (typeof TABLE)[number]) {
  const api = await startServer({ caching });
  const host = origin === 'same' ? api : await startServer();
  const elsewhere = origin === 'other' && { api: api.url, origin: api.url, credentials: 'include' };
  return { api, open: (context: BrowserContext) => openApp(context, host, { session, ...elsewhere }) };
}

const read = (page: Page, call: Call) => page.evaluate(given => window.app.read(given), call);

describe.each(TABLE)('a $session session, an API on the $origin origin that allows caching by $caching', row => {
  test('no user gets an answer of another, and each read reaches the server (scenario 20)', async ({
    context,
    startServer,
  }) => {
    const { api, open } = await setup(startServer, row);
    const page = await open(context);
    const list: Call = { method: 'GET', address: `${api.url}/article` };
    const reads = () => api.requests.filter(({ path }) => path === '/article').length;

    await signIn(page, 'ada');
    expect(await read(page, list)).toContain('On ada 10');
    expect(await read(page, { ...list, public: true })).toBe('refused with 401');
    expect(await read(page, list)).toContain('On ada 10');
    expect(reads()).toBe(4);

    await press(page, 'Sign out');
    await says(page, 'anonymous signed-out');
    expect(await read(page, list)).toBe('refused with 401');
    expect(reads()).toBe(5);

    await press(page, 'Sign in as grace');
    await says(page, 'authenticated grace');
    const answer = await read(page, list);
    expect(answer).toContain('On grace 10');
    expect(answer).not.toContain('ada');
    await page.getByText('On grace 10').waitFor();
    expect(await page.getByText('On ada').count()).toBe(0);
    expect(reads()).toBe(7);
  });
});

describe.each(TABLE.filter(({ session }) => session === 'cookie'))(
  'whoami on the $origin origin, cacheable by $caching',
  row => {
    test('never decides who is signed in', async ({ context, startServer }) => {
      const { api, open } = await setup(startServer, row);
      const whoamis = () => api.requests.filter(({ path }) => path === '/cookie/whoami').length;
      const page = await open(context);
      await says(page, 'anonymous');
      expect(whoamis()).toBe(1);

      for (const [index, username] of ['ada', 'grace'].entries()) {
        // A sign-in that is not the page's own.
        await context.request.post(`${api.url}/cookie/login`, { data: { username } });
        const next = await open(context);
        await says(next, `authenticated ${username}`);
        await next.getByText(`On ${username} 10`).waitFor();
        expect(whoamis()).toBe(index + 2);
      }
    });
  },
);

/**
 * The cache mode alone never causes a preflight. But Chromium uses its preflight cache in the default mode only: a second read of the
 * same address needs a second preflight.
 */
test.for([
  { mode: undefined, sentAs: 'no-store', again: 1 },
  // Without `Access-Control-Max-Age`, Firefox keeps no answer to a preflight.
  { mode: 'default', sentAs: 'default', again: isFirefox ? 1 : 0 },
] as const)(
  'a token on another origin, sent with $sentAs: one preflight for each address, and $again for each second read',
  async ({ mode, again }, { context, startServer }) => {
    const [api, host] = [await startServer({ caching: 'no-store' }), await startServer()];
    const page = await openApp(context, host, { session: 'token', api: api.url, origin: api.url });
    await signIn(page, 'ada');
    expect(api.preflights).toEqual(['POST /token/login', 'GET /article']);
    api.preflights.length = 0;

    const addresses = ['/article/1', '/article/2', '/article/3'];
    const readAll = async () => {
      for (const address of addresses)
        expect(await read(page, { method: 'GET', address: api.url + address, ...(mode && { cache: mode }) })).toContain(
          'On ada',
        );
      return api.preflights.splice(0);
    };
    expect(await readAll()).toEqual(addresses.map(address => `GET ${address}`));
    expect(await readAll()).toHaveLength(again * addresses.length);
    expect(api.dataCalls()).toHaveLength(1 + 2 * addresses.length);
  },
);
