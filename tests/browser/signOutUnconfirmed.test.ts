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
