import { afterAll, beforeAll, expect } from 'vitest';
import { serveStorybook } from './support/serveStorybook.js';
import { eventually, newContext, test } from './support/test.js';

/** The window of a story. */
interface StoryWindow {
  __STORYBOOK_PREVIEW__: { currentRender: { phase: string } };
  __STORYBOOK_ADDONS_CHANNEL__: { on(event: string, listener: (change: { newPhase: string }) => void): void };
  /** The phases of the run that is started next, to its end. */
  phases: Promise<string[]>;
}

function listenToPhases() {
  const frame = window as unknown as StoryWindow;
  const seen: string[] = [];
  frame.phases = new Promise(resolve =>
    frame.__STORYBOOK_ADDONS_CHANNEL__.on('storyRenderPhaseChanged', ({ newPhase }) => {
      seen.push(newPhase);
      if (newPhase === 'finished') resolve(seen);
    }),
  );
}

let storybook: Awaited<ReturnType<typeof serveStorybook>>;
beforeAll(async () => {
  storybook = await serveStorybook();
});
afterAll(() => storybook?.close());

test('a story is seen under each choice of the toolbar, without a reload of its frame', async ({ browser }) => {
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.goto(`${storybook.url}/?path=/story/proofs-resourcelist--basic`);
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
        return `${address.replace('/', ' /')} ${status} ${credential.replace(/‹\w+›(cookies)?/, '‹hash›')}`;
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
  await eventually(sent, ['GET /api/article 200 access-token: ‹hash›']);

  await choose('Mechanism', 'Cookie');
  await eventually(sent, ['GET /api/whoami 200 cookies', 'GET /api/article 200 cookies']);
  await shows('On signing in');

  await choose('Person', 'Grace');
  await shows('A compiler for everyone');
  await eventually(sent, ['GET /api/whoami 200 cookies', 'GET /api/article 200 cookies']);
  expect(await story.getByText('On signing in', { exact: true }).count()).toBe(0);

  await choose('Network', 'Offline');
  await choose('Mechanism', 'Token');
  await shows('The server could not be reached. Check the connection.');
  await eventually(sent, ['GET /api/article no answer access-token: ‹hash›']);

  await choose('Network', 'Expired credentials');
  await shows('A compiler for everyone');
  const refreshed = [
    'GET /api/article 401 access-token: ‹hash›',
    'POST /api/refresh 200 cookies',
    'GET /api/article 200 access-token: ‹hash›',
  ];
  await eventually(sent, refreshed);

  await story.getByRole('button', { name: 'Stress A compiler for everyone' }).click();
  await shows('A compiler for everyone!');
  const stressed = [...refreshed, 'PATCH /api/article/3 200 access-token: ‹hash›'];
  await eventually(sent, stressed);

  await choose('Theme', 'Dark');
  await eventually(() => inFrame(() => getComputedStyle(document.body).backgroundColor), 'rgb(18, 18, 18)');
  // Everything around it is dark too, and nothing was started for it.
  await eventually(
    () =>
      panel.evaluate(element =>
        (getComputedStyle(element).backgroundColor.match(/\d+/g) ?? []).slice(0, 3).every(shade => Number(shade) < 80),
      ),
    true,
  );
  await eventually(isOver, true);
  await shows('A compiler for everyone!');
  expect(await sent()).toEqual(stressed);

  await choose('Person', 'Nobody');
  await shows('Sign in to go on.');

  await eventually(isOver, true);
  // Its play would look for Ada's articles in vain: the story is shown without it.
  await inFrame(listenToPhases);
  await page.getByRole('button', { name: 'Reload story' }).click();
  const phases = await inFrame(() => (window as unknown as StoryWindow).phases);
  expect(phases).toContain('rendering');
  expect(phases).not.toContain('playing');
  await shows('Sign in to go on.');
  expect(await loadedAt()).toBe(before);
  await context.close();
});
