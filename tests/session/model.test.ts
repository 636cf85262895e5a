import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { authEndpoint, createTokenSession, resource, type Session } from '../../src/index.js';
import { manualClock, settle } from './support/manualClock.js';
import { API, Article } from './support/tokenWorld.js';

const RUNS = Number(process.env.MODEL_RUNS ?? 200);
const TIMEOUT_MS = 10_000;
const PEOPLE = ['ada', 'bob', 'cy'] as const;
type Person = (typeof PEOPLE)[number];
type Fate = 'judged' | '401' | '503' | 'lost';

type Command =
  | { type: 'login'; session: number; person: Person }
  | { type: 'logout'; session: number }
  | { type: 'refresh'; session: number }
  | { type: 'request'; session: number; mutation: boolean; abort: boolean }
  | { type: 'abort'; which: number }
  | { type: 'expire'; person: Person }
  | { type: 'answer'; which: number; fate: Fate }
  | { type: 'wait'; ms: number };

const session = fc.nat(1);
const person = fc.constantFrom(...PEOPLE);
const fate = fc.oneof({ weight: 6, arbitrary: fc.constant<Fate>('judged') }, { weight: 4, arbitrary: fc.constantFrom<Fate>('401', '503', 'lost') });
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('login' as const), session, person }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('logout' as const), session }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('refresh' as const), session }) },
  { weight: 7, arbitrary: fc.record({ type: fc.constant('request' as const), session, mutation: fc.boolean(), abort: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('abort' as const), which: fc.nat(20) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('expire' as const), person }) },
  { weight: 14, arbitrary: fc.record({ type: fc.constant('answer' as const), which: fc.nat(9), fate }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.constantFrom(1, 5_000, TIMEOUT_MS) }) },
);

const ownerOf = (token: string | null) => token?.split('-')[0] ?? 'nobody';

/** The server: it judges when it answers, holds every answer until told, and notes every broken promise. */
function createServer(now: () => number) {
  const broken: string[] = [];
  const valid = new Set<string>();
  const refreshTokens = new Set<string>();
  const held: ((fate: Fate) => void)[] = [];
  const refreshing = new Map<string, number>();
  let issued = 0;
  const issue = (of: string) => {
    const accessToken = `${of}-${++issued}`;
    valid.add(accessToken);
    refreshTokens.add(`${of}-r-${issued}`);
    return { accessToken, refreshToken: `${of}-r-${issued}`, user: { id: of } };
  };
  const judge = (path: string, token: string | null, body: { name?: string; refreshToken?: string }): Response => {
    if (path === '/login') return Response.json(issue(body.name as string));
    if (path === '/restore') return Response.json(issue('cy'));
    if (path === '/logout') return new Response(null, { status: 204 });
    if (path === '/refresh') {
      const { refreshToken = '' } = body;
      return refreshTokens.delete(refreshToken) ? Response.json(issue(ownerOf(refreshToken))) : Response.json({}, { status: 401 });
    }
    return token !== null && valid.has(token) ? Response.json({ id: ownerOf(token) }) : Response.json({}, { status: 401 });
  };
  const inspect = (path: string, token: string | null, refreshToken = '') => {
    const starter = /^\/article\/([a-z]+)-/.exec(path)?.[1];
    const owner = ownerOf(token);
    const allowed = starter === 'unknown' ? ['nobody', 'cy'] : [starter];
    if (starter && !allowed.includes(owner)) broken.push(`a request of ${starter} was sent as ${owner}`);
    if (path !== '/refresh') return;
    if (now() - (refreshing.get(refreshToken) ?? -Infinity) < TIMEOUT_MS) broken.push('two refreshes of one identity at once');
    refreshing.set(refreshToken, now());
  };
  const fetch = (url: string, init: RequestInit = {}) =>
    new Promise<Response>((resolve, reject) => {
      const path = new URL(url).pathname;
      const token = new Headers(init.headers).get('access-token');
      const body = JSON.parse((init.body as string | undefined) ?? '{}') as { name?: string; refreshToken?: string };
      if (init.signal?.aborted) return reject(init.signal.reason as Error);
      inspect(path, token, body.refreshToken);
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
      held.push(outcome => {
        if (path === '/refresh') refreshing.delete(body.refreshToken ?? '');
        if (outcome === 'lost') return reject(new TypeError('fetch failed'));
        resolve(outcome === 'judged' ? judge(path, token, body) : Response.json({}, { status: Number(outcome) }));
      });
    });
  return {
    broken,
    held,
    fetch,
    expire: (of: string) => [...valid].filter(token => ownerOf(token) === of).forEach(token => valid.delete(token)),
    answer: (which: number, outcome: Fate) => held.splice(which % Math.max(held.length, 1), 1).forEach(respond => respond(outcome)),
  };
}

const LEGAL = new Set(['restoring anonymous', 'restoring authenticated', 'anonymous authenticated', 'authenticated anonymous', 'authenticated authenticated', 'anonymous anonymous', 'restoring restoring']);

/** Notes every step of a session that is none of the allowed. */
function watch(watched: Session<{ id: string }, never>, broken: string[]) {
  let before = watched.getSnapshot();
  watched.subscribe(() => {
    const after = watched.getSnapshot();
    const sameEpoch = after.epoch === before.epoch;
    if (!LEGAL.has(`${before.status} ${after.status}`)) broken.push(`${before.status} became ${after.status}`);
    if (after.epoch < before.epoch || after.epoch > before.epoch + 1) broken.push('the epoch jumped');
    if (sameEpoch && before.status !== after.status && before.status !== 'restoring') broken.push('the status changed within an epoch');
    if (sameEpoch && before.status === 'authenticated' && after.user?.id !== before.user?.id) broken.push('the person changed within an epoch');
    if ((after.status === 'authenticated') !== (after.user !== undefined)) broken.push('the user does not fit the status');
    if (after.status === 'authenticated' && after.reason !== undefined) broken.push('a reason while somebody is signed in');
    before = after;
  });
}

function createModel() {
  const clock = manualClock(0);
  const server = createServer(clock.now);
  vi.stubGlobal('fetch', server.fetch);
  const post = (path: string) => async (body: object) => {
    const response = await fetch(`${API}${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw Object.assign(new Error(path), { status: response.status });
    return response.status === 204 ? undefined : ((await response.json()) as { accessToken: string; user: { id: string } });
  };
  const sessions = [false, true].map(restores => {
    const made = createTokenSession({
      login: post('/login') as (body: object) => Promise<{ accessToken: string; user: { id: string } }>,
      refresh: post('/refresh'),
      logout: post('/logout'),
      ...(restores && { restore: () => post('/restore')({}) }),
      clock,
    });
    watch(made, server.broken);
    return { made, Article: resource({ urlPrefix: API, path: '/article/:id', schema: Article, Endpoint: authEndpoint(made) }) };
  });
  let pending = 0;
  let requests = 0;
  const controllers: AbortController[] = [];
  const track = (promise: Promise<unknown>, starter?: string) => {
    pending++;
    promise.then(
      answer => {
        pending--;
        const { id } = (answer ?? {}) as { id?: string };
        if (starter !== undefined && id !== starter && !(starter === 'unknown' && id === 'cy')) server.broken.push(`${starter} was given the data of ${id}`);
      },
      () => pending--,
    );
  };
  const run = async (step: Command): Promise<void> => {
    const { made, Article: articles } = sessions['session' in step ? step.session : 0]!;
    if (step.type === 'login') track(made.login({ name: step.person }));
    if (step.type === 'logout') track(made.logout());
    if (step.type === 'refresh') track(made.refresh());
    if (step.type === 'abort') controllers[step.which % Math.max(controllers.length, 1)]?.abort(new Error('the caller gave up'));
    if (step.type === 'expire') server.expire(step.person);
    if (step.type === 'answer') server.answer(step.which, step.fate);
    if (step.type === 'wait') await clock.advance(step.ms);
    if (step.type !== 'request') return;
    const { status, user } = made.getSnapshot();
    const starter = status === 'restoring' ? 'unknown' : (user?.id ?? 'nobody');
    const controller = new AbortController();
    if (step.abort) controllers.push(controller);
    const endpoint = (step.mutation ? articles.partialUpdate : articles.get).extend({ ...(step.abort && { signal: controller.signal }) }) as unknown as (...args: object[]) => Promise<unknown>;
    track(endpoint({ id: `${starter}-${requests++}` }, { title: 'x' }), starter);
  };
  return { clock, server, sessions, run, pending: () => pending };
}

async function finish({ clock, server, sessions, pending }: ReturnType<typeof createModel>) {
  for (let round = 0; round < 12 && pending() > 0; round++) {
    while (server.held.length > 0) {
      server.answer(0, 'judged');
      await settle();
    }
    await clock.advance(TIMEOUT_MS);
  }
  expect(pending()).toBe(0);
  expect(server.broken.splice(0)).toEqual([]);
  // dispose() goes back to the beginning, which is no step of a living session.
  for (const { made } of sessions) made.dispose();
  await settle();
  expect(clock.pending).toBe(0);
}

const unhandled: unknown[] = [];
const note = (error: unknown) => unhandled.push(error);
process.on('unhandledRejection', note);
afterEach(() => {
  vi.unstubAllGlobals();
  expect(unhandled.splice(0)).toEqual([]);
});

test(`whatever happens to two sessions of three people, the promises hold (${RUNS} runs)`, { timeout: 30_000 + RUNS * 200 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(command, fc.boolean()), { minLength: 5, maxLength: 60, size: 'max' }), async steps => {
      const model = createModel();
      for (const [step, together] of steps) {
        await model.run(step);
        // Some steps fall into the same tick as the one before.
        if (!together) await new Promise(resolve => setImmediate(resolve));
        expect(model.server.broken).toEqual([]);
      }
      await finish(model);
    }),
    { numRuns: RUNS },
  );
});
