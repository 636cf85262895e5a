import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { serveStorybook } from './support/serveStorybook.js';
import { showProofs } from './support/showProofs.js';
import { eventually, newContext, test } from './support/test.js';

let storybook: Awaited<ReturnType<typeof serveStorybook>>;
beforeAll(async () => {
  storybook = await serveStorybook();
});
afterAll(() => storybook?.close());

vi.setConfig({ testTimeout: 120_000 });

/** A sidebar without scrolling on a large screen. */
const MOST_ROWS = 40;

/** What a reader looks at before another word is tried. */
const FIRST_RESULTS = 8;

const PROOF = 'proofs-refresh--burst';

const sidebar = (page: Page) => page.locator('#storybook-explorer-tree');
const rowsOf = (page: Page) => sidebar(page).locator('[data-item-id]:visible');
const storyFrame = (page: Page) => page.frameLocator('#storybook-preview-iframe');

test('Storybook opens at Start here, with a sidebar that fits on a screen and lists no proof', async ({ browser }) => {
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.goto(storybook.url);
  await storyFrame(page).getByRole('heading', { name: 'Start here', level: 1 }).waitFor();
  await storyFrame(page).locator('#storybook-docs pre').first().getByText('npm install').waitFor();
  await sidebar(page).getByText('Which provider?').waitFor();
  const ids = await rowsOf(page).evaluateAll(rows => rows.map(row => (row as HTMLElement).dataset.itemId ?? ''));
  expect(ids.length).toBeGreaterThan(20);
  expect(ids.length).toBeLessThanOrEqual(MOST_ROWS);
  expect(ids.filter(id => id.startsWith('proofs'))).toEqual([]);
  await context.close();
});

test('one choice in the filter shows the proofs', async ({ browser }) => {
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.goto(storybook.url);
  await sidebar(page).getByText('Which provider?').waitFor();
  await showProofs(page);
  await context.close();
});

test('a badge leads to a proof, which says its promise above its canvas', async ({ browser }) => {
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.goto(`${storybook.url}/?path=/story/${PROOF}`);
  await storyFrame(page).locator('#storybook-root > *').first().waitFor();
  await page.getByRole('tab', { name: /^Interactions/ }).waitFor();
  const promise = storyFrame(page).locator('body > .promise');
  await eventually(() => promise.innerText(), expect.stringMatching(/^Proof: [A-Z].{30,}/));
  await page.goto(`${storybook.url}/?path=/story/widgets-resourcelist--basic`);
  await storyFrame(page).getByText('On signing in').first().waitFor();
  expect(await promise.count()).toBe(0);
  await context.close();
});

test('a guide has a table of contents, lines that one can read, and the examples of a widget come before its props', async ({
  browser,
}) => {
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${storybook.url}/iframe.html?viewMode=docs&id=start-lists-and-forms--docs`);
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Deleting' }).waitFor();
  const charactersOfALine = await page.locator('.sbdocs-content > p').evaluateAll(paragraphs => {
    const canvas = document.createElement('canvas').getContext('2d')!;
    const long = paragraphs.filter(({ textContent }) => textContent.length > 150);
    return long.map(paragraph => {
      canvas.font = getComputedStyle(paragraph).font;
      return paragraph.clientWidth / (canvas.measureText(paragraph.textContent).width / paragraph.textContent.length);
    });
  });
  expect(charactersOfALine.length).toBeGreaterThan(5);
  expect(Math.max(...charactersOfALine)).toBeLessThan(90);

  await page.goto(`${storybook.url}/iframe.html?viewMode=docs&id=widgets-resourcelist--docs`);
  const table = page.locator('.docblock-argstable');
  await table.waitFor();
  const top = (await table.boundingBox())!.y;
  const examples = await page
    .locator('[data-story-block]')
    .evaluateAll(all => all.map(one => one.getBoundingClientRect().y));
  expect(examples.length).toBeGreaterThan(2);
  expect(Math.max(...examples)).toBeLessThan(top);
  expect(await table.locator('thead th').allInnerTexts()).toEqual(['Name', 'Description', 'Default']);
  await context.close();
});

/** What people typed, and the heading that answers. */
const WORDS = {
  cors: 'CORS',
  websocket: 'WebSocket',
  express: 'Express',
  install: 'Install',
  msw: 'msw',
  translate: 'Translate',
  theme: 'Dark theme',
  401: '401',
  upload: 'Upload',
  graphql: 'GraphQL',
  roles: 'Roles',
  admin: 'admin',
  german: 'German',
  'one-use': 'One-use refresh token',
  'sent without credentials': 'Its endpoint has no session',
  'infinite scroll': 'Infinite scroll',
  register: 'Register',
  'reset a password': 'Reset a password',
  'remember me': 'Remember me',
  'two tabs': 'Two tabs',
  'server rendering': 'Server rendering',
  electron: 'Electron',
  'react native': 'React Native',
  'dark mode': 'dark mode',
  logout: 'logout',
  'sign up': 'sign-up',
  csrf: 'CSRF',
  jwt: 'JWT',
  refresh: 'Refresh token',
  localstorage: 'localStorage',
  axios: 'axios',
  ssr: 'SSR',
  'next.js': 'Next.js',
  'react router': 'React Router',
  'protected route': 'Protected route',
  redirect: 'Redirect',
  fastapi: 'FastAPI',
  nestjs: 'NestJS',
  laravel: 'Laravel',
  google: 'Google',
  oauth: 'OAuth',
  '2fa two-factor': 'Two-factor',
  permissions: 'permissions',
  idle: 'Idle timeout',
  offline: 'Offline',
  i18n: 'i18n',
  tailwind: 'Tailwind',
  playwright: 'Playwright',
  typescript: 'TypeScript',
  toast: 'toasts',
  undo: 'undo',
  validation: 'Validation errors',
  pagination: 'Pagination',
  filter: 'filter',
};

test('the search finds the words that people type among its first results', async ({ browser }) => {
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.goto(storybook.url);
  await sidebar(page).getByText('Which provider?').waitFor();
  const search = page.locator('#storybook-explorer-searchfield');
  const results = page.locator('.search-result-item');
  const firstResults = async () => (await results.allInnerTexts()).slice(0, FIRST_RESULTS);
  const missing: unknown[] = [];
  for (const [word, heading] of Object.entries(WORDS)) {
    await search.fill(word);
    const isFound = async () =>
      (await firstResults()).some(text => text.includes(heading) && text.includes('How do I'));
    const found = await eventually(isFound, true, 10_000).then(
      () => true,
      () => false,
    );
    if (!found) missing.push({ word, results: await firstResults() });
  }
  expect(missing).toEqual([]);

  // A click leads to the heading.
  await search.fill('graphql');
  await results.filter({ hasText: 'How do I' }).filter({ hasText: 'GraphQL' }).first().click();
  const heading = storyFrame(page).getByRole('heading', { name: 'GraphQL' });
  await heading.waitFor();
  await eventually(async () => {
    const box = await heading.boundingBox();
    return box !== null && box.y >= 0 && box.y < 600;
  }, true);
  await context.close();
});
