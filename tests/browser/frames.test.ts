import type { Frame, Page } from 'playwright';
import { expect } from 'vitest';
import type { ApiServer } from './support/apiServer.js';
import { eventually, press, signIn, test } from './support/test.js';

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

/** Lets the access token expire, and reads twice in each frame, all at once. */
async function expectOneRefresh(server: ApiServer, frames: readonly Frame[]) {
  for (const frame of frames) await frame.getByRole('listitem').first().waitFor();
  server.expireAccess();
  const answers = await Promise.all([...frames, ...frames].map(read));
  expect(answers).toEqual(answers.map(() => '{"id":"ada"}'));
  expect(server.refreshes).toEqual(['renewed']);
}

test('frames of a tab share its session storage: with a name they refresh once, and sign out together; other tabs go on', async ({
  server,
  open,
}) => {
  const app = { session: 'token', storage: 'session', tabs: 'the-app' };
  const [page, other] = [await open(server, app), await open(server, app)];
  await signIn(page, 'ada');
  await signIn(other, 'grace');
  const main = page.mainFrame();
  const frame = await openFrame(page);
  await expectOneRefresh(server, [main, frame]);
  await press(page, 'Sign out');
  await eventually(() => who(frame), 'anonymous elsewhere');
  expect(await who(other.mainFrame())).toBe('authenticated grace');
});

test('with "Keep me signed in", a sign-in of the tab alone costs the frames one refresh, and a sign-out in one reaches the other when its token is refused', async ({
  server,
  open,
}) => {
  const page = await open(server, { session: 'token', form: 'remember', tabs: 'the-app' });
  await page.getByLabel('User name').fill('ada');
  await page.getByLabel('Password').fill('secret');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const main = page.mainFrame();
  await eventually(() => who(main), 'authenticated ada');
  const frame = await openFrame(page);
  await expectOneRefresh(server, [main, frame]);
  await press(page, 'Sign out');
  await eventually(() => who(main), 'anonymous signed-out');
  expect(await who(frame)).toBe('authenticated ada');
  server.expireAccess();
  await read(frame);
  await eventually(() => who(frame), 'anonymous elsewhere');
  expect(server.refreshes).toEqual(['renewed']);
});
