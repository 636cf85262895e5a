import { expect, test, vi } from 'vitest';
import { createCookieSession, RestEndpoint } from '../../src/entries/core.js';
import { API } from './support/article.js';
import { settle } from './support/manualClock.js';
import { deferred } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';

test.each([
  ['one name', 'one-cookie', 'grace'],
  ['two names', 'another', 'ada'],
])(
  'two sessions with one cookie and %s: one that starts during a login of the other shows the new user or not',
  async (_, other, shown) => {
    vi.stubGlobal('window', globalThis);
    const name = 'one-cookie';
    const { fake, session: first, clock } = setupCookieSession({ tabs: name });
    await first.login({ name: 'ada' });
    const stopFirst = first.subscribe(() => {});
    const own = (path: string, method: string) => new RestEndpoint({ urlPrefix: API, path, method }) as never;
    const second = createCookieSession<[{ name: string }], { id: string }>({
      login: own('/login', 'POST'),
      whoami: own('/whoami', 'GET'),
      credentials: 'include',
      tabs: other,
      clock,
      server: true,
    });
    const [whoami, login] = [fake.routes['GET /whoami']!, fake.routes['POST /login']!];
    const [checked, signedIn] = [deferred(), deferred()];
    const late =
      (route: typeof whoami, { promise }: typeof checked): typeof whoami =>
      async seen => {
        const answer = await route(seen);
        await promise;
        return answer;
      };
    fake.routes['GET /whoami'] = late(whoami, checked);
    const stopSecond = second.subscribe(() => {});
    await settle();
    fake.routes['POST /login'] = late(login, signedIn);
    const grace = first.login({ name: 'grace' });
    await settle();
    checked.resolve();
    await settle();
    // A check during which a login starts decides nothing.
    expect(second.getSnapshot().user?.id).toBe(shown);
    signedIn.resolve();
    await grace;
    await clock.advance(1_000);
    expect(second.getSnapshot().user?.id).toBe(shown);
    stopFirst();
    stopSecond();
  },
);
