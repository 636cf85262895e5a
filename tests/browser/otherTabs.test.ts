import type { BrowserContext, Page } from 'playwright';
import { afterAll, describe, expect } from 'vitest';
import { apiServer, type ApiServer } from './support/apiServer.js';
import { forget, noted, probe, type Sharing } from './support/probe.js';
import { eventually, newContext, openApp, press, says, signIn, test, titles } from './support/test.js';

/** How long after the news a tab may still show what it showed, in milliseconds. */
const NEWS_MS = 500;

const VARIANTS: { session: string; sharing: Sharing }[] = [
  { session: 'token', sharing: 'present' },
  { session: 'token', sharing: 'absent' },
  // Without Web Locks, tabs with a cookie do not coordinate.
  { session: 'cookie', sharing: 'present' },
];

/** Messages that no session has sent. */
const MALFORMED = [
  'ada',
  '',
  0,
  42,
  null,
  true,
  [],
  ['ada'],
  {},
  { subject: 5 },
  { subject: ['ada'] },
  { subject: {} },
  { type: 'signed-out' },
  { user: null },
];

describe.each(VARIANTS)('a $session session in two tabs, BroadcastChannel $sharing', ({ session, sharing }) => {
  let server: ApiServer;
  let context: BrowserContext;
  let first: Page;
  let second: Page;
  /** What the second tab has sent. */
  const sent: string[] = [];
  const errors: string[] = [];

  test.beforeAll(async ({ browser }) => {
    [server, context] = await Promise.all([apiServer(), newContext(browser)]);
    await probe(context, sharing);
    first = await openApp(context, server, { session });
    await signIn(first, 'ada');
    second = await openApp(context, server, { session });
    await says(second, 'authenticated ada');
    expect(await titles(second)).toHaveLength(10);
    second.on('request', request => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    for (const page of [first, second]) page.on('pageerror', error => errors.push(error.message));
  });

  test.beforeEach(async () => {
    sent.length = 0;
    server.requests.length = 0;
    await Promise.all([first, second].map(forget));
  });

  afterAll(async () => {
    await Promise.all([context.close(), server.close()]);
  });

  /** Waits until the server has seen a request that the second tab sends now: what it sent before has arrived as well. */
  async function marker(): Promise<void> {
    await second.evaluate(() => fetch('/marker', { cache: 'no-store' }));
    expect(server.requests.map(({ path }) => path)).toContain('/marker');
  }

  const told = async () => (await Promise.all([first, second].map(noted))).flatMap(page => page.told);

  test('the same person once more, or a refresh, changes nothing in the other tab', async () => {
    await press(first, 'Sign in as ada');
    await eventually(() => server.requests.filter(({ path }) => path === `/${session}/login`).length, 1);
    await press(first, 'Fire');
    await first.getByText('10 answered, 0 failed').waitFor();
    if (session === 'token') {
      await eventually(async () => (await noted(second)).heardAt.length, 1);
      server.expireAccess();
      await press(first, 'Fire');
      await eventually(() => server.refreshes, ['renewed']);
      await first.getByText('10 answered, 0 failed').waitFor();
      await eventually(async () => (await noted(second)).heardAt.length, 2);
    } else await eventually(() => sent, ['GET /cookie/whoami']);
    await marker();
    expect(sent).toEqual([...(session === 'cookie' ? ['GET /cookie/whoami'] : []), 'GET /marker']);
    await says(second, 'authenticated ada');
    expect(await titles(second)).toHaveLength(10);
    expect((await noted(second)).shown.map(({ text }) => text).filter(text => !text.includes('On ada 10'))).toEqual([]);
  });

  test.runIf(session === 'cookie')('a malformed message is ignored', async () => {
    const [address = ''] = (await noted(second)).addresses;
    const foreignPage = await context.newPage();
    await foreignPage.goto(`${server.url}/blank`);
    await foreignPage.evaluate(
      ([name, messages]) => {
        for (const message of messages) new BroadcastChannel(name).postMessage(message);
      },
      [address, MALFORMED] as const,
    );
    await eventually(async () => (await noted(second)).heardAt.length, MALFORMED.length);
    await foreignPage.close();
    await marker();
    expect(sent).toEqual(['GET /marker']);
    for (const page of [first, second]) await says(page, 'authenticated ada');
    expect((await noted(second)).shown).toEqual([]);
  });

  test('when another person signs in, the other tab never shows the first one again, and fetches as the other (scenario 15)', async () => {
    await press(first, 'Sign in as grace');
    await says(second, 'authenticated grace');
    for (const page of [first, second]) await page.getByText('On grace 10').waitFor();
    const notes = await noted(second);
    const [at = 0] = notes.heardAt;
    const after = notes.shown.filter(change => change.at > at);
    expect(after.map(({ text }) => text).filter(text => /On ada|authenticated ada/.test(text))).toEqual([]);
    expect((after[0]?.at ?? Infinity) - at).toBeLessThan(NEWS_MS);
    await marker();
    expect(sent).toEqual([...(session === 'cookie' ? ['GET /cookie/whoami'] : []), 'GET /article', 'GET /marker']);
    const lists = server.dataCalls().map(({ headers }) => headers['access-token'] ?? headers.cookie);
    expect(lists).toEqual([expect.stringContaining('-grace-'), expect.stringContaining('-grace-')]);
    expect(await told()).toEqual(session === 'cookie' ? ['"closing"', '"signed-in"'] : []);
  });

  test('a sign-out leaves the other tab with nobody and an empty list, without a call', async () => {
    const who = await first.locator('#who').textContent();
    await press(first, 'Sign out');
    await says(second, 'anonymous elsewhere');
    await second.getByText('Nobody is signed in.').waitFor();
    expect(await second.getByRole('listitem').count()).toBe(0);
    const { heardAt, shown } = await noted(second);
    const [at = 0] = heardAt;
    const left = shown.find(({ text }) => text.includes('Nobody is signed in.'));
    expect((left?.at ?? Infinity) - at).toBeLessThan(NEWS_MS);
    await marker();
    expect(sent).toEqual(['GET /marker']);
    expect(await told()).toEqual(session === 'cookie' ? ['"signed-out"'] : []);
    expect(who).toMatch(/^authenticated /);
    expect(errors).toEqual([]);
  });
});
