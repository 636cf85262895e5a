// A signal of the app may live as long as its page: what a request adds to it must go with the request.
import { EventEmitter, getEventListeners } from 'node:events';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { networkError } from './support/answers.js';
import { API } from './support/article.js';
import { functionServer } from './support/functionServer.js';
import { settle } from './support/manualClock.js';
import { outcomes } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { setupTokenSession } from './support/setupTokenSession.js';

const ada = { name: 'ada' };

/** What hangs on a signal: listeners, and in Node the signals that `AbortSignal.any` has composed of it. */
function hangingOn(signal: AbortSignal): number {
  const symbols = Object.getOwnPropertySymbols(signal);
  const composed = symbols.find(({ description }) => description?.startsWith('kDependantSignals'));
  const { size = 0 } = (composed && (signal as unknown as Record<symbol, Set<unknown> | undefined>)[composed]) ?? {};
  return getEventListeners(signal, 'abort').length + size;
}

const sessions = {
  token: () => setupTokenSession({ trustedOrigins: [API] }, {}, functionServer),
  cookie: () => setupCookieSession({ tabs: false, trustedOrigins: [API] }, {}, functionServer),
};

describe.each(['token', 'cookie'] as const)('a signal that outlives its requests (%s; scenario 60)', kind => {
  async function signedIn() {
    const app = sessions[kind]();
    await app.session.login(ada);
    const { signal } = new AbortController();
    const get = (id: number) =>
      id % 2
        ? app.session.fetch(`${API}/article/${id}`, { signal }).then(response => response.json())
        : app.ArticleResource.get.extend({ signal })({ id: String(id) });
    return { ...app, signal, get };
  }

  test('has what it had before, after 1,000 requests', async () => {
    const { signal, get } = await signedIn();
    for (let id = 0; id < 1_000; id += 100) await Promise.all(Array.from({ length: 100 }, (_, n) => get(id + n)));
    expect(hangingOn(signal)).toBeLessThanOrEqual(1);
  });

  test('after requests without an answer, too', async () => {
    const app = await signedIn();
    const { routes } = 'server' in app ? app.server : app.fake;
    routes['*'] = networkError;
    expect((await outcomes(Array.from({ length: 20 }, (_, id) => app.get(id)))).reasons).toHaveLength(20);
    expect(hangingOn(app.signal)).toBe(0);
  });

  test('eleven calls at once are no warning of Node', async () => {
    const { defaultMaxListeners } = EventEmitter;
    EventEmitter.defaultMaxListeners = 10;
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on('warning', onWarning);
    onTestFinished(() => {
      EventEmitter.defaultMaxListeners = defaultMaxListeners;
      process.off('warning', onWarning);
    });
    const { get } = await signedIn();
    await Promise.all(Array.from({ length: 11 }, (_, id) => get(id)));
    await settle();
    expect(warnings.map(({ name, message }) => `${name}: ${message}`)).toEqual([]);
  });
});

test('the body of an answer is aborted with its caller and with its user, also long after the headers', async () => {
  const { session } = setupTokenSession({ trustedOrigins: [API] }, {}, functionServer);
  await session.login(ada);
  const signals: AbortSignal[] = [];
  vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => {
    signals.push(signal!);
    return new Response(new ReadableStream());
  });
  const caller = new AbortController();
  const responses = [
    await session.fetch(`${API}/events`, { signal: caller.signal }),
    await session.fetch(`${API}/events`, { signal: new AbortController().signal }),
    await session.fetch(`${API}/events`),
  ];
  const aborted = () => signals.map(signal => signal.aborted);
  caller.abort();
  expect(aborted()).toEqual([true, false, false]);
  sessionCore(session).expire();
  expect(aborted()).toEqual([true, true, true]);
  expect(responses).toHaveLength(3);
});
