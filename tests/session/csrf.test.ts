import { describe, expect, test, vi } from 'vitest';
import { RefreshUnavailableError } from '../../src/entries/core.js';
import { stepUp } from '../../src/entries/step-up.js';
import { type CookieSessionOptions, IdentityChangedError, RestEndpoint } from '../../src/index.js';
import { csrfToken } from '../../src/mechanisms/csrfToken.js';
import { MINUTE, startClock } from '../sessionClock/support/startClock.js';
import { json } from './support/answers.js';
import { API } from './support/article.js';
import { CSRF_REFUSALS, html, OTHER_REFUSALS } from './support/frameworkRefusals.js';
import { manualClock, settle } from './support/manualClock.js';
import type { Route, Seen } from './support/mockServer.js';
import { deferred, errorOf, outcomes } from './support/promises.js';
import { csrfOf, setupCookieSession } from './support/setupCookieSession.js';
import { challengesOf, NEEDS_LOGIN, refusal } from './support/stepUpServer.js';

const ada = { name: 'ada' };
const SECOND = 1_000;
const KB = 1024;
const CSRF_FAILED = { detail: 'CSRF Failed: CSRF token missing.' };

/** A 403 whose body is these pieces, and after them `end`. Counts what is read of it. */
function slowRefusal(pieces: Iterable<string>, end: 'close' | 'hang' | 'break') {
  const source = pieces[Symbol.iterator]();
  const seen = { bytes: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { value, done } = source.next();
        if (!done) {
          const bytes = new TextEncoder().encode(value);
          seen.bytes += bytes.byteLength;
          controller.enqueue(bytes);
        } else if (end === 'close') controller.close();
        else if (end === 'break') controller.error(new TypeError('network error'));
        else return new Promise(() => {});
        return undefined;
      },
      cancel: () => void (seen.cancelled = true),
    },
    { highWaterMark: 0 },
  );
  return { seen, response: new Response(body, { status: 403 }) };
}

function* endless(piece: string) {
  for (;;) yield piece;
}

function token(options = {}) {
  const clock = manualClock();
  const csrf = csrfToken({ cookie: 'csrftoken', ...options }, clock, 10 * SECOND);
  if (!csrf) throw new Error('No CSRF token.');
  return { clock, isRefused: csrf.isRefused };
}

test('a mutation refused with a body that never ends rejects with that refusal at the timeout, and its body is still to be read (scenario 36)', async () => {
  const { session, fake, clock, status, ArticleResource } = setupCookieSession(
    {},
    { 'PUT /article/1': () => slowRefusal(['{"detail":"not '], 'hang').response },
  );
  await session.login(ada);
  const error = errorOf(ArticleResource.update({ id: '1' }, { title: 'a' }));
  await settle();
  await clock.advance(10 * SECOND);
  const { response } = (await error) as Error & { response: Response };
  expect([response.status, response.bodyUsed]).toEqual([403, false]);
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('{"detail":"not ');
  expect(fake.count('PUT')).toBe(1);
  expect(status()).toBe('authenticated');
});

describe.each([
  ['an endpoint', undefined],
  ['a function that ignores every signal', () => fetch(`${API}/csrf`)],
])('a fetch of the CSRF token by %s that is never answered', (_, own) => {
  const answers = { csrf: true };
  const setup = () => {
    answers.csrf = false;
    const made = setupCookieSession(own && { csrf: { cookie: 'csrftoken', header: 'X-CSRFToken', fetch: own } }, {
      'GET /csrf': () => {
        if (!answers.csrf) return new Promise(() => {});
        made.jar.csrf = 'c1';
        return new Response();
      },
    });
    return made;
  };

  test('does not hold up the next changes: after the timeout it is sent again', async () => {
    const { session, fake, clock, jar, status, ArticleResource } = setup();
    await session.login(ada);
    jar.csrf = undefined;
    const change = () => ArticleResource.update({ id: '1' }, { title: 'a' });
    const first = errorOf(change());
    await settle();
    await clock.advance(10 * SECOND);
    expect(await first).toBeInstanceOf(RefreshUnavailableError);
    await clock.advance(2 * SECOND);
    answers.csrf = true;
    await expect(change()).resolves.toBeTruthy();
    expect([fake.count('GET /csrf'), fake.count('PUT'), status()]).toEqual([2, 1, 'authenticated']);
  });

  test('ends a login that needs the token: the next one is sent', async () => {
    const { session, fake, clock, jar } = setup();
    jar.csrf = undefined;
    const first = errorOf(session.login(ada));
    await settle();
    await clock.advance(10 * SECOND);
    expect(await first).toMatchObject({ name: 'TimeoutError' });
    answers.csrf = true;
    await session.login(ada);
    expect(fake.count('POST /login')).toBe(1);
  });
});

test('at most 64 KB of a refusal are read, and what it says after them does not count', async () => {
  const { seen, response } = slowRefusal(endless('x'.repeat(KB)), 'hang');
  expect(await token().isRefused(response)).toBe(false);
  // A copied stream reads one piece ahead.
  expect(seen.bytes).toBeLessThanOrEqual(65 * KB);
  for (const [length, isRefused] of [
    [64 * KB - 23, true],
    [64 * KB - 11, true],
    [64 * KB - 10, false],
  ] as const) {
    const before = '{"about":"","detail":"';
    const start = before.replace('""', `"${'x'.repeat(length - before.length)}"`);
    expect(await token().isRefused(slowRefusal([start, 'CSRF failed"}'], 'close').response)).toBe(isRefused);
  }
});

// Each of these took 4 to 17 seconds, a thousand times as long as other texts.
test.each(['', '>', '"code":', '{', '<span>(403)</span></h1>'])(
  '64 KB of white space after %j are read as fast as another text',
  async before => {
    const timeOf = async (filler: string) => {
      const startedAt = performance.now();
      for (const status of [403, 422]) {
        const refusal = new Response(before + filler.repeat(64 * KB), { status });
        expect(await token().isRefused(refusal)).toBe(false);
      }
      return performance.now() - startedAt;
    };
    await timeOf('x');
    expect((await timeOf(' ')) / (await timeOf('x'))).toBeLessThan(100);
  },
);

test('a refusal cut in the middle of a character, or in many pieces, is read as one text', async () => {
  const body = new TextEncoder().encode('<h1>HTTP Status 403 – Invalid CSRF Token</h1>');
  const byBytes = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of body) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const response = new Response(byBytes, { status: 403 });
  expect(await token().isRefused(response)).toBe(true);
  expect(await response.text()).toBe('<h1>HTTP Status 403 – Invalid CSRF Token</h1>');
});

test('a body that breaks off, is empty or was read already is no CSRF refusal, and no error', async () => {
  const read = json({ detail: 'CSRF Failed: CSRF token missing.' }, 403);
  await read.text();
  const foreign = { status: 403, data: 'CSRF Failed: CSRF token missing.' } as unknown as Response;
  for (const response of [
    slowRefusal(['{"detail":'], 'break').response,
    new Response(null, { status: 403 }),
    read,
    foreign,
  ])
    expect(await token().isRefused(response)).toBe(false);
});

test('isRefused gets a copy and the timeout; its own error surfaces', async () => {
  const { isRefused } = token({ isRefused: async (response: Response) => (await response.text()) === 'stale' });
  const response = new Response('stale', { status: 403 });
  expect(await isRefused(response)).toBe(true);
  expect(await response.text()).toBe('stale');
  const foreign = { status: 403, data: 'stale' } as unknown as Response;
  expect(await token({ isRefused: (given: unknown) => given === foreign }).isRefused(foreign)).toBe(true);
  const { clock, isRefused: hanging } = token({ isRefused: () => new Promise(() => {}) });
  const decided = hanging(response);
  await clock.advance(10 * SECOND);
  expect(await decided).toBe(false);
  const mistake = new TypeError('no such field');
  await expect(token({ isRefused: () => Promise.reject(mistake) }).isRefused(response)).rejects.toBe(mistake);
});

test.each(CSRF_REFUSALS)('%s: a refused CSRF token', async (_name, response) => {
  expect(await token().isRefused(response)).toBe(true);
});

test.each(OTHER_REFUSALS)('%s: an ordinary refusal', async (_name, response) => {
  expect(await token().isRefused(response)).toBe(false);
});

test.each([
  // No words to tell them by: `isRefused` has to.
  [
    'Spring without messages',
    json({ timestamp: '2024-05-05T10:00:00Z', status: 403, error: 'Forbidden', message: 'Forbidden', path: '/a' }, 403),
  ],
  ['ASP.NET Core antiforgery', new Response(null, { status: 400 })],
  ['Phoenix in production', json({ errors: { detail: 'Forbidden' } }, 403)],
  ['Express in production', html('<!DOCTYPE html><html><body><pre>Forbidden</pre></body></html>', 403)],
])('%s: cannot be told, and counts as an ordinary refusal', async (_name, response) => {
  expect(await token().isRefused(response)).toBe(false);
});

test.each([401, 404, 409, 500, 503])('a %d with the words of a CSRF refusal is none', async status => {
  expect(await token().isRefused(json({ detail: 'CSRF Failed: CSRF token missing.' }, status))).toBe(false);
});

test('the header is X-CSRF-Token unless the session names another', () => {
  const csrf = csrfToken({ cookie: 'csrftoken' }, manualClock(), SECOND);
  expect([...new Headers(csrf?.attach({ method: 'POST' }, 'c1').headers)]).toEqual([['x-csrf-token', 'c1']]);
});

/**
 * A server whose whoami sets the CSRF cookie whatever it answers, as Django's `ensure_csrf_cookie` does. It also is
 * the fetch of the token.
 */
function ensureCsrfCookie(status: number) {
  const setup = setupCookieSession();
  setup.fake.routes['GET /csrf'] = () => {
    setup.jar.csrf = 'c2';
    return json({}, status);
  };
  const { data } = setup;
  setup.fake.routes['POST /login'] = seen => {
    if (seen.headers.get('x-csrftoken') !== 'c2') return json({ detail: 'CSRF Failed: CSRF token missing.' }, 403);
    setup.jar.person = 'ada';
    return json({ id: 'ada' });
  };
  setup.fake.routes['*'] = seen =>
    seen.headers.get('x-csrftoken') === 'c2' ? json({ id: '1', title: 'a' }) : data(seen);
  return {
    ...setup,
    log: () => setup.fake.seen.map(seen => `${seen.method} ${seen.path} ${seen.headers.get('x-csrftoken')}`),
  };
}

test.each([401, 403, 500])(
  'a fetch of the CSRF token that answers %d and sets the cookie goes before the login',
  async status => {
    const { session, jar, log } = ensureCsrfCookie(status);
    jar.csrf = undefined;
    await session.login(ada);
    expect(log()).toEqual(['GET /csrf null', 'POST /login c2']);
  },
);

test.each([401, 403])(
  'a login whose CSRF token was refused is sent once more after a fetch that answers %d',
  async status => {
    const { session, log } = ensureCsrfCookie(status);
    await session.login(ada);
    expect(log()).toEqual(['POST /login c1', 'GET /csrf null', 'POST /login c2']);
  },
);

test('a mutation whose CSRF token was refused is sent once more after a fetch that answers 401, and signs nobody out', async () => {
  const { session, fake, jar, rotate, status, ArticleResource } = ensureCsrfCookie(401);
  await session.login(ada);
  jar.csrf = 'c1';
  rotate('c2', false);
  await ArticleResource.update({ id: '1' }, { title: 'a' });
  expect(fake.to('PUT').map(seen => seen.headers.get('x-csrftoken'))).toEqual(['c1', 'c2']);
  expect(status()).toBe('authenticated');
});

test('a fetch that answers 401 and leaves the refused token in place is the error of the login', async () => {
  const { session, fake, jar } = ensureCsrfCookie(401);
  for (const token of ['c1', undefined]) {
    jar.csrf = token;
    fake.routes['GET /csrf'] = () => json({ detail: 'who?' }, 401);
    expect(await errorOf(session.login(ada))).toMatchObject({ status: 401, response: { status: 401 } });
  }
  expect(fake.count('POST /login')).toBe(1);
});

/** Duende BFF: an API answers 401 to a request without the header, whatever its method. */
function duende(csrf: object) {
  const setup = setupCookieSession({ csrf: { on: 'all', header: 'X-CSRF', read: () => '1', ...csrf } });
  const guarded = (seen: Seen) => seen.headers.get('x-csrf') === '1';
  for (const path of ['*', 'GET /whoami']) {
    const route = setup.fake.routes[path] as Route;
    setup.fake.routes[path] = seen => (guarded(seen) ? route(seen) : json({}, 401));
  }
  setup.fake.routes['*'] = seen => (guarded(seen) ? json({ id: '1', title: 'a' }) : json({}, 401));
  return {
    ...setup,
    log: () => setup.fake.seen.map(seen => `${seen.method} ${seen.path} ${seen.headers.get('x-csrf')}`),
  };
}

test("with `on: 'all'` every request of a signed-in user carries the header, and whoami, login and logout do", async () => {
  const { session, jar, status, log, ArticleResource } = duende({});
  jar.person = 'ada';
  session.subscribe(() => {});
  await ArticleResource.get({ id: '1' });
  await ArticleResource.update({ id: '1' }, { title: 'b' });
  await ArticleResource.get.extend({ method: 'HEAD', body: undefined } as never)({ id: '1' });
  await session.logout();
  await session.login(ada);
  expect(log()).toEqual([
    'GET /whoami 1',
    'GET /article/1 1',
    'PUT /article/1 1',
    'HEAD /article/1 1',
    'POST /logout 1',
    'POST /login 1',
  ]);
  expect(status()).toBe('authenticated');
});

test("with `on: 'all'` no request of a signed-out visitor carries the header", async () => {
  const { log, ArticleResource } = duende({});
  await errorOf(ArticleResource.get({ id: '1' }));
  expect(log()).toEqual(['GET /whoami 1', 'GET /article/1 null']);
});

test("with `on: 'all'` a missing token is fetched before whoami and before a GET", async () => {
  let held: string | undefined;
  const fetch = async () => {
    fetches++;
    held = '1';
    await Promise.resolve();
  };
  let fetches = 0;
  const { session, jar, log, ArticleResource } = duende({ read: () => held, fetch });
  jar.person = 'ada';
  session.subscribe(() => {});
  await ArticleResource.get({ id: '1' });
  held = undefined;
  await Promise.all([ArticleResource.get({ id: '1' }), ArticleResource.get({ id: '2' })]);
  // The token went, and no answer took it: the session checks who is signed in.
  expect(log()).toEqual([
    ...['GET /whoami 1', 'GET /article/1 1'],
    ...['GET /whoami 1', 'GET /article/1 1', 'GET /article/2 1'],
  ]);
  expect(fetches).toBe(2);
});

test.each([{}, { on: 'unsafe' as const }])(
  'with %o a GET and whoami carry no header, and no token is fetched for them',
  async csrf => {
    const { session, jar, fake, ArticleResource } = setupCookieSession({
      csrf: {
        header: 'X-CSRF',
        read: () => jar.csrf,
        fetch: () => Promise.reject(new Error('not asked for')),
        ...csrf,
      },
    });
    jar.person = 'ada';
    await ArticleResource.get({ id: '1' });
    jar.csrf = undefined;
    await ArticleResource.get({ id: '1' });
    expect(session.getSnapshot().status).toBe('authenticated');
    // The cookie went, and no answer took it: the session checks who is signed in.
    expect(fake.seen.map(({ path, headers }) => [path, headers.has('x-csrf')])).toEqual(
      ['/whoami', '/article/1', '/whoami', '/article/1'].map(path => [path, false]),
    );
  },
);

test.each([
  ['a login that is refused for its CSRF token costs one warning', {}, CSRF_FAILED, 1],
  ['none with the option `csrf`', { csrf: { cookie: 'csrftoken' } }, CSRF_FAILED, 0],
  ['none for another reason', {}, { detail: 'Your account is locked.' }, 0],
])('%s', async (_name, options, body, warnings) => {
  vi.resetModules();
  const { createCookieSession } = await import('../../src/entries/core.js');
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const refusal = () => Object.assign(new Error('403'), { response: json(body, 403) });
  const session = createCookieSession({
    server: true,
    login: () => Promise.reject(refusal()),
    whoami: async () => null as { id: string } | null,
    ...options,
  });
  await errorOf(session.login());
  await errorOf(session.login());
  await settle();
  expect(warn.mock.calls.flat()).toHaveLength(warnings);
  for (const text of warn.mock.calls.flat()) expect(text).toContain('the session has no option `csrf`');
  warn.mockRestore();
});

const REFUSED = { detail: 'CSRF Failed: CSRF token incorrect.' };

/** The browser has two cookies of one name, and the server reads the one with `good`. */
function setup(values: readonly string[], fetch: boolean) {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const guarded = (answer: () => Response) => (seen: Seen) => (csrfOf(seen) === 'good' ? answer() : json(REFUSED, 403));
  const name = `csrf-${values.join('-')}-${fetch}`;
  const made = setupCookieSession(
    {
      tabs: false,
      csrf: { cookie: name, header: 'X-CSRFToken', ...(fetch && { fetch: async () => {} }) },
    },
    {
      'POST /login': guarded(() => json({ id: 'ada' })),
      'GET /whoami': () => json({ id: 'ada' }),
      'PATCH /article/1': guarded(() => json({ id: '1' })),
    },
  );
  let cookies = values;
  vi.stubGlobal('document', {
    addEventListener: () => {},
    removeEventListener: () => {},
    get cookie() {
      return cookies.map(value => `${name}=${value}`).join('; ');
    },
  });
  return { ...made, warn, name, setCookies: (next: readonly string[]) => void (cookies = next) };
}

test.each([
  [['old', 'good'], true],
  [['good', 'old'], true],
  [['old', 'good'], false],
  [['good', 'old'], false],
])(
  'scenario 50: two CSRF cookies of one name (%s, with a fetch: %s): the login works, and so does a change',
  async (values, fetch) => {
    const { session, fake, ArticleResource, warn, name } = setup(values, fetch);
    await session.login({ name: 'ada' });
    await ArticleResource.partialUpdate({ id: '1' }, { title: 'x' });
    expect(fake.to('PATCH').map(csrfOf)).toEqual(['good']);
    const warned = warn.mock.calls.filter(([text]) => `${text}`.includes(`two cookies with the name \`${name}\``));
    expect(warned).toHaveLength(values[0] === 'old' ? 1 : 0);
  },
);

test.each([true, false])(
  'a second cookie that comes later: the change is sent once more with the other value (fetch: %s)',
  async fetch => {
    const { session, fake, ArticleResource, setCookies } = setup(['good'], fetch);
    await session.login({ name: 'ada' });
    setCookies(['late', 'good']);
    await ArticleResource.partialUpdate({ id: '1' }, { title: 'x' });
    expect(fake.to('PATCH').map(csrfOf)).toEqual(['late', 'good']);
  },
);

test('where the page may not read its cookies, the login rejects with a sentence', async () => {
  const { session } = setup([], false);
  vi.stubGlobal('document', {
    addEventListener: () => {},
    removeEventListener: () => {},
    get cookie(): string {
      throw new DOMException('The document is sandboxed.', 'SecurityError');
    },
  });
  expect(await errorOf(session.login({ name: 'ada' }))).toMatchObject({
    name: 'TypeError',
    message: expect.stringContaining('sandbox="allow-same-origin"') as string,
    cause: { name: 'SecurityError' },
  });
});

describe('on the way', () => {
  // Another page replaces the cookie while something of this page is on its way, and the page must find out whose cookie it is now.

  type Options = Partial<CookieSessionOptions<[{ name: string }], { id: string }>>;

  const answer = new RestEndpoint({ urlPrefix: API, path: '/step-up', method: 'POST' }) as never;

  /** Ada's page. */
  async function setupAda(options: Options = {}, routes: Record<string, Route> = {}) {
    const setup = setupCookieSession({ tabs: false, ...options }, routes);
    await settle();
    await setup.session.login({ name: 'ada' });
    setup.fake.clear();
    return {
      ...setup,
      requests: () =>
        setup.fake.seen.map(seen => [seen.method, seen.path, csrfOf(seen)].filter(part => part !== null).join(' ')),
      user: () => setup.session.getSnapshot().user?.id,
      /** Another page signs Grace in. */
      signGraceIn: () => {
        setup.jar.person = 'grace';
        setup.rotate('c2');
      },
    };
  }

  /** Ada's page. `onTheWay` runs when the first request to the API arrives, before the server answers it. */
  async function setup(onTheWay: () => void, options: Options = {}, refused = 1) {
    let arrived = 0;
    const made = await setupAda(options, {
      '*': async (seen: Seen) => {
        if (arrived === 0) onTheWay();
        // All of them arrive before one is answered.
        if (arrived++ >= refused) return made.data(seen);
        await settle();
        return seen.method === 'GET' ? json({}, 401) : json(REFUSED, 403);
      },
    });
    return made;
  }

  test('a change that is refused because another user’s CSRF cookie came on the way is not sent as that user', async () => {
    const { ArticleResource, jar, rotate, requests, as, user } = await setup(() => {
      jar.person = 'grace';
      rotate('c2');
    });
    const error = await errorOf(ArticleResource.partialUpdate({ id: '1' }, { title: 'Ada’s diary' }));
    expect(error).toBeInstanceOf(IdentityChangedError);
    expect(requests()).toEqual(['PATCH /article/1 c1', 'GET /whoami']);
    expect(as).toEqual([]);
    expect(user()).toBe('grace');
  });

  test('neither is one whose CSRF token is no cookie, and is fetched', async () => {
    let current = 'c1';
    const fetch = async () => void (current = 'c2');
    const { ArticleResource, jar, requests, as, user } = await setup(() => void (jar.person = 'grace'), {
      csrf: { read: () => current, header: 'X-CSRFToken', fetch },
    });
    const error = await errorOf(ArticleResource.partialUpdate({ id: '1' }, { title: 'Ada’s diary' }));
    expect(error).toBeInstanceOf(IdentityChangedError);
    expect(requests()).toEqual(['PATCH /article/1 c1', 'GET /whoami']);
    expect(as).toEqual([]);
    expect(user()).toBe('grace');
  });

  test('ten changes that are refused with the user’s own new token cost one whoami, and each is sent once more', async () => {
    const { ArticleResource, rotate, requests, as } = await setup(() => rotate('c2'), {}, 10);
    const ids = Array.from({ length: 10 }, (_, id) => `${id}`);
    const { reasons } = await outcomes(ids.map(id => ArticleResource.partialUpdate({ id }, { title: 'Mine' })));
    expect(reasons).toEqual([]);
    expect(requests()).toEqual([
      ...ids.map(id => `PATCH /article/${id} c1`),
      'GET /whoami',
      ...ids.map(id => `PATCH /article/${id} c2`),
    ]);
    expect(as.map(({ person }) => person)).toEqual(ids.map(() => 'ada'));
  });

  test('where whoami cannot be reached, the change is not sent again, and the user stays signed in', async () => {
    const { session, fake, ArticleResource, rotate, requests } = await setup(() => rotate('c2'));
    fake.routes['GET /whoami'] = () => json({}, 500);
    const error = await errorOf(ArticleResource.partialUpdate({ id: '1' }, { title: 'Mine' }));
    expect(error).toBeInstanceOf(RefreshUnavailableError);
    expect(requests()).toEqual(['PATCH /article/1 c1', 'GET /whoami']);
    expect(session.getSnapshot().status).toBe('authenticated');
  });

  test('an answer to a challenge that is refused because Grace has signed in on the way is not sent again, and neither is what waits for it', async () => {
    let answers = 0;
    const made = await setupAda(
      { extensions: [stepUp({ answer })] },
      {
        'POST /step-up': () => {
          if (answers++ > 0) return new Response(null, { status: 204 });
          made.signGraceIn();
          return json(REFUSED, 403);
        },
        'DELETE /article/1': seen => (answers > 0 ? made.data(seen) : refusal(401, NEEDS_LOGIN)),
      },
    );
    const deletion = errorOf(made.ArticleResource.delete({ id: '1' }));
    await settle();
    const answered = challengesOf(made.session).open().answer({ password: 'lovelace' });
    expect(await errorOf(answered)).toBeInstanceOf(IdentityChangedError);
    expect(await deletion).toBeInstanceOf(IdentityChangedError);
    expect(made.requests().filter(request => request !== 'GET /csrf')).toEqual([
      'DELETE /article/1 c1',
      'POST /step-up c1',
      'GET /whoami',
    ]);
    expect(made.user()).toBe('grace');
  });

  test.each<[string, (made: Awaited<ReturnType<typeof setupAda>>) => Promise<unknown>]>([
    ['a change', made => made.ArticleResource.partialUpdate({ id: '1' }, { title: 'Ada’s diary' })],
    ['an answer to a challenge', made => challengesOf(made.session).open().answer({ password: 'lovelace' })],
  ])('where the server changes the cookie itself, %s that is refused is not sent again as Grace', async (_, send) => {
    const refused = deferred();
    const held = deferred();
    const refuse: Route = async () => (await refused.promise, json(REFUSED, 403));
    const made = await setupAda(
      { extensions: [stepUp({ answer })] },
      {
        'GET /article/own': seen => made.data(seen),
        'GET /article/slow': seen => held.promise.then(() => made.data(seen)),
        'PATCH /article/1': refuse,
        'POST /step-up': refuse,
        'DELETE /article/1': () => refusal(401, NEEDS_LOGIN),
      },
    );
    made.rotateWith('GET /article/own', 'GET /whoami');
    await made.ArticleResource.get({ id: 'own' });
    await made.ArticleResource.get({ id: 'own' });
    const others = [made.ArticleResource.delete({ id: '1' }), made.ArticleResource.get({ id: 'slow' })];
    const settled = Promise.allSettled(others);
    await settle();
    made.fake.clear();
    const error = errorOf(send(made));
    await settle();
    made.signGraceIn();
    // It reads the cookie of Grace, and counts it as one that the server has changed.
    await made.ArticleResource.get({ id: '2' });
    await settle();
    refused.resolve();
    expect(await error).toBeInstanceOf(IdentityChangedError);
    expect(made.user()).toBe('grace');
    expect(made.requests().filter(request => /PATCH|step-up/.test(request))).toHaveLength(1);
    held.resolve();
    await settled;
  });

  test.each<[string, string[], (made: Awaited<ReturnType<typeof setupAda>>) => unknown]>([
    ['Ada signs out', ['POST /logout c1', 'GET /whoami'], ({ session }) => session.logout()],
    [
      'Ada’s page is idle',
      // An idle page does not hold the cookie, so it asks first.
      ['GET /whoami'],
      async ({ session, clock }) => {
        session.subscribe(() => {});
        startClock(session, clock, { idle: { after: 5 * MINUTE } });
        await clock.advance(5 * MINUTE);
        await settle();
      },
    ],
  ])('Grace, who has signed in on another page, stays signed in: %s', async (_, sent, leave) => {
    const made = await setupAda();
    made.signGraceIn();
    await leave(made);
    expect(made.session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: undefined });
    expect(made.requests()).toEqual(sent);
    expect(made.jar.person).toBe('grace');
  });

  test('a logout that is refused with a stale CSRF token is sent once more for the same user', async () => {
    const made = await setupAda();
    made.rotate('c2', false);
    await made.session.logout();
    expect(made.requests()).toEqual(['POST /logout c1', 'GET /whoami', 'GET /csrf', 'POST /logout c2']);
    expect(made.jar.person).toBeUndefined();
  });

  test.each([403, 419])(
    "with `on: 'all'`, a whoami whose CSRF token is refused with %i is sent once more, and signs nobody out",
    async status => {
      let [valid, token] = ['t1', 't1'];
      const made = await setupAda({
        csrf: { on: 'all', read: () => token, header: 'X-CSRFToken', fetch: async () => void (token = valid) },
      });
      const whoami = made.fake.routes['GET /whoami']!;
      made.fake.routes['GET /whoami'] = seen => (csrfOf(seen) === valid ? whoami(seen) : json(REFUSED, status));
      made.session.subscribe(() => {});
      await settle();
      made.fake.clear();
      valid = 't2';
      await made.clock.advance(10_000);
      made.focus();
      await settle();
      expect(made.requests()).toEqual(['GET /whoami t1', 'GET /whoami t2']);
      expect(made.user()).toBe('ada');
    },
  );
});
