// The README's app, word by word but for the address of the API, in the hands of a user.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumOptions } from '../../scripts/chromium-options.mjs';
import { serve } from '../../scripts/serve.mjs';
import { articleServer } from './support/articleServer.js';
import { consumerApp, typeErrors } from './support/consumerApp.js';

const API = 'https://api.example.com';
const COMPILER = 'tests/consumer/compilers/7/node_modules/typescript';
/** Where the pictures of the screens are, to look at. */
const PICTURES = 'tests/consumer/pictures';
/** More than a busy page needs for its last request. */
const TIMEOUT_MS = 15_000;

let api: Awaited<ReturnType<typeof articleServer>>;
let app: ReturnType<typeof consumerApp>;
let site: Awaited<ReturnType<typeof serve>>;
let browser: Browser;

beforeAll(async () => {
  api = await articleServer();
  app = consumerApp({ source: 'readmeApp' });
  const [, code = ''] = /```tsx\n(.*?)```/s.exec(readFileSync('README.md', 'utf8')) ?? [];
  expect(code).toContain(API);
  writeFileSync(join(app.folder, 'src/App.tsx'), code.replace(API, api.url));
  await build({ root: app.folder, logLevel: 'error' });
  site = await serve(join(app.folder, 'dist'));
  browser = await chromium.launch(chromiumOptions());
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
  await api?.close();
  app?.remove();
});

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
const row = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: new RegExp(`^${title}\\b`) });
const eventually = <T>(read: () => T | Promise<T>, expected: T) =>
  expect.poll(read, { timeout: TIMEOUT_MS }).toEqual(expected);

async function signIn(page: Page, person: string, password: string): Promise<void> {
  await page.getByLabel('User name').fill(person);
  await page.getByLabel('Password').fill(password);
  await press(page, 'Sign in');
  await row(page, `${person}’s article 1`).waitFor();
}

test('it compiles', async () => {
  expect(await typeErrors(app.folder, COMPILER)).toEqual([]);
});

test('a user signs in, reads pages, opens, edits, creates and deletes across an expiry, and signs out', async () => {
  const page = await browser.newPage();
  const said: string[] = [];
  page.on('console', message => said.push(message.text()));
  page.on('pageerror', error => said.push(error.message));
  await page.goto(site.url);
  await signIn(page, 'ada', 'lovelace');
  expect(api.takeLines()).toEqual(['POST /login  nobody  200', 'GET /article  ada  200']);

  await press(page, 'Load more');
  await row(page, 'ada’s article 21').waitFor({ state: 'attached' });
  expect(api.takeLines()).toEqual(['GET /article?page=2  ada  200']);

  await press(page, 'Open');
  await page.getByRole('heading', { name: 'ada’s article 1' }).waitFor();
  api.takeLines();
  api.expireTokens();
  await page.getByLabel('Title').fill('On engines');
  await press(page, 'Save');
  await page.getByRole('heading', { name: 'On engines' }).waitFor();
  expect(api.takeLines()).toEqual([
    'PATCH /article/1  nobody  401',
    'POST /refresh  nobody  200',
    'PATCH /article/1  ada  200',
  ]);

  await press(page, 'All articles');
  await row(page, 'On engines').waitFor();
  await page.getByLabel('Title').fill('On looms');
  await press(page, 'Create');
  await row(page, 'On looms').waitFor({ state: 'attached' });
  api.takeLines();
  await press(page, 'Delete');
  await eventually(() => row(page, 'On engines').count(), 0);
  expect(api.takeLines()).toEqual(['DELETE /article/1  ada  204']);

  await press(page, 'Sign out');
  await page.getByLabel('User name').waitFor();
  expect(await page.getByText('article').count()).toBe(0);
  await signIn(page, 'grace', 'hopper');
  expect(await page.getByText('ada’s').count()).toBe(0);
  expect(api.takeLines()).toEqual(['POST /logout  ada  204', 'POST /login  nobody  200', 'GET /article  grace  200']);
  expect(said).toEqual([expect.stringContaining('401')]);
  await page.close();
});

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

test.for(
  [360, 768, 1280].flatMap(width => (['light', 'dark'] as const).map(colorScheme => [width, colorScheme] as const)),
)('in the page of Vite’s template, %i pixels wide and %s, each screen looks finished', async ([width, colorScheme]) => {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
  const problems: string[] = [];
  const look = async (name: string) => {
    await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}-${width}.png`), animations: 'disabled' });
    problems.push(...(await unfinished(page, NEAR_PX)).map(problem => `${name}: ${problem}`));
  };
  const widthOfLogin = async () => (await page.getByRole('form').boundingBox())?.width;
  await page.goto(site.url);
  await page.getByLabel('User name').fill('grace');
  await page.getByLabel('Password').fill('wrong');
  await look('sign-in');
  const before = await widthOfLogin();
  await press(page, 'Sign in');
  await page.getByRole('alert').waitFor();
  await look('wrong-password');
  expect(await widthOfLogin()).toBe(before);

  await signIn(page, 'grace', 'hopper');
  await look('list');
  await press(page, 'Open');
  await page.getByRole('heading', { name: 'grace’s article 1' }).waitFor();
  await look('article');
  expect(problems).toEqual([]);
  await page.close();
});
