// The example as a reader starts it. Its own server prints the requests that these tests compare.
import type { BrowserContext, Page } from 'playwright';
import { expect } from 'vitest';
import { eventually } from '../browser/support/test.js';
import { test } from './support/exampleApp.js';

const ADAS_SECRET = 'Access tokens stay valid after a device is reported lost';
const GRACES_SECRET = 'Password reset links can be used twice';

async function signIn(page: Page, { user = 'ada', password = 'lovelace', toStay = false } = {}): Promise<void> {
  await page.getByLabel('User name').fill(user);
  await page.getByLabel('Password', { exact: true }).fill(password);
  if (toStay) await page.getByLabel('Keep me signed in').check();
  await press(page, 'Sign in');
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
const path = (page: Page) => new URL(page.url()).pathname;

/** Sends a request as the user of the page, with the credential that a script of the page could read. Returns the status. */
const sendWithoutThePage = (page: Page, method: string, address: string) =>
  page.evaluate(
    async ([verb, url]) => {
      const stored = JSON.stringify(Object.values(sessionStorage));
      const accessToken = /accessToken[\\": ]+([\w.-]+)/.exec(stored)?.[1] ?? '';
      const csrf = /csrf=([^;]+)/.exec(document.cookie)?.[1] ?? '';
      const headers = {
        Authorization: `Bearer ${accessToken}`,
        'X-CSRF-Token': decodeURIComponent(csrf),
        'Content-Type': 'application/json',
      };
      return (await fetch(url!, { method: verb!, headers, ...(verb === 'PATCH' && { body: '{}' }) })).status;
    },
    [method, address],
  );

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
  await page.locator('.dca-undo', { hasText: '“Offer Danish and Greenlandic” is deleted.' }).waitFor();
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

/** Makes the server refuse Ada's access token, or her session, and filters. */
async function expire(page: Page, what: 'token' | 'session'): Promise<void> {
  await press(page, `Let the ${what} expire`);
  await page.getByText(`The server refuses the ${what} now.`).waitFor();
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
];
const REFUSED = 'GET /api/issues?label=security&state=open  nobody  401';
const SWITCH = [
  'POST /api/login  grace  200',
  'GET /api/issues?label=security&state=open  grace  200',
  'POST /api/permissions  grace  200',
];

test('with tokens: one expiry costs one refresh, and the user does not notice', async ({ context, serveBuilt }) => {
  const app = await serveBuilt('production');
  const page = await context.newPage();
  await work(page, app.url);
  await expire(page, 'token');
  await switchToGrace(page);
  await eventually(app.requests, [
    'POST /api/login  ada  200',
    ...WORK,
    'POST /api/expire-token  ada  204',
    REFUSED,
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
  await expire(page, 'session');
  await page.getByText('Your session has ended. Sign in again to continue where you were.').waitFor();
  await signIn(page, { toStay: true });
  await page.getByText(ADAS_SECRET).waitFor();
  expect(await cookieLifetime(context)).toBeGreaterThan(29 * 24 * 3_600);
  await switchToGrace(page);
  // A page that is focused asks first, if it has not for five seconds; then nothing is refused.
  const answered = () => app.requests().filter(line => line !== REFUSED);
  await eventually(answered, [
    'GET /api/whoami  nobody  401',
    'GET /api/csrf  nobody  204',
    'POST /api/login  ada  200',
    ...WORK,
    'POST /api/expire  ada  204',
    'GET /api/whoami  nobody  401',
    // The CSRF token belonged to the session that has ended.
    'POST /api/login  nobody  403',
    'GET /api/csrf  nobody  204',
    'POST /api/login  ada  200',
    'GET /api/issues?label=security&state=open  ada  200',
    ...SWITCH,
  ]);
});

/** The requests of the sign-in, of a save when the server has ended the session, and of “Stay signed in”. */
const VARIANTS = [
  {
    mode: 'production',
    login: ['POST /api/login  ada  200'],
    refusedSave: ['PATCH /api/issues/136  nobody  401', 'POST /api/refresh  nobody  401'],
    stay: 'POST /api/refresh  ada  200',
  },
  {
    mode: 'cookie',
    login: ['GET /api/whoami  nobody  401', 'GET /api/csrf  nobody  204', 'POST /api/login  ada  200'],
    refusedSave: [
      // The CSRF token belonged to the session that has ended.
      'PATCH /api/issues/136  nobody  403',
      'GET /api/csrf  nobody  204',
      'GET /api/whoami  nobody  401',
    ],
    stay: 'GET /api/whoami  ada  200',
  },
] as const;
const LIST = 'GET /api/issues?state=open  ada  200';

test.for(VARIANTS)(
  '$mode: a session that the server ends while a form is half typed keeps the text, and the save is done once',
  async ({ mode, login, refusedSave }, { context, serveBuilt }) => {
    const app = await serveBuilt(mode);
    const page = await context.newPage();
    await page.goto(`${app.url}/issues/136/edit`);
    await signIn(page);
    const title = page.getByLabel('Title');
    const body = page.getByLabel('Description');
    await title.fill('Darker map');
    await press(page, 'Let the session expire');
    await page
      .getByText('The server refuses the session now. Filter the list or save an issue to see what happens.')
      .waitFor();
    await title.press('End');
    await page.keyboard.type(' tiles');
    await body.fill('For surveys at');
    await press(page, 'Save');
    await page.getByRole('dialog', { name: 'Your session has ended.' }).waitFor();
    expect([await title.isVisible(), await title.inputValue()]).toEqual([false, 'Darker map tiles']);
    expect(path(page)).toBe('/issues/136/edit');
    // A locked page does not leave its place.
    // The server may write its line after the page has the answer.
    await eventually(() => app.requests().slice(-refusedSave.length), [...refusedSave]);
    const before = app.requests();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').isVisible()).toBe(true);
    expect(app.requests()).toEqual(before);

    await signIn(page);
    await page.getByRole('heading', { name: 'Darker map tiles' }).waitFor();
    await page.getByText('For surveys at').waitFor();
    expect(path(page)).toBe('/issues/136');
    expect(app.requests()).toEqual([
      ...login,
      'GET /api/issues/136  ada  200',
      'POST /api/expire  ada  204',
      ...refusedSave,
      'POST /api/login  ada  200',
      'PATCH /api/issues/136  ada  200',
    ]);
  },
);

test.for(VARIANTS)(
  '$mode: the server wants the password before it deletes many issues, once in five minutes',
  async ({ mode, login }, { context, serveBuilt }) => {
    const app = await serveBuilt(mode);
    const page = await context.newPage();
    await page.goto(`${app.url}/issues?state=closed`);
    await signIn(page);
    await page.getByText('Remember the last used species').waitFor();
    await press(page, 'Delete all closed issues');
    const password = page.getByRole('dialog').getByLabel('Password', { exact: true });
    await password.fill('byron');
    await press(page, 'Continue');
    await page.getByText('The password is wrong.').waitFor();
    await password.fill('lovelace');
    await press(page, 'Continue');
    await page.locator('.dca-empty', { hasText: 'No matches.' }).waitFor();
    await press(page, 'Delete all closed issues');
    await eventually(
      app.requests,
      [
        ...login,
        'GET /api/issues?state=closed  ada  200',
        'DELETE /api/closed-issues  ada  401',
        'POST /api/step-up  ada  422',
        'POST /api/step-up  ada  200',
        'DELETE /api/closed-issues  ada  204',
        'GET /api/issues?state=closed  ada  200',
        // The server remembers it.
        'DELETE /api/closed-issues  ada  204',
        'GET /api/issues?state=closed  ada  200',
      ].flatMap(line =>
        // The answer may have brought another cookie.
        mode === 'cookie' && line === 'POST /api/step-up  ada  200'
          ? ['POST /api/step-up  ada  204', 'GET /api/whoami  ada  200']
          : [line],
      ),
    );
    expect(await page.getByRole('dialog').count()).toBe(0);
  },
);

test.for(VARIANTS)(
  '$mode: a user who stays continues the session on the server; one who does not is signed out there, and keeps the place',
  async ({ mode, login, stay }, { context, serveBuilt }) => {
    const app = await serveBuilt(mode);
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${app.url}/issues`);
    await signIn(page);
    await page.getByText(ADAS_SECRET).waitFor();
    await press(page, 'Leave for 14½ minutes');
    await page.clock.runFor(1_000);
    await press(page, 'Stay signed in');
    await eventually(app.requests, [...login, LIST, stay]);
    await eventually(() => page.getByRole('button', { name: 'Stay signed in' }).count(), 0);

    await press(page, 'Leave for 14½ minutes');
    await page.clock.runFor(1_000);
    await page.getByRole('button', { name: 'Stay signed in' }).waitFor();
    await page.clock.runFor(30_000);
    await page.getByRole('dialog', { name: 'Your session has ended.' }).waitFor();
    await page.clock.runFor(1_000);
    await eventually(app.requests, [...login, LIST, stay, 'POST /api/logout  ada  204']);
    expect(await page.getByText(ADAS_SECRET).isVisible()).toBe(false);

    const seen = app.requests().length;
    await signIn(page);
    await page.getByText(ADAS_SECRET).waitFor();
    await page.clock.runFor(1_000);
    expect(
      app
        .requests()
        .slice(seen)
        .filter(line => !line.includes('/csrf')),
    ).toEqual(['POST /api/login  ada  200']);
  },
);

test.for(VARIANTS)(
  '$mode: a reporter has the buttons of her own issues, and the server refuses the others',
  async ({ mode, login }, { context, serveBuilt }) => {
    const app = await serveBuilt(mode);
    const page = await context.newPage();
    await page.goto(`${app.url}/issues`);
    await signIn(page, { user: 'grace', password: 'hopper' });
    await page.getByText(GRACES_SECRET).waitFor();
    await page.getByRole('button', { name: `Delete “${GRACES_SECRET}”`, exact: true }).waitFor();
    const rows = page.getByRole('listitem');
    const own = await rows.filter({ hasText: 'Grace Hopper' }).count();
    expect(await rows.count()).toBeGreaterThan(own);
    expect(await page.getByRole('button', { name: /^Delete “/ }).count()).toBe(own);
    expect(await page.getByRole('link', { name: /^Edit “/ }).count()).toBe(own);

    await page.goto(`${app.url}/issues/136/edit`);
    await page.getByText('Only its author and maintainers may do this.').first().waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    const seen = app.requests().length;
    expect(await sendWithoutThePage(page, 'PATCH', '/api/issues/136')).toBe(403);
    expect(await sendWithoutThePage(page, 'DELETE', '/api/issues/136')).toBe(403);
    expect(await sendWithoutThePage(page, 'DELETE', '/api/closed-issues')).toBe(403);
    await eventually(() => app.requests().length, seen + 3);
    expect(app.requests().slice(0, seen)).toEqual([
      ...login.map(line => line.replace('ada', 'grace')),
      LIST.replace('ada', 'grace'),
      'POST /api/permissions  grace  200',
      ...(mode === 'cookie' ? ['GET /api/whoami  grace  200'] : []),
      'GET /api/issues/136  grace  200',
      'POST /api/permissions  grace  200',
    ]);
  },
);

test.for(VARIANTS)(
  '$mode: a maintainer views the app as a reporter does, and goes back without a password',
  async ({ mode, login }, { context, serveBuilt }) => {
    const app = await serveBuilt(mode);
    const page = await context.newPage();
    await page.goto(`${app.url}/issues`);
    await signIn(page);
    await page.getByText(ADAS_SECRET).waitFor();
    await press(page, 'View as Grace Hopper');
    await page.getByText(GRACES_SECRET).waitFor();
    expect(await page.getByText(ADAS_SECRET).count()).toBe(0);
    await press(page, 'Back to Ada Lovelace');
    await page.getByText(ADAS_SECRET).waitFor();
    await page.getByRole('button', { name: 'View as Grace Hopper' }).waitFor();
    const back = mode === 'cookie' ? ['DELETE /api/view-as  ada  200'] : [];
    const lines = [
      ...login,
      LIST,
      'POST /api/view-as  grace  200',
      LIST.replace('ada', 'grace'),
      'POST /api/permissions  grace  200',
      ...back,
      LIST,
      ...(mode === 'cookie' ? [] : ['POST /api/logout  grace  204']),
    ];
    await eventually(() => app.requests().sort(), lines.sort());
  },
);

test.for(VARIANTS)(
  '$mode: a sign-in in another tab leaves the sign-in page',
  async ({ mode }, { context, serveBuilt }) => {
    const app = await serveBuilt(mode);
    const [page, other] = [await context.newPage(), await context.newPage()];
    await other.goto(`${app.url}/issues/136`);
    await other.getByRole('form', { name: 'Sign in' }).waitFor();
    await page.goto(`${app.url}/issues`);
    await signIn(page, { toStay: true });
    await other.getByRole('heading', { name: 'Dark map tiles for night surveys' }).waitFor();
    expect(path(other)).toBe('/issues/136');
  },
);

test.for(['production', 'cookie'] as const)(
  'a comment of another user appears: %s',
  async (mode, { context, serveBuilt }) => {
    const app = await serveBuilt(mode);
    const open = async (page: Page, user: string, password: string) => {
      await page.goto(`${app.url}/issues/136/comments`);
      await signIn(page, { user, password });
      await page.getByRole('paragraph').filter({ hasText: 'Nothing here yet' }).waitFor();
    };
    const [ada, grace] = [await context.newPage(), await (await context.browser()!.newContext()).newPage()];
    await open(ada, 'ada', 'lovelace');
    await open(grace, 'grace', 'hopper');
    await grace.getByLabel('Comment', { exact: true }).fill('The tiles are white at night.');
    await press(grace, 'Create');
    await ada.getByText('The tiles are white at night.').waitFor();
    const reads = () => app.requests().filter(line => line === 'GET /api/issues/136/comments  ada  200').length;
    expect(reads()).toBe(2);
    await grace.context().close();
  },
);

test('with a cookie: “Try again” on the sign-in page leads on when the check finds a user', async ({
  context,
  serveBuilt,
}) => {
  const app = await serveBuilt('cookie');
  const page = await context.newPage();
  await page.goto(`${app.url}/issues`);
  await signIn(page);
  await page.getByText(ADAS_SECRET).waitFor();
  await context.route('**/api/whoami', route => route.fulfill({ status: 503 }));
  await page.reload();
  await page.getByText('We could not check if you are signed in.').waitFor();
  await context.unroute('**/api/whoami');
  await press(page, 'Try again');
  await page.getByText(ADAS_SECRET).waitFor();
  expect(path(page)).toBe('/issues');
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
