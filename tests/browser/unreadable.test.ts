import { describe, expect } from 'vitest';
import type { Answer, ApiServerOptions } from './support/apiServer.js';
import { eventually, openApp, says, signIn, test, tryAgain } from './support/test.js';
import { call, linesTo, marker } from './support/wire.js';

const PAGE = { headers: { 'Content-Type': 'text/html' }, body: '<!doctype html><h1>Sign in to the Wi-Fi</h1>' };

/** Answers that do not say who is signed in. */
const UNREADABLE: Record<string, Answer> = {
  'a page, with 200': PAGE,
  'a page that calls itself JSON': { headers: { 'Content-Type': 'application/json; x' }, body: PAGE.body },
  'a 500': { status: 500, body: {} },
  'a page of a proxy, with 502': { ...PAGE, status: 502 },
  'an answer that breaks off': { isCut: true },
};

const NOT_CHECKED = 'We could not check if you are signed in. Check the connection and try again, or sign in.';

describe('whoami cannot be read', () => {
  test('on a page that is loaded: it says so and never that the user is signed out; trying again or signing in works as soon as the server does', async ({
    context,
    startServer,
  }) => {
    const answers: NonNullable<ApiServerOptions['answers']> = {};
    const server = await startServer({ answers });
    const page = await openApp(context, server, { session: 'cookie', form: '' });
    await signIn(page, 'ada');
    const note = page.getByRole('status').filter({ hasText: NOT_CHECKED });
    const whoamis = () => linesTo(server, '/whoami').length;
    for (const [name, answer] of Object.entries(UNREADABLE)) {
      answers['GET /cookie/whoami'] = () => answer;
      server.requests.length = 0;
      await page.reload();
      await note.waitFor();
      await says(page, 'anonymous');
      await tryAgain(page);
      await eventually(whoamis, 2);
      await marker(page);
      await says(page, 'anonymous');
      expect(server.dataCalls()).toEqual([]);
      delete answers['GET /cookie/whoami'];
      await tryAgain(page);
      await says(page, 'authenticated ada');
      await page.getByText('On ada 10').waitFor();
      expect({ name, whoamis: whoamis() }).toEqual({ name, whoamis: 3 });
    }
    answers['GET /cookie/whoami'] = () => PAGE;
    await page.reload();
    await note.waitFor();
    server.requests.length = 0;
    await page.getByLabel('User name').fill('grace');
    await page.getByLabel('Password').fill('secret');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await says(page, 'authenticated grace');
    expect(linesTo(server, '/cookie/')).toEqual(['POST /cookie/login as ada']);
  });

  test('on Ada’s page when it is shown again: she stays signed in, and nothing is sent until whoami is readable', async ({
    context,
    startServer,
  }) => {
    const answers: NonNullable<ApiServerOptions['answers']> = {};
    const server = await startServer({ answers });
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${server.url}/page?session=cookie&form=`);
    await signIn(page, 'ada');
    const read = () => call(page, { method: 'GET', address: '/article/1' });
    for (const [name, answer] of Object.entries(UNREADABLE)) {
      answers['GET /cookie/whoami'] = () => answer;
      server.requests.length = 0;
      await page.clock.fastForward(60_000);
      await page.evaluate(() => void window.dispatchEvent(new Event('focus')));
      expect(await read()).toMatch(/^RefreshUnavailableError: /);
      await says(page, 'authenticated ada');
      await page.getByText('On ada 10').waitFor();
      expect({ name, sent: server.dataCalls() }).toEqual({ name, sent: [] });
      delete answers['GET /cookie/whoami'];
      expect(await read()).toBe('answered');
      expect(linesTo(server, '/article')).toEqual(['GET /article/1 as ada']);
    }
  });
});
