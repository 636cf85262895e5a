import type { Page } from 'playwright';
import { expect } from 'vitest';
import { forget, noted, probe } from '../browser/support/probe.js';
import { eventually } from '../browser/support/test.js';
import {
  comeBackAs,
  expectLog,
  goToProvider,
  lists,
  makeNote,
  showsNothingOf,
  signInAtProvider,
  titled,
} from './support/demoApp.js';
import {
  askTenTimes,
  hasTenAnswers,
  LONG,
  renewals,
  renewed,
  searchFor,
  seconds,
  tenCalls,
} from './support/oidcApp.js';
import type { OidcServer } from './support/oidcServer.js';
import { test } from './support/test.js';

type Open = (server: OidcServer, search: Record<string, string>) => Promise<Page>;

/** Two tabs of Ada's. */
async function twoTabs(server: OidcServer, openApp: Open, search: Record<string, string> = {}) {
  const first = await openApp(server, searchFor(server, search));
  await signInAtProvider(first, 'ada');
  const second = await openApp(server, searchFor(server, search));
  await lists(second, titled('ada', 10));
  return [first, second] as const;
}

test('two tabs that are refused together renew the tokens once, again and again, and the family stays', async ({
  start,
  openApp,
}) => {
  const server = await start(seconds(4));
  const tabs = await twoTabs(server, openApp, { expiry: 'untold' });
  await eventually(() => server.allExpired(), true);
  server.setLifetime(LONG);
  for (let round = 0; round < 2; round++) {
    const before = renewed(server, 'ada');
    server.log.clear();
    const releaseTokens = server.holdTokenEndpoint();
    await Promise.all(tabs.map(tab => askTenTimes(tab)));
    await eventually(() => server.log.lines(), [...tenCalls(401), ...tenCalls(401)]);
    await releaseTokens.reached;
    releaseTokens();
    await Promise.all(tabs.map(hasTenAnswers));
    expectLog(server.log.lines(), [
      [...tenCalls(401), ...tenCalls(401)],
      [...tenCalls(200), ...tenCalls(200)],
    ]);
    expect(server.events).toEqual(renewals('ada', before + 1));
    await server.revokeAccessTokens();
  }
});

test('two tabs that know of the expiry renew the tokens once, and nothing is refused', async ({ start, openApp }) => {
  const server = await start(seconds(4));
  const tabs = await twoTabs(server, openApp);
  await eventually(() => server.allExpired(), true);
  server.setLifetime(LONG);
  const before = renewed(server, 'ada');
  server.log.clear();
  await Promise.all(tabs.map(tab => askTenTimes(tab)));
  await Promise.all(tabs.map(hasTenAnswers));
  expect(server.log.lines()).toEqual([...tenCalls(200), ...tenCalls(200)]);
  expect(server.events).toEqual(renewals('ada', before + 1));
});

test('somebody else’s sign-in in another tab takes the place of what is shown here', async ({
  context,
  start,
  openApp,
}) => {
  await probe(context, 'present');
  const server = await start(seconds(LONG));
  const second = await openApp(server, searchFor(server));
  await goToProvider(second);
  const first = await openApp(server, searchFor(server));
  await signInAtProvider(first, 'ada');
  await forget(first);
  server.log.clear();
  await comeBackAs(second, 'grace');
  await lists(first, titled('grace', 10));
  await makeNote(first, 'Made in the first tab');
  await makeNote(second, 'Made in the second tab');

  expect(server.log.lines().filter(line => !line.includes('  grace  '))).toEqual([]);
  expect(server.events).toEqual(['refresh_token.saved ada', 'refresh_token.saved grace']);
  const { shown } = await noted(first);
  const firstOfGrace = shown.findIndex(({ text }) => text.includes('grace’s'));
  expect(showsNothingOf('ada', { shown: shown.slice(firstOfGrace) })).toBe(true);
});
