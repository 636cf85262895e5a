import { expect } from 'vitest';
import { createGate } from '../../src/testing/createGate.js';
import type { Answer, ApiServerOptions } from './support/apiServer.js';
import { eventually, openApp, press, says, signIn, test, tryAgain } from './support/test.js';
import { marker } from './support/wire.js';

const NOT_CONFIRMED = 'You are signed out on this page, but the server did not confirm it.';

const FAILURES: Record<string, Answer> = {
  'a 500': { status: 500, body: {} },
  'a page of a proxy': { status: 502, headers: { 'Content-Type': 'text/html' }, body: '<h1>Bad Gateway</h1>' },
  'a lost connection': { isCut: true, status: 500 },
};

/** Whose credential a logout carries, cookie or token. */
const CREDENTIAL = /secret-(?:sid|access)-([a-z]+)-/;

test.for(['cookie', 'token'])(
  'a %s session whose sign-out the server does not confirm: signed out here at once, and the page offers to try again, which reaches the server',
  async (session, { context, startServer }) => {
    const answers: NonNullable<ApiServerOptions['answers']> = {};
    const server = await startServer({ answers });
    const page = await openApp(context, server, { session, form: '' });
    const path = `/${session}/logout`;
    const note = page.getByRole('status').filter({ hasText: NOT_CONFIRMED });
    /** Whom each logout that has arrived was to sign out. */
    const logouts = () =>
      server.requests
        .filter(request => request.path === path)
        .map(({ headers }) => CREDENTIAL.exec(JSON.stringify(headers))?.[1]);
    const expectSignedOut = async () => {
      await says(page, 'anonymous signed-out');
      expect(await page.getByRole('listitem').count()).toBe(0);
    };

    for (const [name, failure] of Object.entries(FAILURES)) {
      await signIn(page, 'ada');
      server.requests.length = 0;
      const logoutGate = createGate();
      const release = logoutGate.hold();
      answers[`POST ${path}`] = async () => {
        await logoutGate.pass();
        return failure;
      };
      await press(page, 'Sign out');
      await eventually(logouts, ['ada']);
      await expectSignedOut();
      release();
      await note.waitFor();
      await tryAgain(page);
      await eventually(logouts, ['ada', 'ada']);
      await expectSignedOut();
      delete answers[`POST ${path}`];
      await tryAgain(page);
      await note.waitFor({ state: 'detached' });
      await expectSignedOut();
      expect({ name, logouts: logouts(), data: server.dataCalls() }).toEqual({
        name,
        logouts: ['ada', 'ada', 'ada'],
        data: [],
      });
    }

    await signIn(page, 'ada');
    server.requests.length = 0;
    await context.setOffline(true);
    await press(page, 'Sign out');
    await note.waitFor();
    await expectSignedOut();
    expect(logouts()).toEqual([]);
    await context.setOffline(false);
    await tryAgain(page);
    await note.waitFor({ state: 'detached' });
    expect(logouts()).toEqual(['ada']);
    await page.reload();
    await says(page, 'anonymous');
    await marker(page);
    expect(server.dataCalls()).toEqual([]);
  },
);

test('a sign-out that the server does not confirm holds in the other tab too, though its cookie is still the user’s; a sign-in opens both', async ({
  context,
  startServer,
}) => {
  const answers: NonNullable<ApiServerOptions['answers']> = {
    'POST /cookie/logout': () => ({ status: 503, body: {} }),
  };
  const server = await startServer({ answers });
  const first = await openApp(context, server, { session: 'cookie', form: '' });
  await signIn(first, 'ada');
  const second = await context.newPage();
  await second.clock.install();
  await second.goto(`${server.url}/page?session=cookie`);
  await says(second, 'authenticated ada');
  const comeBack = async () => {
    await second.clock.fastForward(60_000);
    await second.evaluate(() => void window.dispatchEvent(new Event('focus')));
    await marker(second);
  };

  await press(first, 'Sign out');
  await first.getByRole('status').filter({ hasText: NOT_CONFIRMED }).waitFor();
  await says(second, 'anonymous elsewhere');
  server.requests.length = 0;
  await comeBack();
  await says(second, 'anonymous elsewhere');
  // It asks, but only a sign-in brings a user back.
  const whoamis = () => server.requests.filter(({ path }) => path === '/cookie/whoami').length;
  expect({ whoamis: whoamis(), data: server.dataCalls() }).toEqual({ whoamis: 1, data: [] });

  await signIn(first, 'grace');
  await says(second, 'authenticated grace');
  server.requests.length = 0;
  await comeBack();
  await eventually(whoamis, 1);
  await says(second, 'authenticated grace');
});
