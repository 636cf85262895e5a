import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import type { ApiServer } from './support/apiServer.js';
import { press, says, signIn, test } from './support/test.js';

const LEFT =
  'AbortError: This call belongs to the screen of an identity that has left, so nothing was sent. Call the endpoint or controller that the current screen renders.';

const LEAVES: Record<string, (page: Page, server: ApiServer) => Promise<void>> = {
  'a switch': page => signIn(page, 'grace'),
  'a sign-out': async page => {
    await press(page, 'Sign out');
    await says(page, 'anonymous signed-out');
  },
  'an expiry': async (page, server) => {
    server.endSessions();
    await press(page, 'Fire');
    await says(page, 'anonymous expired');
  },
  'a sign-out and a sign-in of the same user': async page => {
    await press(page, 'Sign out');
    await says(page, 'anonymous signed-out');
    await signIn(page, 'ada');
  },
};

/** What the captured calls send; lists and articles with a number are the page's own. */
function callsOfHandlers(server: ApiServer): string[] {
  return server
    .dataCalls()
    .map(({ method, path }) => `${method} ${path}`)
    .filter(line => !/^GET \/article(\/\d+)?$/.test(line));
}

describe.each(['token', 'cookie'])('a %s session', session => {
  test.for(Object.entries(LEAVES))(
    'after %s, what a handler of Ada’s screen has captured sends nothing and rejects at once (scenario 26)',
    async ([, leave], { server, open }) => {
      const page = await open(server, { session });
      await says(page, 'anonymous');
      await signIn(page, 'ada');
      await page.evaluate(() => window.app.capture());
      await leave(page, server);

      const became = await page.evaluate(() => window.app.callCaptured());
      expect(Object.keys(became)).toHaveLength(11);
      expect(became).toEqual(Object.fromEntries(Object.keys(became).map(name => [name, LEFT])));
      // A request that is sent later.
      await page.evaluate(() => fetch('/marker', { cache: 'no-store' }));
      expect(callsOfHandlers(server)).toEqual([]);
    },
  );

  test('the screen that is there goes on working, and so does one that saw the user sign in', async ({
    server,
    open,
  }) => {
    const page = await open(server, { session });
    await says(page, 'anonymous');
    await page.evaluate(() => window.app.capture());
    await signIn(page, 'ada');
    const became = await page.evaluate(() => window.app.callCaptured());
    expect(Object.values(became)).not.toContain(LEFT);
    await page.evaluate(() => fetch('/marker', { cache: 'no-store' }));
    expect(callsOfHandlers(server)).toContain('GET /article/old');
  });
});
