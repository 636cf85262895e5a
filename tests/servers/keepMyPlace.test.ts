import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { forget, noted, probe } from '../browser/support/probe.js';
import { eventually, press } from '../browser/support/test.js';
import { cookieServer } from './support/cookieServer.js';
import { enter, lists, says, showsNothingOf, signIn, titled } from './support/demoApp.js';
import { jwtServer } from './support/jwtServer.js';
import { PAGE_SIZE, SHELVES } from './support/people.js';
import type { ServerOptions } from './support/ServerOptions.js';
import { test, type RealServer } from './support/test.js';

/** A server that can end Ada's session, and what it is then asked for until the page is locked. */
interface Variant {
  make: (options: ServerOptions) => Promise<RealServer & { end: () => void }>;
  refused: string[];
  /** What the other tab asks before it is unlocked. */
  unlocks: string[];
}

const VARIANTS: Record<string, Variant> = {
  cookie: {
    make: async options => {
      const server = await cookieServer(options);
      return { ...server, end: () => server.signOutElsewhere('ada') };
    },
    // The CSRF token belonged to the session that has ended.
    unlocks: ['GET /auth/whoami  ada  200'],
    // The tab asks before it sends the note again, and the other tab before it locks.
    refused: [
      'POST /api/note  nobody  403',
      'GET /auth/csrf  nobody  204',
      'GET /auth/whoami  nobody  401',
      'GET /auth/whoami  nobody  401',
    ],
  },
  jwt: {
    make: async options => {
      const server = await jwtServer({ ...options, shelves: SHELVES, pageSize: PAGE_SIZE, lifetime: 300 });
      return { ...server, end: server.endSessions };
    },
    unlocks: [],
    refused: ['POST /api/note  ada  401', 'POST /auth/refresh  ada  401'],
  },
};

const draft = (page: Page) => page.getByRole('form', { name: 'New note', includeHidden: true }).getByLabel('Title');

describe.each(Object.keys(VARIANTS))('a %s session that the server ends, in two tabs with a lock', session => {
  const { make, refused, unlocks } = VARIANTS[session]!;
  type Open = (server: RealServer, search: Record<string, string>) => Promise<Page>;

  /** Both tabs have a half-typed note; the first one sends it, and then both are locked. */
  async function twoLockedTabs(server: RealServer & { end: () => void }, openApp: Open): Promise<[Page, Page]> {
    const first = await openApp(server, { session, lock: '' });
    await signIn(first, 'ada');
    const second = await openApp(server, { session, lock: '' });
    await lists(second, titled('ada', 10));
    await draft(first).fill('Sent while it ended');
    await draft(second).fill('Not finished');
    server.log.clear();
    server.end();
    await press(first, 'Create');
    await says(first, 'locked expired');
    // Of a cookie, the other tab finds out when its user comes back to it.
    const lookAtSecond = async () => {
      if (session === 'cookie') await second.evaluate(() => void window.dispatchEvent(new Event('focus')));
      return second.locator('#who').textContent();
    };
    await eventually(lookAtSecond, 'locked expired');
    for (const page of [first, second]) await page.getByRole('dialog').waitFor();
    for (const page of [first, second]) {
      expect(await draft(page).isVisible()).toBe(false);
      expect(await page.getByText('ada’s note 1', { exact: true }).isVisible()).toBe(false);
    }
    expect(server.log.lines()).toEqual(refused);
    server.log.clear();
    return [first, second];
  }

  test('one login unlocks both: the text is there, and what waits is sent once', async ({ start, openApp }) => {
    const server = await start(make);
    const [first, second] = await twoLockedTabs(server, openApp);
    // The app of the other tab starts a request by itself.
    await second.getByRole('button', { name: 'Read again', includeHidden: true }).dispatchEvent('click');
    await enter(second, 'ada');
    for (const page of [first, second]) await says(page, 'authenticated');
    await eventually(() => draft(first).inputValue(), '');
    await eventually(() => first.getByRole('dialog').count(), 0);
    expect([await draft(second).inputValue(), await draft(second).isVisible()]).toEqual(['Not finished', true]);
    await lists(first, [...titled('ada', 10), 'Sent while it ended']);
    expect(
      server.log
        .lines()
        .filter(line => !line.includes('/auth/csrf'))
        .sort(),
    ).toEqual([
      'GET /api/note  ada  200',
      ...unlocks,
      expect.stringMatching(/^POST \/api\/note {2}ada {2}201$/),
      expect.stringMatching(/^POST \/auth\/login {2}\w+ {2}200$/),
    ]);
  }, 60_000);

  test('“Not me” in one of them ends both, and nothing is sent', async ({ start, openApp }) => {
    const server = await start(make);
    const [first, second] = await twoLockedTabs(server, openApp);
    await press(second, 'Not me');
    await says(second, 'anonymous signed-out');
    await eventually(() => first.getByRole('dialog').count(), 0);
    for (const page of [first, second]) {
      await page.getByLabel('User name').waitFor();
      expect(await draft(page).count()).toBe(0);
      expect(await page.getByText('ada’s note 1', { exact: true }).count()).toBe(0);
    }
    expect(server.log.lines().filter(line => !/whoami|csrf/.test(line))).toEqual([]);
  }, 60_000);

  test('Grace signs in in one of them: both are hers, and nothing of Ada’s is sent or shown', async ({
    context,
    start,
    openApp,
  }) => {
    await probe(context, 'present');
    const server = await start(make);
    const [first, second] = await twoLockedTabs(server, openApp);
    await Promise.all([first, second].map(forget));
    await enter(second, 'grace');
    for (const page of [first, second]) await lists(page, titled('grace', 10));
    expect(server.log.lines().filter(line => line.startsWith('POST /api'))).toEqual([]);
    expect(await Promise.all([first, second].map(page => draft(page).inputValue()))).toEqual(['', '']);
    for (const page of [first, second]) {
      const { shown } = await noted(page);
      // While it is locked, the page of Ada is there and hidden.
      const since = shown.filter(({ text }) => !text.includes('locked expired'));
      expect(since.length).toBeGreaterThan(0);
      expect(showsNothingOf('ada', { shown: since })).toBe(true);
    }
  }, 60_000);
});
