import { afterEach, expect, test } from 'vitest';
import { observeRequests, RedirectRefusedError, RestEndpoint } from '../../src/index.js';
import { errorOf, fakeServer, json } from '../session/support/fakeServer.js';
import { API, tokenWorld } from '../session/support/tokenWorld.js';

const redirect = (): Response => new Response(null, { status: 302, headers: { location: 'https://evil.test/' } });

/** A browser shows the page nothing of a redirect that it did not follow: neither the status nor the address. */
const opaqueRedirect = (): Response =>
  Object.defineProperties(new Response(null, { status: 200 }), { type: { value: 'opaqueredirect' }, status: { value: 0 }, ok: { value: false } });

let stop: (() => void) | undefined;
afterEach(() => stop?.());

test('a redirect that a browser hides is refused like one with a status', async () => {
  const { session, ArticleResource } = tokenWorld({}, { '*': opaqueRedirect });
  await session.login({ name: 'ada' });
  expect(await errorOf(ArticleResource.get({ id: '1' }))).toBeInstanceOf(RedirectRefusedError);
});

test('an endpoint that wants to see redirects itself gets the answer, with a session and without', async () => {
  const { session, ArticleResource } = tokenWorld({}, { '*': redirect });
  await session.login({ name: 'ada' });
  const plain = new RestEndpoint({ urlPrefix: API, path: '/article/:id', requestInit: { redirect: 'manual' } });
  // A redirect without a `Location` is an answer: `fetch` does not follow it.
  const follows = plain.extend({ requestInit: { redirect: 'follow' } });
  for (const get of [ArticleResource.get.extend({ requestInit: { redirect: 'manual' } }), plain, follows]) {
    expect(await errorOf(get({ id: '1' }))).toMatchObject({ name: 'NetworkError', status: 302 });
  }
});

test('observers see the method that is sent, also where `getRequestInit` sets it', async () => {
  const server = fakeServer({ '*': () => json({}) });
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
