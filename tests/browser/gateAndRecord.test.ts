// Two tabs with one cookie, and three tabs with one record of tokens: counted at a real server.
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { sessionServer } from './sessionPage/server.js';
import { test } from './support/test.js';

const sleep = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));

let server: Awaited<ReturnType<typeof sessionServer>>;

beforeAll(async () => {
  const result = await build({
    configFile: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      lib: { entry: join(import.meta.dirname, 'sessionPage/page.ts'), formats: ['es'] },
    },
  });
  const { output } = [result].flat()[0] as { output: readonly { code?: string }[] };
  server = await sessionServer(output[0]!.code!);
});
afterAll(() => server.close());

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(server.url);
  await page.waitForFunction(() => window.kit);
  return page;
}

const shown = (tabs: readonly Page[]) =>
  Promise.all(tabs.map(tab => tab.evaluate(() => window.kit.note().then(window.kit.who))));

async function openCookieTabs(context: BrowserContext, lateMs = 0, lost = 0) {
  const tabs = [await openTab(context), await openTab(context)] as const;
  for (const tab of tabs) await tab.evaluate(() => window.kit.show());
  await tabs[0].evaluate(() => window.kit.cookie.login({ as: 'ada' }));
  // A tab that knows of nobody hears of a login by its message only.
  await expect.poll(() => shown(tabs), { timeout: 5_000 }).toEqual(['ada', 'ada']);
  for (const tab of tabs) await tab.evaluate(([late, share]) => window.kit.spoil(late!, share!), [lateMs, lost]);
  server.reset();
  return tabs;
}

describe('scenarios 43 and 52: one cookie in two tabs', () => {
  test.for([
    ['busy tabs', 0, 0],
    ['idle tabs, messages 0 to 150 ms late', 150, 0],
    ['busy tabs, one message of three lost', 0, 1 / 3],
  ] as const)('%s: no request of a screen carries another user’s cookie', async ([, lateMs, lost], { context }) => {
    const tabs = await openCookieTabs(context, lateMs, lost);
    const disagree: unknown[] = [];
    for (let round = 0; round < 10; round++) {
      const as = round % 2 ? 'ada' : 'grace';
      const writer = tabs[round % 2]!;
      const login = () => writer.evaluate(name => window.kit.cookie.login({ as: name }).then(() => {}), as);
      if (lateMs > 0) await Promise.all([login(), tabs[1 - (round % 2)]!.evaluate(() => window.kit.idle())]);
      else {
        const loops = tabs.map(tab => tab.evaluate(() => window.kit.busy(500)));
        await sleep(150);
        await login();
        await Promise.all(loops);
      }
      await sleep(50);
      const seen = await shown(tabs);
      if (seen.some(who => who !== as)) disagree.push([as, seen]);
    }
    expect(server.seen.crossed).toBe(0);
    expect(disagree).toEqual([]);
    expect(server.seen.served).toBeGreaterThan(30);
    if (lost === 0) expect(server.seen.whoami).toBeLessThanOrEqual(10 * 3);
  });

  test('tab 1’s login is answered 204 and whoami takes 400 ms: tab 2 writes nothing as Grace', async ({ context }) => {
    const tabs = await openCookieTabs(context);
    server.how.whoamiMs = 400;
    const loop = tabs[1].evaluate(() => window.kit.busy(800));
    await sleep(100);
    await tabs[0].evaluate(() => window.kit.cookie.login({ as: 'grace' }).then(() => {}));
    await loop;
    server.how.whoamiMs = 5;
    expect(server.seen.crossed).toBe(0);
    await expect.poll(() => shown(tabs)).toEqual(['grace', 'grace']);
  });

  test('a slow answer of tab 2 does not bring Ada’s cookie back', async ({ context }) => {
    const tabs = await openCookieTabs(context);
    server.how.noteMs = 1_500;
    const slow = tabs[1].evaluate(() =>
      Promise.all([window.kit.note(), window.kit.note(), window.kit.note()]).then(() => {}),
    );
    await sleep(50);
    await tabs[0].evaluate(() => window.kit.cookie.login({ as: 'grace' }).then(() => {}));
    await slow;
    server.how.noteMs = 60;
    await sleep(100);
    expect(await shown(tabs)).toEqual(['grace', 'grace']);
    expect(server.seen.crossed).toBe(0);
  });

  test('a sign-out is one message and no request in the other tab', async ({ context }) => {
    const tabs = await openCookieTabs(context);
    await tabs[0].evaluate(() => window.kit.cookie.logout());
    await expect.poll(() => tabs[1].evaluate(() => window.kit.cookie.getSnapshot().status)).toBe('anonymous');
    expect(await tabs[1].evaluate(() => window.kit.cookie.getSnapshot().reason)).toBe('elsewhere');
    expect([server.seen.whoami, server.seen.logouts]).toEqual([0, 1]);
  });

  test('a sign-out that the server refuses: both tabs stay signed out, and only the first says that it is unconfirmed', async ({
    context,
  }) => {
    const tabs = await openCookieTabs(context);
    server.how.refusesLogout = true;
    await tabs[0].evaluate(() => window.kit.cookie.logout().catch(() => {}));
    await sleep(300);
    server.how.refusesLogout = false;
    const snapshots = await Promise.all(tabs.map(tab => tab.evaluate(() => window.kit.cookie.getSnapshot())));
    expect(snapshots.map(({ status, unconfirmed }) => [status, unconfirmed])).toEqual([
      ['anonymous', 'logout'],
      ['anonymous', undefined],
    ]);
    expect(server.seen.whoami).toBe(0);
    await tabs[0].evaluate(() => window.kit.cookie.logout());
    expect(await tabs[0].evaluate(() => window.kit.cookie.getSnapshot().unconfirmed)).toBe(undefined);
    await sleep(100);
    expect(await shown(tabs)).toEqual([undefined, undefined]);
  });

  test('logout() where nobody is known yet ends the cookie that it finds', async ({ context }) => {
    await openCookieTabs(context);
    const page = await openTab(context);
    await page.evaluate(() => window.kit.cookie.logout());
    expect(server.seen.logouts).toBe(1);
    const next = await openTab(context);
    await next.evaluate(() => window.kit.cookie.ready());
    expect(await next.evaluate(() => window.kit.cookie.getSnapshot().status)).toBe('anonymous');
  });
});

describe('scenarios 6, 29 and 51: tokens that three tabs share', { timeout: 120_000 }, () => {
  test('tabs agree, no sign-out is undone, no refresh token is sent twice', async ({ context }) => {
    const tabs = [await openTab(context), await openTab(context), await openTab(context)];
    for (const tab of tabs) await tab.evaluate(() => window.kit.useTokens());
    server.reset();
    const wrong: string[] = [];
    for (let round = 0; round < 60; round++) {
      await Promise.all(tabs.map(tab => tab.evaluate(() => window.kit.act())));
      const isOut = round % 3 === 0;
      if (isOut) await tabs[0]!.evaluate(() => window.kit.token.logout().catch(() => {}));
      await sleep(120);
      const states = await Promise.all(
        tabs.map(tab => tab.evaluate(() => `${window.kit.token.getSnapshot().status} ${window.kit.record()}`)),
      );
      if (new Set(states).size > 1) wrong.push(`round ${round} differs: ${states.join(' | ')}`);
      if (isOut && states.some(state => state.includes('accessToken')))
        wrong.push(`round ${round} undone: ${states[0]}`);
    }
    expect(wrong).toEqual([]);
    expect(server.seen.refreshes).toBeGreaterThan(20);
    expect(server.seen.twice).toBe(0);
  });

  test('a sign-out in a tab that is closed at once, while another one refreshes, is not lost', async ({ context }) => {
    const [first, second] = [await openTab(context), await openTab(context)];
    for (const tab of [first, second]) await tab.evaluate(() => window.kit.useTokens());
    server.reset();
    let lost = 0;
    for (let round = 0; round < 25; round++) {
      const tab = await openTab(context);
      await tab.evaluate(() => window.kit.useTokens());
      await second.evaluate(() => window.kit.token.login('ada').then(() => {}));
      await sleep(50);
      const busy = second.evaluate(async () => {
        for (let count = 0; count < 15; count++) await window.kit.token.refresh().catch(() => {});
      });
      await sleep(Math.random() * 60);
      await tab.evaluate(() => void window.kit.token.logout().catch(() => {}));
      await tab.close();
      await busy;
      await sleep(50);
      const states = await Promise.all(
        [first, second].map(one => one.evaluate(() => window.kit.token.getSnapshot().status)),
      );
      if (states.some(status => status !== 'anonymous')) lost++;
    }
    expect([lost, server.seen.twice]).toEqual([0, 0]);
  });
});
