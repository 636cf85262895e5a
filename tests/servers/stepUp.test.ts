import type { BrowserContext, Page } from 'playwright';
import { describe, expect } from 'vitest';
import { eventually, press } from '../browser/support/test.js';
import { CODE, cookieServer, type CookieServer } from './support/cookieServer.js';
import type { ServerLog } from './support/createServerLog.js';
import { enter, expectLog, lists, says, signIn, signInAtProvider, titled } from './support/demoApp.js';
import { LONG, searchFor, seconds } from './support/oidcApp.js';
import { PASSWORD_ACR, type OidcServer } from './support/oidcServer.js';
import { passwordOf } from './support/people.js';
import { test } from './support/test.js';

const FIVE = titled('ada', 5);
const REST = titled('ada', 10).slice(5);
const COOKIE_DESK = { session: 'cookie', 'step-up': '' };
const MAX_AGE = 300;

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' });
const deletions = (status: number) => [1, 2, 3, 4, 5].map(id => `DELETE /api/note/${id}  ada  ${status}`);
/** The deletions that the server has got, whoever sent them, and the passwords. */
const acts = ({ log }: { log: ServerLog }) => log.lines().filter(line => /^DELETE|step-up/.test(line));

/** Presses five buttons, and waits until the server has refused all of them. */
async function deleteFive(page: Page, server: { log: ServerLog }): Promise<void> {
  for (const title of FIVE)
    await page.getByRole('button', { name: `Delete ${title}`, exact: true }).dispatchEvent('click');
  await eventually(() => acts(server).sort(), deletions(401));
  await dialog(page).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(1);
}

const isClosed = (page: Page) => eventually(() => page.getByRole('dialog').count(), 0);

describe('an API that wants a password, a provider that asks for it, and an SDK (RFC 9470)', () => {
  type Open = (server: OidcServer, search: Record<string, string>) => Promise<Page>;

  async function open(openApp: Open, server: OidcServer): Promise<Page> {
    const page = await openApp(server, searchFor(server, { session: 'oidc-sdk', 'step-up': '' }));
    await signInAtProvider(page, 'ada');
    server.demandOnDelete(PASSWORD_ACR, MAX_AGE);
    return page;
  }

  /** Presses the dialog's button, by which the SDK opens the window of the provider. */
  async function openWindow(page: Page, context: BrowserContext): Promise<Page> {
    const opened = context.waitForEvent('page');
    await dialog(page).getByRole('button', { name: 'Continue' }).click();
    return opened;
  }

  async function confirmAs(popup: Page, person: string): Promise<void> {
    await popup.getByLabel('Name').fill(person);
    await popup.getByLabel('Password').fill(passwordOf(person));
    await popup.getByRole('button', { name: 'Confirm' }).click();
  }

  test('five deletions are refused, one authorization request asks for what the API wants, and five are sent again', async ({
    context,
    start,
    openApp,
  }) => {
    const server = await start(seconds(LONG));
    const page = await open(openApp, server);
    await deleteFive(page, server);
    await confirmAs(await openWindow(page, context), 'ada');
    await isClosed(page);
    await lists(page, REST);
    expectLog(acts(server), [deletions(401), deletions(204)]);
    expect(server.authorizations).toEqual([
      'acr_values=undefined max_age=undefined',
      `acr_values=${PASSWORD_ACR} max_age=${MAX_AGE}`,
    ]);
  });

  test('cancel: nothing is sent again, and no window opens', async ({ start, openApp }) => {
    const server = await start(seconds(LONG));
    const page = await open(openApp, server);
    await deleteFive(page, server);
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await isClosed(page);
    await eventually(() => page.getByText('This was called off. Try again.').count(), 5);
    expectLog(acts(server), [deletions(401)]);
    expect(server.authorizations).toHaveLength(1);
    await says(page, 'authenticated');
  });

  test('a window that the user closes keeps the dialog, and the next try is answered', async ({
    context,
    start,
    openApp,
  }) => {
    const server = await start(seconds(LONG));
    const page = await open(openApp, server);
    await deleteFive(page, server);
    const popup = await openWindow(page, context);
    await popup.getByLabel('Password').waitFor();
    await popup.close();
    await dialog(page).getByRole('alert').waitFor();
    expectLog(acts(server), [deletions(401)]);
    await confirmAs(await openWindow(page, context), 'ada');
    await isClosed(page);
    await lists(page, REST);
    expectLog(acts(server), [deletions(401), deletions(204)]);
  });

  test('refused again after the step-up: five errors, no second question', async ({ context, start, openApp }) => {
    const server = await start(seconds(LONG));
    const page = await open(openApp, server);
    server.demandOnDelete('urn:notes:key', MAX_AGE);
    await deleteFive(page, server);
    await confirmAs(await openWindow(page, context), 'ada');
    await eventually(() => page.getByText('Sign in to continue.').count(), 5);
    await isClosed(page);
    expectLog(acts(server), [deletions(401), deletions(401)]);
    expect(server.authorizations).toHaveLength(2);
    await says(page, 'authenticated');
  });

  test('the window answers as Grace: nothing of Ada’s is sent again', async ({ context, start, openApp }) => {
    const server = await start(seconds(LONG));
    const page = await open(openApp, server);
    await deleteFive(page, server);
    const popup = await openWindow(page, context);
    await confirmAs(popup, 'grace');
    // She has not used this app yet, so the provider asks whether it may know her.
    await popup.getByRole('button', { name: 'Continue' }).click();
    await lists(page, titled('grace', 10));
    await isClosed(page);
    expectLog(acts(server), [deletions(401)]);
  });
});

describe('a server that wants the password again, with a cookie', () => {
  type Open = (server: CookieServer, search: Record<string, string>) => Promise<Page>;

  async function open(openApp: Open, server: CookieServer): Promise<Page> {
    server.needPassword();
    const page = await openApp(server, COOKIE_DESK);
    await signIn(page, 'ada');
    return page;
  }

  async function answer(page: Page, password: string): Promise<void> {
    await dialog(page).getByLabel('Password').fill(password);
    await dialog(page).getByRole('button', { name: 'Continue' }).click();
  }

  test('five deletions are refused, the password is sent once, and five are sent again', async ({ start, openApp }) => {
    const server = await start(cookieServer);
    const page = await open(openApp, server);
    await deleteFive(page, server);
    await answer(page, 'byron');
    await dialog(page).getByText('The password is wrong.').first().waitFor();
    await answer(page, passwordOf('ada'));
    await isClosed(page);
    await lists(page, REST);
    expectLog(acts(server), [
      deletions(401),
      ['POST /auth/step-up  ada  422'],
      ['POST /auth/step-up  ada  204'],
      deletions(204),
    ]);
  });

  test('cancel: nothing is sent again, and Ada is signed in', async ({ start, openApp }) => {
    const server = await start(cookieServer);
    const page = await open(openApp, server);
    await deleteFive(page, server);
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await isClosed(page);
    await eventually(() => page.getByText('This was called off. Try again.').count(), 5);
    expectLog(acts(server), [deletions(401)]);
    await says(page, 'authenticated');
  });

  test('refused again after the password: five errors, no second question', async ({ start, openApp }) => {
    const server = await start(cookieServer);
    const page = await open(openApp, server);
    server.neverBeEnough();
    await deleteFive(page, server);
    await answer(page, passwordOf('ada'));
    await eventually(() => page.getByText('Sign in to continue.').count(), 5);
    await isClosed(page);
    expectLog(acts(server), [deletions(401), ['POST /auth/step-up  ada  204'], deletions(401)]);
  });

  test('two tabs wait: the password in one of them brings both on, and the server gets it once', async ({
    start,
    openApp,
  }) => {
    const server = await start(cookieServer);
    const page = await open(openApp, server);
    const other = await openApp(server, COOKIE_DESK);
    await lists(other, titled('ada', 10));
    await deleteFive(page, server);
    await press(other, 'Delete ada’s note 6');
    await dialog(other).waitFor();
    await answer(page, passwordOf('ada'));
    await Promise.all([page, other].map(isClosed));
    await eventually(() => acts(server).length, 13);
    expectLog(acts(server), [
      deletions(401),
      ['DELETE /api/note/6  ada  401'],
      ['POST /auth/step-up  ada  204'],
      [...deletions(204), 'DELETE /api/note/6  ada  204'],
    ]);
    // The tab that answered asks whose cookie it is, and the other one nothing.
    expect(server.log.lines().filter(line => line.includes('whoami'))).toHaveLength(3);
  });

  test('Grace signs in in another tab while the dialog is open: nothing of Ada’s is sent again', async ({
    start,
    openApp,
  }) => {
    const server = await start(cookieServer);
    const page = await open(openApp, server);
    const other = await openApp(server, COOKIE_DESK);
    await lists(other, titled('ada', 10));
    await deleteFive(page, server);
    await press(other, 'Sign out');
    await says(other, 'anonymous signed-out');
    await signIn(other, 'grace');
    await lists(page, titled('grace', 10));
    await isClosed(page);
    expectLog(acts(server), [deletions(401)]);
  });
});

test('a login that needs a code: one dialog, a wrong code, the right one', async ({ start, openApp }) => {
  const server = await start(cookieServer);
  server.needCode();
  const page = await openApp(server, COOKIE_DESK);
  await says(page, 'anonymous');
  await enter(page, 'ada');
  for (const code of ['111111', CODE]) {
    await dialog(page).getByLabel('Code').fill(code);
    await dialog(page).getByRole('button', { name: 'Continue' }).click();
    if (code !== CODE) await dialog(page).getByRole('alert').waitFor();
  }
  await isClosed(page);
  await lists(page, titled('ada', 10));
  expect(server.log.lines().filter(line => line.includes('/auth/login'))).toEqual([
    'POST /auth/login  nobody  200',
    'POST /auth/login/code  nobody  401',
    'POST /auth/login/code  nobody  200',
  ]);
});
