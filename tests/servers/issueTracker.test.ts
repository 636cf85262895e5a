// The example as a reader starts it. Its own server prints the requests that these tests compare.
import type { BrowserContext, Page } from 'playwright';
import { expect } from 'vitest';
import { eventually } from '../browser/support/test.js';
import { test } from './support/exampleApp.js';

const ADAS_SECRET = 'Access tokens stay valid after a device is reported lost';
const GRACES_SECRET = 'Password reset links can be used twice';

async function signIn(page: Page, { toStay = false } = {}): Promise<void> {
  await page.getByLabel('User name').fill('ada');
  await page.getByLabel('Password', { exact: true }).fill('lovelace');
  if (toStay) await page.getByLabel('Keep me signed in').check();
  await press(page, 'Sign in');
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
const path = (page: Page) => new URL(page.url()).pathname;

/** Opens the list, signs in, edits an issue, undoes a deletion, and deletes for good by leaving the page. */
async function work(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/issues`);
  await page.getByRole('form', { name: 'Sign in' }).waitFor();
  expect(page.url()).toBe(`${url}/login?returnTo=%2Fissues`);
  await signIn(page);
  await page.getByText(ADAS_SECRET).waitFor();
  expect(path(page)).toBe('/issues');

  await follow(page, 'Dark map tiles for night surveys');
  await follow(page, 'Edit');
  await page.getByLabel('Title').fill('Darker map tiles');
  await press(page, 'Save');
  await page.getByRole('heading', { name: 'Darker map tiles' }).waitFor();

  await follow(page, 'All issues');
  await press(page, 'Delete “Darker map tiles”');
  await press(page, 'Undo');
  await page.getByRole('link', { name: 'Darker map tiles', exact: true }).waitFor();
  await press(page, 'Delete “Offer Danish and Greenlandic”');
  await page.getByText('“Offer Danish and Greenlandic” is deleted.').waitFor();
  await follow(page, 'Darker map tiles');
  await follow(page, 'All issues');
  await eventually(() => page.getByText('Offer Danish and Greenlandic').count(), 0);
}

/** The seconds from now at which the session cookie expires; undefined when it ends with the browser. */
async function cookieLifetime(context: BrowserContext): Promise<number | undefined> {
  const cookies = await context.cookies();
  const expires = cookies.find(({ name }) => name === 'sid')?.expires ?? 0;
  return expires === -1 ? undefined : expires - Date.now() / 1_000;
}

/** Makes the server refuse Ada's credential, and filters. */
async function expire(page: Page): Promise<void> {
  await press(page, 'Let the session expire');
  await page.getByText('The server refuses the session from now on.').waitFor();
  await page.getByLabel('Label').selectOption('security');
}

/** Switches to Grace, who sees her confidential issue and none of Ada's. */
async function switchToGrace(page: Page): Promise<void> {
  await eventually(() => page.getByText('Darker map tiles').count(), 0);
  await page.getByText(ADAS_SECRET).waitFor();
  await press(page, 'Switch to Grace');
  await page.getByText(GRACES_SECRET).waitFor();
  expect(await page.getByText(ADAS_SECRET).count()).toBe(0);
}

const WORK = [
  'GET /api/issues?state=open  ada  200',
  'PATCH /api/issues/136  ada  200',
  'DELETE /api/issues/124  ada  204',
  'POST /api/expire  ada  204',
  'GET /api/issues?label=security&state=open  nobody  401',
];
const SWITCH = ['POST /api/login  grace  200', 'GET /api/issues?label=security&state=open  grace  200'];

test('with tokens: one expiry costs one refresh, and the user does not notice', async ({ context, serveBuilt }) => {
  const app = await serveBuilt('production');
  const page = await context.newPage();
  await work(page, app.url);
  await expire(page);
  await switchToGrace(page);
  expect(app.requests()).toEqual([
    'POST /api/login  ada  200',
    ...WORK,
    'POST /api/refresh  ada  200',
    'GET /api/issues?label=security&state=open  ada  200',
    ...SWITCH,
  ]);
});

test('with a cookie: after the expiry the user signs in again, at the same page', async ({ context, serveBuilt }) => {
  const app = await serveBuilt('cookie');
  const page = await context.newPage();
  await work(page, app.url);
  expect(await cookieLifetime(context)).toBeUndefined();
  await expire(page);
  await page.getByText('Your session has ended. Sign in to continue.').waitFor();
  await signIn(page, { toStay: true });
  await page.getByText(ADAS_SECRET).waitFor();
  expect(await cookieLifetime(context)).toBeGreaterThan(29 * 24 * 3_600);
  await switchToGrace(page);
  expect(app.requests()).toEqual([
    'GET /api/whoami  nobody  401',
    'GET /api/csrf  nobody  204',
    'POST /api/login  ada  200',
    ...WORK,
    // The CSRF token belonged to the session that has ended.
    'POST /api/login  nobody  403',
    'GET /api/csrf  nobody  204',
    'POST /api/login  ada  200',
    'GET /api/issues?label=security&state=open  ada  200',
    ...SWITCH,
  ]);
});

test.for([
  ['dev', ['POST /api/login  ada  200']],
  ['dev:cookie', ['GET /api/whoami  nobody  401', 'GET /api/csrf  nobody  204', 'POST /api/login  ada  200']],
] as const)('`npm run %s` starts the page and its server', async ([script, login], { context, run }) => {
  const app = await run(script);
  const page = await context.newPage();
  await page.goto(app.url);
  await signIn(page);
  await page.getByText(ADAS_SECRET).waitFor();
  expect(app.requests()).toEqual([...login, 'GET /api/issues?state=open  ada  200']);
});
