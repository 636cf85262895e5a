import type { Page } from 'playwright';
import { beforeAll, expect } from 'vitest';
import { buildRecipe } from './recipes/buildRecipe.js';
import type { ApiServer, ApiServerOptions, Arrived } from './support/apiServer.js';
import { liveSockets } from './support/liveSockets.js';
import { eventually, test } from './support/test.js';

declare global {
  interface Window {
    /** From the end of a socket to the next one, in milliseconds of the page's clock. */
    pauses: number[];
  }
}

const HTML = '<!doctype html><div id="root"></div><script type="module" src="/app.js"></script>';
let script: string;

beforeAll(async () => {
  script = await buildRecipe('guides/LiveData', 'App', 'reads', {
    replaced: { "'wss://api.example.com/live'": "location.origin.replace('http', 'ws') + '/live'" },
  });
}, 60_000);

/** The app of the guide “Live data”, with Ada signed in and her twenty comments. */
async function setup(startServer: (options: ApiServerOptions) => Promise<ApiServer>, page: Page) {
  const sockets = liveSockets();
  let added = 0;
  const answer = ({ path, headers, body }: Arrived) => {
    const person = (text: unknown) => /secret-\w+-([a-z]+)-/.exec(String(text))?.[1] ?? '';
    if (path === '/login') return server.signIn((JSON.parse(body) as { username: string }).username);
    if (path === '/refresh') return server.signIn(person(body));
    const author = person(headers['access-token']);
    return Array.from({ length: 20 + added }, (_, index) => ({ id: `${index}`, text: `${author} says ${index}` }));
  };
  const server: ApiServer = await startServer({
    pages: { '/app': HTML },
    upgrade: sockets.upgrade,
    otherwise: arrived =>
      arrived.path === '/app.js'
        ? { headers: { 'Content-Type': 'text/javascript' }, body: script }
        : { body: answer(arrived) },
  });
  await page.goto(`${server.url}/app`);
  await signIn(page, 'ada');
  await eventually(sockets.countOpen, 1);
  const count = (address: string) => server.requests.filter(({ path }) => path === address).length;
  return { sockets, add: () => added++, refreshes: () => count('/refresh'), reads: () => count('/comments') };
}

async function signIn(page: Page, person: string): Promise<void> {
  await page.getByLabel('User name').fill(person);
  await page.getByLabel('Password').fill('secret');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await text(page, `${person} says 19`);
}

const text = (page: Page, shown: string) => page.getByText(shown, { exact: true }).waitFor();

test('a refused token costs one refresh, one new socket and one read of the list; a lost socket costs no refresh', async ({
  context,
  startServer,
}) => {
  const page = await context.newPage();
  const { sockets, add, refreshes, reads } = await setup(startServer, page);
  sockets.send({ id: '3', text: 'The first frame' });
  await text(page, 'The first frame');
  expect([sockets.tokens(), reads(), refreshes()]).toEqual([['secret-access-ada-1'], 1, 0]);
  add();
  sockets.close(4401);
  // Of the frame, the read says something newer; of what was missed, too.
  await text(page, 'ada says 20');
  await text(page, 'ada says 3');
  expect([sockets.tokens(), reads(), refreshes()]).toEqual([['secret-access-ada-1', 'secret-access-ada-2'], 2, 1]);
  add();
  sockets.close(1001);
  await text(page, 'ada says 21');
  expect([sockets.tokens().slice(2), reads(), refreshes()]).toEqual([['secret-access-ada-2'], 3, 1]);
  sockets.send({ isNew: true, id: '22', text: 'not shown' });
  await eventually(reads, 4);
});

test('ten drops: ten connects without a refresh, each after twice the pause, up to thirty seconds', async ({
  context,
  startServer,
}) => {
  const page = await context.newPage();
  await page.clock.install();
  await page.addInitScript(() => {
    window.pauses = [];
    let closedAt = 0;
    window.WebSocket = class extends WebSocket {
      constructor(...args: ConstructorParameters<typeof WebSocket>) {
        super(...args);
        window.pauses.push(Date.now() - closedAt);
        this.addEventListener('close', () => (closedAt = Date.now()));
      }
    };
  });
  const { sockets, refreshes, reads } = await setup(startServer, page);
  const pauses = () => page.evaluate(() => window.pauses.slice(1));
  for (let drop = 1; drop <= 10; drop++) {
    sockets.close(1001);
    while ((await pauses()).length < drop) await page.clock.runFor(500);
    await eventually(reads, drop + 1);
  }
  expect([sockets.tokens().length, refreshes()]).toEqual([11, 0]);
  for (const [index, pause] of (await pauses()).entries()) {
    const longest = Math.min(500 * 2 ** index, 30_000);
    expect(pause).toBeGreaterThanOrEqual(longest / 2);
    // The page's clock goes on while the test waits.
    expect(pause).toBeLessThanOrEqual(longest + 400);
  }
});

test('a sign-out closes the socket before the next user’s one; a late frame changes no row', async ({
  context,
  startServer,
}) => {
  const page = await context.newPage();
  const { sockets, refreshes } = await setup(startServer, page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await eventually(sockets.countOpen, 0);
  await signIn(page, 'grace');
  await eventually(sockets.countOpen, 1);
  sockets.send({ id: '4', text: 'A frame for Grace' });
  await text(page, 'A frame for Grace');
  expect(sockets.log).toEqual(['open secret-access-ada-1', 'close secret-access-ada-1', 'open secret-access-grace-2']);
  expect(refreshes()).toBe(0);
  expect(await page.getByText(/^ada/).count()).toBe(0);
});

test('the network comes back: the socket is replaced at once, and what was missed is read', async ({
  context,
  startServer,
}) => {
  const page = await context.newPage();
  const { sockets, add, reads } = await setup(startServer, page);
  await context.setOffline(true);
  add();
  await context.setOffline(false);
  await text(page, 'ada says 20');
  await eventually(sockets.countOpen, 1);
  expect([sockets.tokens().length, reads()]).toEqual([2, 2]);
});
