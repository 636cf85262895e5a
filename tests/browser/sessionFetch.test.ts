import { expect } from 'vitest';
import type { Arrived } from './support/apiServer.js';
import { eventually, signIn, test } from './support/test.js';

const lineOf = ({ method, path, body }: Arrived) => [method, path, body].filter(Boolean).join(' ');

test('an address that is relative to the path is sent again to the same place, also after the router has gone on', async ({
  server,
  open,
}) => {
  const page = await open(server, { session: 'token' });
  await signIn(page, 'ada');
  server.expireAccess();
  const refresh = server.holdRefresh('before the check');
  const sent = page.evaluate(async () => (await window.app.fetch('article/7')).status);
  await refresh.reached;
  await page.evaluate(() => history.pushState({}, '', '/shop/cart'));
  refresh.release();
  expect(await sent).toBe(200);
  const paths = server.dataCalls().map(({ path }) => path);
  expect(paths.filter(path => path.includes('7'))).toEqual(['/article/7', '/article/7']);
  expect(server.requests.filter(({ path }) => path.startsWith('/shop'))).toEqual([]);
});

test('a Request, headers and a form of an `<iframe>` are sent as those of the page are', async ({ server, open }) => {
  const page = await open(server, { session: 'token' });
  await signIn(page, 'ada');
  await page.evaluate(async () => {
    const frame = document.body.appendChild(document.createElement('iframe')).contentWindow as Window &
      typeof globalThis;
    const { Request, Headers, URLSearchParams } = frame;
    await window.app.fetch(new Request('/thing/1', { method: 'PATCH', body: '{"a":1}' }));
    await window.app.fetch('/thing/2', {
      method: 'POST',
      headers: new Headers({ 'X-Own': 'own' }),
      body: new URLSearchParams({ a: '2' }),
    });
  });
  const things = server.requests.filter(({ path }) => path.startsWith('/thing'));
  expect(things.map(lineOf)).toEqual(['PATCH /thing/1 {"a":1}', 'POST /thing/2 a=2']);
  for (const { headers } of things) expect(headers['access-token']).toMatch(/^secret-access-ada/);
  expect(things[1]!.headers['x-own']).toBe('own');
});

test.for(['token', 'cookie'])(
  '%s: a page that is closed sends its last request, with `keepalive`',
  async (session, { server, open }) => {
    const page = await open(server, { session });
    await signIn(page, 'ada');
    await page.evaluate(() =>
      addEventListener('pagehide', () => {
        void window.app.fetch('/last', { method: 'POST', body: new URLSearchParams({ read: '7' }), keepalive: true });
      }),
    );
    await page.goto('about:blank');
    await eventually(() => server.requests.filter(({ path }) => path === '/last').map(lineOf), ['POST /last read=7']);
    const { headers } = server.requests.find(({ path }) => path === '/last')!;
    if (session === 'token') expect(headers['access-token']).toMatch(/^secret-access-ada/);
    else
      expect([headers.cookie, headers['x-csrftoken']]).toEqual([
        expect.stringMatching(/sid=secret-sid-ada/),
        expect.stringMatching(/^secret-csrf/),
      ]);
  },
);
