import { webcrypto } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { resource, RestEndpoint } from '../../src/index.js';
import { RedirectRefusedError } from '../../src/errors.js';
import { observeRequests } from '../../src/session/observeRequests.js';
import { json } from '../session/support/answers.js';
import { mockServer, stubAnswer } from '../session/support/mockServer.js';
import { errorOf } from '../session/support/promises.js';
import { API, Article } from '../session/support/article.js';
import { setupTokenSession } from '../session/support/setupTokenSession.js';

const redirect = (): Response => new Response(null, { status: 302, headers: { location: 'https://evil.test/' } });

/** A browser shows the page nothing of a redirect that it did not follow: neither the status nor the address. */
const opaqueRedirect = (): Response =>
  Object.defineProperties(new Response(null, { status: 200 }), {
    type: { value: 'opaqueredirect' },
    status: { value: 0 },
    ok: { value: false },
  });

let stop: (() => void) | undefined;
afterEach(() => stop?.());

test('a redirect that a browser hides is refused like one with a status', async () => {
  const { session, ArticleResource } = setupTokenSession();
  stubAnswer('/article/1', opaqueRedirect);
  await session.login({ name: 'ada' });
  expect(await errorOf(ArticleResource.get({ id: '1' }))).toBeInstanceOf(RedirectRefusedError);
});

test('an endpoint that wants to see redirects itself gets the answer, with a session and without', async () => {
  const { session, ArticleResource } = setupTokenSession();
  await session.login({ name: 'ada' });
  stubAnswer('/article/1', redirect);
  const plain = new RestEndpoint({ urlPrefix: API, path: '/article/:id', requestInit: { redirect: 'manual' } });
  // A redirect without a `Location` is an answer: `fetch` does not follow it.
  const follows = plain.extend({ requestInit: { redirect: 'follow' } });
  for (const get of [ArticleResource.get.extend({ requestInit: { redirect: 'manual' } }), plain, follows]) {
    expect(await errorOf(get({ id: '1' }))).toMatchObject({ name: 'NetworkError', status: 302 });
  }
});

test('observers see the method that is sent, also where `getRequestInit` sets it', async () => {
  const server = mockServer({ '*': () => json({}) });
  const seen: string[] = [];
  stop = observeRequests(({ method }) => void seen.push(method));
  class Report extends RestEndpoint {
    override async getRequestInit(body: undefined) {
      return { ...(await super.getRequestInit(body)), method: 'REPORT' };
    }
  }
  await (new Report({ urlPrefix: API, path: '/x' }) as unknown as () => Promise<unknown>)();
  expect(seen).toEqual(['REPORT']);
  expect(server.seen.map(({ method }) => method)).toEqual(seen);
});

test.each(['text', null, undefined])('what an endpoint throws reaches the caller as it is, also %o', async thrown => {
  const { session, Endpoint } = setupTokenSession({}, { '*': () => json({}) });
  await session.login({ name: 'ada' });
  const process = () => {
    throw thrown as unknown as Error;
  };
  const get = new Endpoint({ urlPrefix: API, path: '/x', process } as never) as unknown as () => Promise<unknown>;
  expect(
    await get().then(
      () => 'resolved',
      (error: unknown) => ({ error }),
    ),
  ).toEqual({ error: thrown });
});

test('only a change of an endpoint that asks for it carries an Idempotency-Key', async () => {
  const server = mockServer({ '*': () => json({}) });
  for (const method of ['GET', 'POST']) {
    for (const idempotencyKey of [undefined, false, true])
      await (
        new RestEndpoint({
          urlPrefix: API,
          path: '/x',
          method,
          body: undefined,
          idempotencyKey,
        } as never) as unknown as () => Promise<unknown>
      )();
  }
  expect(server.seen.map(({ headers }) => headers.has('idempotency-key'))).toEqual([
    false,
    false,
    false,
    false,
    false,
    true,
  ]);
});

test('where the browser has no randomUUID, keys differ all the same', async () => {
  const server = mockServer({ '*': () => json({}) });
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => webcrypto.getRandomValues(bytes) });
  const post = new RestEndpoint({
    urlPrefix: API,
    path: '/x',
    method: 'POST',
    body: undefined,
    idempotencyKey: true,
  } as never) as unknown as () => Promise<unknown>;
  for (let sent = 0; sent < 2; sent++) await post();
  const keys = server.seen.map(({ headers }) => headers.get('idempotency-key'));
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[0]).not.toBe(keys[1]);
});

test('a deletion by a wildcard that is answered with nothing results in its params, the path as one text', async () => {
  mockServer({ '*': () => new Response(null, { status: 204 }) });
  const { delete: remove } = resource({ urlPrefix: API, path: '/:owner/*file', schema: Article });
  for (const file of ['src/index.ts', ['src', 'index.ts']])
    expect(await remove({ owner: 'ada', file })).toEqual({ owner: 'ada', file: 'src/index.ts' });
});
