import type { BrowserContext, Page } from 'playwright';
import { describe, expect } from 'vitest';
import { codeBlocks } from '../docs/support/codeBlocks.js';
import { storyFiles } from '../docs/support/pages.js';
import type { Answer, ApiServer, ApiServerOptions, Arrived } from './support/apiServer.js';
import { press, says, signIn, test, titles } from './support/test.js';

/** Takes over at once, so that a test need not load a page twice. */
const AT_ONCE = `
  self.addEventListener('install', () => self.skipWaiting());
  self.addEventListener('activate', event => event.waitUntil(self.clients.claim()));
`;

/** The worker of the guide, as it stands there. */
function workerOfGuide(): string {
  const guide = storyFiles('guides/Security.mdx')[0]!;
  return codeBlocks(guide).find(({ name }) => name === 'worker.js')!.code;
}

/** A worker that stores each answer to a GET by its address, as many do. */
const CACHE_FIRST = `
  self.addEventListener('fetch', event => {
    if (event.request.method === 'GET' && event.request.mode !== 'navigate') event.respondWith(answer(event.request));
  });
  async function answer(request) {
    const cache = await caches.open('all');
    const stored = await cache.match(request);
    if (stored) return stored;
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  }
`;

const withWorker = (worker: string): ApiServerOptions => ({
  caching: 'no-store',
  otherwise: ({ path }) =>
    path === '/worker.js'
      ? { body: AT_ONCE + worker, headers: { 'Content-Type': 'text/javascript' } }
      : { status: 404, body: {} },
});

/** Installs the worker of the server. It then answers the requests of each page that is opened. */
async function installWorker(context: BrowserContext, { url }: ApiServer): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${url}/blank`);
  await page.evaluate(async () => {
    const controlled = new Promise(resolve =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    );
    await navigator.serviceWorker.register('/worker.js');
    if (!navigator.serviceWorker.controller) await controlled;
  });
  await page.close();
}

const reads = (server: ApiServer) => server.dataCalls().length;

async function signOut(page: Page): Promise<void> {
  await press(page, 'Sign out');
  await says(page, 'anonymous signed-out');
}

describe('a page with the service worker of the guide', () => {
  test.for(['token', 'cookie'])(
    'reads the data of each user from the server, and starts offline: %s',
    async (session, { context, startServer, open }) => {
      const server = await startServer(withWorker(workerOfGuide()));
      await installWorker(context, server);
      const page = await open(server, { session });
      await signIn(page, 'ada');
      await signOut(page);
      await signIn(page, 'grace');
      expect((await titles(page))[0]).toBe('On grace 1');
      expect(reads(server)).toBe(2);
      const stored = await page.evaluate(async () => {
        const files = await caches.open('files-1');
        return (await files.keys()).map(({ url }) => new URL(url).pathname);
      });
      expect(stored.filter(path => !path.startsWith('/assets/'))).toEqual(['/page']);

      await server.close();
      await page.reload();
      // The token is in the local storage. Of a cookie, only the server knows whose it is.
      await says(page, session === 'token' ? 'authenticated grace' : 'anonymous');
      if (session === 'token') await page.getByRole('button', { name: 'Try again' }).waitFor();
      expect(await page.getByText('On ada').count()).toBe(0);
    },
  );
});

describe('a page with a service worker that stores the answers of the API', () => {
  const named: NonNullable<ApiServerOptions['answers']>[string] = (usual: Answer, { headers }: Arrived) => ({
    ...usual,
    headers: { ...usual.headers, 'X-User-Id': /\bsid=secret-sid-(\w+)-/.exec(headers.cookie ?? '')?.[1] ?? '' },
  });

  test('shows no data of another user where the server names the user of each answer, and tries again', async ({
    context,
    startServer,
    open,
  }) => {
    const server = await startServer({ ...withWorker(CACHE_FIRST), answers: { 'GET /article': named } });
    await installWorker(context, server);
    const page = await open(server, { session: 'cookie', verify: 'X-User-Id' });
    await signIn(page, 'ada');
    await signOut(page);
    await press(page, 'Sign in as grace');
    await says(page, 'authenticated grace');
    const tryAgain = page.getByRole('button', { name: 'Try again' });
    await tryAgain.waitFor();
    expect(await page.getByText('On ada').count()).toBe(0);
    expect(reads(server)).toBe(1);

    await page.evaluate(() => caches.delete('all'));
    await tryAgain.click();
    await page.getByText('On grace 10').waitFor();
    expect(await page.getByText('On ada').count()).toBe(0);
    expect(reads(server)).toBe(2);
  });

  test('sends each token its own answer where the answers vary with the token', async ({
    context,
    startServer,
    open,
  }) => {
    const vary: typeof named = usual => ({ ...usual, headers: { ...usual.headers, Vary: 'Access-Token' } });
    const server = await startServer({ ...withWorker(CACHE_FIRST), answers: { 'GET /article': vary } });
    await installWorker(context, server);
    const page = await open(server, { session: 'token' });
    await signIn(page, 'ada');
    await signOut(page);
    await signIn(page, 'grace');
    expect((await titles(page))[0]).toBe('On grace 1');
    expect(reads(server)).toBe(2);
  });
});
