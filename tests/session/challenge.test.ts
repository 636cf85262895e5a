import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { createTokenSession, IdentityChangedError, RestEndpoint } from '../../src/entries/core.js';
import { lock } from '../../src/entries/lock.js';
import { type AuthChallenge, ChallengeCancelledError, stepUp, type StepUpOptions } from '../../src/entries/step-up.js';
import { InvalidCredentialError } from '../../src/errors.js';
import { SessionExpiredError } from '../../src/index.js';
import { parseWwwAuthenticate } from '../../src/stepUp/wwwAuthenticate.js';
import { json, never } from './support/answers.js';
import { API, tokenOf } from './support/article.js';
import { settle } from './support/manualClock.js';
import { type Route, type Seen, toRequest } from './support/mockServer.js';
import { deferred, errorOf, isPending, outcomes } from './support/promises.js';
import { setupTokenSession } from './support/setupTokenSession.js';
import { challengesOf, NEEDS_LOGIN, NEEDS_SCOPE, refusal, stepUpRoutes } from './support/stepUpServer.js';

const answer = new RestEndpoint({ urlPrefix: API, path: '/step-up', method: 'POST' }) as never;

/** Ada is signed in; her deletions are refused until she has posted the code. */
async function setupAda(options: StepUpOptions = { answer }, more: Record<string, Route> = {}) {
  const routes: Record<string, Route> = {};
  const setup = setupTokenSession({ extensions: [stepUp(options)], trustedOrigins: [API] }, routes);
  const stepUpServer = stepUpRoutes(setup.dataRoute, seen => setup.auth.authorize(toRequest(seen)));
  Object.assign(setup.server.routes, stepUpServer.routes, more);
  await setup.session.login({ name: 'ada' });
  setup.server.clear();
  const { delete: remove } = setup.ArticleResource;
  return {
    ...setup,
    ...stepUpServer,
    ...challengesOf(setup.session),
    remove: (id: string) => remove({ id }),
    removeFive: () => Array.from({ length: 5 }, (_, id) => remove({ id: String(id) })),
    sent: () => setup.server.seen.map(({ method, path }) => `${method} ${path}`),
  };
}

describe('a refusal that asks for more', () => {
  test('five deletions: 5 + 1 + 5 requests, one challenge, no refresh, the same session', async () => {
    const { removeFive, open, isOpen, server, session } = await setupAda();
    const deletions = removeFive();
    await settle();
    expect(open().challenge).toEqual({
      kind: 'insufficient_user_authentication',
      acrValues: ['gold', 'silver'],
      maxAge: 300,
    });
    await open().answer({ code: '123456' });
    expect(await outcomes(deletions)).toEqual({ resolved: 5, reasons: [] });
    expect(isOpen()).toBe(false);
    expect([server.count('DELETE'), server.count('POST /step-up'), server.seen.length]).toEqual([10, 1, 11]);
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', epoch: 1 });
  });

  test('cancelled: 5 + 0 + 0 requests, and nobody is signed out', async () => {
    const { removeFive, open, isOpen, server, session } = await setupAda();
    const deletions = outcomes(removeFive());
    await settle();
    open().cancel();
    const { resolved, reasons } = await deletions;
    expect([resolved, ...reasons.map(error => (error as Error).constructor)]).toEqual([
      0,
      ...Array<unknown>(5).fill(ChallengeCancelledError),
    ]);
    expect(String(reasons[0])).toBe(
      'ChallengeCancelledError: The server asked for more than a sign-in, and the user cancelled. Send the request again, and answer the challenge.',
    );
    expect([isOpen(), server.seen.length, session.getSnapshot().status]).toEqual([false, 5, 'authenticated']);
  });

  test('a wrong code: the challenge stays with its error and nothing is sent again; then the right one', async () => {
    const { remove, open, server } = await setupAda();
    const deletion = remove('1');
    await settle();
    const { answer, cancel } = open();
    const failure = errorOf(answer({ code: '0' }));
    expect(open()).toMatchObject({ isPending: true, error: undefined });
    const error = await failure;
    expect(error).toMatchObject({ status: 422 });
    expect(open()).toMatchObject({ isPending: false, error });
    expect(open()).toMatchObject({ answer, cancel });
    expect(await isPending(deletion)).toBe(true);
    expect(server.count('DELETE')).toBe(1);
    await open().answer({ code: '123456' });
    await deletion;
    expect(server.count('DELETE')).toBe(2);
  });

  test('a second answer while one is under way joins it', async () => {
    const { remove, open, server } = await setupAda();
    const deletion = remove('1');
    await settle();
    await Promise.all([open().answer({ code: '123456' }), open().answer({ code: '0' })]);
    await deletion;
    expect(server.count('POST /step-up')).toBe(1);
  });

  test('refused again after the answer: the error of the caller, no loop', async () => {
    const { remove, open, isOpen, server } = await setupAda({ answer: async () => undefined });
    const deletion = errorOf(remove('1'));
    await settle();
    await open().answer();
    expect(await deletion).toMatchObject({ status: 401 });
    expect([isOpen(), server.count('DELETE'), server.seen.length]).toEqual([false, 2, 2]);
  });

  test('a refusal that arrives after the answer asks no second time', async () => {
    const { remove, open, isOpen, server, routes } = await setupAda();
    const late = deferred<Response>();
    server.routes['DELETE /article/2'] = () => late.promise;
    const deletions = [remove('1'), remove('2')];
    await settle();
    await open().answer({ code: '123456' });
    delete server.routes['DELETE /article/2'];
    expect(Object.keys(routes)).toContain('*');
    late.resolve(refusal(401, NEEDS_LOGIN));
    expect(await outcomes(deletions)).toEqual({ resolved: 2, reasons: [] });
    expect([isOpen(), server.count('POST /step-up'), server.count('DELETE /article/2')]).toEqual([false, 1, 2]);
  });

  test('another kind of challenge comes after the first one', async () => {
    const asked: (string | undefined)[] = [];
    const { remove, open, isOpen, server, ArticleResource } = await setupAda({
      answer: async (_, { kind, scope }) => void asked.push(scope ?? kind),
    });
    let refusals = 0;
    server.routes['PATCH /article/3'] = () =>
      refusals++ === 0 ? refusal(403, NEEDS_SCOPE) : json({ id: '3', title: 'new' });
    const deletion = errorOf(remove('1'));
    await settle();
    const change = ArticleResource.partialUpdate({ id: '3' }, { title: 'new' });
    await settle();
    await open().answer();
    expect(open().challenge).toEqual({ kind: 'insufficient_scope', scope: 'articles:delete' });
    await open().answer();
    await change;
    expect(asked).toEqual(['insufficient_user_authentication', 'articles:delete']);
    expect(isOpen()).toBe(false);
    expect(await deletion).toMatchObject({ status: 401 });
  });

  describe('with other details', () => {
    /** Refuses each deletion with details of its own, until the user has answered those. */
    async function setupDetails(
      detailsOf: (id: string) => unknown,
      isEnough = (id: string, has: Set<unknown>) => has.has(detailsOf(id)),
    ) {
      const has = new Set<unknown>();
      const setup = await setupAda({
        answer: async (_values, { details }) => void has.add(details),
        readChallenge: async response => ({
          kind: 'claims',
          details: ((await response.json()) as { details: unknown }).details,
        }),
      });
      const routeFor = (id: string) => () => (isEnough(id, has) ? json({ id }) : json({ details: detailsOf(id) }, 401));
      for (const id of ['1', '2', '3', '4', '5']) setup.server.routes[`DELETE /article/${id}`] = routeFor(id);
      /** Answers each challenge that opens, and returns their details. */
      const answerAll = async () => {
        const asked: unknown[] = [];
        for (await settle(); setup.isOpen() && asked.length < 20; await settle()) {
          asked.push(setup.open().challenge.details);
          await setup.open().answer();
        }
        return asked;
      };
      return { ...setup, answerAll };
    }

    test('two requests that need different answers wait for one challenge, and then for the other', async () => {
      const { remove, answerAll, server } = await setupDetails(id => `claims ${id}`);
      const deletions = [remove('1'), remove('2')];
      expect(await answerAll()).toEqual(['claims 1', 'claims 2']);
      expect(await outcomes(deletions)).toEqual({ resolved: 2, reasons: [] });
      expect([server.count('DELETE /article/1'), server.count('DELETE /article/2')]).toEqual([2, 3]);
    });

    test('a server with new details for each refusal asks the user three times for five requests, and no more', async () => {
      let nonce = 0;
      const { removeFive, answerAll, server } = await setupDetails(
        () => nonce++,
        () => false,
      );
      for (const id of [0, 1, 2, 3, 4]) server.routes[`DELETE /article/${id}`] = () => json({ details: nonce++ }, 401);
      const deletions = outcomes(removeFive());
      expect(await answerAll()).toHaveLength(3);
      expect(await deletions).toMatchObject({ resolved: 0, reasons: Array(5).fill({ status: 401 }) });
      expect(server.count('DELETE')).toBe(20);
    });

    test('details that have no JSON count as the same', async () => {
      const { remove, open, isOpen } = await setupAda({
        answer: async () => undefined,
        readChallenge: () => ({ kind: 'claims', details: { transaction: 1n } }),
      });
      const deletion = errorOf(remove('1'));
      await settle();
      await open().answer();
      expect(await deletion).toMatchObject({ status: 401 });
      expect(isOpen()).toBe(false);
    });
  });

  test('session.fetch waits too, and resolves with the response', async () => {
    const { session, open, server } = await setupAda();
    const response = session.fetch(`${API}/article/1`, { method: 'DELETE' });
    await settle();
    await open().answer({ code: '123456' });
    expect((await response).status).toBe(200);
    expect(server.count('DELETE')).toBe(2);
  });

  test.each([
    ['a 401 without the header', 401, ''],
    ['insufficient_scope with a 401', 401, NEEDS_SCOPE],
  ])('%s is refreshed as ever', async (_, status, header) => {
    const { remove, isOpen, server } = await setupAda();
    let refusals = 0;
    server.routes['DELETE /article/1'] = () => (refusals++ === 0 ? refusal(status, header) : json({ id: '1' }));
    await remove('1');
    expect([isOpen(), server.count('POST /refresh'), server.count('DELETE')]).toEqual([false, 1, 2]);
  });

  test.each([
    ['no parameter', '', { acrValues: undefined, maxAge: undefined }],
    ['spaces between the values', ', acr_values=" gold  silver"', { acrValues: ['gold', 'silver'], maxAge: undefined }],
    ['no seconds but text', ', max_age="5 minutes"', { acrValues: undefined, maxAge: undefined }],
    ['text before the seconds', ', max_age="about 5"', { acrValues: undefined, maxAge: undefined }],
    ['zero seconds', ', max_age="0"', { acrValues: undefined, maxAge: 0 }],
  ])('reads a header with %s', async (_, params, challenge) => {
    const { remove, open, server } = await setupAda();
    server.routes['DELETE /article/1'] = () => refusal(401, `Bearer error="insufficient_user_authentication"${params}`);
    remove('1').catch(() => {});
    await settle();
    expect(open().challenge).toStrictEqual({ kind: 'insufficient_user_authentication', ...challenge });
  });

  test('a 403 that asks for another sign-in is the error of the caller: RFC 9470 has it with a 401 only', async () => {
    const { remove, isOpen, server } = await setupAda();
    server.routes['DELETE /article/1'] = () => refusal(403, NEEDS_LOGIN);
    expect(await errorOf(remove('1'))).toMatchObject({ status: 403 });
    expect([isOpen(), server.seen.length]).toEqual([false, 1]);
  });

  test('an answer and a cancel that come too late do nothing, and the answer says so', async () => {
    const { remove, open, isOpen, server } = await setupAda();
    const deletion = errorOf(remove('1'));
    await settle();
    const { answer: late, cancel } = open();
    cancel();
    expect(cancel).not.toThrow();
    expect(await errorOf(late({ code: '123456' }))).toBeInstanceOf(ChallengeCancelledError);
    expect(await deletion).toBeInstanceOf(ChallengeCancelledError);
    expect([isOpen(), server.count('POST /step-up')]).toEqual([false, 0]);
  });
});

describe('what waits ends', () => {
  test('with another user: nothing is sent again, and the challenge is closed', async () => {
    const { removeFive, isOpen, server, session } = await setupAda();
    const deletions = outcomes(removeFive());
    await settle();
    await session.login({ name: 'grace' });
    const { reasons } = await deletions;
    expect(reasons).toHaveLength(5);
    expect(reasons.every(error => error instanceof IdentityChangedError)).toBe(true);
    expect([isOpen(), server.count('DELETE'), server.count('POST /step-up')]).toEqual([false, 5, 0]);
  });

  test('with another user while the answer is under way: its token is not used', async () => {
    const reply = deferred<Response>();
    const { remove, open, isOpen, server, session } = await setupAda(
      { answer },
      { 'POST /step-up': () => reply.promise },
    );
    const deletion = errorOf(remove('1'));
    await settle();
    const failure = errorOf(open().answer({ code: '123456' }));
    await settle();
    await session.login({ name: 'grace' });
    reply.resolve(json({ accessToken: 'ada-x' }));
    expect(await failure).toBeInstanceOf(IdentityChangedError);
    expect(await deletion).toBeInstanceOf(IdentityChangedError);
    await settle();
    expect([isOpen(), server.count('DELETE'), session.getSnapshot().user]).toMatchObject([false, 1, { id: 'grace' }]);
  });

  test('with the signal of the last caller, which closes the challenge', async () => {
    const { ArticleResource, isOpen, open, server } = await setupAda();
    const callers = [new AbortController(), new AbortController()];
    const deletions = callers.map(({ signal }, id) =>
      errorOf(ArticleResource.delete.extend({ signal })({ id: String(id) })),
    );
    await settle();
    callers[0]!.abort(new Error('first'));
    await settle();
    expect(open().challenge.maxAge).toBe(300);
    callers[1]!.abort(new Error('second'));
    await settle();
    expect((await Promise.all(deletions)).map(({ message }) => message)).toEqual(['first', 'second']);
    expect([isOpen(), server.seen.length]).toEqual([false, 2]);
  });
});

describe('the credential of the answer', () => {
  const withToken = (result: object) => setupAda({ answer }, { 'POST /step-up': () => json(result) });

  test('replaces the token, and what waited carries it; the refresh token stays unless there is a new one', async () => {
    const { remove, open, server, auth, session } = await withToken({});
    server.routes['POST /step-up'] = () => json(auth.signIn('ada'));
    server.routes['DELETE /article/1'] = seen =>
      tokenOf(seen) === 'ada-2' ? json({ id: '1' }) : refusal(401, NEEDS_LOGIN);
    const deletion = remove('1');
    await settle();
    await open().answer({ code: '1' });
    await deletion;
    expect(server.to('DELETE').map(tokenOf)).toEqual(['ada-1', 'ada-2']);
    expect(session.getSnapshot()).toMatchObject({ epoch: 1, user: { id: 'ada' } });
  });

  test('of another user is refused, and the challenge stays', async () => {
    const { remove, open, session, server } = await withToken({ accessToken: 'bob-1', user: { id: 'bob' } });
    remove('1').catch(() => {});
    await settle();
    const error = await errorOf(open().answer({ code: '1' }));
    expect(error).toBeInstanceOf(InvalidCredentialError);
    expect(error.message).toBe(
      'The answer to the challenge brought the credential of another user, so it was not used. Sign that user in instead.',
    );
    expect(open().error).toBe(error);
    expect([session.getSnapshot().user, server.count('DELETE')]).toMatchObject([{ id: 'ada' }, 1]);
  });

  test.each([[undefined], [null], ['']])('is the same as before after %j', async nothing => {
    let isAnswered = false;
    const { remove, open, server } = await setupAda(
      { answer: async () => ((isAnswered = true), nothing) },
      { 'DELETE /article/1': () => (isAnswered ? json({ id: '1' }) : refusal(401, NEEDS_LOGIN)) },
    );
    const deletion = remove('1');
    await settle();
    await open().answer({ code: '1' });
    await deletion;
    expect(server.to('DELETE').map(tokenOf)).toEqual(['ada-1', 'ada-1']);
  });

  test('an answer during a refresh waits for it, and keeps its refresh token', async () => {
    const [reply, held] = [deferred(), deferred()];
    const { remove, open, server, session, refreshRoute } = await withToken({});
    remove('1').catch(() => {});
    await settle();
    server.routes['POST /step-up'] = async () => (await reply.promise, json({ accessToken: 'better' }));
    server.routes['POST /refresh'] = async seen => (await held.promise, refreshRoute(seen));
    const answered = open().answer({ code: '1' });
    await settle();
    const refresh = session.refresh();
    await settle();
    reply.resolve();
    await settle();
    held.resolve();
    await Promise.all([refresh, answered]);
    expect(server.to('DELETE').map(tokenOf)).toEqual(['ada-1']);
    server.clear();
    await session.refresh();
    expect(JSON.parse(server.to('POST /refresh')[0]!.body)).toEqual({ refreshToken: 'ada-refresh-2' });
  });
});

describe('an answer during a refresh that hangs', () => {
  /** The token is valid for 10 minutes. A read has started the refresh ahead of its expiry, and goes on. */
  async function setupHanging(answered: () => Response) {
    const setup = setupTokenSession({
      extensions: [stepUp({ answer })],
      parseTokens: ((result: object) => ({ ...result, expiresIn: 600 })) as never,
    });
    const stepUpServer = stepUpRoutes(setup.dataRoute, seen => setup.auth.authorize(toRequest(seen)));
    const { '*': data } = stepUpServer.routes;
    Object.assign(setup.server.routes, stepUpServer.routes, {
      'POST /refresh': () => never(),
      'POST /step-up': () => ((stepUpServer.state.isOpen = true), answered()),
      '*': (seen: Seen) => (tokenOf(seen) === 'better' ? json({ id: '1' }) : data!(seen)),
    });
    await setup.session.login({ name: 'ada' });
    const deletion = setup.ArticleResource.delete({ id: '1' });
    await settle();
    await setup.clock.advance(9.5 * 60_000);
    await setup.ArticleResource.get({ id: '2' });
    const answering = challengesOf(setup.session).open().answer({ code: '123456' });
    await settle();
    // Before it is sent, it waits so long for the fresh token, if the one of the page is no longer good.
    await setup.clock.advance(0);
    return { ...setup, deletion, answering };
  }

  test('waits until the timeout if it brings one, and what waited carries it', async () => {
    const { deletion, answering, server, clock } = await setupHanging(() => json({ accessToken: 'better' }));
    await clock.advance(9_999);
    expect(await isPending(answering)).toBe(true);
    await clock.advance(1);
    expect([await isPending(answering), await isPending(deletion)]).toEqual([false, false]);
    expect(server.to('DELETE').map(tokenOf)).toEqual(['ada-1', 'better']);
  });
});

describe('the answer is an auth call', () => {
  test('goes with the current token, follows no redirect, and a wrong code of status 401 is not sent again', async () => {
    const { remove, open, server, status } = await setupAda({ answer }, { 'POST /step-up': () => json({}, 401) });
    remove('1').catch(() => {});
    await settle();
    expect(await errorOf(open().answer({ code: '1' }))).toMatchObject({ status: 401 });
    const [sent] = server.to('POST /step-up');
    expect([tokenOf(sent!), sent!.redirect, sent!.body]).toEqual(['ada-1', 'manual', '{"code":"1"}']);
    expect([status(), server.count('POST /step-up')]).toEqual(['authenticated', 1]);
  });

  test('whose token has expired: with the fresh token at the next try, at once if the server says `invalid_token`', async () => {
    const { remove, open, server, expire, routes } = await setupAda();
    remove('1').catch(() => {});
    await settle();
    expire();
    await errorOf(open().answer({ code: '0' }));
    await errorOf(open().answer({ code: '0' }));
    expect(server.to('POST /step-up').map(tokenOf)).toEqual(['ada-1', 'ada-2']);
    expire();
    server.routes['POST /step-up'] = seen =>
      tokenOf(seen) === 'ada-2' ? refusal(401, 'Bearer error="invalid_token"') : routes['POST /step-up']!(seen);
    await open().answer({ code: '123456' });
    expect(server.to('POST /step-up').map(tokenOf)).toEqual(['ada-1', 'ada-2', 'ada-2', 'ada-3']);
    expect(server.count('POST /refresh')).toBe(2);
  });

  test('a 401 that names another error is not sent again', async () => {
    const wrong = () => refusal(401, 'Bearer realm="api", error="invalid_code"');
    const { remove, open, server } = await setupAda({ answer }, { 'POST /step-up': wrong });
    remove('1').catch(() => {});
    await settle();
    expect(await errorOf(open().answer({ code: '1' }))).toMatchObject({ status: 401 });
    expect(server.count('POST /step-up')).toBe(1);
  });

  test('goes to trusted origins only', async () => {
    const elsewhere = new RestEndpoint({
      urlPrefix: 'https://evil.example',
      path: '/step-up',
      method: 'POST',
    }) as never;
    const setup = setupTokenSession({ extensions: [stepUp({ answer: elsewhere })], trustedOrigins: [API] }, {});
    setup.server.routes['*'] = () => refusal(401, NEEDS_LOGIN);
    await setup.session.login({ name: 'ada' });
    setup.ArticleResource.get({ id: '1' }).catch(() => {});
    await settle();
    const error = await errorOf(challengesOf(setup.session).open().answer({ code: 'secret' }));
    expect(error.message).toContain('Credentials are not sent to https://evil.example.');
    expect(error.message).not.toContain('secret');
  });

  test('stepUp() without an answer is refused when the session is made', () => {
    expect(() => createTokenSession({ login: async () => ({ accessToken: 'a' }), extensions: [stepUp()] })).toThrow(
      new TypeError(
        'This session cannot answer a challenge: give stepUp() the option `answer`, a function that sends what the user has typed.',
      ),
    );
  });
});

describe('a function of the app reads refusals', () => {
  const readChallenge: StepUpOptions['readChallenge'] = async (response, parsed) => {
    const body = (await response.json()) as { code?: string };
    if (parsed.some(({ params }) => params.error === 'insufficient_scope')) return null;
    return body.code === 'sudo' ? ({ kind: 'sudo', details: body } satisfies AuthChallenge) : undefined;
  };

  test('its challenge, none, or the default', async () => {
    const { remove, open, isOpen, server } = await setupAda({ answer: async () => undefined, readChallenge });
    server.routes['DELETE /article/1'] = () => json({ code: 'sudo' }, 403);
    const refused = errorOf(remove('1'));
    await settle();
    expect(open().challenge).toEqual({ kind: 'sudo', details: { code: 'sudo' } });
    await open().answer();
    const error = (await refused) as Error & { response: Response };
    expect(await error.response.json()).toEqual({ code: 'sudo' });
    server.routes['DELETE /article/2'] = () => refusal(403, NEEDS_SCOPE);
    expect(await errorOf(remove('2'))).toMatchObject({ status: 403 });
    expect(isOpen()).toBe(false);
    remove('3').catch(() => {});
    await settle();
    expect(open().challenge.kind).toBe('insufficient_user_authentication');
  });

  test('reads no 200 that `isRefused` accepts, so a stream reaches its caller; one that it refuses is read', async () => {
    const read = vi.fn<NonNullable<StepUpOptions['readChallenge']>>(async response => {
      const { code } = (await response.json()) as { code?: string };
      return code === 'sudo' ? { kind: code } : null;
    });
    const { session, open, server } = await setupAda({ answer: async () => undefined, readChallenge: read });
    const isRefused = vi.fn((response: Response) => response.headers.has('X-Refused'));
    server.routes['GET /events'] = () => new Response(new ReadableStream());
    expect((await session.fetch(`${API}/events`, { isRefused })).status).toBe(200);
    expect([read.mock.calls.length, isRefused.mock.calls.length]).toEqual([0, 1]);
    const answers = [
      () => Response.json({ code: 'sudo' }, { headers: { 'X-Refused': 'yes' } }),
      () => json({ id: '1' }),
    ];
    server.routes['GET /graphql'] = () => answers.shift()!();
    const response = session.fetch(`${API}/graphql`, { isRefused });
    await settle();
    expect(open().challenge.kind).toBe('sudo');
    await open().answer();
    expect(await (await response).json()).toEqual({ id: '1' });
    expect([read.mock.calls.length, isRefused.mock.calls.length]).toEqual([1, 3]);
  });

  test('a body that never ends is waited for until the timeout, and the refusal is its caller’s', async () => {
    const { session, server, clock, isOpen } = await setupAda({ answer: async () => undefined, readChallenge });
    server.routes['DELETE /article/1'] = () => new Response(new ReadableStream(), { status: 403 });
    const response = session.fetch(`${API}/article/1`, { method: 'DELETE' });
    await settle();
    await clock.advance(9_999);
    expect(await isPending(response)).toBe(true);
    await clock.advance(1);
    expect([(await response).status, isOpen()]).toEqual([403, false]);
  });
});

// Requests wait for two things at once: the answer to a challenge, and the user of a locked session.

/** Ada's session, which locks. One deletion of hers waits for a code. */
async function setupWaiting() {
  const send = new RestEndpoint({ urlPrefix: API, path: '/step-up', method: 'POST' });
  const mfa = new RestEndpoint({ urlPrefix: API, path: '/mfa', method: 'POST' });
  const setup = setupTokenSession({
    extensions: [
      stepUp({
        answer: (values, { isLogin }) =>
          (isLogin ? mfa(values) : send.extend({ session: setup.session })(values)) as Promise<unknown>,
        readLoginResult: (result: { needsCode?: true }): AuthChallenge | undefined =>
          result.needsCode && { kind: 'mfa' },
      }),
    ],
  });
  const { session, server, clock } = setup;
  lock({ clock }).attach(sessionCore(session));
  Object.assign(server.routes, stepUpRoutes(setup.dataRoute, seen => setup.auth.authorize(toRequest(seen))).routes);
  await session.login({ name: 'ada' });
  const deletion = setup.ArticleResource.delete({ id: '1' });
  deletion.catch(() => {});
  await settle();
  server.clear();
  return {
    ...setup,
    ...challengesOf(session),
    deletion,
    expireSession: () => sessionCore(session).expire(),
    sent: () => server.seen.map(seen => `${seen.method} ${seen.path} ${tokenOf(seen)}`),
  };
}

test('an answer under way when the session locks says so; after the login, the next answer sends what waits', async () => {
  const { session, server, open, isOpen, deletion, expireSession, sent, status } = await setupWaiting();
  const [reply, route] = [deferred(), server.routes['POST /step-up']!];
  server.routes['POST /step-up'] = async seen => (await reply.promise, route(seen));
  const answered = errorOf(open().answer({ code: '123456' }));
  await settle();
  expireSession();
  expect([status(), isOpen()]).toEqual(['locked', false]);
  reply.resolve();
  expect(await answered).toBeInstanceOf(SessionExpiredError);
  await session.login({ name: 'ada' });
  expect(open().error).toBeInstanceOf(SessionExpiredError);
  server.routes['POST /step-up'] = route;
  await open().answer({ code: '123456' });
  await deletion;
  expect(sent()).toEqual(['POST /step-up ada-1', 'POST /login null', 'POST /step-up ada-2', 'DELETE /article/1 ada-2']);
});

test('a refusal that asks for more, and arrives while locked, waits for the user and is sent again', async () => {
  const { session, server, ArticleResource, expireSession, sent } = await setupWaiting();
  const held = deferred();
  const answers = [() => refusal(403, NEEDS_SCOPE), () => json({ id: '2' })];
  server.routes['PATCH /article/2'] = async () => (await held.promise, answers.shift()!());
  const patch = ArticleResource.partialUpdate({ id: '2' }, { title: 'x' });
  await settle();
  expireSession();
  held.resolve();
  await settle();
  expect(await isPending(patch)).toBe(true);
  await session.login({ name: 'ada' });
  await patch;
  expect(sent()).toEqual(['PATCH /article/2 ada-1', 'POST /login null', 'PATCH /article/2 ada-2']);
});

test('the second factor of a login that is under way when the session locks signs in', async () => {
  const { session, server, auth, open, deletion, expireSession, status } = await setupWaiting();
  open().cancel();
  await errorOf(deletion);
  server.routes['POST /login'] = () => json({ needsCode: true });
  const held = deferred();
  server.routes['POST /mfa'] = async () => (await held.promise, json(auth.signIn('ada')));
  const login = session.login({ name: 'ada' });
  await settle();
  const answered = open().answer({ code: '1' });
  await settle();
  expireSession();
  expect(status()).toBe('locked');
  held.resolve();
  await answered;
  await login;
  expect(status()).toBe('authenticated');
});

test.each([
  [null, []],
  ['', []],
  ['Bearer', [{ scheme: 'Bearer', params: {} }]],
  [
    'Negotiate, Basic realm="a"',
    [
      { scheme: 'Negotiate', params: {} },
      { scheme: 'Basic', params: { realm: 'a' } },
    ],
  ],
  [
    'Negotiate YIIz==, Bearer x=1',
    [
      { scheme: 'Negotiate', params: {} },
      { scheme: 'Bearer', params: { x: '1' } },
    ],
  ],
  [
    'Bearer realm="a, b", Error = "insufficient_scope" ,scope=read',
    [{ scheme: 'Bearer', params: { realm: 'a, b', error: 'insufficient_scope', scope: 'read' } }],
  ],
  [
    'Bearer realm="Basic error=\\"x\\"", , DPoP algs="ES256 PS256", error="invalid_token"',
    [
      { scheme: 'Bearer', params: { realm: 'Basic error="x"' } },
      { scheme: 'DPoP', params: { algs: 'ES256 PS256', error: 'invalid_token' } },
    ],
  ],
  ['Bearer error="a", error="b"', [{ scheme: 'Bearer', params: { error: 'a' } }]],
  ['Bearer error="never closed', [{ scheme: 'Bearer', params: {} }]],
])('reads %s', (header, challenges) => {
  expect(parseWwwAuthenticate(header)).toEqual(challenges);
});

test('any text is read to its end, or to the place where it is malformed', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'B', ' ', ',', '=', '"', '\\', '/', '@') }), header => {
      const schemes = parseWwwAuthenticate(header).map(({ scheme }) => scheme);
      expect(schemes.join('').length).toBeLessThanOrEqual(header.length);
    }),
  );
});
