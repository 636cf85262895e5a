import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  authEndpoint,
  createCookieSession,
  createSession,
  type CsrfOptions,
  IdentityChangedError,
  type Mechanism,
  RefreshUnavailableError,
  RestEndpoint,
} from '../../src/entries/core.js';
import { json, networkError, never } from './support/answers.js';
import { API, type Tokens } from './support/article.js';
import { functionServer } from './support/functionServer.js';
import { callLimitMs, drainMs } from './support/limits.js';
import { type ManualClock, settle } from './support/manualClock.js';
import { mockServer, type Seen } from './support/mockServer.js';
import { pageGate } from './support/pageGate.js';
import { userOf } from './support/people.js';
import { deferred, errorOf, isPending, outcomeOf, outcomes } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { setupTokenSession } from './support/setupTokenSession.js';
import { useWebkitJson } from './support/webkitJson.js';

const [ada, grace] = [{ name: 'ada' }, { name: 'grace' }];

async function setupAda(...[options, more]: Parameters<typeof setupCookieSession>) {
  const setup = setupCookieSession({ tabs: false, ...options }, more, functionServer);
  await setup.session.login(ada);
  setup.fake.clear();
  return { ...setup, user: () => setup.session.getSnapshot().user?.id };
}

/** An answer whose connection is lost after the headers, and after the browser took its cookies. */
function lostInBody(): Response {
  const body = new ReadableStream({ start: stream => stream.error(new TypeError('terminated')) });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}

const notJson = () => new Response('<p>Welcome', { headers: { 'content-type': 'application/json' } });

const FAILURES: Record<string, () => Response | Promise<Response>> = {
  'its body is not JSON': notJson,
  'a 500': () => json({}, 500),
  'a 502 of a proxy': () => new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } }),
  'a 404': () => json({}, 404),
  'the connection is lost': networkError,
  'the connection is lost in the body': lostInBody,
  'a redirect that is not followed': () => new Response(null, { status: 302, headers: { location: '/' } }),
};

const NO_CONTENT = () => new Response(null, { status: 204 });

test.each(Object.keys(FAILURES))(
  'a login that fails after its Set-Cookie: the user who has the cookie is signed in (%s)',
  async name => {
    const { session, fake, jar, as, whoamis, user, ArticleResource } = await setupAda();
    fake.routes['POST /login'] = () => {
      jar.person = 'grace';
      return FAILURES[name]!();
    };
    const login = session.login(grace);
    const request = errorOf(ArticleResource.delete({ id: '5' }));
    await expect(login).resolves.toEqual(userOf('grace'));
    expect(await request).toBeInstanceOf(IdentityChangedError);
    expect(user()).toBe('grace');
    expect(session.getSnapshot().error).toBeUndefined();
    expect(whoamis()).toBe(1);
    await ArticleResource.get({ id: '1' });
    expect(as.map(({ person }) => person)).toEqual(['grace']);
  },
);

test.each([400, 401, 403, 409, 422, 429])(
  'a login that the server refuses with %s asks nothing and changes nothing',
  async status => {
    for (const body of [
      json({ detail: 'no' }, status),
      new Response('<p>no', { status }),
      new Response(lostInBody().body, { status }),
    ]) {
      const { session, fake, as, user, ArticleResource } = await setupAda();
      fake.routes['POST /login'] = () => body;
      const before = session.getSnapshot();
      const login = errorOf(session.login(grace));
      const request = ArticleResource.delete({ id: '5' });
      const error = await login;
      expect(error).toMatchObject({ status });
      await request;
      expect(session.getSnapshot()).toEqual({ ...before, error });
      expect(user()).toBe('ada');
      expect(fake.seen.map(({ path }) => path)).toEqual(['/login', '/article/5']);
      expect(as.map(({ person }) => person)).toEqual(['ada']);
    }
  },
);

test('a login page that redirects after the sign-in resolves login() with the user of whoami', async () => {
  const { session, fake, jar, whoamis } = setupCookieSession({ tabs: false });
  const user = () => session.getSnapshot().user?.id;
  fake.routes['POST /login'] = () => {
    jar.person = 'ada';
    return new Response(null, { status: 302, headers: { location: '/accounts/profile/' } });
  };
  await expect(session.login(ada)).resolves.toEqual(userOf('ada'));
  // The same user once more.
  await expect(session.login(ada)).resolves.toEqual(userOf('ada'));
  expect(whoamis()).toBe(2);
  expect(user()).toBe('ada');
  expect(session.getSnapshot().epoch).toBe(1);
});

test.each(['a SyntaxError', 'a DOMException, as WebKit rejects with'])(
  'a login of the same user that is answered with no JSON (%s) resolves with the user of whoami',
  async kind => {
    if (kind !== 'a SyntaxError') useWebkitJson();
    const { session, fake, whoamis } = await setupAda();
    fake.routes['POST /login'] = notJson;
    await expect(session.login(ada)).resolves.toEqual(userOf('ada'));
    expect(whoamis()).toBe(1);
  },
);

interface Sent {
  /** When the browser attaches the cookie, and when the answer arrives, in milliseconds. */
  readonly attachAfter: number;
  readonly answerAfter: number;
  readonly renews: boolean;
}

const sent: fc.Arbitrary<Sent> = fc.record({
  attachAfter: fc.integer({ min: 1, max: 8_000 }),
  answerAfter: fc.nat(8_000),
  renews: fc.boolean(),
});

/** A data route that attaches the cookie when its preflight is answered, and whose answer may renew the cookie. */
function slowRoute({ clock, jar, data }: Awaited<ReturnType<typeof setupAda>>, requests: readonly Sent[]) {
  const pass = (ms: number) => new Promise<void>(resolve => void clock.setTimeout(resolve, ms));
  return async (seen: Seen) => {
    const { attachAfter, answerAfter, renews } = requests[Number(seen.path.split('/').pop())]!;
    await pass(attachAfter);
    // The browser has called the request off.
    if (seen.signal.aborted) return never();
    const { person } = jar;
    const answer = data(seen);
    await pass(answerAfter);
    if (!seen.signal.aborted && renews) jar.person = person;
    return answer;
  };
}

/** What a timer takes while the clock goes on by 250 ms at a time. One of 0 ms runs in the next step, too. */
const takenBy = (ms: number) => Math.ceil(Math.max(ms, 1) / 250) * 250;

test.each([
  ['tells the user', (): Response => json({ id: 'grace' })],
  ['is a 204, followed by whoami', NO_CONTENT],
])(
  'whatever of Ada’s is on its way when Grace signs in, it never goes with Grace’s cookie and never brings Ada’s back: the answer %s',
  async (_name, answer) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(sent, { maxLength: 6 }),
        fc.array(sent, { maxLength: 3 }),
        fc.nat(3_000),
        async (before, during, loginTakes) => {
          const setup = await setupAda();
          const { session, fake, jar, as, clock, rotate, user, ArticleResource } = setup;
          fake.routes['*'] = slowRoute(setup, [...before, ...during]);
          const put = (id: number) => ArticleResource.update({ id: String(id) }, { title: 'x' });
          const sentBefore = before.map((_, id) => put(id));
          const settledBefore = Promise.allSettled(sentBefore);
          await settle();
          let loginAt = -1;
          fake.routes['POST /login'] = async () => {
            loginAt = clock.now();
            rotate('grace');
            jar.person = 'grace';
            await new Promise<void>(resolve => void clock.setTimeout(resolve, loginTakes));
            return answer();
          };
          const startedAt = clock.now();
          const login = session.login(grace);
          const settledDuring = outcomes(during.map((_, index) => put(before.length + index)));
          await settle();
          for (let passed = 0; passed < 20_000; passed += 250) await clock.advance(250);
          await login;
          // It waits no longer than it must, and for the limit at most.
          const longest = Math.max(
            0,
            ...before.map(({ attachAfter, answerAfter }) => takenBy(attachAfter) + takenBy(answerAfter)),
          );
          expect(loginAt - startedAt).toBeLessThanOrEqual(longest < drainMs ? longest : drainMs + 250);
          expect(as.filter(({ person }) => person !== 'ada')).toEqual([]);
          expect(jar.person).toBe('grace');
          expect(user()).toBe('grace');
          const inTime = (await settledBefore).map(({ status }) => status);
          expect(inTime).toEqual(
            before.map(({ attachAfter, answerAfter }) =>
              takenBy(attachAfter) + takenBy(answerAfter) < drainMs ? 'fulfilled' : expect.anything(),
            ),
          );
          const { resolved, reasons } = await settledDuring;
          expect(resolved).toBe(0);
          for (const reason of reasons)
            if (!(reason instanceof RefreshUnavailableError)) expect(reason).toBeInstanceOf(IdentityChangedError);
          expect(fake.to('PUT').length).toBe(before.length);
        },
      ),
      { numRuns: 40 },
    );
  },
);

test('a login waits for a whoami that is on its way: its answer would bring the old cookie back', async () => {
  const setup = await setupAda();
  const { session, fake, jar, clock, focus, user } = setup;
  const held = deferred();
  session.subscribe(() => {});
  fake.routes['GET /whoami'] = async () => {
    const { person } = jar;
    await held.promise;
    jar.person = person;
    return json({ id: person });
  };
  await clock.advance(60_000);
  focus();
  await settle();
  const login = session.login(grace);
  await settle();
  expect(fake.count('/login')).toBe(0);
  held.resolve();
  await login;
  expect(jar.person).toBe('grace');
  expect(user()).toBe('grace');
});

type Start = (setup: Awaited<ReturnType<typeof setupAda>>) => Promise<unknown>;

/** What sends a call of the session's own, with the cookie. */
const OWN_CALLS: Record<string, [path: string, start: Start]> = {
  'refresh()': ['GET /csrf', ({ session }) => session.refresh()],
  'a request without a CSRF token': [
    'GET /csrf',
    ({ jar, ArticleResource }) => ((jar.csrf = undefined), ArticleResource.update({ id: '1' }, { title: 'x' })),
  ],
  'the focus of the page': ['GET /whoami', async ({ focus }) => focus()],
};

describe.each(Object.entries(OWN_CALLS))('%s while a login is under way', (_name, [path, start]) => {
  /** Ada's page, with an answer to the call that renews the cookie with which it was sent, later than a login is answered. */
  async function setupRenewal(onLogin: (setup: LateSetup) => Promise<Response>) {
    const setup = await setupAda();
    const { session, fake, jar, clock } = setup;
    const answered = deferred();
    const [csrf, renewed] = [jar.csrf, deferred()];
    session.subscribe(() => {});
    await clock.advance(60_000);
    await settle();
    fake.clear();
    fake.routes[path] = async ({ signal }) => {
      const { person } = jar;
      await renewed.promise;
      Object.assign(jar, { csrf }, signal.aborted ? {} : { person });
      return json({ id: person });
    };
    fake.routes['POST /login'] = () => answered.promise.then(() => onLogin(setup));
    return { ...setup, answered, renewed };
  }

  test('waits for it, and never brings the old cookie back', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(40), fc.boolean(), async (hops, isFirst) => {
        const exchanged = deferred();
        const setup = await setupRenewal(async ({ jar }) => {
          jar.person = 'grace';
          await exchanged.promise;
          return json({ id: 'grace' });
        });
        const { session, fake, jar, as, answered, renewed, user, ArticleResource } = setup;
        const calls = [() => session.login(grace), () => start(setup).catch(() => {})];
        const [first, second] = (isFirst ? calls.reverse() : calls).map(call => call) as [
          () => Promise<unknown>,
          () => Promise<unknown>,
        ];
        const started = [first()];
        for (let hop = 0; hop < hops; hop++) await Promise.resolve();
        started.push(second());
        answered.resolve();
        await settle();
        // Never both at once: either the login waits, or the call does.
        expect([fake.count('/login'), fake.count(path)].sort()).toEqual([0, 1]);
        if (fake.count('/login') === 0) renewed.resolve();
        await settle();
        exchanged.resolve();
        await settle();
        renewed.resolve();
        await Promise.all(started);
        await ArticleResource.get({ id: '1' });
        expect([user(), jar.person]).toEqual(['grace', 'grace']);
        expect(as.map(({ person }) => person)).toEqual(['grace']);
      }),
    ));

  test('is not sent when the login takes longer than the session waits for it', async () => {
    const setup = await setupRenewal(async () => json({ id: 'grace' }));
    const { session, fake, clock, answered, user } = setup;
    const login = session.login(grace);
    await settle();
    const call = start(setup).catch(error => expect(error).toBeInstanceOf(RefreshUnavailableError));
    await settle();
    await clock.advance(10_000);
    await call;
    await settle();
    expect([fake.count('/login'), fake.count(path)]).toEqual([1, 0]);
    answered.resolve();
    await login;
    expect(user()).toBe('grace');
  });
});

/** Has an answer renew the cookie that the request went with, a minute later, unless the browser has called the request off. */
function answersLate({ jar, clock }: Pick<LateSetup, 'jar' | 'clock'>, answer: () => Response) {
  return async ({ signal }: Seen) => {
    const { person } = jar;
    await new Promise<void>(resolve => void clock.setTimeout(resolve, 60_000));
    if (signal.aborted) return never();
    jar.person = person;
    return answer();
  };
}

type LateSetup = Awaited<ReturnType<typeof setupAda>>;

test.each<[string, number, string, Pick<CsrfOptions, 'on'>, (setup: LateSetup) => unknown]>([
  [
    'whoami of a focused page',
    drainMs / 1000,
    'GET /whoami',
    {},
    ({ session, clock, focus }) => (session.subscribe(() => {}), clock.advance(60_000).then(focus)),
  ],
  // The logins wait for each other.
  [
    'whoami of a failed login',
    callLimitMs / 1000,
    'GET /whoami',
    {},
    ({ session, fake }) => {
      const { 'POST /login': sound } = fake.routes;
      fake.routes['POST /login'] = () => ((fake.routes['POST /login'] = sound!), json({}, 500));
      void session.login(ada).catch(() => {});
    },
  ],
  [
    'fetch of a CSRF token that was refused',
    drainMs / 1000,
    'GET /csrf',
    {},
    ({ rotate, ArticleResource }) => {
      rotate('c2', false);
      void ArticleResource.update({ id: '1' }, { title: 'x' }).catch(() => {});
    },
  ],
  [
    'fetch of a CSRF token that a check needs',
    drainMs / 1000,
    'GET /csrf',
    { on: 'all' },
    ({ session, jar, clock, focus }) => {
      session.subscribe(() => {});
      jar.csrf = undefined;
      return clock.advance(60_000).then(focus);
    },
  ],
])(
  'a login calls off a hanging %s after %i seconds, and its answer never brings the old cookie back',
  async (_name, seconds, path, csrf, start) => {
    const options = { cookie: 'csrftoken', header: 'X-CSRFToken', ...csrf };
    const fetch = new RestEndpoint({ urlPrefix: 'https://api.example.com', path: '/csrf', method: 'GET' });
    const setup = await setupAda({ csrf: { ...options, fetch: fetch as never } });
    const { session, fake, jar, clock, user } = setup;
    const { [path]: sound } = fake.routes;
    fake.routes[path] = answersLate(setup, () => json({ id: 'ada' }));
    await start(setup);
    await settle();
    const [hanging] = fake.to(path);
    expect(hanging?.signal.aborted).toBe(false);
    const logins = fake.count('/login');
    const login = session.login(grace);
    await settle();
    await clock.advance(seconds * 1000 - 1);
    expect([fake.count('/login') - logins, hanging!.signal.aborted]).toEqual([0, false]);
    fake.routes[path] = sound!;
    await clock.advance(1);
    // An aborted request may still change the cookie for a moment.
    await clock.advance(100);
    await login;
    expect(hanging!.signal.aborted).toBe(true);
    await clock.advance(60_000);
    expect(jar.person).toBe('grace');
    expect(user()).toBe('grace');
  },
);

test('a hanging check of a mechanism of your own is called off as well, where the browser keeps the credential', async () => {
  const { clock, fake } = setupCookieSession({}, { 'GET /who': never });
  const who = new RestEndpoint({ urlPrefix: 'https://api.example.com', path: '/who', method: 'GET' });
  const mechanism: Mechanism<string, unknown> = {
    restore: (signal: AbortSignal) => who.extend({ signal })() as Promise<never>,
    login: async () => ({ credential: 'cookie', subject: 'grace' }),
    attach: ({ init }) => init,
  };
  for (const gate of [pageGate(clock), undefined]) {
    fake.clear();
    const session = createSession({ ...mechanism, gate }, { clock, server: true });
    session.subscribe(() => {});
    await settle();
    const login = session.login();
    await settle();
    await clock.advance(drainMs);
    await clock.advance(100);
    await login;
    expect(fake.seen.map(({ signal }) => signal.aborted)).toEqual([gate !== undefined]);
  }
});

test('a request that is about to be sent in the tick of the login is not sent with the next user’s cookie', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(40), async hops => {
      const { session, fake, jar, as, data, ArticleResource } = await setupAda();
      const answered = deferred();
      let isExchanged = false;
      fake.routes['DELETE /article/5'] = async seen => {
        // The preflight.
        await new Promise(resolve => setImmediate(resolve));
        return seen.signal.aborted ? never() : data(seen);
      };
      fake.routes['POST /login'] = async () => {
        isExchanged = true;
        jar.person = 'grace';
        await answered.promise;
        return json({ id: 'grace' });
      };
      const request = ArticleResource.delete({ id: '5' }).catch(() => {});
      for (let hop = 0; hop < hops; hop++) await Promise.resolve();
      const login = session.login(grace);
      await settle();
      expect(isExchanged).toBe(true);
      answered.resolve();
      await login;
      await request;
      expect(as.filter(({ person }) => person === 'grace')).toEqual([]);
    }),
  );
});

/** Ada's login is on its way when the session is disposed of, and Grace signs in. */
function setupGivenUpLogin(answer: () => Response) {
  const setup = setupCookieSession({ tabs: false });
  const { session, fake, jar } = setup;
  const answered = deferred();
  const sound = fake.routes['POST /login']!;
  fake.routes['POST /login'] = async () => {
    await answered.promise;
    jar.person = 'ada';
    return answer();
  };
  const givenUp = errorOf(session.login(ada));
  const signInGrace = async () => {
    await settle();
    session.dispose();
    fake.routes['POST /login'] = sound;
    return session.login(grace);
  };
  return { ...setup, answered, givenUp, login: signInGrace(), user: () => session.getSnapshot().user?.id };
}

test.each([
  ['is answered', () => json({ id: 'ada' })],
  ['fails after its Set-Cookie', () => json({}, 500)],
])(
  'a login that was given up settles before the next one is sent: its cookie may still come (%s)',
  async (_, answer) => {
    const { fake, jar, as, ArticleResource, answered, givenUp, login } = setupGivenUpLogin(answer);
    await settle();
    expect(fake.count('POST /login')).toBe(1);
    answered.resolve();
    await login;
    expect(await givenUp).toBeInstanceOf(IdentityChangedError);
    await ArticleResource.get({ id: '1' });
    expect([jar.person, ...as.map(({ person }) => person)]).toEqual(['grace', 'grace']);
  },
);

describe('outcomes', () => {
  afterEach(() => void vi.useRealTimers());

  const ada = { name: 'ada' };

  /** Ada is signed in by a cookie; her next login fails like this. */
  async function failingLogin(failure: () => Promise<never>) {
    let fails = false;
    const setup = setupCookieSession({
      tabs: false,
      trustedOrigins: [API],
      login: async () => (fails ? failure() : ((setup.jar.person = 'ada'), { id: 'ada' })),
    });
    await setup.session.login(ada);
    fails = true;
    setup.fake.clear();
    const outcome = await setup.session.login(ada).then(
      user => user,
      (error: unknown) => error,
    );
    return { ...setup, outcome };
  }

  const withResponse = (status: number) =>
    Object.assign(new Error('refused'), { response: { status, ok: status < 300 } });

  describe('a cookie login that fails', () => {
    test('with a clear refusal, also one that a client of the app’s own words: nothing is checked', async () => {
      const { whoamis, outcome, status } = await failingLogin(() => Promise.reject(withResponse(401)));
      expect(outcome).toMatchObject({ message: 'refused' });
      expect(whoamis()).toBe(0);
      expect(status()).toBe('authenticated');
    });

    test('before anything was sent: nothing is checked', async () => {
      const elsewhere = new RestEndpoint({
        urlPrefix: 'https://evil.test',
        path: '/login/:realm',
        method: 'POST',
      }) as unknown as (params: object, body: object) => Promise<never>;
      for (const realm of ['', 'main']) {
        const { whoamis, outcome, status } = await failingLogin(() => elsewhere({ realm }, ada));
        expect(outcome).toMatchObject({ name: realm ? 'UntrustedOriginError' : 'MissingParamError' });
        expect(whoamis()).toBe(0);
        expect(status()).toBe('authenticated');
      }
    });

    test('and may have been taken: the user of before proves nothing, so the caller gets the error', async () => {
      const { whoamis, outcome, status } = await failingLogin(() => Promise.reject(withResponse(502)));
      expect(outcome).toMatchObject({ message: 'refused' });
      expect(whoamis()).toBe(1);
      expect(status()).toBe('authenticated');
    });

    test('after a logout that the server has not confirmed: the user who has left is not signed in again', async () => {
      const { session, fake, jar } = setupCookieSession({ tabs: false });
      await session.login(ada);
      fake.routes['POST /logout'] = fake.routes['POST /login'] = () => json({}, 503);
      await errorOf(session.logout());
      expect(await errorOf(session.login({ name: 'grace' }))).toMatchObject({ status: 503 });
      expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: 'logout' });
      expect(jar.person).toBe('ada');
    });

    test('and leaves no cookie of the user of before: their session has ended elsewhere', async () => {
      const { session, fake, jar } = setupCookieSession({ tabs: false });
      await session.login(ada);
      fake.routes['POST /login'] = () => ((jar.person = undefined), json({}, 500));
      await errorOf(session.login({ name: 'grace' }));
      expect(session.getSnapshot()).toMatchObject({
        status: 'anonymous',
        reason: 'expired',
        user: undefined,
      });
    });
  });

  test.each(['down', null, undefined])(
    'a whoami that throws %o after a login: the caller gets that very value',
    async thrown => {
      const session = createCookieSession({
        server: true,
        login: async () => undefined,
        whoami: () => Promise.reject(thrown as unknown as Error),
      });
      expect(
        await session.login().then(
          () => 'resolved',
          (error: unknown) => ({ error }),
        ),
      ).toEqual({ error: thrown });
      expect(session.getSnapshot().error).toMatchObject({
        message: expect.stringContaining('threw something that is not an Error.') as string,
        cause: thrown,
      });
    },
  );

  test.each([
    ['some seconds', undefined, drainMs],
    ['the timeout, where that is shorter', 3_000, 3_000],
    ['no longer than that', 20_000, 20_000],
  ])('a cookie login waits for requests on their way for %s, then calls them off', async (_name, timeoutMs, ms) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    mockServer({ '*': never });
    let logins = 0;
    const login = async () => ({ credential: 'cookie', subject: logins++ === 0 ? 'ada' : 'grace' });
    const session = createSession(
      { gate: pageGate(undefined, timeoutMs), timeout: timeoutMs, login, attach: ({ init }) => init },
      { server: true },
    );
    await session.login();
    const request = errorOf(
      (new (authEndpoint(session))({ urlPrefix: API, path: '/article' }) as unknown as () => Promise<unknown>)(),
    );
    await settle();
    const next = session.login();
    await vi.advanceTimersByTimeAsync(ms - 1);
    await settle();
    expect(logins).toBe(1);
    // An answer of an aborted request may still set its cookie for a moment.
    await vi.advanceTimersByTimeAsync(101);
    await next;
    expect(logins).toBe(2);
    expect(await request).toMatchObject({ name: 'AbortError' });
  });
});

describe('no answer', () => {
  // Calls of the session itself that get no answer, or one that comes too late: counted at the server.

  async function passSeconds(clock: ManualClock, seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed++) await clock.advance(1_000);
  }

  async function setupAda() {
    const made = setupCookieSession();
    made.session.subscribe(() => {});
    await settle();
    await made.session.login({ name: 'ada' });
    return made;
  }

  describe('scenario 44: a cookie’s writer that gets no answer', () => {
    test.each(['POST /login', 'GET /whoami'])(
      '%s: after its limit the next login works, and reads answer',
      async route => {
        const made = await setupAda();
        const { routes } = made.fake;
        const { [route]: answer, 'POST /login': login } = routes;
        // It names nobody, so whoami decides.
        routes['POST /login'] = async seen => {
          await login!(seen);
          return new Response(null, { status: 204 });
        };
        routes[route] = never;
        const waiting = [made.session.login({ name: 'grace' }), made.ArticleResource.get({ id: '1' })].map(outcomeOf);
        await passSeconds(made.clock, 120);
        expect(await isPending(Promise.all(waiting))).toBe(false);
        expect(await Promise.all(waiting)).not.toContain('done');
        routes[route] = answer!;
        routes['POST /login'] = login!;
        await made.session.login({ name: 'grace' });
        await made.ArticleResource.get({ id: '1' });
        expect(made.as).toMatchObject([{ person: 'grace' }]);
      },
    );
  });

  describe('scenario 45', () => {
    test('a logout without an answer is aborted before the next user’s login is sent', async () => {
      const made = await setupAda();
      const sent = deferred<AbortSignal>();
      const { routes } = made.fake;
      const { 'POST /login': login } = routes;
      routes['POST /logout'] = seen => {
        sent.resolve(seen.signal);
        return never();
      };
      const wasAborted: boolean[] = [];
      routes['POST /login'] = async seen => {
        wasAborted.push((await sent.promise).aborted);
        return login!(seen);
      };
      const logout = outcomeOf(made.session.logout());
      const next = outcomeOf(made.session.login({ name: 'grace' }));
      await passSeconds(made.clock, 60);
      expect([await logout, await next, made.jar.person]).toEqual(['TimeoutError', 'done', 'grace']);
      expect(wasAborted).toEqual([true]);
    });
  });

  describe('scenario 47: a refresh that waits for a call of its own session', () => {
    test.each<[string, (app: ReturnType<typeof setupTokenSession>) => Promise<unknown>]>([
      ['session.fetch', app => app.session.fetch(`${API}/me`)],
      ['session.refresh', app => app.session.refresh()],
      ['session.getToken', app => app.session.getToken()],
      ['session.reload', app => app.session.reload()],
    ])('%s: the new tokens are kept, and nobody is signed out', async (_name, call) => {
      const send = new RestEndpoint({ urlPrefix: API, path: '/refresh', method: 'POST' });
      const app: ReturnType<typeof setupTokenSession> = setupTokenSession({
        trustedOrigins: [API],
        refresh: async ({ refreshToken }) => {
          const tokens = (await send({ refreshToken })) as Tokens;
          await call(app).catch(() => {});
          return tokens;
        },
      });
      await app.session.login({ name: 'ada' });
      app.expire();
      const waiting = outcomes(app.burst(3));
      await passSeconds(app.clock, 40);
      await waiting;
      const later = outcomes(app.burst(3));
      await passSeconds(app.clock, 40);
      expect([(await later).resolved, app.server.count('POST /refresh'), app.status()]).toEqual([
        3,
        1,
        'authenticated',
      ]);
    });
  });
});
