import type { Page } from 'playwright';
import { expect } from 'vitest';
import { createGate } from '../../src/testing/createGate.js';
import type { ApiServer, ApiServerOptions } from './support/apiServer.js';
import { eventually, says, signIn, test } from './support/test.js';

/** The server holds the answer to a logout back until `release`. */
async function setup(startServer: (options?: ApiServerOptions) => Promise<ApiServer>) {
  const logouts = createGate();
  const release = logouts.hold();
  const server = await startServer({ answers: { 'POST /token/logout': usual => logouts.pass().then(() => usual) } });
  return { server, release };
}

/** Ada signs out; a tree of a signed-out visitor is there, and the server has not answered yet. */
async function signOut(page: Page, server: ApiServer): Promise<void> {
  await signIn(page, 'ada');
  await page.evaluate(() => void (window.outcome = window.app.auth('logout')));
  await says(page, 'anonymous signed-out');
  await eventually(() => server.requests.some(({ path }) => path === '/token/logout'), true);
}

/** What the code does that waits for the logout, with the router of Ada's tree. */
const goToGoodbye = (page: Page) => page.evaluate(() => history.pushState({ page: 'goodbye' }, '', '?bye'));

/** Waits for the logout, and for what the page does in the task after it. */
const answered = (page: Page) =>
  page.evaluate(() =>
    window.outcome!.then(outcome => new Promise(resolve => setTimeout(() => setTimeout(() => resolve(outcome))))),
  );

const popstates = (page: Page) => page.evaluate(() => window.app.popstates());

test('a router of the tree that a sign-out has mounted gets the address that the code of the tree before went to', async ({
  startServer,
  open,
}) => {
  const { server, release } = await setup(startServer);
  const page = await open(server, { session: 'token' });
  await signOut(page, server);
  await goToGoodbye(page);
  expect(await popstates(page)).toEqual([]);
  release();
  expect(await answered(page)).toBe('done');
  await eventually(() => popstates(page), [{ page: 'goodbye' }]);
});

test('where the address is as it was, no router hears anything', async ({ startServer, open }) => {
  const { server, release } = await setup(startServer);
  const page = await open(server, { session: 'token' });
  await signOut(page, server);
  release();
  expect(await answered(page)).toBe('done');
  expect(await popstates(page)).toEqual([]);
});

test('a router that is gone before the logout is answered hears nothing', async ({ startServer, open }) => {
  const { server, release } = await setup(startServer);
  const page = await open(server, { session: 'token', manual: '' });
  const mounted = await page.evaluateHandle(() => window.mount());
  await says(page, 'anonymous');
  await signOut(page, server);
  await goToGoodbye(page);
  await mounted.evaluate(app => app.unmount());
  release();
  expect(await answered(page)).toBe('done');
  expect(await popstates(page)).toEqual([]);
});

declare global {
  interface Window {
    outcome?: Promise<string>;
  }
}
