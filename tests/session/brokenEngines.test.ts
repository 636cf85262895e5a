import { afterEach, expect, test, vi } from 'vitest';
import type * as Send from '../../src/session/send.js';
import type { SessionEngine } from '../../src/session/SessionEngine.js';
import type { Outgoing, Ticket } from '../../src/session/types.js';
import { checkModel } from './support/model.js';
import type { Cast } from './support/modelSessions.js';

type Args = ConstructorParameters<typeof SessionEngine<any, any>>;
type Engine = new (...args: Args) => SessionEngine<any, any>;

/** Each broken engine below is caught within some 30 runs on average, but for one that takes some hundreds. */
const RUNS = 1_000;
// Loading the kit anew takes its time where the machine is busy.
vi.setConfig({ testTimeout: 30_000 });

const ENGINE = '../../src/session/SessionEngine.js';
const SEND = '../../src/session/send.js';

afterEach(() => {
  vi.doUnmock(ENGINE);
  vi.doUnmock(SEND);
});

/** From now on, sessions are made of this engine. */
function breakEngine(breakIt: (Sound: Engine) => Engine) {
  vi.doMock(ENGINE, async original => {
    const module = await original<{ SessionEngine: Engine }>();
    return { ...module, SessionEngine: breakIt(module.SessionEngine) };
  });
}

/** What the model says of a kit whose modules are loaded anew, with what is broken in them. */
async function verdict(numRuns = RUNS, casts?: readonly Cast[]): Promise<string> {
  vi.resetModules();
  const index = await import('../../src/index.js');
  const { createContextSession } = await import('../../src/mechanisms/createContextSession.js');
  return checkModel({ ...index, createContextSession }, { numRuns, endOnFailure: true }, casts).then(
    () => 'sound',
    (error: Error) => (error.cause as Error).message,
  );
}

test('a kit that is loaded anew and not broken is sound', async () => {
  breakEngine(Sound => class extends Sound {});
  expect(await verdict(200)).toBe('sound');
});

test('without an epoch check, a request is caught that travels as another person', async () => {
  breakEngine(
    Sound =>
      class extends Sound {
        override ticket(callerSignal = new AbortController().signal): Ticket {
          return { ...super.ticket(), signal: callerSignal };
        }
      },
  );
  expect(await verdict()).toMatch(/^a request of \w+ was sent as \w+|^\w+ was given the data of \w+/);
});

test('a store that outlives its identity is caught with an entity of somebody else', async () => {
  breakEngine(
    Sound =>
      class extends Sound {
        override getDepartures = () => 0;
      },
  );
  expect(await verdict()).toMatch(/^the store of \w+ holds an entity of \w+/);
});

test('without a single flight, two refreshes of one identity are caught', async () => {
  breakEngine(
    Sound =>
      class extends Sound {
        readonly #mechanism: Args[0];
        constructor(...args: Args) {
          super(...args);
          this.#mechanism = args[0];
        }
        override async mayReplay(ticket: Ticket, response: Response | undefined, tries: number): Promise<boolean> {
          const credential = this.getCredential();
          const { user } = this.getSnapshot();
          if (tries > 1 || response?.status !== 401 || credential === undefined || !user) return super.mayReplay(ticket, response, tries);
          this.enter(await this.#mechanism.renew!({ credential, user, subject: user.id }));
          return true;
        }
      },
  );
  expect(await verdict(RUNS, ['strangers'])).toMatch(/^two refreshes of one identity were in flight at once/);
});

test('a credential that is read when the request is made, and not when it is sent, is caught: nobody’s, or one that was replaced', async () => {
  breakEngine(
    Sound =>
      class extends Sound {
        readonly #mechanism: Args[0];
        readonly #made = new WeakMap<Ticket, unknown>();
        constructor(...args: Args) {
          super(...args);
          this.#mechanism = args[0];
        }
        override ticket(callerSignal?: AbortSignal): Ticket {
          const ticket = super.ticket(callerSignal);
          this.#made.set(ticket, this.getCredential());
          return ticket;
        }
        override async carry(ticket: Ticket, request: Outgoing): Promise<RequestInit> {
          const { signal } = await super.carry(ticket, request);
          return { ...this.#mechanism.carry(request, this.#made.get(ticket)), signal: signal! };
        }
      },
  );
  expect(await verdict(RUNS, ['strangers'])).toMatch(/^a request was sent with a token that the session had replaced|^a request of cy was sent as nobody/);
});

test('requests that are told nothing when their refresh is refused are caught waiting', async () => {
  vi.doMock(SEND, async original => {
    const { send } = await original<typeof Send>();
    const { SessionExpiredError } = await import('../../src/errors.js');
    return {
      send: (...args: Parameters<typeof send>) =>
        send(...args).catch((error: unknown) => {
          if (error instanceof SessionExpiredError) return new Promise(() => {});
          throw error;
        }),
    };
  });
  expect(await verdict()).toMatch(/^\d+ promises never settled/);
});

test('a tab that does not look into the storage once more in its turn is caught: a refresh too many, or the tokens of a person whom the other tab has left', async () => {
  breakEngine(
    Sound =>
      class extends Sound {
        constructor(...[mechanism, ...rest]: Args) {
          const { load } = mechanism;
          super(load ? { ...mechanism, load: async held => held ?? load(held) } : mechanism, ...rest);
        }
      },
  );
  expect(await verdict(RUNS, ['tabs'])).toMatch(/^a refresh token was used once more|^two refreshes of one identity were in flight at once|^a tab goes on as \w+/);
});

test('a tab that knows credentials by their access tokens alone is caught with a refresh too many', async () => {
  breakEngine(
    Sound =>
      class extends Sound {
        constructor(...[mechanism, ...rest]: Args) {
          super({ ...mechanism, same: (a, b) => a.accessToken === b.accessToken && a.token === b.token && a.csrf === b.csrf }, ...rest);
        }
      },
  );
  expect(await verdict(10 * RUNS, ['tabs'])).toMatch(/^a refresh token was used once more|^two refreshes of one identity were in flight at once/);
});

test('a dispose() that keeps the credential is caught, in nobody’s name', async () => {
  breakEngine(
    Sound =>
      class extends Sound {
        readonly #sound: () => void;
        constructor(...args: Args) {
          super(...args);
          this.#sound = this.dispose;
          this.dispose = () => {
            const credential = this.getCredential();
            const { user } = this.getSnapshot();
            this.#sound();
            if (credential !== undefined && user) this.enter({ credential, user: undefined, subject: user.id });
          };
        }
      },
  );
  expect(await verdict(RUNS, ['strangers'])).toMatch(/^a request of \w+ was sent as \w+|^the user does not fit the status/);
});
