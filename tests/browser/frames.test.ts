import type { Frame, Page } from 'playwright';
import { expect } from 'vitest';
import type { ApiServer } from './support/apiServer.js';
import { eventually, press, says, signIn, test } from './support/test.js';

const who = (frame: Frame) => frame.locator('#who').textContent();
const read = (frame: Frame) => frame.evaluate(() => window.app.read({ method: 'GET', address: '/cookie/whoami' }));

/** Shows the app once more, in an `<iframe>` of its page. */
async function openFrame(page: Page): Promise<Frame> {
  await page.evaluate(() => {
    document.body.appendChild(document.createElement('iframe')).src = location.href;
  });
  await eventually(() => page.frames().length, 2);
  const frame = page.frames()[1]!;
  await eventually(() => who(frame), 'authenticated ada');
  return frame;
}

/** Signs in with the form of the page. */
async function signInWithForm(page: Page, person: string, isRemembered: boolean) {
  await page.getByLabel('User name').fill(person);
  await page.getByLabel('Password').fill('secret');
  await page.getByLabel('Keep me signed in').setChecked(isRemembered);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await says(page, `authenticated ${person}`);
}

/** Lets the access token expire, and reads twice in each frame, all at once. */
async function expectOneRefresh(server: ApiServer, frames: readonly Frame[]) {
  for (const frame of frames) await frame.getByRole('listitem').first().waitFor();
  server.expireAccess();
  const answers = await Promise.all([...frames, ...frames].map(read));
  expect(answers).toEqual(answers.map(() => '{"id":"ada"}'));
  expect(server.refreshes).toEqual(['renewed']);
}

const NAMED = { session: 'token', storage: 'session', tabs: 'the-app' };
const UNNAMED = { session: 'token', storage: 'session' };
const REMEMBER = { session: 'token', form: 'remember' };
const REMEMBER_NAMED = { ...REMEMBER, tabs: 'the-app' };

// With `storage: 'session'`, the server ends the session of frames that refresh at the same time.
test.for([REMEMBER_NAMED, REMEMBER])('frames of a tab refresh once: %j', async (app, { server, open }) => {
  const page = await open(server, app);
  await signIn(page, 'ada');
  await expectOneRefresh(server, [page.mainFrame(), await openFrame(page)]);
});

test.for([UNNAMED, REMEMBER, REMEMBER_NAMED])(
  'a sign-in and a sign-out in one frame of a tab reach the other at once, and no other tab: %j',
  async (app, { server, open }) => {
    const [other, page, later] = [await open(server, app), await open(server, app), await open(server, app)];
    await signIn(other, 'ada');
    await signIn(page, 'ada');
    await signIn(later, 'ada');
    const main = page.mainFrame();
    const frame = await openFrame(page);
    await press(frame, 'Sign in as grace');
    await eventually(() => who(main), 'authenticated grace');
    expect(await read(main)).toBe('{"id":"grace"}');
    await press(main, 'Sign out');
    await eventually(() => who(frame), 'anonymous elsewhere');
    for (const tab of [other, later]) {
      expect(await who(tab.mainFrame())).toBe('authenticated ada');
      expect(await read(tab.mainFrame())).toBe('{"id":"ada"}');
    }
    expect(server.refreshes).toEqual([]);
  },
);

test('frames of a tab with a name follow each other; a later sign-in of another tab goes on', async ({
  server,
  open,
}) => {
  const [page, later] = [await open(server, NAMED), await open(server, NAMED)];
  await signIn(page, 'ada');
  await signIn(later, 'ada');
  const main = page.mainFrame();
  const frame = await openFrame(page);
  await press(main, 'Sign out');
  await eventually(() => who(frame), 'anonymous elsewhere');
  expect(await who(later.mainFrame())).toBe('authenticated ada');
});

test('with "Keep me signed in", a login for one tab replaces the sign-in of all tabs in each frame of that tab', async ({
  server,
  open,
}) => {
  const [page, other] = [await open(server, REMEMBER), await open(server, REMEMBER)];
  await signInWithForm(page, 'ada', true);
  await says(other, 'authenticated ada');
  const frame = await openFrame(page);
  await press(page.mainFrame(), 'Sign in as grace');
  await eventually(() => who(frame), 'authenticated grace');
  expect(await read(frame)).toBe('{"id":"grace"}');
  await says(other, 'anonymous elsewhere');
});
