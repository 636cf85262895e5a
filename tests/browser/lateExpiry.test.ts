import type { BrowserContext, Page } from 'playwright';
import { describe, expect } from 'vitest';
import { createGate } from '../../src/testing/createGate.js';
import type { Answer, ApiServer } from './support/apiServer.js';
import { noted, probe } from './support/probe.js';
import { eventually, openApp, press, says, signIn, test, titles } from './support/test.js';

// Two tabs with one cookie. What has expired in one of them may be an earlier sign-in than the one that the browser has now.

/** Without a CSRF token: its change would tell the page that the cookie is another one. */
async function twoTabs(context: BrowserContext, server: ApiServer): Promise<[Page, Page]> {
  const search = { session: 'cookie', csrf: 'off' };
  const first = await openApp(context, server, search);
  await signIn(first, 'ada');
  const second = await openApp(context, server, search);
  await says(second, 'authenticated ada');
  expect(await titles(second)).toHaveLength(10);
  server.requests.length = 0;
  return [first, second];
}

const whoamis = (server: ApiServer) => server.requests.filter(({ path }) => path === '/cookie/whoami').length;

describe('two tabs with one cookie', () => {
  test.beforeEach(({ context }) => probe(context, 'present'));

  test('a refusal that arrives after the user has signed in again in the other tab ends neither', async ({
    context,
    startServer,
  }) => {
    const gate = createGate();
    const answers: Record<string, (usual: Answer) => Promise<Answer>> = {};
    const server = await startServer({ answers });
    const [first, second] = await twoTabs(context, server);
    server.endSessions();
    const release = gate.hold();
    answers['GET /article/1'] = async usual => {
      await gate.pass();
      return usual;
    };
    const read = first.evaluate(() => window.app.call({ method: 'GET', address: '/article/1' }));
    await release.reached;
    delete answers['GET /article/1'];
    await press(second, 'Sign in as ada');
    await eventually(async () => (await noted(first)).heardAt.length, 1);
    release();
    expect(await read).toMatch(/^answered/);
    expect(server.dataCalls().map(({ path }) => path)).toEqual(['/article/1', '/article/1']);
    for (const tab of [first, second]) await says(tab, 'authenticated ada');
    // Before the replay: the refusal may mean that the cookie is another user's.
    expect(whoamis(server)).toBe(1);
  });

  test('an end by the server’s refusal in one tab: the other one finds out by its next request', async ({
    context,
    server,
  }) => {
    const [first, second] = await twoTabs(context, server);
    server.endSessions();
    await press(first, 'Fire');
    await says(first, 'anonymous expired');
    await press(second, 'Fire');
    await says(second, 'anonymous expired');
    expect(await second.getByRole('listitem').count()).toBe(0);
    expect(whoamis(server)).toBe(2);
  });
});
