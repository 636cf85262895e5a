import { afterEach, expect, test, vi } from 'vitest';
import type { Fetchable } from '../../src/endpoints/fetchThroughSession.js';
import type { RequestToSend } from '../../src/session/requests/requestScope.js';
import type { Mechanism } from '../../src/session/mechanism.js';
import type { SignedIn } from '../../src/session/signedIn.js';
import { breakMechanism, breakModule, mendModules } from './support/breakModule.js';
import { checkModel, type Play } from './support/model.js';
import type { Scenario } from './support/modelSessions.js';
import { switchDuringChange } from './support/plays.js';

/** Each broken module below is caught within some 30 runs on average, but for one that takes some hundreds, and one a thousand: it has an example. */
const RUNS = 1_000;
/**
 * One break has several consequences, and a sequence may meet a rarer one first. With a fixed seed each run of these
 * tests meets the same; `model.test.ts` looks for new sequences each time.
 */
const SEED = 2;
// Loading the kit again takes its time on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

afterEach(mendModules);

/** What the model says of a kit whose modules are loaded again, with what is broken in them. */
async function verdict(numRuns = RUNS, scenarios?: readonly Scenario[], examples: [Play][] = []): Promise<string> {
  vi.resetModules();
  const index = await import('../../src/index.js');
  const { createContextSession } = await import('../../src/mechanisms/context/createContextSession.js');
  const { bindEndpoint } = await import('../../src/endpoints/bindEndpoint.js');
  const { bindSession } = await import('../../src/endpoints/boundSession.js');
  const { authInitOf } = await import('../../src/endpoints/useAuthInit.js');
  return checkModel(
    { ...index, createContextSession, bindEndpoint, bindSession, authInitOf },
    { numRuns, examples, seed: SEED, endOnFailure: true },
    scenarios,
  ).then(
    () => 'sound',
    (error: Error) => (error.cause as Error).message,
  );
}

test('a kit that is loaded again and not broken is sound', async () => {
  breakModule('session/refresh/refresh', ({ Refresh }) => ({ Refresh: class extends Refresh<any, any> {} }));
  expect(await verdict(200)).toBe('sound');
});

test('without the epoch in the scope, a request is caught that travels as another user', async () => {
  breakModule('session/requests/requestScope', ({ createRequestScope }) => ({
    createRequestScope: (version, _epochSignal, callerSignal) =>
      createRequestScope(version, new AbortController().signal, callerSignal),
  }));
  expect(await verdict()).toMatch(/^a request of \w+ was sent as \w+|^\w+ was given the data of \w+/);
});

test('a `session.fetch` that takes its scope after the call is caught: its request travels as another user', async () => {
  breakModule('session/requests/sessionFetch', ({ createSessionFetch }) => ({
    createSessionFetch: (...parts) => {
      const fetch = createSessionFetch(...parts);
      return async (...call) => {
        await new Promise(resolve => setImmediate(resolve));
        return fetch(...call);
      };
    },
  }));
  expect(await verdict()).toMatch(/^a request of \w+ was sent as \w+|^\w+ was given the data of \w+/);
});

test('a store that outlives its identity is caught with an entity of another user', async () => {
  breakModule('session/store', ({ SessionStore }) => ({
    SessionStore: class extends SessionStore<any, any> {
      readonly #neverEnds = new AbortController().signal;
      override readonly getStoreGeneration = () => 0;
      override readonly getStoreGenerationSignal = () => this.#neverEnds;
    },
  }));
  expect(await verdict()).toMatch(/^the store of \w+ holds an entity of \w+/);
});

test('a refused change that is sent again without a check is caught: it is done as the user of another page', async () => {
  breakModule('session/restore/recheck', ({ Recheck }) => ({
    Recheck: class extends Recheck<any, any> {
      override requireCheck() {}
    },
  }));
  expect(await verdict(1, ['cookie'], [[switchDuringChange]])).toMatch(/^a request of \w+ was sent as \w+/);
});

test('a session that does not look at its CSRF cookie is caught: it reads as the user of another page', async () => {
  breakMechanism(({ browserManaged }) => (browserManaged ? { isSameCredential: () => true } : {}));
  expect(await verdict(RUNS, ['cookie'])).toMatch(/^a request of \w+ was sent as \w+/);
});

test('unbound endpoints are caught: one that a screen captured is sent as the next user', async () => {
  breakModule('endpoints/boundSession', () => ({
    bindSession: session => ({ session, end: new AbortController().signal }),
  }));
  expect(await verdict()).toMatch(/^a request was sent from the screen of an identity that had left/);
});

test('requests without `no-store` are caught', async () => {
  breakModule('endpoints/fetchThroughSession', ({ fetchThroughSession }) => ({
    fetchThroughSession(this: Fetchable, ...args: unknown[]) {
      const getRequestInit = async (body: never) => ({
        cache: 'default' as const,
        ...(await this.getRequestInit(body)),
      });
      return fetchThroughSession.apply(
        Object.create(this, { getRequestInit: { value: getRequestInit } }) as typeof this,
        args,
      );
    },
  }));
  expect(await verdict()).toMatch(/^a request was sent that the HTTP cache may answer/);
});

test('endpoints that end with a sign-in of a signed-out user are caught, for the screen is still there', async () => {
  breakModule('session/store', ({ SessionStore }) => ({
    SessionStore: class extends SessionStore<any, any> {
      override readonly getStoreGenerationSignal = () => this.epochSignal;
    },
  }));
  expect(await verdict()).toMatch(/^a call from the screen of now was refused/);
});

test('without a single flight, two refreshes of one identity are caught', async () => {
  breakModule('session/refresh/refresh', ({ Refresh }) => ({
    Refresh: class extends Refresh<any, any> {
      override get isUnderWay() {
        return false;
      }
    },
  }));
  expect(await verdict(RUNS, ['separate'])).toMatch(
    /^two refreshes of one identity were in flight at once|^a refresh token was used once more/,
  );
});

test('a credential that is read when the request is made, and not when it is sent, is caught: no user’s, or one that was replaced', async () => {
  breakModule('session/requests/sendRequest', ({ RequestSender }) => ({
    RequestSender: class extends RequestSender<any, any> {
      readonly #parts: ConstructorParameters<typeof RequestSender>[0];
      constructor(...args: ConstructorParameters<typeof RequestSender<any, any>>) {
        super(...args);
        this.#parts = args[0] as never;
      }
      override send<T>(request: RequestToSend<T>): Promise<T> {
        const { mechanism, store } = this.#parts;
        const credential = store.getCredential();
        return super.send({
          ...request,
          sendAttempt: (attachCredential, verifyResponse) =>
            request.sendAttempt(async outgoing => {
              const { signal } = await attachCredential(outgoing);
              return { ...(await mechanism.attachCredential(outgoing, credential)), signal: signal! };
            }, verifyResponse),
        });
      }
    },
  }));
  expect(await verdict(RUNS, ['separate'])).toMatch(
    /^a request was sent with a token that the session had replaced|^a request of cy was sent as nobody/,
  );
});

test('requests that never settle when their refresh is refused are caught waiting', async () => {
  breakModule('session/requests/sendRequest', ({ RequestSender }) => ({
    RequestSender: class extends RequestSender<any, any> {
      override async send<T>(request: RequestToSend<T>): Promise<T> {
        try {
          return await super.send(request);
        } catch (error) {
          if ((error as Error).constructor.name === 'SessionExpiredError') return new Promise(() => {});
          throw error;
        }
      }
    },
  }));
  expect(await verdict()).toMatch(/^\d+ promises never settled/);
});

test('a tab that does not look into the storage again once it has the lock is caught: a refresh too many, the tokens of a user whom the other tab has left, or a sign-in of that tab that is removed', async () => {
  breakMechanism(({ load }) =>
    load ? { load: async (current?: SignedIn<any, any>) => current ?? load(current) } : {},
  );
  expect(await verdict(RUNS, ['tabs'])).toMatch(
    /^a refresh token was used once more|^two refreshes of one identity were in flight at once|^a tab goes on as \w+|^the sign-in of \w+ was removed/,
  );
});

test(
  'a tab that compares credentials by their access tokens alone is caught with a refresh too many',
  { timeout: 120_000 },
  async () => {
    breakMechanism(() => ({
      isSameCredential: (a, b) => a.accessToken === b.accessToken && a.token === b.token && a.csrf === b.csrf,
    }));
    expect(await verdict(10 * RUNS, ['tabs'])).toMatch(
      /^a refresh token was used once more|^two refreshes of one identity were in flight at once/,
    );
  },
);

test(
  'a tab that removes what is stored without comparing is caught: a user who signed in in the other tab is signed out',
  { timeout: 120_000 },
  async () => {
    breakMechanism(({ save }) => ({
      save: (signedIn, condition) =>
        save!(
          signedIn,
          signedIn ? condition : condition && { ...condition, isMet: stored => [condition.isMet(stored), true].pop()! },
        ),
    }));
    expect(await verdict(5 * RUNS, ['tabs'])).toMatch(
      /^the sign-in of \w+ was removed, which neither a user nor the server had ended/,
    );
  },
);

test(
  'a storage that hangs while its tab holds the lock is caught: the lock is never given back',
  { timeout: 120_000 },
  async () => {
    breakModule('session/tabs/storedSignIn', ({ StoredSignIn }) => ({
      StoredSignIn: class extends StoredSignIn<any, any> {
        readonly #parts: ConstructorParameters<typeof StoredSignIn>[0];
        constructor(...args: ConstructorParameters<typeof StoredSignIn<any, any>>) {
          super(...args);
          this.#parts = args[0] as never;
        }
        override save(...args: Parameters<NonNullable<Mechanism<any, any>['save']>>): Promise<boolean> {
          return this.#parts.mechanism.save!(...(args as [never]));
        }
      },
    }));
    expect(await verdict(5 * RUNS, ['tabs'])).toMatch(/^\d+ promises never settled|^a lock was never given back/);
  },
);

test('a dispose() that keeps the credential is caught, with a user where none should be', async () => {
  breakModule('session/createSessionCore', ({ createSessionCore }) => ({
    createSessionCore: (mechanism, options) => {
      const session = createSessionCore(mechanism, options);
      const { dispose } = session;
      session.dispose = () => {
        const credential = session.getCredential();
        const { user } = session.getSnapshot();
        dispose();
        if (credential !== undefined && user)
          session.adopt({ credential, user: undefined, subject: (user as { id?: string }).id });
      };
      return session;
    },
  }));
  expect(await verdict(RUNS, ['separate'])).toMatch(
    /^a request of \w+ was sent as \w+|^the user does not fit the status|^the person changed within an epoch|^two refreshes of one identity/,
  );
});

test('a cookie login that does not wait for the requests on their way is caught: one goes with the next user’s cookie, or brings the old one back', async () => {
  breakModule('session/authCalls/cookieLogin', () => ({ letRequestsSettle: async () => {} }));
  expect(await verdict(5 * RUNS, ['cookie'])).toMatch(
    /^a request of \w+ was sent as \w+|^\w+ was given the data of \w+/,
  );
});

test('a failed cookie login that is not looked into is caught with a request that goes with the next user’s cookie', async () => {
  breakModule('session/authCalls/cookieLogin', () => ({
    findLoginOutcome: async loginError => {
      throw loginError;
    },
  }));
  expect(await verdict(5 * RUNS, ['cookie'])).toMatch(
    /^a request of \w+ was sent as \w+|^\w+ was given the data of \w+/,
  );
});

test('no revalidation is caught: a page from the back/forward cache sends its requests with the cookie of the user who signed in elsewhere', async () => {
  breakModule('session/pageEvents', () => ({ listenToPage: () => () => {} }));
  expect(await verdict(RUNS, ['cookie'])).toMatch(/^a request of \w+ was sent as \w+|^\w+ was given the data of \w+/);
});

test('a request that stays asleep after its user has signed in again is caught: it never settles', async () => {
  breakModule('session/requests/untilUnlocked', () => ({ untilUnlocked: () => new Promise(() => {}) }));
  expect(await verdict()).toMatch(/^\d+ promises never settled/);
});
