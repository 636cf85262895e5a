import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { eventually, press, says, signIn, test } from './support/test.js';

interface Told {
  actions: string[];
  strings: string[];
}

/** Takes the place of the browser's extension: notes each action that is sent to it, and every text that can be reached from it and its state. */
async function recordDevTools(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const strings = new Set<string>();
    const seen = new WeakSet<object>();
    const told: string[] = [];
    const walk = (value: unknown): void => {
      if (typeof value === 'string') strings.add(value);
      if (value === null || (typeof value !== 'object' && typeof value !== 'function') || seen.has(value)) return;
      if (value instanceof Node || value === globalThis) return;
      seen.add(value);
      if (value instanceof Map || value instanceof Set || value instanceof Headers)
        for (const entry of value) walk(entry);
      for (const key of Reflect.ownKeys(value)) {
        walk(typeof key === 'string' ? key : key.description);
        try {
          walk((value as Record<PropertyKey, unknown>)[key]);
        } catch {
          // Nothing that can be read.
        }
      }
    };
    const connection = {
      init: walk,
      subscribe: (hear: (message: { type: string }) => void) => hear({ type: 'START' }),
      send: (action: { type: string; error?: boolean }, state: unknown) => {
        told.push(action.error ? `${action.type}, an error` : action.type);
        walk(action);
        walk(state);
      },
    };
    Object.assign(window, {
      __REDUX_DEVTOOLS_EXTENSION__: { connect: () => connection },
      toldToDevTools: (): Told => ({ actions: told, strings: [...strings] }),
    });
  });
}

const told = (page: Page): Promise<Told> =>
  page.evaluate(() => (window as unknown as { toldToDevTools: () => Told }).toldToDevTools());

describe.each(['token', 'cookie'])('a %s session', session => {
  test('tells data-client’s devtools no token: at the sign-in, a fetch, a refresh, a 401, and the sign-out', async ({
    context,
    startServer,
  }) => {
    const server = await startServer({ build: 'development' });
    const page = await context.newPage();
    await recordDevTools(page);
    await page.goto(`${server.url}/page?${new URLSearchParams({ session }).toString()}`);
    await says(page, 'anonymous');
    await signIn(page, 'ada');
    server.expireAccess();
    await press(page, 'Ask the store');
    await eventually(() => page.locator('#outcome').textContent(), '10 answered, 0 failed');
    expect(server.refreshes).toEqual(session === 'token' ? ['renewed'] : []);
    await press(page, 'Sign out');
    await says(page, 'anonymous signed-out');
    await press(page, 'Ask the store');
    await eventually(() => page.locator('#outcome').textContent(), '0 answered, 10 failed');
    await eventually(
      async () => new Set((await told(page)).actions),
      new Set(['rdc/reset', 'rdc/set', 'rdc/set, an error']),
    );
    const { strings } = await told(page);
    expect(strings).toContain('On ada 10');
    expect(strings.filter(text => text.includes('secret'))).toEqual([]);
  });
});
