import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { findChromium } from '../../scripts/chromium.mjs';
import type { ApiServer } from './support/apiServer.js';
import { isFirefox } from './support/browserUnderTest.js';
import { NO_FULL_CHROMIUM, startFullChromium } from './support/fullChromium.js';
import { goBack, recordShownAgain } from './support/shownAgain.js';
import { newContext, press, says, signIn, test } from './support/test.js';

declare global {
  interface Window {
    /** A request of Ada's that her page was building when it was left. */
    late?: { outcome: Promise<string>; release: () => void };
    /** What became of the calls that the page's own listener made with Ada's screen when the page was shown again. */
    ownListener?: Promise<Record<string, string>>;
  }
}

interface Row {
  session: Record<string, string>;
  /** What happens on the next page of the same tab. */
  next: 'Ada signs out' | 'Grace signs in' | 'nothing';
  /** What Ada's page then says, and the requests that it sends. */
  says: string;
  sends: string[];
}

const token = (storage: string) => ({ session: 'token', storage });
const cookie = { session: 'cookie' };

const ROWS: Row[] = [
  { session: cookie, next: 'Ada signs out', says: 'anonymous', sends: ['GET /cookie/whoami'] },
  {
    session: cookie,
    next: 'Grace signs in',
    says: 'authenticated grace',
    sends: ['GET /cookie/whoami', 'GET /article'],
  },
  { session: token('memory'), next: 'Grace signs in', says: 'anonymous', sends: [] },
  { session: token('local'), next: 'Ada signs out', says: 'anonymous', sends: [] },
  { session: token('local'), next: 'Grace signs in', says: 'authenticated grace', sends: ['GET /article'] },
];

/** The tab's own storage. Its changes drop Ada's page from the cache: Firefox would show it with the storage of the time when it was left. */
const OWN_STORAGE: Row[] = [
  { session: token('session'), next: 'Ada signs out', says: 'anonymous', sends: [] },
  { session: token('session'), next: 'Grace signs in', says: 'authenticated grace', sends: ['GET /article'] },
  { session: token('session'), next: 'nothing', says: 'authenticated ada', sends: ['GET /article'] },
];

const path = isFirefox ? undefined : findChromium({ full: true });
const missing = !isFirefox && path === undefined;
if (missing) console.warn(`The tests of the back/forward cache are skipped. ${NO_FULL_CHROMIUM}`);

/** Ada's page starts a request, which is not built before `late.release()`. */
const startLateRequest = (page: Page) =>
  page.evaluate(() => {
    let release = () => {};
    const after = new Promise<void>(resolve => (release = resolve));
    window.late = { outcome: window.app.call({ method: 'GET', address: '/article/late', after }), release };
  });

const settleLateRequest = (page: Page) =>
  page.evaluate(async () => {
    window.late?.release();
    return window.late?.outcome;
  });

/** A listener of the app's own, which is there before the session's: it calls what Ada's screen has captured. */
const listenToPageShow = (page: Page) =>
  page.addInitScript(() => {
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) window.ownListener = window.app.callCaptured();
    });
  });

/** Another page of the app, after a full navigation. It tells other tabs nothing: a message would drop Ada's page from the cache. */
async function openNext(page: Page, server: ApiServer, { session, next }: Row): Promise<void> {
  await page.goto(`${server.url}/page?${new URLSearchParams({ ...session, tabs: 'off' }).toString()}`);
  if (next === 'Grace signs in') return signIn(page, 'grace');
  await says(page, 'authenticated ada');
  if (next === 'nothing') return page.getByText('On ada 10').waitFor();
  const serverKnows = page.waitForResponse(/logout$/);
  await press(page, 'Sign out');
  await says(page, 'anonymous signed-out');
  await serverKnows;
}

/** Waits for the list, if the page reads one, and compares the requests since `openNext`. */
async function expectSent(page: Page, server: ApiServer, { says: who, sends }: Row): Promise<void> {
  const [, person] = who.split(' ');
  if (person) await page.waitForFunction(text => document.body.textContent?.includes(text), `On ${person} 10`);
  await page.evaluate(() => fetch('/marker', { cache: 'no-store' }));
  expect(server.requests.map(({ method, path: sent }) => `${method} ${sent}`)).toEqual([...sends, 'GET /marker']);
}

describe.skipIf(missing)(
  `back from another page, by the back/forward cache${missing ? ' (skipped: no full Chromium)' : ''}`,
  () => {
    let chromium: Browser | undefined;
    beforeAll(async () => {
      if (path) chromium = await startFullChromium(path);
    });
    afterAll(() => chromium?.close());

    test.for(ROWS)(
      '$session.session $session.storage, $next: the page forgets Ada before it is painted, and is restored (scenario 21)',
      async (row, { server, browser }) => {
        const context = await newContext(chromium ?? browser);
        await recordShownAgain(context);
        const page = await context.newPage();
        await listenToPageShow(page);
        await page.goto(`${server.url}/page?${new URLSearchParams(row.session).toString()}`);
        await signIn(page, 'ada');
        await page.evaluate(() => window.app.capture());
        await startLateRequest(page);
        await openNext(page, server, row);
        server.requests.length = 0;

        const { painted, changed, ...cached } = await goBack(page);
        expect(cached).toEqual({ persisted: true, notRestoredReasons: isFirefox ? undefined : null });
        expect([...painted, ...changed].filter(text => /On ada|authenticated ada/.test(text))).toEqual([]);
        expect(await settleLateRequest(page)).toMatch(/^AbortError: The identity changed/);
        const own = Object.values((await page.evaluate(() => window.ownListener)) ?? {});
        expect(own).toHaveLength(11);
        expect(
          own.filter(
            outcome => !outcome.startsWith('AbortError: This call belongs to the screen of an identity that has left'),
          ),
        ).toEqual([]);
        await says(page, row.says);
        await expectSent(page, server, row);
        expect(
          server.requests.map(({ headers }) => headers['access-token']).filter(value => value?.includes('-ada-')),
        ).toEqual([]);
        await context.close();
      },
    );

    test.for(OWN_STORAGE)(
      'a storage of the tab’s own, $next: the page shows who is signed in now',
      async (row, { server, browser }) => {
        const context = await newContext(chromium ?? browser);
        await recordShownAgain(context);
        const page = await context.newPage();
        await page.goto(`${server.url}/page?${new URLSearchParams(row.session).toString()}`);
        await signIn(page, 'ada');
        await openNext(page, server, row);
        server.requests.length = 0;

        const { painted, changed, persisted } = await goBack(page);
        expect(persisted).toBe(true);
        if (row.next !== 'nothing')
          expect([...painted, ...changed].filter(text => /On ada|authenticated ada/.test(text))).toEqual([]);
        await says(page, row.says);
        await expectSent(page, server, row);
        await page.reload();
        await says(page, row.says);
        await context.close();
      },
    );
  },
);
