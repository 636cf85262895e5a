import type { Page } from 'playwright';
import { expect } from 'vitest';
import { openApp, says, test } from './support/test.js';

const SEARCH = { session: 'token', form: 'remember' };
const KEY = 'data-client-auth';

async function signIn(page: Page, person: string, isRemembered: boolean) {
  await page.getByLabel('User name').fill(person);
  await page.getByLabel('Password').fill('secret');
  await page.getByLabel('Keep me signed in').setChecked(isRemembered);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await says(page, `authenticated ${person}`);
}

/** Whether each storage has tokens: the one of all tabs, and that of this tab. */
const stored = (page: Page) =>
  page.evaluate(key => [localStorage, sessionStorage].map(storage => /Token"/.test(storage.getItem(key) ?? '')), KEY);

test('a sign-in without "Keep me signed in" belongs to its tab, and a tab that is opened later does not have it', async ({
  context,
  server,
}) => {
  const first = await openApp(context, server, SEARCH);
  await says(first, 'anonymous');
  await signIn(first, 'ada', false);
  expect(await stored(first)).toEqual([false, true]);
  await first.reload();
  await says(first, 'authenticated ada');
  const second = await openApp(context, server, SEARCH);
  await says(second, 'anonymous');
});

test('with it, each tab follows, and the login of another user without it leaves nothing in any of them', async ({
  context,
  server,
}) => {
  const first = await openApp(context, server, SEARCH);
  const second = await openApp(context, server, SEARCH);
  await signIn(first, 'ada', true);
  await says(second, 'authenticated ada');
  expect(await stored(second)).toEqual([true, false]);
  await second.getByRole('button', { name: 'Sign in as grace' }).dispatchEvent('click');
  await says(second, 'authenticated grace');
  await says(first, 'anonymous elsewhere');
  expect(await stored(first)).toEqual([false, false]);
  expect(await stored(second)).toEqual([false, true]);
  await first.close();
  await says(await openApp(context, server, SEARCH), 'anonymous');
});
