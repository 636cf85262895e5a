import type { Page } from 'playwright';
import { expect } from 'vitest';
import { eventually, press } from '../browser/support/test.js';
import { lists, says, signInAtProvider, titled } from './support/demoApp.js';
import { askTenTimes, hasTenAnswers, LONG, renewals, renewed, searchFor, seconds } from './support/oidcApp.js';
import { test } from './support/test.js';

test('a provider that is down signs nobody out, and is asked once it is up', async ({ start, openApp }) => {
  const server = await start(seconds(4));
  const page = await openApp(server, searchFor(server, { expiry: 'untold' }));
  await signInAtProvider(page, 'ada');
  await eventually(() => server.allExpired(), true);
  const before = renewed(server, 'ada');
  server.setLifetime(LONG);
  server.setDown(true);
  await askTenTimes(page);
  await page.getByText('0 answered, 10 failed').waitFor();
  await says(page, 'authenticated');
  await lists(page, titled('ada', 10));
  server.setDown(false);
  await askTenTimes(page);
  await hasTenAnswers(page);
  expect(server.events).toEqual(renewals('ada', before + 1));
});

test('a family that the provider has revoked ends the session once, and the next sign-in works', async ({
  start,
  openApp,
}) => {
  const server = await start(seconds(LONG));
  const page = await openApp(server, searchFor(server));
  await signInAtProvider(page, 'ada');
  await server.revokeFamilies();
  await askTenTimes(page);
  await says(page, 'anonymous expired');
  await page.getByText('Your session has ended. Sign in to continue.').waitFor();
  await signInAtProvider(page, 'ada');
  expect(server.events).toEqual([
    'refresh_token.saved ada',
    'grant.error invalid_grant: refresh token not found',
    'refresh_token.saved ada',
  ]);
});

/** How many answers of the token endpoint have come to a page since it was loaded. */
const tokenAnswers = (page: Page) =>
  page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/token')).length);

test('a sign-out during a refresh that then brings new tokens leaves none of them behind', async ({
  start,
  openApp,
}) => {
  const server = await start(seconds(4));
  const page = await openApp(server, searchFor(server, { expiry: 'untold' }));
  await signInAtProvider(page, 'ada');
  await eventually(() => server.allExpired(), true);
  server.setLifetime(LONG);
  const [renewedBefore, answersBefore] = [renewed(server, 'ada'), await tokenAnswers(page)];
  const releaseAnswers = server.holdTokenAnswers();
  await askTenTimes(page);
  await releaseAnswers.reached;
  await press(page, 'Sign out');
  await says(page, 'anonymous signed-out');
  // The sign-out takes along what the refresh brings.
  releaseAnswers();
  await eventually(() => server.events.at(-1), 'grant.revoked ada');
  await eventually(() => tokenAnswers(page), answersBefore + 1);

  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/token/i);
  await signInAtProvider(page, 'grace');
  expect(server.events).toEqual([
    ...renewals('ada', renewedBefore + 1),
    'refresh_token.destroyed ada',
    'grant.revoked ada',
    ...renewals('grace', 0),
  ]);
});
