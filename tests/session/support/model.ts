import fc from 'fast-check';
import { vi } from 'vitest';
import type * as Kit from '../../../src/index.js';
import type { SessionEngine } from '../../../src/session/SessionEngine.js';
import { manualClock, settle } from './manualClock.js';
import { modelServer, TIMEOUT_MS, type Fate } from './modelServer.js';
import { API, Article } from './tokenWorld.js';

type Answer = { accessToken: string; user: { id: string } };
type Engine = SessionEngine<{ accessToken: string }, { id: string }>;
type Endpoint = (params: object, body: object) => Promise<{ id: string }>;

type Command =
  | { type: 'login'; session: number; person: string }
  | { type: 'logout' | 'refresh'; session: number }
  | { type: 'request'; session: number; mutation: boolean; abortable: boolean }
  | { type: 'abort'; which: number }
  | { type: 'expire'; person: string }
  | { type: 'answer'; which: number; fate: Fate }
  | { type: 'wait'; ms: number };

const session = fc.nat(1);
const person = fc.constantFrom('ada', 'bob', 'cy');
const fate = fc.oneof({ weight: 6, arbitrary: fc.constant<Fate>('judged') }, { weight: 4, arbitrary: fc.constantFrom<Fate>('401', '503', 'lost') });
const one = <Type extends string, Rest>(weight: number, type: Type, rest: { [Key in keyof Rest]: fc.Arbitrary<Rest[Key]> }) => ({
  weight,
  arbitrary: fc.record(rest).map(values => ({ type, ...values })),
});
const command: fc.Arbitrary<Command> = fc.oneof(
  one(3, 'login', { session, person }),
  one(1, 'logout', { session }),
  one(1, 'refresh', { session }),
  one(7, 'request', { session, mutation: fc.boolean(), abortable: fc.boolean() }),
  one(1, 'abort', { which: fc.nat(20) }),
  one(3, 'expire', { person }),
  one(14, 'answer', { which: fc.nat(9), fate }),
  one(1, 'wait', { ms: fc.constantFrom(1, 5_000, TIMEOUT_MS) }),
);
/** A step falls into the same tick as the next one, or into one of its own. */
const step = fc.tuple(command, fc.constantFrom('', 'and at once'));

const LEGAL = new Set([
  'restoring anonymous',
  'restoring authenticated',
  'restoring restoring',
  'anonymous authenticated',
  'anonymous anonymous',
  'authenticated anonymous',
  'authenticated authenticated',
]);

/** Notes every step of a session that is none of the allowed. */
function watchStatus(engine: Engine, broken: string[]) {
  let before = engine.getSnapshot();
  engine.subscribe(() => {
    const after = engine.getSnapshot();
    const sameEpoch = after.epoch === before.epoch;
    if (!LEGAL.has(`${before.status} ${after.status}`)) broken.push(`${before.status} became ${after.status}`);
    if (after.epoch < before.epoch || after.epoch > before.epoch + 1) broken.push('the epoch jumped');
    if (sameEpoch && before.status !== after.status && before.status !== 'restoring') broken.push('the status changed within an epoch');
    if (sameEpoch && before.status === 'authenticated' && after.user?.id !== before.user?.id) broken.push('the person changed within an epoch');
    if ((after.status === 'authenticated') !== (after.user !== undefined)) broken.push('the user does not fit the status');
    if (after.status === 'authenticated' && after.reason !== undefined) broken.push('there was a reason while somebody was signed in');
    before = after;
  });
}

/** Tells the server of each token that the session has given up. */
function watchToken(engine: Engine, replace: (token: string) => void) {
  let before = engine.getCredential()?.accessToken;
  engine.subscribeToCredential(() => {
    const after = engine.getCredential()?.accessToken;
    if (before !== undefined && before !== after) replace(before);
    before = after;
  });
}

/** The stores as the provider makes them, one for each identity that a session had: here, whose entities each one holds. */
function createStores() {
  const stores = new Map<string, Set<string>>();
  return (engine: Engine): Set<string> => {
    const key = `${engine.id}.${engine.getDepartures()}`;
    return stores.get(key) ?? stores.set(key, new Set()).get(key)!;
  };
}

function createSession(kit: typeof Kit, restores: boolean, server: ReturnType<typeof modelServer>, clock: ReturnType<typeof manualClock>) {
  const post = (path: string) => async (body: object): Promise<Answer> => {
    const response = await fetch(`${API}${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw Object.assign(new Error(path), { status: response.status });
    return response.status === 204 ? (undefined as never) : response.json();
  };
  const made = kit.createTokenSession({
    login: post('/login'),
    refresh: post('/refresh'),
    logout: post('/logout'),
    ...(restores && { restore: () => post('/restore')({}) }),
    clock,
  });
  const engine = made as unknown as Engine;
  watchStatus(engine, server.broken);
  watchToken(engine, server.replace);
  return { made, engine, articles: kit.resource({ urlPrefix: API, path: '/article/:id', schema: Article, Endpoint: kit.authEndpoint(made) }) };
}

function createModel(kit: typeof Kit) {
  const clock = manualClock(0);
  const server = modelServer(clock.now);
  vi.stubGlobal('fetch', server.fetch);
  const sessions = [false, true].map(restores => createSession(kit, restores, server, clock));
  const storeOf = createStores();
  const controllers: AbortController[] = [];
  let requests = 0;
  let pending = 0;
  const track = <T>(promise: Promise<T>, receive?: (answer: T) => void) => {
    pending++;
    const settled = () => void pending--;
    promise.then(receive).then(settled, settled);
  };
  const request = ({ engine, articles }: (typeof sessions)[number], mutation: boolean, abortable: boolean) => {
    const { status, user } = engine.getSnapshot();
    const starter = status === 'restoring' ? 'unknown' : (user?.id ?? 'nobody');
    const store = storeOf(engine);
    const controller = new AbortController();
    if (abortable) controllers.push(controller);
    const endpoint = (mutation ? articles.partialUpdate : articles.get).extend({ ...(abortable && { signal: controller.signal }) }) as unknown as Endpoint;
    track(endpoint({ id: `${starter}-${requests++}` }, { title: 'x' }), ({ id }) => {
      store.add(id);
      if (id !== (starter === 'unknown' ? 'cy' : starter)) server.broken.push(`${starter} was given the data of ${id}`);
    });
  };
  const run = async (step: Command): Promise<void> => {
    const session = sessions['session' in step ? step.session : 0]!;
    if (step.type === 'login') track(session.made.login({ name: step.person }));
    if (step.type === 'logout') track(session.made.logout());
    if (step.type === 'refresh') track(session.made.refresh());
    if (step.type === 'request') request(session, step.mutation, step.abortable);
    if (step.type === 'abort') controllers[step.which % Math.max(controllers.length, 1)]?.abort(new Error('the caller gave up'));
    if (step.type === 'expire') server.expire(step.person);
    if (step.type === 'answer') server.answer(step.which, step.fate);
    if (step.type === 'wait') await clock.advance(step.ms);
  };
  const check = () => {
    for (const { engine } of sessions) {
      const person = engine.getSnapshot().user?.id ?? 'nobody';
      for (const owner of storeOf(engine)) if (owner !== person) server.broken.push(`the store of ${person} holds an entity of ${owner}`);
    }
    if (server.broken.length > 0) throw new Error(server.broken.join('; '));
  };
  /** Answers all that is asked, and lets the time pass that a request may take. */
  const finish = async () => {
    for (let round = 0; round < 12 && pending > 0; round++) {
      while (server.holds()) {
        server.answer(0, 'judged');
        await settle();
      }
      await clock.advance(TIMEOUT_MS);
    }
    check();
    if (pending > 0) throw new Error(`${pending} promises never settled`);
    // What dispose() goes back to is no step of a living session, so it is not checked.
    for (const { made } of sessions) made.dispose();
    await settle();
    if (clock.pending > 0) throw new Error(`${clock.pending} timers outlived their session`);
  };
  return { run, check, finish };
}

/**
 * Whatever happens to two sessions of three people, the promises hold, after every step: no request carries another
 * identity's credential or a replaced one, no store holds another identity's entity, one refresh per identity is in flight at
 * most, every promise settles, and the status moves along legal edges only.
 *
 * @throws with the seed and the shortest sequence found, and as its cause the promise that was broken.
 */
export function checkModel(kit: typeof Kit, parameters: Pick<fc.Parameters, 'numRuns' | 'seed' | 'endOnFailure'>): Promise<void> {
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }), async steps => {
    const model = createModel(kit);
    for (const [command, together] of steps) {
      await model.run(command);
      if (!together) await new Promise(resolve => setImmediate(resolve));
      model.check();
    }
    await model.finish();
  });
  return fc.assert(property, parameters);
}
