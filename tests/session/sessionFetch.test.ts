import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import {
  createCookieSession,
  createSession,
  IdentityChangedError,
  RefreshUnavailableError,
  SessionExpiredError,
  SignedOutError,
  type Session,
} from '../../src/entries/core.js';
import { RedirectRefusedError, UnreplayableBodyError, UntrustedOriginError } from '../../src/errors.js';
import type { SessionFetchInit } from '../../src/session/session.js';
import { json, never } from './support/answers.js';
import { API, tokenOf } from './support/article.js';
import { functionServer } from './support/functionServer.js';
import { settle, until } from './support/manualClock.js';
import { mockServer } from './support/mockServer.js';
import { deferred, errorOf, outcomes } from './support/promises.js';
import { csrfOf, setupCookieSession } from './support/setupCookieSession.js';
import { setupTokenSession } from './support/setupTokenSession.js';

const TRUSTED = { trustedOrigins: [API] };
const NULL_BODY = [204, 205, 304];
const REDIRECTS = [301, 302, 303, 307, 308];
const numRuns = Number(process.env.PROPERTY_RUNS ?? 300);

const bodies = fc.constantFrom<BodyInit | undefined>(
  undefined,
  '',
  'plain ü',
  '{"a":1}',
  new Uint8Array([0, 255, 7]),
  new URLSearchParams({ q: 'a b&c' }),
  new Blob(['bytes \u{1f600}'], { type: 'text/plain' }),
);
const calls = fc.record({
  as: fc.constantFrom('text', 'URL', 'Request', 'Request and init', 'text and Request'),
  method: fc.constantFrom('GET', 'HEAD', 'DELETE', 'POST', 'PUT', 'PATCH'),
  body: bodies,
  cache: fc.constantFrom<RequestCache | undefined>(undefined, 'reload', 'no-cache', 'force-cache'),
  status: fc.integer({ min: 200, max: 599 }),
  isExpired: fc.boolean(),
});

test('whatever a call is made of, the server gets what `fetch` sends, and a token; the caller gets the response', async () => {
  await fc.assert(
    fc.asyncProperty(calls, async ({ as, method, body: anyBody, cache, status, isExpired }) => {
      vi.unstubAllGlobals();
      const { session, server, expire, dataRoute, clock } = setupTokenSession(TRUSTED, {}, functionServer);
      const answer = async () =>
        new Response(NULL_BODY.includes(status) ? null : 'the answer', { status, headers: { 'X-Answer': 'yes' } });
      server.routes['*'] = async seen => {
        const verdict = await dataRoute(seen);
        return verdict.status === 401 ? verdict : answer();
      };
      const body = ['GET', 'HEAD'].includes(method) ? undefined : anyBody;
      const init: RequestInit = {
        method,
        headers: { 'X-Own': 'own' },
        ...(body !== undefined && { body }),
        ...(cache && { cache }),
      };
      const address = `${API}/thing?q=1`;
      const forms: Record<string, () => [RequestInfo | URL, RequestInit?]> = {
        text: () => [address, init],
        URL: () => [new URL(address), init],
        Request: () => [new Request(address, init)],
        'Request and init': () => [
          new Request(address, { ...init, headers: { 'X-Own': 'of the request' } }),
          {
            headers: {
              'X-Own': 'own',
              ...(new Request(address, init).headers.get('content-type') && {
                'content-type': new Request(address, init).headers.get('content-type')!,
              }),
            },
            signal: undefined as never,
          },
        ],
        'text and Request': () => [address, new Request('https://elsewhere.test', init)],
      };
      await session.login({ name: 'ada' });
      if (isExpired) expire();
      server.clear();
      await fetch(...(forms.text!() as [string, RequestInit]));
      const [plain] = server.seen;
      server.clear();

      const called = session.fetch(...forms[as]!());
      if (REDIRECTS.includes(status)) expect(await errorOf(called)).toBeInstanceOf(RedirectRefusedError);
      else if (status !== 401) {
        const response = await called;
        expect([response.status, response.headers.get('X-Answer')]).toEqual([status, 'yes']);
        if (!NULL_BODY.includes(status)) expect(await response.text()).toBe('the answer');
      } else expect((await until(clock, answered(called))).status).toBe(401);

      const sent = server.to('/thing');
      const tokens = isExpired ? ['ada-1', 'ada-2'] : ['ada-1'];
      // A server that answers a good token with 401 gets one more refresh and replay.
      expect(sent.map(tokenOf).slice(0, tokens.length)).toEqual(tokens);
      if (status !== 401) expect(server.seen).toHaveLength(isExpired ? 3 : 1);
      for (const { url, method: sentMethod, body: sentBody, headers, cache: sentCache, redirect } of sent) {
        expect({ url, method: sentMethod, body: sentBody, redirect, cache: sentCache }).toEqual({
          url: plain!.url,
          method: plain!.method,
          body: plain!.body,
          redirect: 'manual',
          cache: cache ?? 'no-store',
        });
        expect(headers.get('x-own')).toBe('own');
        expect(headers.get('content-type')).toBe(plain!.headers.get('content-type'));
      }
    }),
    { numRuns },
  );
});

test('a call belongs to the identity of its moment: a sign-out right after it calls it off', async () => {
  const { session, server } = setupTokenSession(TRUSTED);
  await session.login({ name: 'ada' });
  const error = errorOf(session.fetch(new Request(`${API}/thing`, { method: 'POST', body: 'x' })));
  void session.logout();
  expect(await error).toBeInstanceOf(SignedOutError);
  await settle();
  expect(server.count('/thing')).toBe(0);
});

test.each(['https://evil.test/x', '//evil.test/x', 'https://api.example.com@evil.test/x', 'http://api.example.com/x'])(
  'a call to %s sends nothing, also as a Request, and also without a list',
  async address => {
    vi.stubGlobal('location', new URL('https://page.test/app'));
    for (const options of [TRUSTED, {}]) {
      const { session, server } = setupTokenSession(options);
      await session.login({ name: 'ada' });
      server.clear();
      const { href } = new URL(address, 'https://page.test');
      for (const input of [address, new URL(href), ...(href.includes('@') ? [] : [new Request(href)])])
        expect(await errorOf(session.fetch(input))).toBeInstanceOf(UntrustedOriginError);
      expect(server.seen).toEqual([]);
    }
  },
);

test('without a list, the page’s own origin is trusted, and nothing else', async () => {
  vi.stubGlobal('location', new URL('https://page.test/app'));
  const { session, server } = setupTokenSession({}, { 'GET /thing': () => json({}) });
  await session.login({ name: 'ada' });
  server.clear();
  await session.fetch('/thing');
  expect(await errorOf(session.fetch(`${API}/thing`))).toBeInstanceOf(UntrustedOriginError);
  expect(server.seen.map(({ url }) => url)).toEqual(['https://page.test/thing']);
});

const refusal = () => json({ error: 'the token is not good' }, 401);
/** A refusal that ends the session. The error of the end has it. */
const answered = (call: Promise<Response>) =>
  errorOf(call).then(error => {
    expect(error).toBeInstanceOf(SessionExpiredError);
    return (error as unknown as { response: Response }).response;
  });

test('calls that are refused twice get their refusal, which can be read, and end the session once', async () => {
  const { session, server, status, clock } = setupTokenSession(TRUSTED, { '/thing': refusal });
  const ends: unknown[] = [];
  await session.login({ name: 'ada' });
  session.subscribe(() => ends.push(session.getSnapshot().reason));
  const calls = Array.from({ length: 10 }, () => session.fetch(`${API}/thing`));
  // One error for all, which has one of the responses.
  const { resolved, reasons } = await until(clock, outcomes(calls));
  expect([resolved, new Set(reasons).size]).toEqual([0, 1]);
  expect(reasons[0]).toBeInstanceOf(SessionExpiredError);
  const { response } = reasons[0] as { response: Response };
  expect([response.status, await response.json()]).toEqual([401, { error: 'the token is not good' }]);
  expect([status(), ends]).toEqual(['anonymous', ['expired']]);
  expect([server.count('/thing'), server.count('/refresh')]).toEqual([21, 1]);
  return;
});

test('a mechanism classifies no response that is ok', async () => {
  mockServer({ '*': () => json({ id: '1' }) });
  const classify = vi.fn(() => undefined);
  const session = createSession(
    { ...TRUSTED, attach: ({ init }) => init, classify },
    { server: true, initial: { credential: 'key', subject: 'ada' } },
  );
  expect((await session.fetch(`${API}/thing`)).status).toBe(200);
  expect(classify).not.toHaveBeenCalled();
});

test('when the refresh is refused, a refused call gets its refusal, and one without an answer rejects', async () => {
  const { session, server, expire } = setupTokenSession(TRUSTED, {
    'POST /refresh': refusal,
    '/slow': never,
  });
  await session.login({ name: 'ada' });
  expire();
  const slow = errorOf(session.fetch(`${API}/slow`));
  const response = await answered(session.fetch(`${API}/thing`));
  const { message } = (await response.json()) as { message: string };
  expect([response.status, response.url, message]).toEqual([
    401,
    `${API}/thing`,
    'The access token is missing or not valid.',
  ]);
  expect(await slow).toBeInstanceOf(SessionExpiredError);
  expect(server.count('/thing')).toBe(1);
});

/** A refusal whose body has a start and no end. Notes whether it was cancelled: then its connection is free again. */
function endlessRefusal() {
  const seen = { cancelled: false };
  const body = new ReadableStream({
    start: controller => controller.enqueue(new TextEncoder().encode('{"error":')),
    cancel: () => void (seen.cancelled = true),
  });
  return { seen, response: new Response(body, { status: 401 }) };
}

test('a refusal whose body never ends delays no refresh; the replay cancels the body', async () => {
  const { session, server, clock, expire, dataRoute } = setupTokenSession(TRUSTED, {}, functionServer);
  const refusals = Array.from({ length: 10 }, endlessRefusal);
  await session.login({ name: 'ada' });
  expire();
  let refused = 0;
  server.routes['*'] = async seen => {
    const answer = await dataRoute(seen);
    return answer.status === 401 ? refusals[refused++]!.response : answer;
  };
  const before = clock.now();
  const responses = await Promise.all(refusals.map((_, id) => session.fetch(`${API}/thing/${id}`)));
  expect(clock.now()).toBe(before);
  expect(responses.map(({ status }) => status)).toEqual(refusals.map(() => 200));
  expect([server.count('/thing'), server.count('/refresh')]).toEqual([20, 1]);
  await settle();
  expect(refusals.map(({ seen }) => seen.cancelled)).toEqual(refusals.map(() => true));
  expect(clock.pending).toBe(0);
});

test.each([
  [401, SessionExpiredError],
  [503, RefreshUnavailableError],
])(
  'when the refresh is answered with %i, a call whose refusal never ends rejects at once, and the body is cancelled',
  async (status, kind) => {
    const { seen, response } = endlessRefusal();
    const { session, server, clock } = setupTokenSession(
      TRUSTED,
      { '/thing': () => response, 'POST /refresh': () => json({}, status) },
      functionServer,
    );
    await session.login({ name: 'ada' });
    expect(await errorOf(session.fetch(`${API}/thing`))).toBeInstanceOf(kind);
    expect(server.count('/refresh')).toBe(1);
    await settle();
    // The error of the end has the refusal.
    expect(seen.cancelled).toBe(status !== 401);
    expect(clock.pending).toBe(0);
  },
);

/** A GraphQL server: it answers everything with 200. */
const graphql = (route: (seen: never) => Response | Promise<Response>) => async (seen: never) => {
  const answer = await route(seen);
  return answer.status === 401
    ? json({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
    : json({ data: { id: '1' } });
};
const isRefused: SessionFetchInit['isRefused'] = async response => {
  const { errors = [] } = (await response.json()) as { errors?: { extensions?: { code?: string } }[] };
  return errors.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED');
};

test('a refusal with status 200 is one if the caller says so: refresh, replay, and the data', async () => {
  const { session, server, expire, dataRoute } = setupTokenSession(TRUSTED);
  server.routes['/graphql'] = graphql(dataRoute) as never;
  await session.login({ name: 'ada' });
  expire();
  const init: SessionFetchInit = { method: 'POST', body: '{"query":"{ id }"}' };
  expect(await (await session.fetch(`${API}/graphql`, init)).json()).toHaveProperty('errors');
  expect(server.count('/refresh')).toBe(0);
  const responses = await Promise.all([1, 2].map(() => session.fetch(`${API}/graphql`, { ...init, isRefused })));
  expect(await Promise.all(responses.map(response => response.json()))).toEqual([
    { data: { id: '1' } },
    { data: { id: '1' } },
  ]);
  expect(server.to('/graphql').map(tokenOf)).toEqual(['ada-1', 'ada-1', 'ada-1', 'ada-2', 'ada-2']);
  expect(server.count('/refresh')).toBe(1);
});

test('a refusal with status 200 that stays one ends the session, and is the answer', async () => {
  const { session, status, clock } = setupTokenSession(TRUSTED, {
    '/graphql': () => json({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] }),
  });
  await session.login({ name: 'ada' });
  const call = session.fetch(`${API}/graphql`, { method: 'POST', body: '{}', isRefused });
  const response = await until(clock, answered(call));
  expect([response.status, await response.json()]).toEqual([
    200,
    { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] },
  ]);
  expect(status()).toBe('anonymous');
});

test('what `isRefused` throws reaches the caller, and ends no session', async () => {
  const { session, status } = setupTokenSession(TRUSTED, { '/graphql': () => new Response('<html>', { status: 502 }) });
  await session.login({ name: 'ada' });
  expect(await errorOf(session.fetch(`${API}/graphql`, { isRefused }))).toBeInstanceOf(SyntaxError);
  expect(status()).toBe('authenticated');
});

test('a stream that `isRefused` has not read is closed when its caller closes it', async () => {
  const onCancel = vi.fn();
  const stream = () => new ReadableStream({ start: controller => controller.enqueue('data: 1\n\n'), cancel: onCancel });
  const { session } = setupTokenSession(
    TRUSTED,
    { '/events': () => new Response(stream().pipeThrough(new TextEncoderStream())) },
    functionServer,
  );
  await session.login({ name: 'ada' });
  const { body } = await session.fetch(`${API}/events`, { isRefused: ({ ok }) => !ok });
  const reader = body!.getReader();
  await reader.read();
  await reader.cancel();
  expect(onCancel).toHaveBeenCalledTimes(1);
});

test('a stream of events goes on over a refresh, and ends with the identity', async () => {
  let events!: ReadableStreamDefaultController<string>;
  const stream = new ReadableStream<string>({ start: controller => void (events = controller) });
  const { session, server } = setupTokenSession(
    TRUSTED,
    {
      '/events': ({ signal }) => {
        signal.addEventListener('abort', () => events.error(signal.reason));
        return new Response(stream.pipeThrough(new TextEncoderStream()));
      },
    },
    functionServer,
  );
  await session.login({ name: 'ada' });
  const reader = (await session.fetch(`${API}/events`)).body!.pipeThrough(new TextDecoderStream()).getReader();
  await session.refresh();
  expect(server.count('/refresh')).toBe(1);
  events.enqueue('data: 1');
  expect(await reader.read()).toEqual({ done: false, value: 'data: 1' });
  const next = errorOf(reader.read());
  await session.login({ name: 'grace' });
  expect(await next).toBeInstanceOf(IdentityChangedError);
});

test('an address that is relative to the path is that of the moment of the call, also for the replay', async () => {
  const { session, server, expire } = setupTokenSession(TRUSTED);
  await session.login({ name: 'ada' });
  expire();
  const page = { baseURI: `${API}/shop/cart` };
  vi.stubGlobal('document', page);
  const calls = ['items', '?q=1', '../up', new Request(`${API}/whole`), `${API}/absolute`].map(address =>
    session.fetch(address),
  );
  page.baseURI = `${API}/somewhere/else`;
  await Promise.all(calls);
  const addresses = ['/shop/items', '/shop/cart?q=1', '/up', '/whole', '/absolute'].map(path => API + path);
  const sent = server.seen.filter(({ method }) => method === 'GET').map(({ url }) => url);
  expect(sent.sort()).toEqual([...addresses, ...addresses].sort());
});

test('a stream is not sent twice; the stream of a Request is', async () => {
  const { session, server, expire } = setupTokenSession(TRUSTED);
  const stream = () => new Blob(['once']).stream();
  await session.login({ name: 'ada' });
  expire();
  expect(await errorOf(session.fetch(`${API}/thing`, { method: 'POST', body: stream() }))).toBeInstanceOf(
    UnreplayableBodyError,
  );
  expire();
  const request = new Request(`${API}/thing`, { method: 'POST', body: stream(), duplex: 'half' } as RequestInit);
  expect((await session.fetch(request)).status).toBe(200);
  expect(server.to('/thing').map(({ body }) => body)).toEqual(['once', 'once', 'once']);
  expect(request.bodyUsed).toBe(false);
});

test('a form is sent twice, field for field, also in a Request', async () => {
  const { session, server, expire } = setupTokenSession(TRUSTED, {}, functionServer);
  const form = new FormData();
  form.set('title', 'ü');
  form.set('file', new Blob(['x'.repeat(9)], { type: 'text/plain' }));
  await session.login({ name: 'ada' });
  for (const input of [
    () => [`${API}/thing`, { method: 'POST', body: form }],
    () => [new Request(`${API}/thing`, { method: 'POST', body: form })],
  ]) {
    expire();
    await session.fetch(...(input() as Parameters<typeof fetch>));
  }
  const sent = server.to('/thing').map(({ body, headers }) => {
    const boundary = /boundary=(.+)$/.exec(headers.get('content-type') ?? '')?.[1] ?? '?';
    expect(body).toContain(boundary);
    return body.replaceAll(boundary, 'B');
  });
  expect(sent).toEqual(Array.from({ length: 4 }, () => sent[0]));
});

test('a Request that was used up rejects as `fetch` does, and sends nothing', async () => {
  const { session, server } = setupTokenSession(TRUSTED);
  await session.login({ name: 'ada' });
  server.clear();
  const used = new Request(`${API}/thing`, { method: 'POST', body: 'x' });
  await used.text();
  expect(await errorOf(session.fetch(used))).toBeInstanceOf(TypeError);
  expect(server.seen).toEqual([]);
});

/** What `fetch` is called with from now on. */
function watchFetch(): RequestInit[] {
  const inits: RequestInit[] = [];
  const send = globalThis.fetch;
  vi.stubGlobal('fetch', (input: string, init: RequestInit) => {
    inits.push(init);
    return send(input, init);
  });
  return inits;
}

test('the members of a Request reach `fetch`, and those of the init win', async () => {
  const { session } = setupTokenSession(TRUSTED);
  await session.login({ name: 'ada' });
  const inits = watchFetch();
  const members = {
    mode: 'same-origin',
    credentials: 'omit',
    redirect: 'error',
    referrer: 'about:client',
    referrerPolicy: 'no-referrer',
    integrity: 'sha256-AAAA',
    keepalive: true,
  } as const;
  await session.fetch(new Request(`${API}/thing`, members));
  await session.fetch(new Request(`${API}/thing`, members), {
    referrerPolicy: 'origin',
    integrity: undefined,
  } as never);
  expect(inits).toMatchObject([members, { ...members, referrerPolicy: 'origin' }]);
});

/** Calls with one object three times, and changes it after each call: what the server got. */
async function reuse(init: RequestInit, change: (id: string) => void): Promise<unknown[]> {
  const { session, server } = setupTokenSession(TRUSTED, {}, functionServer);
  await session.login({ name: 'ada' });
  server.clear();
  const called = ['1', '2', '3'].map(id => {
    change(id);
    return session.fetch(`${API}/thing/${id}`, { method: 'POST', ...init });
  });
  change('4');
  await Promise.all(called);
  return server.seen.map(({ headers, body }) => [headers.get('x-id'), body]);
}

test('headers are those of the moment of the call, also if the caller uses the object again', async () => {
  const expected = ['1', '2', '3'].map(id => [id, '']);
  const headers = new Headers();
  expect(await reuse({ headers }, id => headers.set('X-Id', id))).toEqual(expected);
  const record: Record<string, string> = {};
  expect(await reuse({ headers: record }, id => (record['X-Id'] = id))).toEqual(expected);
  const pair: [string, string] = ['X-Id', ''];
  expect(await reuse({ headers: [pair] }, id => (pair[1] = id))).toEqual(expected);
});

test('a body is that of the moment of the call, also if the caller uses the object again', async () => {
  const search = new URLSearchParams();
  expect(await reuse({ body: search }, id => search.set('id', id))).toEqual(
    ['id=1', 'id=2', 'id=3'].map(body => [null, body]),
  );
  const expected = ['1', '2', '3'].map(id => [null, id]);
  const bytes = new TextEncoder().encode('<0>');
  const middle = bytes.subarray(1, 2);
  const write = (id: string) => void (middle[0] = id.charCodeAt(0));
  expect(await reuse({ body: middle }, write)).toEqual(expected);
  expect(await reuse({ body: Buffer.from(bytes.buffer, 1, 1) }, write)).toEqual(expected);
  expect(await reuse({ body: new DataView(bytes.buffer, 1, 1) }, write)).toEqual(expected);
  expect(await reuse({ body: bytes.buffer }, write)).toEqual(['<1>', '<2>', '<3>'].map(body => [null, body]));
});

test('a form is that of the moment of the call, with its files and their names', async () => {
  const form = new FormData();
  form.append('tag', 'a');
  form.append('tag', 'b');
  form.append('file', new File(['of the file'], 'notes.txt', { type: 'text/plain' }));
  const sent = (await reuse({ body: form }, id => form.set('id', id))) as [unknown, string][];
  expect(sent.map(([, body]) => /name="id"\s+(\d)/.exec(body)?.[1])).toEqual(['1', '2', '3']);
  for (const [, body] of sent) {
    expect(body.match(/name="tag"\s+\w/g)).toHaveLength(2);
    expect(body).toMatch(/name="file"; filename="notes.txt"\s+Content-Type: text\/plain\s+of the file/);
  }
});

test('headers that no request can have reject as those of `fetch` do, and send nothing', async () => {
  const { session, server } = setupTokenSession(TRUSTED);
  await session.login({ name: 'ada' });
  server.clear();
  expect(await errorOf(session.fetch(`${API}/thing`, { headers: { 'no name': 'x' } }))).toBeInstanceOf(TypeError);
  expect(server.seen).toEqual([]);
});

test('a navigation that a service worker passes on is sent as `same-origin`: no init may have the mode `navigate`', async () => {
  const { session } = setupTokenSession(TRUSTED);
  await session.login({ name: 'ada' });
  const inits = watchFetch();
  const navigation = () => Object.defineProperty(new Request(`${API}/thing`), 'mode', { value: 'navigate' });
  await session.fetch(navigation());
  await session.fetch(navigation(), { mode: 'cors' });
  expect(inits.map(({ mode }) => mode)).toEqual(['same-origin', 'cors']);
});

test('a Request that was used up can be sent with the body of the init', async () => {
  const { session, server } = setupTokenSession(TRUSTED);
  await session.login({ name: 'ada' });
  const used = new Request(`${API}/thing`, { method: 'POST', body: 'x' });
  await used.text();
  await session.fetch(used, { body: 'y' });
  expect(server.to('/thing').map(({ body }) => body)).toEqual(['y']);
});

test('a mechanism that signs bodies can read that of a Request', async () => {
  const server = mockServer({ '*': () => json({}) });
  const session = createSession(
    {
      ...TRUSTED,
      attach: async ({ init }) => ({
        ...init,
        headers: { 'x-signed': await new Response(init.body ?? null).text() },
      }),
    },
    { server: true, initial: { credential: 'key', subject: 'ada' } },
  );
  await session.fetch(new Request(`${API}/thing`, { method: 'POST', body: 'signed' }));
  expect(server.seen.map(({ headers, body }) => [headers.get('x-signed'), body])).toEqual([['signed', 'signed']]);
});

test('the caller’s signal, also that of a Request, rejects at once with its reason, and an answer leaves one listener at most', async () => {
  const held = deferred();
  const { session, server, expire, refreshRoute } = setupTokenSession(TRUSTED);
  server.routes['POST /refresh'] = seen => held.promise.then(() => refreshRoute(seen));
  await session.login({ name: 'ada' });
  expire();
  const controllers = [new AbortController(), new AbortController(), new AbortController()];
  const [first, second, third] = controllers.map(({ signal }) => signal);
  const request = new Request(`${API}/thing`, { signal: second! });
  const errors = [errorOf(session.fetch(`${API}/thing`, { signal: first! })), errorOf(session.fetch(request))];
  const kept = session.fetch(`${API}/thing`, { signal: third! });
  await settle();
  const reason = new Error('left the page');
  controllers[0]!.abort(reason);
  controllers[1]!.abort(reason);
  expect(await Promise.all(errors)).toEqual([reason, reason]);
  held.resolve();
  expect((await kept).status).toBe(200);
  expect(server.count('/thing')).toBe(4);
  await session.fetch(`${API}/thing`, { signal: third! });
  // As long as something may read a body, it may be aborted.
  expect(getEventListeners(third!, 'abort').length).toBeLessThanOrEqual(1);
  expect([first, second].flatMap(signal => getEventListeners(signal!, 'abort'))).toEqual([]);
});

test('with a cookie: cookies and the CSRF token of unsafe methods; a refused token is fetched once for all', async () => {
  const { session, fake, rotate } = setupCookieSession(TRUSTED);
  await session.login({ name: 'ada' });
  fake.clear();
  await session.fetch(`${API}/thing`);
  await session.fetch(`${API}/thing`, { method: 'post' });
  expect(fake.seen.map(seen => [seen.method, seen.credentials, csrfOf(seen)])).toEqual([
    ['GET', 'include', null],
    ['POST', 'include', 'c1'],
  ]);
  rotate('c2', false);
  fake.clear();
  const posts = [1, 2, 3].map(() => session.fetch(new Request(`${API}/thing`, { method: 'POST', body: 'x' })));
  expect((await Promise.all(posts)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect([fake.count('/thing'), fake.count('/csrf')]).toEqual([6, 1]);
  expect(fake.to('/thing').map(csrfOf).slice(3)).toEqual(['c2', 'c2', 'c2']);
});

test.each(['the app', 'the end of the session'])(
  'an auth call that gives its fetch a signal is ended by %s',
  async who => {
    const controller = new AbortController();
    const inits: RequestInit[] = [];
    const { session } = setupTokenSession({
      ...TRUSTED,
      refresh: async () => (await session.fetch(`${API}/refresh`, { signal: controller.signal })).json() as never,
    });
    await session.login({ name: 'ada' });
    vi.stubGlobal('fetch', (_input: string, init: RequestInit) => {
      inits.push(init);
      return never();
    });
    const refreshed = errorOf(session.refresh());
    await settle();
    expect(inits.map(({ signal }) => signal?.aborted)).toEqual([false]);
    if (who === 'the app') controller.abort(new Error('given up'));
    else session.dispose();
    expect(inits[0]?.signal?.aborted).toBe(true);
    expect(await refreshed).toBeInstanceOf(Error);
  },
);

test('a session may call its own fetch for its login and its whoami', async () => {
  const server = mockServer({ 'POST /login': () => json({ id: 'ada' }), 'GET /whoami': () => json(null) });
  const read = async (response: Promise<Response>) => (await response).json() as Promise<{ id: string } | null>;
  const session: Session<{ id: string }, []> = createCookieSession<[], { id: string }>({
    ...TRUSTED,
    login: () => read(session.fetch(new Request(`${API}/login`, { method: 'POST', body: '{}' }))),
    whoami: () => read(session.fetch(`${API}/whoami`)),
    server: true,
  });
  await session.login();
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
  await session.logout();
  await session.refresh();
  expect(server.seen.map(({ path, redirect }) => `${path} ${redirect}`)).toEqual(['/login manual', '/whoami manual']);
});
