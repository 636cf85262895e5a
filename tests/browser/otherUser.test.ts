import type { BrowserContext, Page } from 'playwright';
import { describe, expect } from 'vitest';
import { createGate } from '../../src/testing/createGate.js';
import type { ApiServer, ApiServerOptions } from './support/apiServer.js';
import { eventually, press, says, signIn, test } from './support/test.js';
import { burst, call, carrierOf, IDENTITY_CHANGED, linesOf, linesTo, marker } from './support/wire.js';

declare global {
  interface Window {
    /** What the page itself does when it is focused or visible again; it listens before the session does. */
    onOwnFocus?: () => void;
    /** What became of the request of that. */
    ownOutcome?: Promise<string>;
  }
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const PATCH = { method: 'PATCH', address: '/article/of-ada' } as const;
const GET = { method: 'GET', address: '/article/1' } as const;
const IDS = Array.from({ length: 10 }, (_, index) => `${index + 1}`);

/** Ada's page, and the server's own admin page in another tab, which is not the app. */
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
  /** Rotates the CSRF cookie as well, as Django does. */
  const signInThere = (username: string) =>
    admin.evaluate(
      body => fetch('/cookie/login', { method: 'POST', body }).then(() => undefined),
      JSON.stringify({ username }),
    );
  server.requests.length = 0;
  return { page, signInThere };
}

/** No request of Ada's has reached the server since, and the page shows Grace after one whoami. */
async function expectGrace(page: Page, server: ApiServer) {
  await says(page, 'authenticated grace');
  await page.getByText('On grace 10').waitFor();
  expect(linesOf(server)).toEqual(['GET /cookie/whoami as grace', 'GET /article as grace']);
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

describe('another page of the server, which is not the app, signs Grace in (scenario 39)', () => {
  test.for(['focus', 'visibilitychange'] as const)(
    'Ada’s page gets a %s: it asks whoami before its own listeners send anything, and shows Grace',
    async (type, { context, server }) => {
      // Without CSRF, whose cookie would tell too.
      const { page, signInThere } = await adasPage(context, server, '&csrf=off');
      await page.clock.fastForward(MINUTE);
      await signInThere('grace');
      server.requests.length = 0;
      await page.evaluate(call => {
        window.onOwnFocus = () => void (window.ownOutcome ??= window.app.call(call));
      }, PATCH);
      if (type === 'focus') await focusByHand(page);
      await dispatch(page, type);
      await expectGrace(page, server);
      expect(await page.evaluate(() => window.ownOutcome)).toMatch(IDENTITY_CHANGED);
    },
  );

  test.for([
    ['its CSRF cookie has changed', '', 0],
    ['it has sent nothing for 5 minutes', '&csrf=off', 5 * MINUTE + SECOND],
  ] as const)(
    'Ada’s page is not focused, but %s: one whoami, and no request of hers is sent',
    async ([, more, ms], { context, server }) => {
      const { page, signInThere } = await adasPage(context, server, more);
      if (ms > 0) await page.clock.fastForward(ms);
      await signInThere('grace');
      server.requests.length = 0;
      for (const outcome of await burst(page, PATCH)) expect(outcome).toMatch(IDENTITY_CHANGED);
      await expectGrace(page, server);
    },
  );

  test('every answer names its user: none of Grace’s enters Ada’s store, and no further request is sent', async ({
    context,
    startServer,
  }) => {
    const answers: NonNullable<ApiServerOptions['answers']> = {};
    for (const path of ['/article', ...IDS.map(id => `/article/${id}`)])
      answers[`GET ${path}`] = (usual, arrived) => ({
        ...usual,
        headers: { ...usual.headers, 'X-User-Id': carrierOf(arrived) },
      });
    const server = await startServer({ answers });
    // Neither the CSRF cookie nor a focus nor the time tells.
    const { page, signInThere } = await adasPage(context, server, '&csrf=off&verify=X-User-Id');
    await press(page, 'Ask the store');
    await page.getByText('10 answered, 0 failed').waitFor();
    const checks = createGate();
    const release = checks.hold();
    answers['GET /cookie/whoami'] = async usual => {
      await checks.pass();
      return usual;
    };
    await signInThere('grace');
    server.requests.length = 0;
    await press(page, 'Ask the store');
    await eventually(() => linesTo(server, '/whoami'), ['GET /cookie/whoami as grace']);
    await marker(page);
    // data-client starts the ten one after the other: those that were sent before the first answer.
    const sent = linesOf(server);
    const further = burst(page, PATCH);
    await marker(page);
    expect(linesOf(server)).toEqual(sent);
    await says(page, 'authenticated ada');
    expect(await page.evaluate(() => window.app.serialized())).not.toContain('grace');
    release();
    for (const outcome of await further) expect(outcome).toMatch(IDENTITY_CHANGED);
    await says(page, 'authenticated grace');
    await page.getByText('On grace 10').waitFor();
    expect(linesOf(server).slice(sent.length)).toEqual(['GET /article as grace']);
  });
});

describe('nobody else has signed in', () => {
  test('Ada’s page checks once in 5 seconds of focus and once after 5 minutes; requests share the check, and nothing renders', async ({
    context,
    server,
  }) => {
    const { page } = await adasPage(context, server);
    const renders = () => page.evaluate(() => window.app.renders());
    const before = await renders();
    const whoamis = () => linesTo(server, '/whoami').length;
    const steps = [
      { ms: MINUTE, act: () => dispatch(page, 'focus'), whoamis: 1 },
      { ms: 4 * SECOND, act: () => dispatch(page, 'visibilitychange'), whoamis: 1 },
      { ms: 2 * SECOND, act: () => dispatch(page, 'visibilitychange'), whoamis: 2 },
      { ms: 4 * MINUTE + 50 * SECOND, act: () => burst(page, GET), whoamis: 2 },
      { ms: 4 * MINUTE + 50 * SECOND, act: () => burst(page, GET), whoamis: 2 },
      { ms: 5 * MINUTE + SECOND, act: () => burst(page, GET), whoamis: 3 },
    ];
    for (const { ms, act, ...expected } of steps) {
      await page.clock.fastForward(ms);
      for (const outcome of (await act()) ?? []) expect(outcome).toBe('answered');
      await marker(page);
      expect({ ms, whoamis: whoamis() }).toEqual({ ms, ...expected });
    }
    expect(linesTo(server, '/article/1 as ada')).toHaveLength(60);
    expect(await renders()).toBe(before);
  });

  test('Ada has signed in once more: her requests are sent, after one whoami', async ({ context, server }) => {
    const { page, signInThere } = await adasPage(context, server);
    await signInThere('ada');
    server.requests.length = 0;
    for (const outcome of await burst(page, PATCH)) expect(outcome).toBe('answered');
    expect(await call(page, PATCH)).toBe('answered');
    expect(linesOf(server)).toEqual([
      'GET /cookie/whoami as ada',
      ...Array.from({ length: 21 }, () => 'PATCH /article/of-ada as ada'),
    ]);
  });
});
