import type { BrowserContext, Page } from 'playwright';
import { describe, expect } from 'vitest';
import { createGate } from '../../src/testing/createGate.js';
import type { Answer, ApiServer, ApiServerOptions } from './support/apiServer.js';
import { isFirefox } from './support/browserUnderTest.js';
import { eventually, openApp, press, says, signIn, test } from './support/test.js';
import { call, IDENTITY_CHANGED, linesOf, linesTo, marker } from './support/wire.js';

declare global {
  interface Window {
    /** What became of the request that the test has started. */
    outcome?: Promise<string>;
  }
}

describe('a cookie login that fails after its Set-Cookie (scenario 23)', () => {
  test.for<[string, Partial<Answer>]>([
    ['a 500', { status: 500 }],
    ['a redirect', { status: 302 }],
    ['a connection that is lost in the body', { isCut: true }],
    ['a body that is not JSON', { status: 200, body: undefined }],
  ])(
    '%s: the user who has the cookie is signed in, and no request of Ada’s goes with it',
    async ([, failure], { context, startServer }) => {
      const answers: NonNullable<ApiServerOptions['answers']> = {};
      const server = await startServer({ answers });
      const page = await openApp(context, server, { session: 'cookie' });
      await signIn(page, 'ada');
      const logins = createGate();
      const answer = logins.hold();
      answers['POST /cookie/login'] = async usual => {
        await logins.pass();
        // The CSRF cookie stays as it is, and tells nothing.
        const [sid = ''] = usual.headers!['Set-Cookie']!;
        return {
          ...usual,
          ...failure,
          headers: { 'Set-Cookie': sid, ...(failure.status === 302 && { Location: '/blank' }) },
        };
      };
      server.requests.length = 0;
      await press(page, 'Sign in as grace');
      await eventually(() => linesOf(server), ['POST /cookie/login as ada']);
      const late = call(page, { method: 'PATCH', address: '/article/of-ada' });
      await marker(page);
      answer();
      await says(page, 'authenticated grace');
      await page.getByText('On grace 10').waitFor();
      expect(await late).toMatch(IDENTITY_CHANGED);
      expect(linesOf(server)).toEqual([
        'POST /cookie/login as ada',
        'GET /cookie/whoami as grace',
        'GET /article as grace',
      ]);
    },
  );
});

/** Ada's page, with an API on another origin that lets its requests wait. */
async function openElsewhere(context: BrowserContext, startServer: (options?: ApiServerOptions) => Promise<ApiServer>) {
  const answers: NonNullable<ApiServerOptions['answers']> = {
    // Whom it signed in, only whoami tells.
    'POST /cookie/login': usual => ({ ...usual, status: 204 }),
  };
  const preflightHolds: NonNullable<ApiServerOptions['preflightHolds']> = {};
  const [api, host] = [await startServer({ answers, preflightHolds }), await startServer()];
  const page = await openApp(context, host, {
    session: 'cookie',
    api: api.url,
    origin: api.url,
    credentials: 'include',
  });
  await signIn(page, 'ada');
  api.requests.length = 0;
  const startPatch = () =>
    page.evaluate(
      address => void (window.outcome = window.app.call({ method: 'PATCH', address })),
      `${api.url}/article/of-ada`,
    );
  return { api, page, answers, preflightHolds, startPatch, outcome: () => page.evaluate(() => window.outcome) };
}

/** A login waits ten seconds for the requests on the wire. */
const DRAINED_MS = 15_000;
const who = (page: Page) => () => page.locator('#who').textContent();

describe.each(['soon', 'too late'] as const)(
  'a cookie switch while a request is on its way, which is answered %s',
  when => {
    test('in its preflight: it goes with Ada’s cookie or not at all', async ({ context, startServer }) => {
      const { api, page, preflightHolds, startPatch, outcome } = await openElsewhere(context, startServer);
      const preflights = createGate();
      const release = preflights.hold();
      preflightHolds['PATCH /article/of-ada'] = preflights.pass;
      await startPatch();
      await eventually(() => api.preflights.includes('PATCH /article/of-ada'), true);
      await press(page, 'Sign in as grace');
      await marker(page);
      expect(linesOf(api)).toEqual([]);
      if (when === 'soon') release();
      await eventually(who(page), 'authenticated grace', DRAINED_MS);
      release();
      await page.getByText('On grace 10').waitFor();
      await marker(page);
      const afterwards = ['POST /cookie/login as ada', 'GET /cookie/whoami as grace', 'GET /article as grace'];
      expect(linesOf(api)).toEqual(when === 'soon' ? ['PATCH /article/of-ada as ada', ...afterwards] : afterwards);
      expect(await outcome()).toMatch(when === 'soon' ? /^answered$/ : IDENTITY_CHANGED);
    });

    test('its answer renews Ada’s cookie: Grace’s is not replaced (scenario 24)', async ({ context, startServer }) => {
      const { api, page, answers, startPatch, outcome } = await openElsewhere(context, startServer);
      const patches = createGate();
      const release = patches.hold();
      answers['PATCH /article/of-ada'] = async (usual, { headers }) => {
        const [, sid] = /\bsid=([^;]+)/.exec(headers.cookie ?? '')!;
        await patches.pass();
        return { ...usual, headers: { 'Set-Cookie': `sid=${sid}; HttpOnly; Path=/` } };
      };
      await startPatch();
      await eventually(() => linesOf(api), ['PATCH /article/of-ada as ada']);
      await press(page, 'Sign in as grace');
      await marker(page);
      expect(linesTo(api, '/cookie/login')).toEqual([]);
      if (when === 'soon') release();
      await eventually(who(page), 'authenticated grace', DRAINED_MS);
      release();
      await page.getByText('On grace 10').waitFor();
      await marker(page);
      api.requests.length = 0;
      expect(await call(page, { method: 'GET', address: `${api.url}/article/1` })).toBe('answered');
      expect(linesOf(api)).toEqual(['GET /article/1 as grace']);
      expect(await outcome()).toMatch(when === 'soon' ? /^answered$/ : IDENTITY_CHANGED);
    });
  },
);

test('another page signs Grace in while Ada’s change is in its preflight: the server refuses its CSRF token, and it is not sent again as Grace', async ({
  context,
  startServer,
  skip,
}) => {
  skip(isFirefox, 'Firefox reads the cookie before the preflight, so the change goes as Ada');
  const { api, page, preflightHolds, startPatch, outcome } = await openElsewhere(context, startServer);
  const preflights = createGate();
  const release = preflights.hold();
  preflightHolds['PATCH /article/of-ada'] = preflights.pass;
  await startPatch();
  await eventually(() => api.preflights.includes('PATCH /article/of-ada'), true);
  const admin = await context.newPage();
  await admin.goto(`${api.url}/blank`);
  // Replaces both cookies, as Django does.
  await admin.evaluate(body => fetch('/cookie/login', { method: 'POST', body }), '{"username":"grace"}');
  api.requests.length = 0;
  release();
  expect(await outcome()).toMatch(IDENTITY_CHANGED);
  await says(page, 'authenticated grace');
  await page.getByText('On grace 10').waitFor();
  await marker(page);
  expect(linesOf(api)).toEqual([
    'PATCH /article/of-ada as grace',
    'GET /cookie/whoami as grace',
    'GET /article as grace',
  ]);
});
