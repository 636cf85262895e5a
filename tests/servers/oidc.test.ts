import { describe, expect } from 'vitest';
import { noted, probe } from '../browser/support/probe.js';
import { eventually, press } from '../browser/support/test.js';
import { expectLog, says, showsNothingOf, signInAtProvider, secondUserLog, work, workLog } from './support/demoApp.js';
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

/** Calls of the API that were not refused for a token that had come to its end; such are sent once more. */
const answered = (server: OidcServer) => server.log.lines().filter(line => !line.endsWith('401'));

describe.each(['oidc', 'oidc-sdk'])('oidc-provider, a session by %s', session => {
  test('a day’s work, and then somebody else’s: every request by the right person', async ({
    context,
    start,
    openApp,
  }) => {
    await probe(context, 'present');
    const server = await start(seconds(4));
    const page = await openApp(server, searchFor(server, { session }));
    await signInAtProvider(page, 'ada');
    await work(page, 'ada');
    await press(page, 'Sign out');
    await eventually(() => server.events.includes('grant.revoked ada'), true);
    await says(page, session === 'oidc' ? 'anonymous signed-out' : 'anonymous elsewhere');
    await signInAtProvider(page, 'grace');
    await page.getByText('This does not exist, or it was deleted.').waitFor();

    expectLog(answered(server), [...workLog('ada', 25, 1), ...secondUserLog('grace', 25)]);
    expect(server.events).toEqual([
      ...renewals('ada', renewed(server, 'ada')),
      'refresh_token.destroyed ada',
      'grant.revoked ada',
      ...renewals('grace', renewed(server, 'grace')),
    ]);
    expect(showsNothingOf('ada', await noted(page))).toBe(true);
  });

  test('expired and revoked access tokens are renewed, each refresh token is used once, and the family stays', async ({
    start,
    openApp,
  }) => {
    const server = await start(seconds(4));
    const page = await openApp(server, searchFor(server, { session, expiry: 'untold' }));
    await signInAtProvider(page, 'ada');
    await eventually(() => server.allExpired(), true);
    server.setLifetime(LONG);
    for (let round = 0; round < 2; round++) {
      const before = renewed(server, 'ada');
      server.log.clear();
      const releaseTokens = server.holdTokenEndpoint();
      await askTenTimes(page);
      await eventually(() => server.log.lines(), tenCalls(401));
      await releaseTokens.reached;
      releaseTokens();
      await hasTenAnswers(page);
      expect(server.log.lines()).toEqual([...tenCalls(401), ...tenCalls(200)]);
      expect(server.events).toEqual(renewals('ada', before + 1));
      await server.revokeAccessTokens();
    }
    await says(page, 'authenticated');
  });
});
