// The Storybook of somebody who installs the package: “Signed in as ...”, as the guide has it, in at most ten lines of setup.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Frame, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumOptions } from '../../scripts/chromium.mjs';
import { serve } from '../../scripts/serve.mjs';
import { countLeftovers, type Leftovers } from '../browser/support/findLeaks.js';
import { loadedBy } from './support/consumerApp.js';
import { consumerStorybook } from './support/consumerStorybook.js';

const BUILD_TIMEOUT_MS = 180_000;
const MECHANISMS = ['token', 'cookie'] as const;

let built: Awaited<ReturnType<typeof consumerStorybook>>;
let site: Awaited<ReturnType<typeof serve>>;
let browser: Browser;
beforeAll(async () => {
  built = await consumerStorybook();
  site = await serve(built.site);
  browser = await chromium.launch(chromiumOptions());
}, BUILD_TIMEOUT_MS);
afterAll(async () => {
  await browser?.close();
  await site?.close();
  built?.remove();
});

interface Held extends Omit<Leftovers, 'listeners'> {
  keys: string[];
  cookies: string;
}

/** What the story’s frame holds; keys of web storage without those of Storybook. */
const heldBy = (frame: Frame): Promise<Held> =>
  frame.evaluate(async () => {
    const { timers, channels, locks } = await window.findLeaks();
    const keys = [...Object.keys(localStorage), ...Object.keys(sessionStorage)];
    return {
      timers,
      channels,
      locks,
      cookies: document.cookie,
      keys: keys.filter(key => !/storybook|^lastViewedStoryIds$/i.test(key)),
    };
  });

/** What is there without a session: the timers of msw's worker and of the requests panel. */
const NOTHING: Held = { timers: 2, channels: 0, locks: 0, keys: [], cookies: '' };

/** Storybook itself has timers of up to 5 seconds. */
const SETTLED = { timeout: 15_000 };

/** What a signed-in session of each mechanism holds. */
const HELD = {
  // The storage tells the other tabs by itself.
  token: { channels: 0, keys: ['data-client-auth'], cookies: '' },
  cookie: { channels: 1, keys: [], cookies: expect.stringContaining('session=') },
};

/** Opens a story of the Storybook in its window. */
async function openStory(story: string, globals = 'user:story') {
  const context = await browser.newContext();
  context.setDefaultTimeout(20_000);
  await countLeftovers(context);
  const page = await context.newPage();
  const sent: string[] = [];
  page.on('response', response => {
    const { host, pathname } = new URL(response.url());
    if (host === 'api.example.com' || /^\/(api|cookie|note)\b/.test(pathname))
      sent.push(`${response.request().method()} ${pathname} ${response.status()}`);
  });
  await page.goto(`${site.url}${built.path}?path=/story/${story}&globals=${globals}`);
  const frame = page.frame({ url: /iframe\.html/ }) ?? (await page.waitForEvent('frameattached'));
  return {
    page,
    sent,
    frame,
    close: () => context.close(),
    root: page.frameLocator('#storybook-preview-iframe').locator('#storybook-root'),
  };
}

async function choose(page: Page, tool: string, choice: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`${tool}:`) }).click();
  await page.getByRole('option', { name: choice, exact: true }).click();
}

test('the setup has at most ten lines', () => {
  const lines = (file: string) =>
    readFileSync(join(import.meta.dirname, 'storybook/.storybook', file), 'utf8')
      .split('\n')
      .filter(Boolean);
  // The session itself is the app's.
  const setup = [
    ...lines('main.ts').filter(line => line.includes('data-client-auth')),
    ...lines('preview.tsx').filter(line => /\bauth\b/.test(line)),
  ];
  expect(setup).toHaveLength(6);
});

describe('the Storybook of the guide', () => {
  test('`as: "ada"` costs no login, and the toolbar signs out, expires the token and takes the network away', async () => {
    const { page, sent, root, close } = await openStory('articles--of-ada');
    await root.getByText('On signing in').waitFor();
    expect(sent).toEqual(['GET /article 200']);
    expect(await root.getByText('On finding moths').count()).toBe(0);

    sent.length = 0;
    await choose(page, 'Network', 'Expired credentials');
    await expect.poll(() => sent).toEqual(['GET /article 401', 'POST /refresh 200', 'GET /article 200']);
    await root.getByText('On signing in').waitFor();

    sent.length = 0;
    await choose(page, 'Network', 'Offline');
    await root.getByText('The server could not be reached. Check the connection.').waitFor();
    expect(sent).toEqual([]);

    await choose(page, 'User', 'Signed out');
    await root.getByRole('button', { name: 'Sign in' }).waitFor();
    await close();
  });

  test.each([
    ['articles--of-grace', 'On finding moths', ['GET /article 200']],
    ['my-articles--signs-in', 'On signing in', ['POST /login 200', 'GET /article 200']],
  ])('%s passes, with the journal and the matcher of `mocks`', async (story, text, requests) => {
    const { page, sent, root, close } = await openStory(story);
    await root.getByText(text).waitFor();
    expect(sent).toEqual(requests);
    // What the sidebar says of a story whose play is over.
    await page.getByRole('tab', { name: 'Interactions' }).click();
    await page.getByText('Pass', { exact: true }).waitFor();
    await close();
  });
});

test('the addon imports the kit by its name, and React as `storybook dev` serves it', () => {
  const imported = [...loadedBy(join(built.app, 'node_modules/data-client-auth/dist'), 'storybook/preview.js')];
  expect(imported.filter(name => !/^\.|^storybook\//.test(name)).sort()).toEqual(['data-client-auth', 'react']);
});

describe.each(MECHANISMS)('with a %s', mechanism => {
  test('`as: "ada"` costs no login: the list’s request only', async () => {
    const { sent, root, close } = await openStory('notes--of-ada', `mechanism:${mechanism}`);
    await root.getByText('Buy ink').waitFor();
    expect(sent).toEqual(['GET /note 200']);
    expect(await root.getByText('Find the moth').count()).toBe(0);
    await close();
  });

  test('the toolbar signs out, and signs another user in', async () => {
    const { page, sent, root, close } = await openStory('notes--of-ada', `mechanism:${mechanism}`);
    await root.getByText('Buy ink').waitFor();
    sent.length = 0;
    await choose(page, 'User', 'Signed out');
    await root.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(sent).toEqual([]);
    await choose(page, 'User', 'Grace');
    await root.getByText('Find the moth').waitFor();
    expect(sent).toEqual(['GET /note 200']);
    await close();
  });

  test('between stories no token, cookie, channel or timer is left', async () => {
    const { page, frame, root, close } = await openStory('notes--without-auth', `mechanism:${mechanism}`);
    await root.getByText('No session here.').waitFor();
    await expect.poll(() => heldBy(frame), SETTLED).toEqual(NOTHING);

    for (const [story, text] of [
      ['Of Ada', 'Buy ink'],
      ['Of Grace', 'Find the moth'],
    ] as const) {
      await page.getByRole('link', { name: story, exact: true }).click();
      await root.getByText(text).waitFor();
      // What would be left: the token's timer and key, or the cookies and the channel.
      expect(await heldBy(frame)).toMatchObject(HELD[mechanism]);
      await page.getByRole('link', { name: 'Without Auth', exact: true }).click();
      await root.getByText('No session here.').waitFor();
      // The end of a sign-in is a record too: it has no token.
      const keys = mechanism === 'token' ? ['data-client-auth'] : [];
      await expect.poll(() => heldBy(frame), SETTLED).toEqual({ ...NOTHING, keys });
      const left = await frame.evaluate(() => localStorage.getItem('data-client-auth') ?? '{}');
      expect(JSON.parse(left)).not.toHaveProperty('credential');
    }
    await close();
  });
});

test('an expired token: refused, refreshed, sent once more', async () => {
  const { page, sent, root, close } = await openStory('notes--of-ada', 'mechanism:token');
  await root.getByText('Buy ink').waitFor();
  sent.length = 0;
  await choose(page, 'Network', 'Expired credentials');
  await expect.poll(() => sent).toEqual(['GET /note 401', 'POST /api/refresh 200', 'GET /note 200']);
  await root.getByText('Buy ink').waitFor();
  await close();
});

test('an expired cookie: refused, asked about once, then the gate', async () => {
  const { page, sent, root, close } = await openStory('notes--of-ada', 'mechanism:cookie');
  await root.getByText('Buy ink').waitFor();
  sent.length = 0;
  await choose(page, 'Network', 'Expired credentials');
  await root.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(sent).toEqual(['GET /note 401', 'GET /cookie/whoami 401']);
  await close();
});

test('a lost connection', async () => {
  const { page, sent, root, close } = await openStory('notes--of-ada', 'mechanism:token');
  await root.getByText('Buy ink').waitFor();
  sent.length = 0;
  await choose(page, 'Network', 'Offline');
  await root.getByText('The server could not be reached. Check the connection.').waitFor();
  expect(sent).toEqual([]);
  await close();
});
