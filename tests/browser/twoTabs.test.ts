import type { BrowserContext, Page } from 'playwright';
import { describe, expect } from 'vitest';
import type { ApiServer } from './support/apiServer.js';
import { eventually, openApp, press, says, signIn, test, titles } from './support/test.js';

/** How long the app lets a refresh take where a test waits for that to pass, in milliseconds. */
const TIMEOUT = '500';

const fire = (page: Page) => press(page, 'Fire');
const comesTo = (page: Page, outcome: string) => eventually(() => page.locator('#outcome').textContent(), outcome);
const hasSeen = (server: ApiServer, dataCalls: number) => eventually(() => server.dataCalls().length, dataCalls);

/** Ten requests of the session outside React, whose promises outlive what is mounted; resolves with the names of their errors. */
const outcomes = (page: Page) =>
  page.evaluate(async () => {
    const calls = Array.from({ length: 10 }, (_, index) =>
      window.app.call({ method: 'GET', address: `/article/${index + 1}` }),
    );
    return (await Promise.all(calls)).map(outcome => outcome.split(':')[0]);
  });

/** Two tabs of Ada's, whose access token is no good any more. */
async function twoTabs(
  context: BrowserContext,
  server: ApiServer,
  more: Record<string, string> = {},
): Promise<[Page, Page]> {
  const search = { session: 'token', ...more };
  const first = await openApp(context, server, search);
  await signIn(first, 'ada');
  const second = await openApp(context, server, search);
  await says(second, 'authenticated ada');
  expect(await titles(second)).toHaveLength(10);
  server.expireAccess();
  server.requests.length = 0;
  return [first, second];
}

// Without Web Locks, each tab refreshes for itself.
describe('two tabs of one sign-in', () => {
  test('ten expired requests each cost one refresh in all', async ({ context, server }) => {
    const tabs = await twoTabs(context, server);
    const refresh = server.holdRefresh('before the check');
    await Promise.all(tabs.map(fire));
    await hasSeen(server, 20);
    await refresh.reached;
    refresh.release();
    for (const tab of tabs) await comesTo(tab, '10 answered, 0 failed');
    for (const tab of tabs) await says(tab, 'authenticated ada');
    expect(server.refreshes).toEqual(['renewed']);
    expect(server.dataCalls()).toHaveLength(40);
  });

  test('a refresh that the server refuses is sent once, and both are signed out', async ({ context, server }) => {
    const tabs = await twoTabs(context, server);
    server.endSessions();
    const refresh = server.holdRefresh('before the check');
    await Promise.all(tabs.map(fire));
    await hasSeen(server, 20);
    await refresh.reached;
    refresh.release();
    for (const tab of tabs)
      await eventually(async () => (await tab.locator('#who').textContent())?.split(' ')[0], 'anonymous');
    expect(server.refreshes).toEqual(['refused']);
    expect(server.dataCalls()).toHaveLength(20);
  });

  test('a tab that is closed in the middle of its refresh leaves it to the other', async ({ context, server }) => {
    const [first, second] = await twoTabs(context, server);
    const refresh = server.holdRefresh('before the check');
    await fire(first);
    await refresh.reached;
    await fire(second);
    await hasSeen(server, 20);
    await first.close();
    await refresh.abandoned;
    refresh.release();
    await comesTo(second, '10 answered, 0 failed');
    await says(second, 'authenticated ada');
    expect(server.refreshes).toEqual(['renewed']);
  });

  test('where a tab that is gone has used the refresh token up, the other one’s session ends, and everything settles', async ({
    context,
    server,
  }) => {
    const [first, second] = await twoTabs(context, server);
    const refresh = server.holdRefresh('after the check');
    await fire(first);
    await refresh.reached;
    const settled = outcomes(second);
    await hasSeen(server, 20);
    await first.close();
    await refresh.abandoned;
    refresh.release();
    await says(second, 'anonymous expired');
    expect(await settled).toEqual(Array.from({ length: 10 }, () => 'AbortError'));
    expect(server.refreshes).toEqual(['renewed', 'refused']);
  });

  test('a refresh that is never answered holds nobody longer than the timeout, and signs nobody out', async ({
    context,
    server,
  }) => {
    const tabs = await twoTabs(context, server, { timeout: TIMEOUT });
    const refresh = server.holdRefresh('before the check');
    await Promise.all(tabs.map(fire));
    await hasSeen(server, 20);
    for (const tab of tabs) await comesTo(tab, '0 answered, 10 failed');
    for (const tab of tabs) await says(tab, 'authenticated ada');
    expect(server.refreshes).toEqual([]);
    refresh.release();
  });
});
