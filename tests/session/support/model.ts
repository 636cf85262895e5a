import fc from 'fast-check';
import { vi } from 'vitest';
import { API } from './article.js';
import { manualClock, settle } from './manualClock.js';
import { modelBrowser } from './modelBrowser.js';
import { modelServer, TIMEOUT_MS, type Outcome } from './modelServer.js';
import { modelStorage } from './modelStorage.js';
import { modelSessions, type SessionUnderTest, type Scenario, type Engine, type Kit } from './modelSessions.js';
import { personOf, watchSession } from './watchSession.js';

type Endpoint = (params: object, body: object) => Promise<{ id: string }>;

/**
 * Where a request is started: outside React by an endpoint or by `session.fetch`, on the screen of now, or by an endpoint that an earlier
 * screen has captured.
 */
type Origin = 'module' | 'fetch' | 'screen' | 'earlier screen';

type Command =
  | { type: 'login'; session: number; person: string }
  | { type: 'logout' | 'refresh' | 'dispose' | 'mount' | 'cancel'; session: number }
  | { type: 'respond'; session: number; isRight: boolean }
  | { type: 'request'; session: number; mutation: boolean; abortable: boolean; from: Origin }
  | { type: 'abort' | 'deliver'; which: number }
  | { type: 'expire'; person: string }
  | { type: 'answer'; which: number; outcome: Outcome }
  | { type: 'wait'; ms: number }
  | { type: 'hang'; session: number; act: 'read' | 'write'; ms: number }
  | { type: 'show again'; person: string | null | undefined }
  | { type: 'switch elsewhere'; person: string | null; isSeen: boolean }
  | { type: 'vanish' };

const session = fc.nat(1);
const person = fc.constantFrom('ada', 'bob', 'cy');
const outcome = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Outcome>('answered') },
  { weight: 2, arbitrary: fc.constant<Outcome>('challenged') },
  { weight: 3, arbitrary: fc.constant<Outcome>('kept') },
  { weight: 4, arbitrary: fc.constantFrom<Outcome>('401', '503', 'lost') },
);
const from = fc.constantFrom<Origin>('module', 'fetch', 'screen', 'earlier screen');
const one = <Type extends string, Rest>(
  weight: number,
  type: Type,
  rest: { [Key in keyof Rest]: fc.Arbitrary<Rest[Key]> },
) => ({
  weight,
  arbitrary: fc.record(rest).map(values => ({ type, ...values })),
});

const alone = [
  one(3, 'login', { session, person }),
  one(1, 'logout', { session }),
  one(1, 'refresh', { session }),
  one(2, 'respond', { session, isRight: fc.boolean() }),
  one(1, 'cancel', { session }),
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom<'dispose' | 'mount'>('dispose', 'mount'), session }) },
  one(7, 'request', { session, mutation: fc.boolean(), abortable: fc.boolean(), from }),
  one(1, 'abort', { which: fc.nat(20) }),
  one(3, 'expire', { person }),
  one(14, 'answer', { which: fc.nat(9), outcome }),
];
const apart: fc.Arbitrary<Command> = fc.oneof(...alone, one(1, 'wait', { ms: fc.constantFrom(1, 5_000, TIMEOUT_MS) }));
const cookieSession = fc.constant(0);
/** More of what meets at a cookie: logins, and requests that are on their way. */
const withCookie: fc.Arbitrary<Command> = fc.oneof(
  ...alone,
  one(5, 'login', { session: cookieSession, person }),
  one(5, 'request', { session: cookieSession, mutation: fc.constant(true), abortable: fc.boolean(), from }),
  one(14, 'answer', { which: fc.nat(2), outcome }),
  one(1, 'wait', { ms: fc.constantFrom(1, 5_000, TIMEOUT_MS) }),
  one(2, 'show again', { person: fc.constantFrom('ada', 'bob', 'cy', null, undefined) }),
  one(6, 'switch elsewhere', { person: fc.constantFrom('ada', 'bob', 'cy', null), isSeen: fc.boolean() }),
);
/** Two tabs that share a cookie, with the time that messages take. */
const withSharedCookie: fc.Arbitrary<Command> = fc.oneof(
  ...alone,
  one(4, 'login', { session, person }),
  one(5, 'request', { session, mutation: fc.boolean(), abortable: fc.boolean(), from }),
  one(14, 'answer', { which: fc.nat(3), outcome }),
  one(6, 'deliver', { which: fc.nat(3) }),
  one(2, 'wait', { ms: fc.constantFrom(1, 50, 100, 5_000, TIMEOUT_MS) }),
  one(1, 'show again', { person: fc.constantFrom('ada', 'bob', 'cy', null, undefined) }),
  one(2, 'switch elsewhere', { person: fc.constantFrom('ada', 'bob', 'cy', null), isSeen: fc.boolean() }),
);
/** With the time that messages and locks take. */
const together: fc.Arbitrary<Command> = fc.oneof(
  ...alone,
  one(3, 'refresh', { session }),
  one(4, 'wait', { ms: fc.constantFrom(50, 50, 100, 100, 5_000, TIMEOUT_MS) }),
  one(6, 'deliver', { which: fc.nat(3) }),
  one(2, 'hang', {
    session,
    act: fc.constantFrom<'read' | 'write'>('read', 'write'),
    ms: fc.constantFrom(1.5 * TIMEOUT_MS, Infinity),
  }),
  {
    weight: 1,
    arbitrary: fc.oneof(
      { weight: 4, arbitrary: fc.constant<Command>({ type: 'wait', ms: 1 }) },
      fc.constant<Command>({ type: 'vanish' }),
    ),
  },
);

/** A step falls into the same tick as the next one, or into one of its own. */
const stepsOf = (command: fc.Arbitrary<Command>) =>
  fc.array(fc.tuple(command, fc.constantFrom('', 'and at once')), { minLength: 5, maxLength: 60, size: 'max' });
const COMMANDS: Record<Scenario, fc.Arbitrary<Command>> = {
  separate: apart,
  tabs: together,
  'cookie tabs': withSharedCookie,
  cookie: withCookie,
  context: apart,
};
/** The token sessions come first: most of the engine is theirs. */
const SCENARIOS: readonly Scenario[] = [
  'separate',
  'separate',
  'separate',
  'tabs',
  'tabs',
  'tabs',
  'cookie',
  'cookie',
  'context',
  'context',
];
/** How long each read and write of the tabs' storage takes, one after the other and again from the start; none: it answers at once. */
const latencies = fc.oneof(
  fc.constant<number[]>([]),
  fc.array(fc.constantFrom(0, 10, 30, 50), { minLength: 1, maxLength: 8 }),
);
const playsOf = (scenarios: readonly Scenario[]) =>
  fc.constantFrom(...scenarios).chain(scenario =>
    fc.record({
      scenario: fc.constant(scenario),
      // Without Web Locks, tabs do not coordinate (docs/limits.md).
      variant: scenario.endsWith('tabs') ? fc.constant(true) : fc.boolean(),
      locks: fc.boolean(),
      restores: scenario === 'tabs' ? fc.boolean() : fc.constant(false),
      random: fc.nat(),
      latencies: scenario === 'tabs' ? latencies : fc.constant([]),
      steps: stepsOf(COMMANDS[scenario]),
    }),
  );
export type Play = ReturnType<typeof playsOf> extends fc.Arbitrary<infer Value> ? Value : never;

/** How long a session that locks waits for its user. */
const LOCK_FOR_MS = 30_000;

/** A wait that is longer than the way of any message. */
const SECONDS_MS = 5_000;

/** How far the time moves at once while a slow storage is at work: more would be a storage that hangs. */
const STEP_MS = 50;

/** The same ids for the same play: of two sign-ins in one millisecond, its number says which one is later. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    // The generator called mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const nextTurn = () => new Promise(resolve => setImmediate(resolve));

/** The stores as the provider makes them, one for each identity that a session had: here, whose entities each one holds. */
function createStores() {
  const stores = new Map<string, Set<string>>();
  return (engine: Engine): Set<string> => {
    const key = `${engine.id}.${engine.getStoreGeneration()}`;
    return stores.get(key) ?? stores.set(key, new Set()).get(key)!;
  };
}

type Articles = SessionUnderTest['articles'];
interface Screen {
  readonly generation: number;
  readonly articles: Articles;
}

/** The endpoints that screens have captured, newest first: as the hooks give them, and once for each store generation. */
function createScreens({ bindEndpoint, bindSession, authInitOf }: Kit) {
  const screens = new Map<Engine, Screen[]>();
  return ({ engine, articles }: SessionUnderTest): [Screen, ...Screen[]] => {
    const earlier = screens.get(engine) ?? [];
    const generation = engine.getStoreGeneration();
    if (earlier[0]?.generation === generation) return earlier as [Screen, ...Screen[]];
    const bind = (endpoint: unknown) => bindEndpoint(endpoint as never, authInitOf(bindSession(engine as never)));
    const screen = { generation, articles: { get: bind(articles.get), partialUpdate: bind(articles.partialUpdate) } };
    screens.set(engine, [screen, ...earlier]);
    return [screen, ...earlier];
  };
}

/** The same requests as the endpoints', by `session.fetch`: one with a body is a `Request`, as generated clients make it. */
function bySessionFetch({ fetch }: Engine, mutation: boolean, signal: RequestInit): Endpoint {
  return async ({ id }: { id?: string }, body) => {
    const address = `${API}/article/${id}`;
    const init = { method: 'PATCH', body: JSON.stringify(body), ...signal };
    const response = await (mutation ? fetch(new Request(address, init)) : fetch(address, signal));
    if (!response.ok) throw new Error(`${response.status}`);
    return (await response.json()) as { id: string };
  };
}

/** Makes the requests of the sessions, and counts the promises that are still to settle. */
function createTraffic(kit: Kit, broken: string[], isGone: (session: number) => boolean) {
  const screensOf = createScreens(kit);
  const storeOf = createStores();
  const controllers: AbortController[] = [];
  const pending = [0, 0];
  let requests = 0;
  const track = <T>(
    session: number,
    promise: Promise<T>,
    receive?: (answer: T) => void,
    fail?: (error: Error) => void,
  ) => {
    pending[session]!++;
    const settled = () => void pending[session]!--;
    promise.then(receive, fail).then(settled, settled);
  };
  /** Starts a request by an endpoint that a screen of an identity has captured, which has left since. */
  const requestFromLeft = (session: number, { articles }: Screen, mutation: boolean) => {
    const send = (mutation ? articles.partialUpdate : articles.get) as Endpoint;
    const answered = () => broken.push('a call from the screen of an identity that had left was answered');
    const refused = (error: Error) =>
      error.name === 'AbortError' ||
      broken.push(`a call from the screen of an identity that had left failed: ${error.message}`);
    track(session, send({ id: `${session}-left-${requests++}` }, { title: 'x' }).then(answered, refused));
  };
  return {
    storeOf,
    track,
    request(
      session: number,
      tested: SessionUnderTest,
      { mutation, abortable, from }: { mutation: boolean; abortable: boolean; from: Origin },
    ) {
      const { engine } = tested;
      const [current, ...left] = screensOf(tested);
      if (from === 'earlier screen' && left[0])
        return requestFromLeft(session, left[requests % left.length]!, mutation);
      const { articles } = from === 'screen' ? current : tested;
      const starter = engine.getSnapshot().status === 'restoring' ? 'unknown' : personOf(engine);
      const store = storeOf(engine);
      const controller = new AbortController();
      if (abortable) controllers.push(controller);
      const signal = abortable ? { signal: controller.signal } : {};
      const endpoint = (mutation ? articles.partialUpdate : articles.get) as { extend(options: object): Endpoint };
      const send = from === 'fetch' ? bySessionFetch(engine, mutation, signal) : endpoint.extend(signal);
      const receive = ({ id }: { id: string }) => {
        store.add(id);
        const person = starter === 'unknown' ? personOf(engine) : starter;
        // Whoever was found may have been left in this very tick: the store that keeps the answer is gone with them.
        if (id !== person && store === storeOf(engine)) broken.push(`${person} was given the data of ${id}`);
      };
      const fail = ({ message }: Error) => {
        if (message.includes('screen of an identity that has left'))
          broken.push('a call from the screen of now was refused');
      };
      track(session, send({ id: `${session}-${starter}-${requests++}` }, { title: 'x' }), receive, fail);
    },
    abort: (which: number) =>
      controllers[which % Math.max(controllers.length, 1)]?.abort(new Error('the caller gave up')),
    pending: () => pending.reduce((sum, count, index) => (isGone(index) ? sum : sum + count), 0),
  };
}

function createModel(kit: Kit, { scenario, variant, locks, restores, random, latencies }: Omit<Play, 'steps'>) {
  const clock = manualClock(0);
  const server = modelServer(clock.now, {
    personIn: index => personOf(sessions[index]!.engine),
    isGone: index => browser.isGone(index),
    isHanging: () => storage.isHanging(),
    hasShortLock: () => storage.isSlow && !variant,
    cookieSessions: scenario === 'cookie tabs' ? ['0', '1'] : ['0'],
  });
  vi.stubGlobal('fetch', server.fetch);
  vi.spyOn(Math, 'random').mockImplementation(seededRandom(random));
  const browser = modelBrowser(clock, variant);
  const storage = modelStorage(clock, latencies, {
    isGone: browser.isGone,
    isRefused: server.isRefused,
    hasWebLocks: variant,
  });
  const sessions: readonly SessionUnderTest[] = modelSessions(scenario, {
    kit,
    server,
    browser,
    storage,
    variant,
    restores,
  });
  const mounts = sessions.map(({ engine }, index) => {
    const watch = watchSession(engine, index, server, browser);
    const { attach } = kit.lock({ lockFor: LOCK_FOR_MS, clock: browser.clockOf(index) });
    return () => {
      const ends = [watch(), ...(locks ? [attach(engine)] : [])];
      return () => ends.forEach(end => end());
    };
  });
  /** What unmounts each session; undefined while it is not mounted. */
  const mounted: ((() => void) | undefined)[] = [];
  const mount = (index: number) => {
    if (mounted[index]) return;
    sessions[index]!.mount();
    mounted[index] = browser.inTab(index, mounts[index]!);
  };
  /** Its provider is gone, and what it held with it. */
  const unmount = (index: number) => {
    // It hears of no sign-out any more, so it does not store a login again that another tab has overwritten.
    const person = personOf(sessions[index]!.engine);
    if (storage.isUnderWay() && person !== 'nobody') storage.onEnd(person);
    mounted[index]?.();
    mounted[index] = undefined;
    server.giveUp(index);
    sessions[index]!.dispose();
  };
  sessions.forEach((_, index) => browser.inTab(index, () => mount(index)));
  const { storeOf, track, request, abort, pending } = createTraffic(kit, server.broken, browser.isGone);

  /**
   * What is being done takes no time; a slow storage takes its own. Without Web Locks, tabs wait for each other by timers: there, a message is
   * not on its way for seconds while the timers of its tab run.
   */
  const pass = async (ms: number) => {
    let left = ms;
    await settle();
    while (!variant && ms >= SECONDS_MS && browser.holds()) {
      browser.deliver(0);
      await settle();
    }
    for (; storage.isUnderWay() && left > 0; left -= STEP_MS) await clock.advance(Math.min(STEP_MS, left));
    if (left > 0) await clock.advance(left);
  };
  const act = (index: number, step: Command) => {
    const tested = sessions[index]!;
    if (browser.isGone(index)) return;
    if (step.type === 'login') track(index, tested.login(step.person));
    if (step.type === 'logout') {
      storage.onEnd(personOf(tested.engine));
      server.onSignOut(index);
      track(index, tested.logout());
    }
    if (step.type === 'hang') storage.hang(index, step.act, step.ms);
    const open = tested.engine.challenges?.getSnapshot();
    if (step.type === 'respond' && open) track(index, open.answer({ isRight: step.isRight }));
    if (step.type === 'cancel') open?.cancel();
    if (step.type === 'refresh') {
      server.allowRefresh();
      track(index, tested.engine.refresh());
    }
    if (step.type === 'mount') mount(index);
    // A tab that lets go of a refresh under way loses its tokens, and the sign-in with them, until it has stored them with the lock.
    const isBusy = server.isRefreshing() || browser.isLocked() || storage.isHanging();
    if (step.type === 'dispose' && !(scenario === 'tabs' && isBusy)) unmount(index);
    if (step.type === 'request') request(index, tested, step);
  };
  const run = async (step: Command): Promise<void> => {
    // What is being taken over takes no time.
    if (step.type === 'dispose') await settle();
    if ('session' in step) browser.inTab(step.session, () => act(step.session, step));
    if (step.type === 'abort') abort(step.which);
    if (step.type === 'expire') server.expire(step.person);
    if (step.type === 'answer') {
      // No answer comes in the tick in which the request was sent.
      await nextTurn();
      server.answer(step.which, step.outcome);
    }
    if (step.type === 'deliver') {
      browser.deliver(step.which);
      await settle();
    }
    // Another page does not replace the cookie between a look at the CSRF token and the request that is sent in the same tick.
    if (step.type === 'show again' || step.type === 'switch elsewhere') await nextTurn();
    // While it is not mounted, nothing of it listens to the page.
    if (step.type === 'show again' && mounted[0]) {
      browser.showAgain(0, () => step.person === undefined || server.replaceCookie(step.person));
      server.lose(0);
    }
    // Without CSRF tokens, neither the page nor the server can know.
    if (step.type === 'switch elsewhere' && (variant || scenario === 'cookie tabs'))
      server.switchElsewhere(step.person, step.isSeen);
    if (step.type === 'wait') await pass(step.ms);
    if (step.type === 'vanish') {
      // What it has used, and could not replace: it may go between the answer to its refresh and the write.
      const stored = storage.stored();
      if (stored && (storage.isSlow || server.isRefreshing())) server.forgive(stored.credential.refreshToken);
      browser.vanish(1);
      server.cutOff(1);
    }
  };
  const check = () => {
    for (const { engine } of sessions) {
      const person = personOf(engine);
      for (const owner of storeOf(engine))
        if (owner !== person) server.broken.push(`the store of ${person} holds an entity of ${owner}`);
    }
    if (server.broken.length > 0) throw new Error(server.broken.join('; '));
  };
  /**
   * Tabs agree once all is told: where one is who the storage keeps, the other is nobody else. One that vanished may have told
   * nothing, one that has left on old news tells no more, and one whose storage hung could not compare.
   */
  const checkTabs = () => {
    const last = storage.stored()?.subject ?? 'nobody';
    const people = sessions.map(({ engine }) => personOf(engine));
    if (storage.hasHung() || sessions.some((_, index) => browser.isGone(index))) return;
    for (const person of storage.lost())
      throw new Error(`the sign-in of ${person} was removed, which neither a user nor the server had ended`);
    if (!people.includes(last)) return;
    for (const person of people)
      if (![last, 'nobody'].includes(person)) throw new Error(`a tab goes on as ${person} while the other is ${last}`);
  };
  /** A tab that shares the cookie with another one is whom the cookie signs in, or nobody. */
  const checkCookieTabs = () => {
    const owner = server.cookieOwner();
    for (const person of sessions.map(({ engine }) => personOf(engine)))
      if (owner !== undefined && person !== 'nobody' && person !== owner)
        throw new Error(`a tab goes on as ${person} while the cookie is that of ${owner}`);
  };
  /** The challenge that a session asks its user. */
  const asking = (index: number) =>
    browser.isGone(index) ? undefined : sessions[index]!.engine.challenges?.getSnapshot();
  const isAsking = () => sessions.some((_, index) => asking(index)?.isPending === false);
  /** One user answers once, and cancels if the server refuses it; the other one cancels. */
  const decide = (_: SessionUnderTest, index: number) => {
    const open = asking(index);
    if (!open || open.isPending) return;
    if (index === 0 && !open.error) browser.inTab(index, () => track(index, open.answer({ isRight: true })));
    else open.cancel();
  };
  /** Answers all that is asked, of the server and of the users, and lets the time pass that a request may take. */
  const answerAll = async () => {
    // No answer comes in the tick in which the last request was sent.
    await nextTurn();
    // Locks are held until the other tabs can read what was written: nobody waits for that, but it ends.
    const isBusy = () =>
      storage.isUnderWay() || isAsking() || pending() > 0 || browser.holds() || server.holds() || clock.pending > 0;
    for (let round = 0; round < 12 && (round === 0 || isBusy()); round++) {
      for (let steps = 0; server.holds() || browser.holds() || isAsking(); steps++) {
        if (steps > 1_000) throw new Error('requests or messages never end');
        sessions.forEach(decide);
        server.answer(0, 'answered');
        browser.deliver(0);
        await settle();
      }
      for (const ms of [100, 100, TIMEOUT_MS]) await pass(ms);
    }
    check();
  };
  const finish = async () => {
    sessions.forEach((_, index) => browser.isGone(index) || browser.inTab(index, () => mount(index)));
    await answerAll();
    if (scenario === 'cookie tabs') {
      // A check may have failed, or nobody has told a tab: the user comes back to both.
      sessions.forEach((_, index) => browser.focus(index));
      await answerAll();
    }
    if (pending() > 0) throw new Error(`${pending()} promises never settled`);
    if (scenario === 'tabs') checkTabs();
    if (scenario === 'cookie tabs') checkCookieTabs();
    // A page keeps the lock of its cookie as long as it knows whose that is.
    const keepsLock = scenario.startsWith('cookie');
    if (browser.lockRequests() > 0 && !keepsLock) throw new Error('a lock was never given back');
    for (const unmountOne of mounted) unmountOne?.();
    // What dispose() goes back to is no step of a living session, so it is not checked.
    for (const { dispose } of sessions) dispose();
    await clock.advance(100);
    if (browser.lockRequests() > 0) throw new Error('a lock outlived its session');
    if (clock.pending > 0) throw new Error(`${clock.pending} timers outlived their session`);
  };
  return { run, check, finish };
}

async function checkPlay(kit: Kit, { steps, ...play }: Play) {
  const model = createModel(kit, play);
  for (const [command, atOnce] of steps) {
    await model.run(command);
    if (!atOnce) await nextTurn();
    model.check();
  }
  await model.finish();
}

/**
 * Whatever happens to two sessions of three people, be they apart, tabs of one browser, or of different mechanisms, the
 * promises hold, after every step: no request carries another identity's credential or a replaced one, none
 * leaves from the screen of an identity that has left, no store holds another
 * identity's entity, one refresh per identity is in flight at most and uses its refresh token once, every promise settles,
 * and the status moves along legal edges only. In half of the plays an expiry locks: then a request that waits is sent as its
 * own subject or rejects, and a locked session has no credential. In the end, tabs agree.
 *
 * @throws with the seed and the shortest sequence found, and as its cause the promise that was broken.
 */
export function checkModel(
  kit: Kit,
  parameters: Pick<fc.Parameters<[Play]>, 'numRuns' | 'seed' | 'endOnFailure' | 'examples'>,
  scenarios = SCENARIOS,
): Promise<void> {
  const property = fc.asyncProperty(playsOf(scenarios), play => checkPlay(kit, play));
  vi.spyOn(console, 'warn').mockImplementation(() => {}); // The storage that hangs.
  return fc.assert(property, parameters);
}
