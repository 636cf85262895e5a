import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  authEndpoint,
  createCookieSession,
  createSdkSession,
  IdentityChangedError,
  resource,
  RestEndpoint,
} from '../../src/entries/core.js';
import { type AuthChallenge, stepUp, type StepUpOptions } from '../../src/entries/step-up.js';
import { createContextSession } from '../../src/mechanisms/context.js';
import type { GetTokenOptions } from '../../src/mechanisms/SdkSessionOptions.js';
import { json } from './support/answers.js';
import { API, Article, tokenOf } from './support/article.js';
import { calls, lateLogout } from './support/limits.js';
import { manualClock, settle } from './support/manualClock.js';
import { mockServer, type Route, type Seen } from './support/mockServer.js';
import { deferred, errorOf, isPending } from './support/promises.js';
import { csrfOf, setupCookieSession } from './support/setupCookieSession.js';
import { setupTabs } from './support/setupTabs.js';
import { setupTokenSession } from './support/setupTokenSession.js';
import { challengesOf, NEEDS_LOGIN, refusal } from './support/stepUpServer.js';

const answer = new RestEndpoint({ urlPrefix: API, path: '/step-up', method: 'POST' }) as never;

describe('the second factor of a login', () => {
  const needsCode = (result: { mfaToken?: string }): AuthChallenge | undefined =>
    result.mfaToken === undefined ? undefined : { kind: 'mfa', details: result.mfaToken };

  /** A server that wants a code after the password. */
  function setup(options: Partial<StepUpOptions> = {}, more: Record<string, Route> = {}) {
    const made = setupTokenSession(
      {
        extensions: [
          stepUp({
            answer: (values, { details }) => send({ ...values, mfaToken: details }) as Promise<unknown>,
            readLoginResult: needsCode,
            ...options,
          }),
        ],
      },
      {
        'POST /login': seen => json({ mfaToken: `of ${(JSON.parse(seen.body) as { username: string }).username}` }),
        'POST /mfa': seen => {
          const { code, mfaToken } = JSON.parse(seen.body) as { code: string; mfaToken: string };
          return code === '1' ? json(made.auth.signIn(mfaToken.slice(3))) : json({ message: 'Wrong.' }, 401);
        },
        ...more,
      },
    );
    const send = new RestEndpoint({ urlPrefix: API, path: '/mfa', method: 'POST' });
    return { ...made, ...challengesOf(made.session) };
  }

  test('asks before anybody is signed in; a wrong code keeps the challenge; the right one signs in', async () => {
    const { session, open, isOpen, server, status } = setup();
    const login = session.login({ name: 'ada' });
    await settle();
    expect(open().challenge).toEqual({ kind: 'mfa', details: 'of ada', isLogin: true });
    expect(status()).toBe('anonymous');
    await errorOf(open().answer({ code: '0' }));
    expect(open().error).toMatchObject({ status: 401 });
    expect(await isPending(login)).toBe(true);
    await open().answer({ code: '1' });
    expect(await login).toMatchObject({ id: 'ada' });
    expect([isOpen(), status()]).toEqual([false, 'authenticated']);
    expect(server.seen.map(({ path }) => path)).toEqual(['/login', '/mfa', '/mfa']);
    expect(server.to('/mfa').map(tokenOf)).toEqual([null, null]);
  });

  test('a refused login whose response is a challenge asks too, any other rejects as ever', async () => {
    const readChallenge: StepUpOptions['readChallenge'] = async response => {
      const { mfaToken } = (await response.json()) as { mfaToken?: string };
      return mfaToken === undefined ? undefined : { kind: 'mfa', details: mfaToken };
    };
    const refused = vi.fn<() => Response>();
    const { session, open, isOpen } = setup({ readChallenge }, { 'POST /login': refused });
    refused.mockReturnValueOnce(json({ message: 'Wrong password.' }, 401));
    expect(await errorOf(session.login({ name: 'ada' }))).toMatchObject({ status: 401 });
    expect(isOpen()).toBe(false);
    refused.mockReturnValueOnce(json({ mfaToken: 'of ada' }, 403));
    const login = session.login({ name: 'ada' });
    await settle();
    await open().answer({ code: '1' });
    expect(await login).toMatchObject({ id: 'ada' });
  });

  test('without `readLoginResult`, a refused login that asks for more asks as well', async () => {
    const { session, open } = setup(
      { readLoginResult: undefined },
      {
        'POST /login': () => refusal(401, NEEDS_LOGIN),
        'POST /mfa': () => json({ accessToken: 'ada-1', user: { id: 'ada' } }),
      },
    );
    const login = session.login({ name: 'ada' });
    await settle();
    expect(open().challenge).toMatchObject({ kind: 'insufficient_user_authentication', isLogin: true });
    await open().answer({ code: '1' });
    expect(await login).toMatchObject({ id: 'ada' });
  });
});

describe('a cookie session', () => {
  async function setup(routes: Record<string, Route> = {}, tabs: string | false = false) {
    let isOpen = false;
    const made = setupCookieSession(
      { tabs, extensions: [stepUp({ answer })] },
      {
        'POST /step-up': seen => {
          if (csrfOf(seen) !== made.jar.csrf) return json({ message: 'CSRF token mismatch.' }, 419);
          isOpen = true;
          made.rotate('c9');
          return json({ id: 'ignored' });
        },
        'DELETE /article/1': seen => (isOpen ? made.data(seen) : refusal(401, NEEDS_LOGIN)),
        ...routes,
      },
    );
    onTestFinished(() => made.session.dispose());
    made.jar.person = 'ada';
    made.session.subscribe(() => {});
    await made.session.ready();
    made.fake.clear();
    return { ...made, ...challengesOf(made.session), unlock: () => (isOpen = true) };
  }

  test('sends the answer with cookie and CSRF token; the cookie that it renews is the same user’s, as whoami says', async () => {
    const { ArticleResource, open, fake, whoamis, status } = await setup();
    const deletion = ArticleResource.delete({ id: '1' });
    await settle();
    await open().answer({ code: '1' });
    await deletion;
    expect(fake.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'DELETE /article/1',
      'POST /step-up',
      'GET /whoami',
      'DELETE /article/1',
    ]);
    expect(fake.to('POST /step-up')[0]).toMatchObject({ credentials: 'include', redirect: 'manual' });
    expect(fake.seen.map(csrfOf)).toEqual(['c1', 'c1', null, 'c9']);
    expect([whoamis(), status()]).toEqual([1, 'authenticated']);
  });

  test.each<[string, (made: Awaited<ReturnType<typeof setup>>) => void]>([
    ['the page was focused after a while', ({ focus }) => focus()],
    ['the CSRF cookie is another one', ({ rotate }) => rotate('c-grace')],
  ])('an answer waits for the check that is due, and is not sent as the next user: %s', async (_, notice) => {
    const made = await setup();
    const deletion = made.ArticleResource.delete({ id: '1' }).catch((error: unknown) => error);
    await settle();
    await made.clock.advance(10_000);
    made.fake.clear();
    made.jar.person = 'grace';
    notice(made);
    expect(await errorOf(made.open().answer({ code: '1' }))).toBeInstanceOf(IdentityChangedError);
    expect(await deletion).toBeInstanceOf(IdentityChangedError);
    expect([made.fake.count('POST /step-up'), made.whoamis()]).toEqual([0, 1]);
  });

  describe('in two tabs', () => {
    afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

    /** Ada in two tabs: each deletion is refused until a user has answered, or as long as `refuses` says. */
    async function setupTwo(stepUpRoute?: Route, refuses = (id: string, isOpen: boolean) => id !== '' && !isOpen) {
      const { browser, server } = setupTabs();
      let isOpen = false;
      Object.assign(server.routes, {
        'GET /whoami': () => json({ id: 'ada' }),
        'POST /step-up': (seen: Seen) => {
          isOpen ||= !stepUpRoute || seen.body.includes('"1"');
          return isOpen && !seen.body.includes('"0"') ? new Response(null, { status: 204 }) : stepUpRoute!(seen);
        },
        '*': ({ path }: Seen) =>
          refuses(path.split('/').pop()!, isOpen) ? refusal(401, NEEDS_LOGIN) : json({ id: path.split('/').pop() }),
      });
      const own = (path: string, method: string) => new RestEndpoint({ urlPrefix: API, path, method }) as never;
      const tabs = ['1', '2'].map(id => {
        const tab = browser.openTab();
        const session = createCookieSession({
          server: true,
          login: own('/login', 'POST'),
          whoami: own('/whoami', 'GET'),
          clock: tab.clock,
          extensions: [stepUp({ answer })],
        });
        tab.run(() => session.subscribe(() => {}));
        const Endpoint = authEndpoint(session);
        const articles = resource({ urlPrefix: API, path: '/article/:id', schema: Article, Endpoint });
        const { open, isOpen: isAsked } = challengesOf(session);
        return {
          open,
          isAsked,
          remove: () => tab.run(() => articles.delete({ id })),
          answer: (code: string) => tab.run(() => open().answer({ code })),
        };
      });
      await browser.pass(100);
      const deletions = tabs.map(({ remove }) => remove());
      await browser.pass(100);
      return { browser, server, first: tabs[0]!, second: tabs[1]!, deletions };
    }

    test('an answer in one sends what waits in the other again, once, and closes its challenge', async () => {
      const { browser, server, first, second, deletions } = await setupTwo();
      expect(second.isAsked()).toBe(true);
      void first.answer('1');
      await browser.pass(300);
      await Promise.all(deletions);
      expect([second.isAsked(), server.count('DELETE'), server.count('POST /step-up')]).toEqual([false, 4, 1]);
    });
  });
});

describe('an SDK', () => {
  const jwt = (sub: string, acr: string) => `h.${btoa(JSON.stringify({ sub, acr }))}.s`;

  function setup(ask: (options: GetTokenOptions) => Promise<string> = async () => jwt('ada', 'gold')) {
    let acr = 'silver';
    const clock = manualClock();
    const getToken = vi.fn(async (options: GetTokenOptions) => {
      if (!options.challenge) return jwt('ada', acr);
      const token = await ask(options);
      acr = 'gold';
      return token;
    });
    const server = mockServer({
      '*': seen => (tokenOf(seen) === jwt('ada', 'gold') ? json({ id: '1' }) : refusal(401, NEEDS_LOGIN)),
    });
    vi.stubGlobal('window', globalThis);
    const session = createSdkSession({ getToken, subject: () => 'ada', clock, extensions: [stepUp()] });
    const { get } = resource({
      urlPrefix: API,
      path: '/article/:id',
      schema: Article,
      Endpoint: authEndpoint(session),
    });
    return { getToken, server, session, get, ...challengesOf(session) };
  }

  test('is asked for a token that answers the challenge, without another option', async () => {
    const { getToken, server, get, open } = setup();
    const read = get({ id: '1' });
    await settle();
    const { challenge, answer } = open();
    await answer();
    await read;
    expect(getToken.mock.calls.filter(([{ challenge }]) => challenge)).toEqual([[{ forceRefresh: true, challenge }]]);
    expect(challenge.acrValues).toEqual(['gold', 'silver']);
    expect(server.seen.map(tokenOf)).toEqual([jwt('ada', 'silver'), jwt('ada', 'gold')]);
  });

  test.each([[{ token: jwt('ada', 'silver') }], [{ token: jwt('ada', 'silver'), subject: 'ada' }]])(
    'a provider with a `token` only has nobody to ask, and the answer says so: %j',
    async props => {
      const server = mockServer({ '*': () => refusal(401, NEEDS_LOGIN) });
      const { session } = createContextSession({ clock: manualClock(), extensions: [stepUp()] }, props);
      const Endpoint = authEndpoint(session);
      const { get } = resource({ urlPrefix: API, path: '/article/:id', schema: Article, Endpoint });
      session.subscribe(() => {});
      get({ id: '1' }).catch(() => {});
      await settle();
      expect(await errorOf(challengesOf(session).open().answer())).toEqual(
        new TypeError(
          'This session cannot answer a challenge: its provider has a `token` only. Give ContextTokenProvider `getToken`, which gets the challenge, or give stepUp() the option `answer`.',
        ),
      );
      expect(server.seen).toHaveLength(1);
    },
  );
});

describe('two tabs with one storage', () => {
  const setup = async (stepUpRoute: Route, refuses: (token: string | null) => boolean) => {
    const tabs = setupTabs({}, { extensions: [stepUp({ answer })] });
    tabs.server.routes['POST /step-up'] = stepUpRoute;
    const data = tabs.server.routes['*']!;
    let isOpen = false;
    tabs.server.routes['GET /article/secret'] = seen =>
      refuses(tokenOf(seen)) && !isOpen ? refusal(401, NEEDS_LOGIN) : data(seen);
    const [first, second] = await tabs.openTwo();
    const pending = [first.get('secret'), second.get('secret')];
    await tabs.browser.pass(10);
    const challenges = [challengesOf(first.session), challengesOf(second.session)] as const;
    return { ...tabs, first, second, pending, challenges, unlock: () => (isOpen = true) };
  };

  test('the new token of one answer brings both on, and closes both', async () => {
    const made = await setup(
      () => json({ ...made.issue('ada'), acr: 'gold' }),
      token => token === 'ada-1',
    );
    const { first, challenges, browser, server, pending } = made;
    expect(challenges.map(({ isOpen }) => isOpen())).toEqual([true, true]);
    const answered = first.tab.run(() => challenges[0].open().answer({ code: '1' }));
    await browser.pass(300);
    await answered;
    await Promise.all(pending);
    expect(challenges.map(({ isOpen }) => isOpen())).toEqual([false, false]);
    expect(server.to('GET /article/secret').map(tokenOf)).toEqual(['ada-1', 'ada-1', 'ada-2', 'ada-2']);
    expect([server.count('POST /step-up'), server.count('POST /refresh')]).toEqual([1, 0]);
  });

  test('an answer in one tab leaves the second factor of a login in the other one open', async () => {
    const made = await setup(
      () => json(made.issue(made.server.count('POST /step-up') === 1 ? 'ada' : 'bob')),
      token => token === 'ada-1',
    );
    const { first, second, challenges, browser, server, pending } = made;
    server.routes['POST /login'] = () => refusal(401, NEEDS_LOGIN);
    pending[1]!.catch(() => {});
    const login = second.login('bob');
    await browser.pass(10);
    const answered = first.tab.run(() => challenges[0].open().answer({ code: '1' }));
    await browser.pass(300);
    await answered;
    expect(challenges[1].open().challenge.isLogin).toBe(true);
    const signedIn = second.tab.run(() => challenges[1].open().answer({ code: '2' }));
    await browser.pass(300);
    await signedIn;
    expect(await login).toMatchObject({ id: 'bob' });
    expect([first.now().user?.id, second.now().user?.id]).toEqual(['bob', 'bob']);
  });
});

// A login that is left while it waits for its second factor, or while the code is on the wire.

const challenge = stepUp({
  answer: new RestEndpoint({ urlPrefix: API, path: '/mfa', method: 'POST' }) as never,
  readLoginResult: (result?: { next?: string }): AuthChallenge | undefined =>
    result?.next === undefined ? undefined : { kind: 'mfa' },
});

/** A server of cookies. Ada's login wants a code, Grace's does not; the right code sets Ada's cookie. */
async function setupCookie(person?: string) {
  const held = deferred();
  const made = setupCookieSession(
    { tabs: false, extensions: [challenge] },
    {
      'POST /mfa': async seen => {
        await held.promise;
        if ((JSON.parse(seen.body) as { code: string }).code !== '1') return json({ message: 'Wrong.' }, 422);
        made.jar.person = 'ada';
        return json({ id: 'ada' });
      },
    },
  );
  const signIn = made.fake.routes['POST /login']!;
  made.fake.routes['POST /login'] = seen =>
    (JSON.parse(seen.body) as { username: string }).username === 'ada' ? json({ next: 'code' }) : signIn(seen);
  made.jar.person = person;
  made.session.subscribe(() => {});
  await made.session.ready();
  const adas = errorOf(made.session.login({ name: 'ada' }));
  await settle();
  return {
    ...made,
    ...challengesOf(made.session),
    held,
    adas,
    user: () => made.session.getSnapshot().user?.id,
    paths: () => made.fake.seen.map(({ path }) => path),
  };
}

/** The same, and the code is on the wire. */
async function setupCode(person?: string, code = '1') {
  const made = await setupCookie(person);
  const answered = errorOf(made.open().answer({ code }));
  await settle();
  made.fake.clear();
  return { ...made, answered };
}

test('a next login is sent when the code has been answered, so the cookie is the next user’s', async () => {
  const { session, held, adas, as, jar, user, paths, ArticleResource } = await setupCode();
  const graces = session.login({ name: 'grace' });
  expect(await adas).toBeInstanceOf(IdentityChangedError);
  await settle();
  expect(paths()).toEqual([]);
  held.resolve();
  await graces;
  await ArticleResource.get({ id: '1' });
  expect([user(), jar.person, as.map(({ person }) => person)]).toEqual(['grace', 'grace', ['grace']]);
});

test('a sign-out while the code is on the wire ends the session that the code creates', async () => {
  const { session, held, jar, status, fake } = await setupCode();
  const logout = session.logout();
  await settle();
  held.resolve();
  await logout;
  await settle();
  expect([status(), jar.person, calls(fake.seen)]).toEqual(['anonymous', undefined, lateLogout]);
});

test('with a token too', async () => {
  const held = deferred();
  const { session, server, auth } = setupTokenSession(
    { extensions: [challenge] },
    { 'POST /login': () => json({ next: 'code' }) },
  );
  server.routes['POST /mfa'] = async () => (await held.promise, json(auth.signIn('ada')));
  const login = errorOf(session.login({ name: 'ada' }));
  await settle();
  void challengesOf(session).open().answer({ code: '1' });
  await settle();
  const logout = session.logout();
  held.resolve();
  await Promise.all([login, logout]);
  await settle();
  expect(server.seen.map(({ path }) => path)).toEqual(['/login', '/mfa', '/logout']);
});

test('cancelled while the code is on the wire: the login rejects at once, and then the page shows whose cookie it is', async () => {
  const { session, open, isOpen, held, adas, answered, as, user, ArticleResource } = await setupCode('grace');
  open().cancel();
  expect([await adas, await answered].map(({ name }) => name)).toEqual(Array(2).fill('ChallengeCancelledError'));
  expect([isOpen(), user(), session.getSnapshot().error?.name]).toEqual([false, 'grace', 'ChallengeCancelledError']);
  const graces = errorOf(ArticleResource.get({ id: '1' }));
  await settle();
  held.resolve();
  expect(await graces).toBeInstanceOf(IdentityChangedError);
  await settle();
  await ArticleResource.get({ id: '1' });
  expect([user(), as.map(({ person }) => person)]).toEqual(['ada', ['ada']]);
});

test('cancelled after a first factor that has set the cookie: no request goes as another user than the page shows', async () => {
  const { session, fake, jar, open, as, user, ArticleResource } = await setupCookie('grace');
  open().cancel();
  await settle();
  fake.routes['POST /login'] = () => ((jar.person = 'ada'), json({ next: 'code' }));
  const login = session.login({ name: 'ada' });
  await settle();
  open().cancel();
  expect(await login).toMatchObject({ id: 'ada' });
  await ArticleResource.get({ id: '1' });
  expect([user(), as.map(({ person }) => person)]).toEqual(['ada', ['ada']]);
});
