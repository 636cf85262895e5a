import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { createGate } from '../../src/testing/createGate.js';
import { countLeftovers, findLeaks, type Leftovers } from './support/findLeaks.js';
import { eventually, press, says, signIn, test } from './support/test.js';

const SESSIONS = ['token', 'cookie'];

/** React's StrictMode mounts twice in its development build only. */
const build = 'development';

type Way = 'unmounted' | 'unmounted and disposed of' | 'disposed of and unmounted';

/** What the page holds before anything of the kit is mounted: also what Playwright put there, when it touched the page first. */
async function leaksBefore(page: Page): Promise<Leftovers> {
  await page.locator('#root').dispatchEvent('touched');
  return findLeaks(page);
}

/** Mounts the app with a session of its own, waits for what it shows, and takes it away again. */
async function mountAndLeave(page: Page, shown: string, way: Way): Promise<void> {
  const mounted = await page.evaluateHandle(() => window.mount());
  await says(page, shown);
  await mounted.evaluate((app, how) => {
    if (how === 'disposed of and unmounted') app.dispose();
    app.unmount();
    if (how === 'unmounted and disposed of') app.dispose();
  }, way);
}

describe.each(SESSIONS)('a %s session', session => {
  test('that is mounted under StrictMode asks once who is signed in', async ({ startServer, open }) => {
    const server = await startServer({ build });
    const page = await open(server, { session, restore: '', manual: '' });
    await page.evaluate(() => void window.mount());
    await says(page, 'anonymous');
    await page.evaluate(() => fetch('/marker', { cache: 'no-store' }));
    expect(server.requests.map(({ path }) => path)).toEqual([
      session === 'cookie' ? '/cookie/whoami' : '/restore',
      '/marker',
    ]);
  });

  test('leaves no timer, listener, channel or lock on the page (scenario 16)', async ({
    context,
    startServer,
    open,
  }) => {
    await countLeftovers(context);
    const server = await startServer({ build });
    const page = await open(server, { session, restore: '', manual: '' });
    const before = await leaksBefore(page);
    for (const way of ['unmounted', 'unmounted and disposed of', 'disposed of and unmounted'] as const) {
      await mountAndLeave(page, 'anonymous', way);
      await eventually(() => findLeaks(page), before);
    }
    const mounted = await page.evaluateHandle(() => window.mount());
    await says(page, 'anonymous');
    await signIn(page, 'ada');
    expect(await findLeaks(page)).not.toEqual(before);
    await mounted.evaluate(app => app.unmount());
    await eventually(() => findLeaks(page), before);
    for (let reload = 0; reload < 5; reload++) await mountAndLeave(page, 'authenticated ada', 'unmounted');
    await eventually(() => findLeaks(page), before);
  });
});

describe('a provider that makes its own session', () => {
  const search = { session: 'context', subject: 'ada', manual: '' };

  /** The app is mounted as Ada, and her list is there. */
  async function mountAsAda(page: Page) {
    const mounted = await page.evaluateHandle(() => window.mount());
    await says(page, 'authenticated ada');
    await page.getByText('On ada 10').waitFor();
    return mounted;
  }

  test('keeps its user when StrictMode mounts it twice, and sends each request once', async ({ startServer, open }) => {
    const server = await startServer({ build });
    const page = await open(server, { ...search, token: server.signIn('ada').accessToken });
    await mountAsAda(page);
    await press(page, 'Fire');
    await page.getByText('10 answered, 0 failed').waitFor();
    await says(page, 'authenticated ada');
    expect(server.requests.filter(({ path }) => path === '/article')).toHaveLength(1);
    expect(server.dataCalls()).toHaveLength(11);
  });

  test('closes it when it is unmounted: requests on their way are called off, and what its screen captured sends nothing', async ({
    context,
    startServer,
    open,
  }) => {
    await countLeftovers(context);
    const articles = createGate();
    const release = articles.hold();
    const server = await startServer({
      build,
      answers: { 'GET /article/1': usual => articles.pass().then(() => usual) },
    });
    const page = await open(server, { ...search, token: server.signIn('ada').accessToken });
    const before = await leaksBefore(page);
    const mounted = await mountAsAda(page);
    await page.evaluate(() => window.app.capture());
    await press(page, 'Fire');
    await eventually(() => server.dataCalls().length, 11);
    const calledOff = page.waitForEvent('requestfailed');
    await mounted.evaluate(app => app.unmount());
    expect(new URL((await calledOff).url()).pathname).toBe('/article/1');
    server.requests.length = 0;
    const outcomes = Object.values(await page.evaluate(() => window.app.callCaptured()));
    expect(outcomes.filter(outcome => !outcome.startsWith('AbortError: '))).toEqual([]);
    await page.evaluate(() => fetch('/marker', { cache: 'no-store' }));
    expect(server.requests.map(({ path }) => path)).toEqual(['/marker']);
    await eventually(() => findLeaks(page), before);
    release();
  });
});

test('an app that is unmounted in the middle of a refresh holds its lock no longer than the timeout', async ({
  context,
  startServer,
  open,
}) => {
  await countLeftovers(context);
  const server = await startServer({ build });
  const page = await open(server, { session: 'token', manual: '', timeout: '500' });
  const before = await leaksBefore(page);
  const mounted = await page.evaluateHandle(() => window.mount());
  await says(page, 'anonymous');
  await signIn(page, 'ada');
  server.expireAccess();
  const refresh = server.holdRefresh('before the check');
  await press(page, 'Fire');
  await refresh.reached;
  expect((await findLeaks(page)).locks).toBe(1);
  await mounted.evaluate(app => {
    app.unmount();
    app.dispose();
  });
  await eventually(() => findLeaks(page), before);
  refresh.release();
});

test('two sessions of a page in one session storage, as after a hot update: the user signs in again', async ({
  startServer,
  open,
}) => {
  const server = await startServer({ build });
  const page = await open(server, { session: 'token', storage: 'session', manual: '' });
  const mounted = await page.evaluateHandle(() => window.mount());
  await says(page, 'anonymous');
  await signIn(page, 'ada');
  server.expireAccess();
  server.requests.length = 0;
  const refresh = server.holdRefresh('after the check');
  await press(page, 'Fire');
  await refresh.reached;
  await mounted.evaluate(app => app.unmount());
  await page.evaluate(() => void window.mount());
  // The new session's first request is refused, because the storage has the token of before.
  await eventually(() => server.dataCalls().length, 11);
  refresh.release();
  await says(page, 'anonymous expired');
  await signIn(page, 'ada');
});
