import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { countLeftovers, leftovers, type Leftovers } from './support/leftovers.js';
import { eventually, press, says, signIn, test } from './support/test.js';

const SESSIONS = ['token', 'cookie'];

/** React's StrictMode mounts twice in its development build only. */
const build = 'development';

type Way = 'unmounted' | 'unmounted and disposed of' | 'disposed of and unmounted';

/** What the page holds before anything of the kit is mounted: also what Playwright put there, when it touched the page first. */
async function leftoversBefore(page: Page): Promise<Leftovers> {
  await page.locator('#root').dispatchEvent('touched');
  return leftovers(page);
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
    expect(server.requests.map(({ path }) => path)).toEqual([session === 'cookie' ? '/cookie/whoami' : '/restore', '/marker']);
  });

  test('leaves no timer, listener, channel or lock on the page', async ({ context, startServer, open }) => {
    await countLeftovers(context);
    const server = await startServer({ build });
    const page = await open(server, { session, restore: '', manual: '' });
    const before = await leftoversBefore(page);
    for (const way of ['unmounted', 'unmounted and disposed of', 'disposed of and unmounted'] as const) {
      await mountAndLeave(page, 'anonymous', way);
      await eventually(() => leftovers(page), before);
    }
    const mounted = await page.evaluateHandle(() => window.mount());
    await says(page, 'anonymous');
    await signIn(page, 'ada');
    expect(await leftovers(page)).not.toEqual(before);
    await mounted.evaluate(app => app.unmount());
    await eventually(() => leftovers(page), before);
    for (let reload = 0; reload < 5; reload++) await mountAndLeave(page, 'authenticated ada', 'unmounted');
    await eventually(() => leftovers(page), before);
  });
});

test('an app that is unmounted in the middle of a refresh holds its lock no longer than the timeout', async ({ context, startServer, open }) => {
  await countLeftovers(context);
  const server = await startServer({ build });
  const page = await open(server, { session: 'token', manual: '', timeout: '500' });
  const before = await leftoversBefore(page);
  const mounted = await page.evaluateHandle(() => window.mount());
  await says(page, 'anonymous');
  await signIn(page, 'ada');
  server.expireAccess();
  const refresh = server.holdRefresh('before judging');
  await press(page, 'Fire');
  await refresh.arrived;
  expect((await leftovers(page)).locks).toBe(1);
  await mounted.evaluate(app => {
    app.unmount();
    app.dispose();
  });
  await eventually(() => leftovers(page), before);
  refresh.release();
});
