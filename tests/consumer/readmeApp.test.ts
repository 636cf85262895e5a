// The README's two apps, word by word but for the address of the API, in the hands of a user.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium, type Browser, type Page } from 'playwright';
import { build, type Rollup } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumOptions } from '../../scripts/chromium.mjs';
import { serve } from '../../scripts/serve.mjs';
import { readmeFiles } from '../docs/support/readmeFiles.js';
import { articleServer } from './support/articleServer.js';
import { consumerApp, typeErrors } from './support/consumerApp.js';

const API = 'https://api.example.com';
const COMPILER = 'tests/consumer/compilers/7/node_modules/typescript';
/** Where the pictures of the screens are, to look at. */
const PICTURES = 'tests/consumer/pictures';
/** More than a busy page needs for its last request. */
const TIMEOUT_MS = 15_000;

const readme = readFileSync('README.md', 'utf8');
let api: Awaited<ReturnType<typeof articleServer>>;
let browser: Browser;
beforeAll(async () => {
  api = await articleServer();
  browser = await chromium.launch(chromiumOptions());
});
afterAll(async () => {
  await browser?.close();
  await api?.close();
});

const row = (page: Page, title: string) => page.getByText(new RegExp(`^${title}\\b`));
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const eventually = <T>(read: () => T | Promise<T>, expected: T) =>
  expect.poll(read, { timeout: TIMEOUT_MS }).toEqual(expected);

async function signIn(page: Page, person: string, password: string): Promise<void> {
  await page.getByLabel('User name').fill(person);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Sign in');
  await row(page, `${person}’s article 1`).first().waitFor();
}

describe.each(['hook', 'widget'] as const)('the app with a %s', kind => {
  let app: ReturnType<typeof consumerApp>;
  let site: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    app = consumerApp({ source: 'readmeApp' });
    for (const [name, code] of readmeFiles(readme)[kind])
      writeFileSync(join(app.folder, name), code.replace(API, api.url));
    await build({ root: app.folder, logLevel: 'error' });
    site = await serve(join(app.folder, 'dist'));
  });
  afterAll(async () => {
    await site?.close();
    app?.remove();
  });

  test('it compiles', async () => {
    expect(await typeErrors(app.folder, COMPILER)).toEqual([]);
  });

  test('the README says how many bytes of it are the kit’s', async () => {
    const input = join(app.folder, 'src/main.tsx');
    const kilobytes = async (...peers: RegExp[]) => {
      const rolldownOptions = { input, external: [/^react/, /^@data-client/, ...peers] };
      const { output } = (await build({
        root: app.folder,
        logLevel: 'error',
        build: { write: false, modulePreload: { polyfill: false }, rolldownOptions },
      }).then(result => (Array.isArray(result) ? result[0] : result))) as Rollup.RollupOutput;
      return Math.round(gzipSync(output[0].code).length / 1024);
    };
    const said = /app with the hook downloads (\d+) KB \(gzip\) of the kit, the one with the widget (\d+) KB/.exec(
      readme,
    );
    const bytes = await kilobytes();
    // The README need not follow each change.
    expect(Math.abs(Number(said?.[kind === 'hook' ? 1 : 2]) - bytes)).toBeLessThanOrEqual(1);
    const virtualizer = bytes - (await kilobytes(/^@tanstack/));
    expect(virtualizer).toBe(kind === 'hook' ? 0 : Number(/It is (\d+) KB of the second app/.exec(readme)?.[1]));
  });

  test('one user after the other signs in, reads, and signs out, across an expiry', async () => {
    const page = await browser.newPage();
    const said: string[] = [];
    page.on('console', message => said.push(message.text()));
    page.on('pageerror', error => said.push(error.message));
    await page.goto(site.url);
    api.takeLines();
    await signIn(page, 'ada', 'lovelace');
    expect(api.takeLines()).toEqual(['POST /login  nobody  200', 'GET /article  ada  200']);
    if (kind === 'widget') await useTheWidget(page);

    await page.locator('header').getByText('ada').waitFor();
    await press(page, 'Sign out');
    await page.getByLabel('User name').waitFor();
    expect(await page.getByText('article').count()).toBe(0);
    expect(api.takeLines()).toEqual(['POST /logout  ada  204']);
    await signIn(page, 'grace', 'hopper');
    expect(await page.getByText('ada’s').count()).toBe(0);
    expect(api.takeLines()).toEqual(['POST /login  nobody  200', 'GET /article  grace  200']);
    expect(said).toEqual(kind === 'widget' ? [expect.stringContaining('422'), expect.stringContaining('401')] : []);
    await page.close();
  });

  test.for(
    [360, 768, 1280].flatMap(width => (['light', 'dark'] as const).map(colorScheme => [width, colorScheme] as const)),
  )(
    'in the page of Vite’s template, %i pixels wide and %s, each screen looks finished',
    async ([width, colorScheme]) => {
      const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
      const problems: string[] = [];
      const look = async (name: string) => {
        const path = join(PICTURES, `${kind}-${name}-${colorScheme}-${width}.png`);
        await page.screenshot({ path, animations: 'disabled' });
        problems.push(...(await unfinished(page, NEAR_PX)).map(problem => `${name}: ${problem}`));
      };
      const widthOfLogin = async () => (await page.getByRole('form').boundingBox())?.width;
      await page.goto(site.url);
      await page.getByLabel('User name').fill('grace');
      await page.getByLabel('Password', { exact: true }).fill('wrong');
      await look('sign-in');
      const before = await widthOfLogin();
      await press(page, 'Sign in');
      await page.getByRole('alert').waitFor();
      await look('wrong-password');
      expect(await widthOfLogin()).toBe(before);

      await signIn(page, 'grace', 'hopper');
      await look('list');
      if (kind === 'widget') {
        await createTooLong(page);
        await look('refused');
      }
      expect(problems).toEqual([]);
      await page.close();
    },
  );
});

async function createTooLong(page: Page): Promise<void> {
  await page.getByLabel('Title').fill('Too long '.repeat(9));
  await press(page, 'Create');
  await page.getByText('Too long.', { exact: true }).first().waitFor();
  expect(await page.getByLabel('Title').getAttribute('aria-invalid')).toBe('true');
}

/** Reads to the end, creates a row that the server refuses first, and deletes one after the token has expired. */
async function useTheWidget(page: Page): Promise<void> {
  await press(page, 'Load more');
  await row(page, 'ada’s article 21').waitFor({ state: 'attached' });
  await press(page, 'Load more');
  await row(page, 'ada’s article 45').waitFor({ state: 'attached' });
  await press(page, 'Load more');
  await page.getByText('All 45 loaded.').first().waitFor();
  expect(api.takeLines()).toEqual([2, 3, 4].map(number => `GET /article?page=${number}  ada  200`));

  await createTooLong(page);
  await page.getByLabel('Title').fill('On looms');
  await press(page, 'Create');
  await row(page, 'On looms').waitFor({ state: 'attached' });
  expect(api.takeLines()).toEqual(['POST /article  ada  422', 'POST /article  ada  201']);

  api.expireTokens();
  await press(page, 'Delete');
  await eventually(() => page.getByText(/^ada’s article 1\b(?!\d)/).count(), 0);
  expect(api.takeLines()).toEqual([
    'DELETE /article/1  nobody  401',
    'POST /refresh  nobody  200',
    'DELETE /article/1  ada  204',
  ]);
}

/** Two edges that are as near as this touch. */
const NEAR_PX = 6;

/** What looks unfinished on the page, in words. */
const unfinished = (page: Page, nearPx: number) =>
  page.evaluate(near => {
    const isVisible = (element: Element) => element.checkVisibility() && element.getBoundingClientRect().width > 1;
    const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].filter(isVisible);
    const nameOf = (element: Element) => `${element.localName} “${element.textContent.trim()}”`;
    const texts = all('[class^="dca-"] :is(h2, p, label, li)').filter(
      text => !text.closest('.dca-empty, .dca-removed'),
    );
    const buttons = all('button');
    const boxes = all('.dca-list, .dca-detail, .dca-login, .dca-page > form, button, input, h2').map(
      element => [element, element.getBoundingClientRect()] as const,
    );
    const isApart = (one: DOMRect, other: DOMRect) =>
      one.right + near <= other.left ||
      other.right + near <= one.left ||
      one.bottom + near <= other.top ||
      other.bottom + near <= one.top;
    return [
      ...(document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : []),
      ...texts
        .filter(text => getComputedStyle(text).textAlign !== 'start')
        .map(text => `${nameOf(text)} does not begin at the start`),
      ...buttons
        .filter(
          button => getComputedStyle(button).fontFamily !== getComputedStyle(all('[class^="dca-"]')[0]!).fontFamily,
        )
        .map(button => `${nameOf(button)} is the browser’s`),
      ...buttons.filter(button => button.getBoundingClientRect().height > 48).map(button => `${nameOf(button)} wraps`),
      ...boxes
        .filter(([, box]) => box.left < near || box.right > innerWidth - near)
        .map(([element]) => `${nameOf(element)} touches the edge of the window`),
      ...boxes.flatMap(([one, box], index) =>
        boxes
          .slice(index + 1)
          .filter(([other, otherBox]) => !one.contains(other) && !isApart(box, otherBox))
          // An input and the button in it are one box.
          .filter(
            ([other]) => !one.parentElement?.matches('.dca-password') || one.parentElement !== other.parentElement,
          )
          .map(([other]) => `${nameOf(one)} touches ${nameOf(other)}`),
      ),
    ];
  }, nearPx);
