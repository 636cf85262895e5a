import type { BrowserContext, Page } from 'playwright';
import { describe, expect } from 'vitest';
import type { Call } from './app/callThrough.js';
import type { Answer, ApiServer, ApiServerOptions, Arrived } from './support/apiServer.js';
import { eventually, openApp, press, says, signIn, test } from './support/test.js';

declare global {
  interface Window {
    /** What the page itself does when it is focused or visible again; it listens before the session does. */
    onOwnFocus?: () => void;
    /** What became of the request of that. */
    ownOutcome?: Promise<string>;
    outcome?: Promise<string>;
  }
}

/** A promise that is resolved from outside. */
function gate() {
  let open = () => {};
  const promise = new Promise<void>(resolve => (open = resolve));
  return { promise, open };
}

/** Whose cookie a request carries. */
const carrierOf = ({ headers }: Arrived) => /secret-sid-([a-z]+)-/.exec(headers.cookie ?? '')?.[1] ?? 'nobody';

/** Each request, and whose cookie it carries: `PATCH /article/1 as ada`. */
const linesOf = ({ requests }: ApiServer) =>
  requests.map(arrived => `${arrived.method} ${arrived.path} as ${carrierOf(arrived)}`);

const linesTo = (server: ApiServer, path: string) => linesOf(server).filter(line => line.includes(path));

const call = (page: Page, given: Call) => page.evaluate(one => window.app.call(one), given);

/** Has the server seen all that the page has sent so far? It has, once this arrived. */
const marker = (page: Page) => page.evaluate(() => fetch('/blank').then(() => undefined));

const IDENTITY_CHANGED = /^AbortError: /;

describe('a cookie login that fails after its Set-Cookie', () => {
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
      const answered = gate();
      answers['POST /cookie/login'] = async usual => {
        await answered.promise;
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
      answered.open();
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

describe.each(['soon', 'too late'] as const)(
  'a cookie switch while a request is on its way, which is answered %s',
  when => {
    test('in its preflight: it goes with Ada’s cookie or not at all', async ({ context, startServer }) => {
      const { api, page, preflightHolds, startPatch, outcome } = await openElsewhere(context, startServer);
      const held = gate();
      preflightHolds['PATCH /article/of-ada'] = () => held.promise;
      await startPatch();
      await eventually(() => api.preflights.includes('PATCH /article/of-ada'), true);
      await press(page, 'Sign in as grace');
      await marker(page);
      expect(linesOf(api)).toEqual([]);
      if (when === 'soon') held.open();
      await says(page, 'authenticated grace');
      held.open();
      await page.getByText('On grace 10').waitFor();
      await marker(page);
      const afterwards = ['POST /cookie/login as ada', 'GET /cookie/whoami as grace', 'GET /article as grace'];
      expect(linesOf(api)).toEqual(when === 'soon' ? ['PATCH /article/of-ada as ada', ...afterwards] : afterwards);
      expect(await outcome()).toMatch(when === 'soon' ? /^answered$/ : IDENTITY_CHANGED);
    });

    test('its answer renews Ada’s cookie: Grace’s is not replaced', async ({ context, startServer }) => {
      const { api, page, answers, startPatch, outcome } = await openElsewhere(context, startServer);
      const held = gate();
      answers['PATCH /article/of-ada'] = async (usual, { headers }) => {
        const [, sid] = /\bsid=([^;]+)/.exec(headers.cookie ?? '')!;
        await held.promise;
        return { ...usual, headers: { 'Set-Cookie': `sid=${sid}; HttpOnly; Path=/` } };
      };
      await startPatch();
      await eventually(() => linesOf(api), ['PATCH /article/of-ada as ada']);
      await press(page, 'Sign in as grace');
      await marker(page);
      expect(linesTo(api, '/cookie/login')).toEqual([]);
      if (when === 'soon') held.open();
      await says(page, 'authenticated grace');
      held.open();
      await page.getByText('On grace 10').waitFor();
      await marker(page);
      api.requests.length = 0;
      expect(await call(page, { method: 'GET', address: `${api.url}/article/1` })).toBe('answered');
      expect(linesOf(api)).toEqual(['GET /article/1 as grace']);
      expect(await outcome()).toMatch(when === 'soon' ? /^answered$/ : IDENTITY_CHANGED);
    });
  },
);

describe('another page of the server, which is not the app, signs a user in', () => {
  async function adasPage(context: BrowserContext, server: ApiServer, more = '') {
    const page = await context.newPage();
    await page.clock.install();
    await page.addInitScript(() => {
      addEventListener('focus', () => window.onOwnFocus?.());
      document.addEventListener('visibilitychange', () => window.onOwnFocus?.());
    });
    await page.goto(`${server.url}/page?session=cookie${more}`);
    await signIn(page, 'ada');
    const admin = await context.newPage();
    await admin.goto(`${server.url}/blank`);
    const signInThere = (username: string) =>
      admin.evaluate(
        body => fetch('/cookie/login', { method: 'POST', body }).then(() => undefined),
        JSON.stringify({ username }),
      );
    return { page, signInThere };
  }

  const dispatch = (page: Page, type: 'focus' | 'visibilitychange') =>
    page.evaluate(type => {
      for (let times = 0; times < 20; times++) (type === 'focus' ? window : document).dispatchEvent(new Event(type));
    }, type);

  /** By hand: the browser runs what one listener has started before it calls the next one, as it does for no event of a script. */
  async function focusByHand(page: Page) {
    await page.evaluate(() =>
      document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: '<p>Another document</p>' })),
    );
    await page.frameLocator('iframe').getByText('Another document').click();
    await page.locator('#who').click();
  }

  test.for(['focus', 'visibilitychange'] as const)(
    'Ada’s page gets a %s: it asks whoami before its own listeners send anything, and shows Grace',
    async (type, { context, server }) => {
      // Without CSRF, whose cookie would tell too.
      const { page, signInThere } = await adasPage(context, server, '&csrf=off');
      await page.clock.fastForward(60_000);
      await signInThere('grace');
      server.requests.length = 0;
      await page.evaluate(() => {
        window.onOwnFocus = () =>
          void (window.ownOutcome ??= window.app.call({ method: 'PATCH', address: '/article/of-ada' }));
      });
      if (type === 'focus') await focusByHand(page);
      await dispatch(page, type);
      await says(page, 'authenticated grace');
      await page.getByText('On grace 10').waitFor();
      expect(await page.evaluate(() => window.ownOutcome)).toMatch(IDENTITY_CHANGED);
      expect(linesOf(server)).toEqual(['GET /cookie/whoami as grace', 'GET /article as grace']);
    },
  );

  test('without a focus: the CSRF cookie tells, and no request of Ada’s is sent', async ({ context, server }) => {
    const { page, signInThere } = await adasPage(context, server);
    await signInThere('grace');
    server.requests.length = 0;
    const outcomes = await page.evaluate(() =>
      Promise.all(Array.from({ length: 20 }, () => window.app.call({ method: 'PATCH', address: '/article/of-ada' }))),
    );
    for (const outcome of outcomes) expect(outcome).toMatch(IDENTITY_CHANGED);
    await says(page, 'authenticated grace');
    await page.getByText('On grace 10').waitFor();
    expect(linesOf(server)).toEqual(['GET /cookie/whoami as grace', 'GET /article as grace']);
  });

  test('it was Ada once more: her request is sent, after whoami', async ({ context, server }) => {
    const { page, signInThere } = await adasPage(context, server);
    await signInThere('ada');
    server.requests.length = 0;
    expect(await call(page, { method: 'PATCH', address: '/article/of-ada' })).toBe('answered');
    expect(await call(page, { method: 'PATCH', address: '/article/of-ada' })).toBe('answered');
    expect(linesOf(server)).toEqual([
      'GET /cookie/whoami as ada',
      'PATCH /article/of-ada as ada',
      'PATCH /article/of-ada as ada',
    ]);
  });
});

test('a fetch of the CSRF token that answers 401 and sets the cookie is good for a login', async ({
  context,
  startServer,
}) => {
  const answers: NonNullable<ApiServerOptions['answers']> = {
    'GET /cookie/csrf': usual => ({ ...usual, status: 401, body: {} }),
    'POST /cookie/login': (usual, { headers }) =>
      headers['x-csrftoken']?.toString().startsWith('secret-csrf-')
        ? usual
        : { status: 403, body: { detail: 'CSRF Failed: CSRF cookie not set.' } },
  };
  const server = await startServer({ answers });
  const page = await openApp(context, server, { session: 'cookie', csrf: 'fetch' });
  await says(page, 'anonymous');
  server.requests.length = 0;
  await signIn(page, 'ada');
  expect(linesOf(server)).toEqual([
    'GET /cookie/csrf as nobody',
    'POST /cookie/login as nobody',
    'GET /article as ada',
  ]);
});
