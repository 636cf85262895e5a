import type { Page } from 'playwright';
import { expect } from 'vitest';
import { eventually, openApp, test } from './support/test.js';

const ROUNDS = 10;
/** Sessions that play at the same time, each pair of tabs with a storage key of its own. */
const KEYS = Array.from({ length: 20 }, (_, index) => `pair-${index}`);
/** How far apart the sign-out and the refresh may start, in milliseconds. */
const APART_MS = 30;

const login = (page: Page) =>
  page.evaluate(
    keys => Promise.all(window.app.sessions(keys).map(session => session.login({ username: 'ada' }))).then(() => {}),
    KEYS,
  );

/** Each session does this, at a moment of its own; resolves when all of them have settled. */
const act = (page: Page, what: 'logout' | 'refresh') =>
  page.evaluate(
    async ([keys, name, apartMs]) => {
      const one = async (session: ReturnType<typeof window.app.sessions>[number]) => {
        await new Promise(resolve => setTimeout(resolve, Math.random() * apartMs));
        // A refresh may be called off by the sign-out.
        await (name === 'logout' ? session.logout() : session.refresh().catch(() => {}));
      };
      await Promise.all(window.app.sessions(keys).map(one));
    },
    [KEYS, what, APART_MS] as const,
  );

const statuses = (page: Page) =>
  page.evaluate(keys => window.app.sessions(keys).map(session => session.getSnapshot().status), KEYS);
/** The keys whose sessions have tokens in the storage. */
const stored = (page: Page) =>
  page.evaluate(keys => keys.filter(key => /Token"/.test(localStorage.getItem(key) ?? '')), KEYS);
const all = (status: string) => KEYS.map(() => status);

test(`of ${ROUNDS * KEYS.length} sign-outs during a refresh in another tab, none is undone`, async ({
  context,
  server,
}) => {
  const [first, second] = [
    await openApp(context, server, { session: 'token' }),
    await openApp(context, server, { session: 'token' }),
  ];
  for (const page of [first, second]) await eventually(() => statuses(page), all('anonymous'));
  for (let round = 0; round < ROUNDS; round++) {
    await login(first);
    await eventually(() => statuses(second), all('authenticated'));
    await Promise.all([act(first, 'logout'), act(second, 'refresh')]);
    for (const page of [first, second]) await eventually(() => statuses(page), all('anonymous'));
    for (const page of [first, second]) expect(await stored(page)).toEqual([]);
  }
  // At least some of them met.
  expect(server.refreshes.length).toBeGreaterThan(ROUNDS);
});
