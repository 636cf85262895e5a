import { afterAll, beforeAll, expect } from 'vitest';
import { isFirefox } from './support/browserUnderTest.js';
import { serveStorybook } from './support/serveStorybook.js';
import { eventually, newContext, test } from './support/test.js';

/** The window of a story. */
interface StoryWindow {
  __STORYBOOK_PREVIEW__: { currentRender: { phase: string } };
}

/** The system colour `Canvas` in the dark. */
const DARK_PAGE = isFirefox ? 'rgb(28, 27, 34)' : 'rgb(18, 18, 18)';

let storybook: Awaited<ReturnType<typeof serveStorybook>>;
beforeAll(async () => {
  storybook = await serveStorybook();
});
afterAll(() => storybook?.close());

test('an example is seen under each choice of the toolbar, without a reload of its frame', async ({ browser }) => {
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.goto(`${storybook.url}/?path=/story/widgets-resourcelist--basic`);
  await page.getByRole('tab', { name: /^Requests/ }).click();

  const story = page.frameLocator('#storybook-preview-iframe');
  const shows = (text: string) => story.locator('#storybook-root').getByText(text, { exact: true }).waitFor();
  const panel = page.getByRole('region', { name: 'Requests of this story' });
  /** Address, status and credential of each request, as the panel lists them; the browser's cookies beside a token are not told. */
  const sent = () =>
    panel.locator('tbody tr').evaluateAll(rows =>
      rows.map(row => {
        const [, address = '', status = '', , , credential = ''] = [...(row as HTMLTableRowElement).cells].map(
          cell => cell.textContent,
        );
        return `${address.replace('/', ' /')} ${status} ${credential.replace(/(-\d)cookies$/, '$1')}`;
      }),
    );
  const choose = async (item: string, choice: string) => {
    await page.getByRole('button', { name: new RegExp(`^${item}:`) }).click();
    await page.getByRole('option', { name: choice, exact: true }).click();
  };
  const inFrame = <T>(question: () => T) => page.frame({ url: /iframe\.html/ })?.evaluate(question);
  const loadedAt = () => inFrame(() => performance.timeOrigin);
  const isOver = () =>
    inFrame(() => (window as unknown as StoryWindow).__STORYBOOK_PREVIEW__.currentRender.phase === 'finished');

  await shows('On signing in');
  const before = await loadedAt();
  await eventually(sent, ['GET /api/article 200 access-token: ada-1']);

  await choose('Mechanism', 'Cookie');
  await eventually(sent, ['GET /api/whoami 200 cookies', 'GET /api/article 200 cookies']);
  await shows('On signing in');

  await choose('User', 'Grace');
  await shows('A compiler for everyone');
  await eventually(sent, ['GET /api/whoami 200 cookies', 'GET /api/article 200 cookies']);
  expect(await story.getByText('On signing in', { exact: true }).count()).toBe(0);

  await choose('Network', 'Offline');
  await choose('Mechanism', 'Token');
  await shows('The server could not be reached. Check the connection.');
  await eventually(sent, ['GET /api/article no answer access-token: grace-1']);

  await choose('Network', 'Expired credentials');
  await shows('A compiler for everyone');
  const refreshed = [
    'GET /api/article 401 access-token: grace-1',
    'POST /api/refresh 200 cookies',
    'GET /api/article 200 access-token: grace-2',
  ];
  await eventually(sent, refreshed);

  await story.getByRole('button', { name: 'Delete A compiler for everyone' }).click();
  const deleted = [...refreshed, 'DELETE /api/article/3 204 access-token: grace-2'];
  await eventually(sent, deleted);
  const isGone = () => story.getByText('A compiler for everyone', { exact: true }).count();
  await eventually(isGone, 0);

  await choose('Theme', 'Theme: Dark');
  await eventually(() => inFrame(() => getComputedStyle(document.body).backgroundColor), DARK_PAGE);
  // Everything around it is dark too, and nothing was started for it.
  await eventually(
    () =>
      panel.evaluate(element =>
        (getComputedStyle(element).backgroundColor.match(/\d+/g) ?? []).slice(0, 3).every(shade => Number(shade) < 80),
      ),
    true,
  );
  await eventually(isOver, true);
  await shows('On finding the moth');
  expect(await isGone()).toBe(0);
  expect(await sent()).toEqual(deleted);

  await choose('User', 'Signed out');
  await shows('Sign in to continue.');
  expect(await loadedAt()).toBe(before);
  await context.close();
});

test('a proof runs as it is written, whatever the toolbar says', async ({ browser }) => {
  const context = await newContext(browser);
  const page = await context.newPage();
  // In the frame’s own window, before Storybook starts: its play would be over before a listener could be added from here.
  await page.addInitScript(() => {
    const phases: string[] = [];
    let channel: { on(event: string, listener: (change: { newPhase: string }) => void): void } | undefined;
    Object.assign(window, { phases });
    Object.defineProperty(window, '__STORYBOOK_ADDONS_CHANNEL__', {
      configurable: true,
      get: () => channel,
      set(value: typeof channel) {
        channel = value;
        value?.on('storyRenderPhaseChanged', ({ newPhase }) => phases.push(newPhase));
      },
    });
  });
  await page.goto(
    `${storybook.url}/iframe.html?viewMode=story&id=proofs-resourcelist--basic&globals=user:none;network:offline`,
  );
  // The mark for which the test runner waits after a failure.
  await page.waitForSelector('html[data-story-ended]', { state: 'attached' });
  const phases = await page.evaluate(() => (window as unknown as { phases: string[] }).phases);
  expect(phases).toContain('played');
  expect(phases).not.toContain('errored');
  expect(await page.locator('#storybook-root').getByText('On signing in', { exact: true }).count()).toBe(1);
  await context.close();
});
