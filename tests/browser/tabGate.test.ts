import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { build } from 'vite';
import { expect } from 'vitest';
import type {} from './support/gateClient.js';
import { eventually, newContext, test } from './support/test.js';

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

let script = '';

test.beforeAll(async () => {
  const entry = join(import.meta.dirname, 'support/gateClient.ts');
  const result = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: { write: false, minify: false, target: 'es2022', lib: { entry, formats: ['iife'], name: 'gateClient' } },
  });
  const [{ output }] = result as unknown as [{ output: [{ code: string }] }];
  script = output[0].code;
});

/** One cookie, which each answer sets again. Counts requests of a screen that come with another user's cookie. */
async function cookieServer() {
  const state = { served: 0, crossed: 0, whoamis: 0, logouts: 0, isRefusing: false, loginMs: 20, noteMs: 60 };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const who = /who=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? null;
    const send = (status: number, cookie?: string, body?: object) => {
      response.writeHead(status, { 'content-type': 'application/json', ...(cookie && { 'set-cookie': cookie }) });
      response.end(body && JSON.stringify(body));
    };
    const rolled = who ? `who=${who}; Path=/` : undefined;
    if (pathname === '/login') {
      await pause(state.loginMs);
      return send(204, `who=${searchParams.get('as')}; Path=/`);
    }
    if (pathname === '/logout') {
      state.logouts++;
      await pause(10);
      return state.isRefusing ? send(500) : send(204, 'who=; Path=/; Max-Age=0');
    }
    if (pathname === '/whoami') {
      state.whoamis++;
      await pause(Math.random() * 10);
      return send(200, rolled, { who });
    }
    if (pathname === '/note') {
      state.served++;
      if (who && searchParams.get('screen') !== who) state.crossed++;
      await pause(Math.random() * state.noteMs);
      return send(200, rolled, { who });
    }
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>Lab</title>${pathname === '/lab' ? `<script>${script}</script>` : ''}`);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    state,
    url: `http://localhost:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise(resolve => server.close(resolve));
    },
  };
}

interface Setup {
  lateMs?: number;
  lost?: number;
  timeoutMs?: number;
}

async function inTabs(
  browser: Browser,
  { lateMs = 0, lost = 0, timeoutMs = 1_000 }: Setup,
  run: (server: Awaited<ReturnType<typeof cookieServer>>, first: Page, second: Page) => Promise<void>,
): Promise<void> {
  const server = await cookieServer();
  const context = await newContext(browser);
  try {
    const open = async () => {
      const page = await context.newPage();
      await page.goto(`${server.url}/lab`);
      await page.evaluate(options => void (window.lab = window.startLab(...options)), [lateMs, lost, timeoutMs] as [
        number,
        number,
        number,
      ]);
      return page;
    };
    const [first, second] = [await open(), await open()];
    await first.evaluate(() => window.lab.login('ada'));
    await second.evaluate(() => window.lab.note());
    await run(server, first, second);
    expect(server.state.crossed).toBe(0);
    for (const page of [first, second]) expect(await page.evaluate(() => window.lab.wrong())).toBe(0);
  } finally {
    await context.close();
    await server.close();
  }
}

const who = (page: Page) => page.evaluate(() => window.lab.who());
const login = (page: Page, as: string) => page.evaluate(name => window.lab.login(name), as);
const logout = (page: Page, was?: string) => page.evaluate(name => window.lab.logout(name), was);

test.for<[string, Setup]>([
  ['busy tabs', {}],
  ['messages up to 150 ms late', { lateMs: 150 }],
  ['one message of three is lost', { lost: 1 / 3 }],
])('%s: no request of a screen carries another user', { timeout: 30_000 }, async ([, setup], { browser }) => {
  await inTabs(browser, setup, async (server, first, second) => {
    const tabs = [first, second];
    for (let i = 0; i < 10; i++) {
      const as = i % 2 ? 'ada' : 'grace';
      const [writer, other] = i % 2 ? [second, first] : [first, second];
      if (setup.lateMs) await Promise.all([login(writer, as), other.evaluate(() => window.lab.idle())]);
      else {
        const busy = tabs.map(tab => tab.evaluate(() => window.lab.busy(400)));
        await pause(150);
        await login(writer, as);
        await Promise.all(busy);
      }
      await pause(50);
      for (const tab of tabs) {
        await tab.evaluate(() => window.lab.note());
        expect(await who(tab)).toBe(as);
      }
    }
    expect(server.state.served).toBeGreaterThan(40);
  });
});

test('an idle tab without any message', async ({ browser }) => {
  await inTabs(browser, { lost: 1 }, async (_server, first, second) => {
    await login(first, 'grace');
    await second.evaluate(() => window.lab.note());
    await eventually(() => who(second), 'grace');
  });
});

test('a login that takes most of its turn', async ({ browser }) => {
  await inTabs(browser, { timeoutMs: 400 }, async (server, first, second) => {
    server.state.loginMs = 1_000;
    const busy = second.evaluate(() => window.lab.busy(1_500));
    await login(first, 'grace');
    await busy;
    expect(await Promise.all([who(first), who(second)])).toEqual(['grace', 'grace']);
  });
});

test('a page that signs out before it knows who is signed in', async ({ browser }) => {
  await inTabs(browser, {}, async (server, first, second) => {
    await first.reload();
    await first.evaluate(() => void (window.lab = window.startLab(0, 0, 1_000)));
    await logout(first);
    await eventually(() => who(second), null);
    expect(server.state.logouts).toBe(1);
  });
});

test('a sign-out that the server refuses is one message, and "try again" is for its user only', async ({ browser }) => {
  await inTabs(browser, {}, async (server, first, second) => {
    server.state.isRefusing = true;
    const before = server.state.whoamis;
    const told = await first.evaluate(() => window.lab.sent.length);
    const busy = second.evaluate(() => window.lab.busy(300));
    await pause(100);
    await logout(first);
    await busy;
    expect(await Promise.all([who(first), who(second)])).toEqual([null, null]);
    expect(server.state.whoamis).toBe(before);
    expect(await first.evaluate(from => window.lab.sent.slice(from), told)).toEqual(['signed-out']);
    server.state.isRefusing = false;
    await login(second, 'grace');
    await logout(first, 'ada');
    expect(server.state.logouts).toBe(1);
  });
});

test('a tab that is stopped, robbed and goes on', async ({ browser }) => {
  await inTabs(browser, { timeoutMs: 500, lost: 1 }, async (_server, first, second) => {
    for (const as of ['grace', 'ada', 'grace']) {
      const busy = second.evaluate(async () => {
        const notes = window.lab.busy(1_600);
        setTimeout(() => window.lab.stop(1_200), 60);
        await notes;
      });
      await pause(150);
      await login(first, as);
      await busy;
      await second.evaluate(() => window.lab.note());
      expect(await who(second)).toBe(as);
    }
  });
});

test('a slow answer of a page that signs out brings no cookie back', async ({ browser }) => {
  await inTabs(browser, {}, async (server, first, second) => {
    for (let i = 0; i < 5; i++) {
      await login(first, 'ada');
      await second.evaluate(() => window.lab.check());
      const busy = Promise.all([first, second].map(tab => tab.evaluate(() => window.lab.busy(150))));
      await pause(100);
      await logout(first);
      await busy;
      await pause(100);
      expect(await first.evaluate(async () => (await (await fetch('/whoami')).json()).who)).toBeNull();
    }
    expect(server.state.logouts).toBe(5);
  });
});
