import { afterEach, expect, test, vi } from 'vitest';
import { breakModule, changed, mendModules } from './support/breakModule.js';
import { checkModel, type Play } from './support/model.js';
import type { Scenario } from './support/modelSessions.js';
import { switchDuringChange } from './support/plays.js';

/**
 * Enough for each broken module below. One break has several consequences, and a sequence may meet a rarer one first. With a fixed seed each
 * run of these tests meets the same, most of them within a hundred sequences; `model.test.ts` looks for new sequences each time.
 */
const RUNS = 300;

// Loading the kit again takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

afterEach(mendModules);

const neverAborted = () => new AbortController().signal;
const ONE_REFRESH_TOO_MANY =
  /^a refresh token was used once more|^two refreshes of one identity were in flight at once/;
const AS_ANOTHER = /^a request of \w+ was sent as \w+|^\w+ was given the data of \w+/;

interface Search {
  readonly runs?: number;
  readonly seed?: number;
  readonly scenarios?: readonly Scenario[];
  readonly examples?: [Play][];
}

/** What the model says of a kit whose modules are loaded again, with what is broken in them. */
async function verdict({ runs = RUNS, seed = 2, scenarios, examples = [] }: Search = {}): Promise<string> {
  vi.resetModules();
  const index = await import('../../src/index.js');
  const { lock } = await import('../../src/entries/lock.js');
  const { stepUp } = await import('../../src/entries/step-up.js');
  const { createContextSession } = await import('../../src/mechanisms/context.js');
  const { bindEndpoint } = await import('../../src/endpoints/hookifyResource.js');
  const { bindSession } = await import('../../src/endpoints/boundSession.js');
  const { authInitOf } = await import('../../src/endpoints/hookifyResource.js');
  return checkModel(
    { ...index, lock, stepUp, createContextSession, bindEndpoint, bindSession, authInitOf },
    { numRuns: runs, examples, seed, endOnFailure: true },
    scenarios,
  ).then(
    () => 'sound',
    (error: Error) => (error.cause as Error).message,
  );
}

test('a kit that is loaded again and not broken is sound', async () => {
  breakModule('session/refresh', ({ createRefresh }) => ({
    createRefresh: parts => changed(createRefresh(parts), {}),
  }));
  expect(await verdict({ runs: 100 })).toBe('sound');
});

test('without the epoch in the scope, a request is caught that travels as another user', async () => {
  breakModule('session/request', ({ createRequests }) => ({
    createRequests: parts => createRequests({ ...parts, store: changed(parts.store, { epochSignal: neverAborted() }) }),
  }));
  expect(await verdict()).toMatch(AS_ANOTHER);
});

test('a `session.fetch` that takes its scope after the call is caught: its request travels as another user', async () => {
  breakModule('session/request', ({ createRequests }) => ({
    createRequests(parts) {
      const requests = createRequests(parts);
      const fetch: typeof requests.fetch = async (...call) => {
        await new Promise(resolve => setImmediate(resolve));
        return requests.fetch(...call);
      };
      return { ...requests, fetch };
    },
  }));
  expect(await verdict()).toMatch(AS_ANOTHER);
});

test('a store that outlives its identity is caught with an entity of another user', async () => {
  breakModule('session/state', ({ transition }) => ({
    transition(state, event) {
      const next = transition(state, event);
      return next === state ? state : { ...next, generation: state.generation };
    },
  }));
  expect(await verdict()).toMatch(/^the store of \w+ holds an entity of \w+/);
});

test('a refused change that is sent again without a check is caught: it is done as the user of another page', async () => {
  breakModule('session/gate', ({ createGate }) => ({
    createGate: parts =>
      createGate({
        ...parts,
        store: changed(parts.store, {
          get state() {
            return { ...parts.store.state, stale: false };
          },
        }),
      }),
  }));
  expect(await verdict({ runs: 1, scenarios: ['cookie'], examples: [[switchDuringChange]] })).toMatch(
    /^a request of \w+ was sent as \w+/,
  );
});

test('a session that does not look at its CSRF cookie is caught: it reads as the user of another page', async () => {
  breakModule('session/outside', ({ createOutside }) => ({
    createOutside: (store, mechanism, isShared, end) => ({
      ...createOutside(store, mechanism, isShared, end),
      ...(isShared && { read: () => undefined }),
    }),
  }));
  expect(await verdict({ scenarios: ['cookie'] })).toMatch(/^a request of \w+ was sent as \w+/);
});

test('unbound endpoints are caught: one that a screen captured is sent as the next user', async () => {
  breakModule('endpoints/boundSession', () => ({ bindSession: session => ({ session, end: neverAborted() }) }));
  expect(await verdict({ seed: 3 })).toMatch(/^a request was sent from the screen of an identity that had left/);
});

test('requests without `no-store` are caught', async () => {
  breakModule('session/request', ({ createRequests }) => ({
    createRequests(parts) {
      const { mechanism } = parts;
      const attach: typeof mechanism.attach = ({ init, ...request }, ...rest) =>
        mechanism.attach({ ...request, init: { ...init, cache: 'default' } }, ...rest);
      return createRequests({ ...parts, mechanism: changed(mechanism, { attach }) });
    },
  }));
  expect(await verdict()).toMatch(/^a request was sent that the HTTP cache may answer/);
});

test('endpoints that end with a sign-in of a signed-out user are caught, for the screen is still there', async () => {
  breakModule('session/store', ({ createStore }) => ({
    createStore(...args) {
      const store = createStore(...args);
      return changed(store, {
        get generationSignal() {
          return store.epochSignal;
        },
      });
    },
  }));
  expect(await verdict()).toMatch(/^a call from the screen of now was refused/);
});

test('without a single flight, two refreshes of one identity are caught', async () => {
  breakModule('session/refresh', ({ createRefresh }) => ({
    createRefresh: parts =>
      changed(createRefresh(parts), { run: (_, response) => createRefresh(parts).run(undefined, response) }),
  }));
  expect(await verdict({ scenarios: ['separate'] })).toMatch(ONE_REFRESH_TOO_MANY);
});

test('a credential that is read when the request is made, and not when it is sent, is caught: no user’s, or one that was replaced', async () => {
  breakModule('session/gate', ({ createGate }) => ({
    createGate(parts) {
      const gate = createGate(parts);
      return {
        async enter(...call) {
          const { credential } = parts.store.state;
          return { ...(await gate.enter(...call)), credential };
        },
      };
    },
  }));
  expect(await verdict({ scenarios: ['separate'] })).toMatch(
    /^a request was sent with a token that the session had replaced|^a request of cy was sent as nobody/,
  );
});

test('requests that never settle when their refresh is refused are caught waiting', async () => {
  breakModule('session/request', ({ createRequests }) => ({
    createRequests(parts) {
      const requests = createRequests(parts);
      const send: typeof requests.send = (...call) =>
        requests.send(...call).catch((error: Error) => {
          if (error.constructor.name === 'SessionExpiredError') return new Promise(() => {});
          throw error;
        });
      return { ...requests, send };
    },
  }));
  expect(await verdict()).toMatch(/^\d+ promises never settled/);
});

test('a tab that does not look into the storage again in its turn is caught with a refresh too many', async () => {
  breakModule('session/refresh', ({ createRefresh }) => ({
    createRefresh(parts) {
      const { record, inTurn } = parts;
      let isFirst = false;
      return createRefresh({
        ...parts,
        inTurn: act =>
          inTurn(turn => {
            isFirst = true;
            return act(turn);
          }),
        record: changed(record, {
          async sync() {
            if (!isFirst) await record.sync();
            isFirst = false;
          },
        }),
      });
    },
  }));
  expect(await verdict({ seed: 6, scenarios: ['tabs'] })).toMatch(ONE_REFRESH_TOO_MANY);
});

test('a refresh that does not move its record on is caught: a tab takes the spent tokens in the storage for the latest ones', async () => {
  breakModule('session/state', ({ transition }) => ({
    transition: (state, event) =>
      transition(state, event.type === 'refreshed' ? { ...event, position: state.position } : event),
  }));
  expect(await verdict({ scenarios: ['tabs'] })).toMatch(ONE_REFRESH_TOO_MANY);
});

test('a tab that takes what it wrote last for what is stored is caught: it writes over the other tab, and uses what that has spent', async () => {
  breakModule('session/record', ({ createRecord }) => ({
    createRecord(parts) {
      const { shared } = parts;
      if (!shared) return createRecord(parts);
      let written: Awaited<ReturnType<typeof shared.read>>;
      const read = () => written ?? shared.read();
      const write: typeof shared.write = record => shared.write((written = record));
      return createRecord({ ...parts, shared: changed(shared, { read, write }) });
    },
  }));
  expect(await verdict({ scenarios: ['tabs'] })).toMatch(ONE_REFRESH_TOO_MANY);
});

test('a storage that may hang without a limit is caught: the lock is never given back, or a promise never settles', async () => {
  breakModule('mechanisms/storage', ({ createRecordStore }) => ({
    createRecordStore: options =>
      createRecordStore({ ...options, clock: { ...options.clock, setTimeout: () => () => {} } }),
  }));
  expect(await verdict({ scenarios: ['tabs'] })).toMatch(/^\d+ promises never settled|^a lock was never given back/);
});

test('a dispose() that keeps the credential is caught: a request of nobody goes as the user who has left', async () => {
  breakModule('session/state', ({ transition }) => ({
    transition(state, event) {
      const next = transition(state, event);
      return event.type === 'reset' ? { ...next, credential: state.credential } : next;
    },
  }));
  expect(await verdict({ scenarios: ['separate'] })).toMatch(/^a request of nobody was sent as \w+/);
});

test('a cookie login that does not wait for the requests on their way is caught: one goes with the next user’s cookie, or brings the old one back', async () => {
  breakModule('session/tabGate', ({ createTabGate }) => ({
    createTabGate: options =>
      changed(createTabGate(options), { enter: () => ({ signal: neverAborted(), leave: () => {} }) }),
  }));
  expect(await verdict({ seed: 3, scenarios: ['cookie'] })).toMatch(AS_ANOTHER);
});

test('a failed cookie login that is not looked into is caught with a request that goes with the next user’s cookie', async () => {
  breakModule('session/loginOutcome', () => ({ isClearRefusal: () => true }));
  expect(await verdict({ seed: 1, scenarios: ['cookie'] })).toMatch(AS_ANOTHER);
});

test('tabs of one cookie that do not wait for each other are caught: a request goes with the cookie of a login in the other tab', async () => {
  breakModule('session/tabGate', ({ createTabGate }) => ({
    createTabGate: options => createTabGate({ ...options, name: false }),
  }));
  expect(await verdict({ seed: 6, scenarios: ['cookie tabs'] })).toMatch(AS_ANOTHER);
});

test('no revalidation is caught: a page from the back/forward cache sends its requests with the cookie of the user who signed in elsewhere', async () => {
  breakModule('session/page', () => ({ listenToPage: () => () => {} }));
  breakModule('session/tabGate', ({ createTabGate }) => ({
    createTabGate: options => createTabGate({ ...options, events: changed(options.events, { onStale: () => {} }) }),
  }));
  expect(await verdict({ seed: 3, scenarios: ['cookie'] })).toMatch(AS_ANOTHER);
});

test('a request that stays asleep after its user has signed in again is caught: it never settles', async () => {
  breakModule('session/gate', ({ createGate }) => ({
    createGate: parts => createGate({ ...parts, store: changed(parts.store, { until: () => new Promise(() => {}) }) }),
  }));
  expect(await verdict()).toMatch(/^\d+ promises never settled/);
});
