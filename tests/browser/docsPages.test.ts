import type { Frame, Page } from 'playwright';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { isFirefox } from './support/browserUnderTest.js';
import { serveStorybook } from './support/serveStorybook.js';
import { eventually, newContext, test } from './support/test.js';

interface IndexEntry {
  readonly id: string;
  readonly title: string;
  readonly type: 'docs' | 'story';
  readonly tags: readonly string[];
}

/** The window of an example's frame. */
interface ExampleWindow {
  __STORYBOOK_PREVIEW__?: { currentRender?: { phase?: string } };
  __STORYBOOK_ADDONS_CHANNEL__?: { on(event: string, listener: (change: { newPhase: string }) => void): void };
  phases?: string[];
}

let storybook: Awaited<ReturnType<typeof serveStorybook>>;
let index: IndexEntry[];
beforeAll(async () => {
  storybook = await serveStorybook();
  const response = await fetch(`${storybook.url}/index.json`);
  index = Object.values(((await response.json()) as { entries: Record<string, IndexEntry> }).entries);
});
afterAll(() => storybook?.close());

const isProof = (id: string) => index.some(entry => entry.id === id && entry.tags.includes('proof'));

/** Collects the phases of each example from its start, in the frame's own window. */
function collectPhases() {
  const example = window as unknown as ExampleWindow;
  const phases: string[] = (example.phases = []);
  // Storybook sets its channel later, while the frame loads.
  let channel: ExampleWindow['__STORYBOOK_ADDONS_CHANNEL__'];
  Object.defineProperty(window, '__STORYBOOK_ADDONS_CHANNEL__', {
    configurable: true,
    get: () => channel,
    set(value: typeof channel) {
      channel = value;
      value?.on('storyRenderPhaseChanged', ({ newPhase }) => phases.push(newPhase));
    },
  });
}

/** The frames of the examples on a page: the ids of their stories, and the frames. */
const examplesOn = (page: Page) =>
  page
    .frames()
    .filter(frame => frame.url().includes('viewMode=story'))
    .map(frame => ({ id: new URL(frame.url()).searchParams.get('id') ?? '', frame }));

const phasesOf = (frame: Frame) => frame.evaluate(() => (window as unknown as ExampleWindow).phases);

/** True when each example of the page is shown, and has finished without an error. */
async function areShown(page: Page): Promise<boolean> {
  const count = await page.locator('#storybook-docs iframe').count();
  const phases = await Promise.all(examplesOn(page).map(({ frame }) => phasesOf(frame).catch(() => undefined)));
  return count > 0 && phases.length === count && phases.every(seen => seen?.includes('finished'));
}

/** How much of each example's content does not fit into its frame, in pixels. */
async function overflows(page: Page): Promise<number[]> {
  return Promise.all(
    examplesOn(page).map(({ frame }) =>
      frame.evaluate(() => document.body.getBoundingClientRect().height - innerHeight),
    ),
  );
}

/** A page loads up to twenty frames: 4 seconds alone, and more than 10 beside another file on a busy machine. */
const FRAMES_MS = 40_000;
vi.setConfig({ testTimeout: 200_000 });

/** Room that a reader does not notice below an example, in pixels. */
const SMALL_ROOM_PX = 150;

/** True when each frame is as high as its content, or as its declared height, which is not much more. */
async function doFramesFit(page: Page): Promise<boolean> {
  return (await overflows(page)).every(pixels => pixels < 1 && pixels > -SMALL_ROOM_PX);
}

test('no docs page is made of proofs', () => {
  const docs = index.filter(({ type }) => type === 'docs').map(({ title }) => title);
  expect(docs).toContain('Widgets/ResourceList');
  expect(docs.filter(title => title.startsWith('Proofs/'))).toEqual([]);
  expect(index.filter(({ title, tags }) => tags.includes('proof') && !title.startsWith('Proofs/'))).toEqual([]);
});

test('the frames of a guide hold examples', async ({ browser }) => {
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.goto(`${storybook.url}/iframe.html?viewMode=docs&id=start-lists-and-forms--docs`);
  const ids = () => examplesOn(page).map(({ id }) => id);
  // An example loads when the reader comes near it.
  const idsAfterScroll = async () => {
    await page.evaluate(() => scrollBy(0, innerHeight / 2));
    return ids();
  };
  await eventually(idsAfterScroll, [
    'widgets-resourceform--input-types',
    'widgets-resourcelist--undo-delete',
    'widgets-resourcelist--optimistic',
  ]);
  expect(ids().filter(isProof)).toEqual([]);
  await context.close();
});

test('the name of a file stands above its code', async ({ browser }) => {
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.goto(`${storybook.url}/iframe.html?viewMode=docs&id=recipes-rails--docs`);
  const firstCode = page.locator('#storybook-docs pre').first();
  await firstCode.getByText('createCookieSession').first().waitFor();
  expect(await firstCode.evaluate(code => code.previousElementSibling?.textContent)).toBe('session.ts');
  await context.close();
});

test('a page with a search shows the row of a pasted sentence, and the line of an option', async ({ browser }) => {
  const context = await newContext(browser);
  const page = await context.newPage();
  const open = (id: string) => page.goto(`${storybook.url}/iframe.html?viewMode=docs&id=${id}`);
  const shownRows = () => page.locator('#storybook-docs tbody tr:visible').allInnerTexts();
  await open('reference-errors--docs');
  const search = page.getByRole('searchbox');
  await search.fill('GET /note/:id needs a value for `id`, but got undefined. Pass { id: … }, or null to wait');
  await eventually(shownRows, [expect.stringContaining('needs a value for')]);
  await search.fill('');
  await eventually(async () => (await shownRows()).length > 100, true);

  await open('start-troubleshooting--docs');
  await page.getByRole('searchbox').fill('TypeError: element.showModal is not a function');
  await eventually(shownRows, [expect.stringContaining('showModal')]);

  const BLOCKED =
    "Access to fetch at 'https://api.example.com/login' from origin 'http://localhost:5173' has been blocked by CORS policy: Request header field authorization is not allowed by Access-Control-Allow-Headers in preflight response.";
  await page.getByRole('searchbox').fill(BLOCKED);
  await eventually(async () => (await shownRows())[0], expect.stringContaining('CORS'));
  expect(await page.locator('#storybook-docs tbody tr:visible').count()).toBeLessThan(4);

  await open('reference-options--docs');
  await page.getByRole('searchbox').fill('oneUseRefresh');
  await eventually(shownRows, [expect.stringContaining('oneUseRefresh?')]);
  expect(await page.locator('.sbdocs-content h2:visible').allInnerTexts()).toEqual(['tokenAuthHandlers()']);
  await context.close();
});

test('the demo app on “Start here” scrolls in its own frame: the lock of an expired session is in sight', async ({
  browser,
}) => {
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.goto(`${storybook.url}/iframe.html?viewMode=docs&id=start-here--docs`);
  const demo = page.locator('#storybook-docs iframe').first();
  await demo.scrollIntoViewIfNeeded();
  const app = demo.contentFrame();
  await app.getByRole('listitem').first().waitFor();
  expect(await demo.evaluate(frame => frame.clientHeight)).toBeLessThan(700);
  await app.getByRole('button', { name: 'Let the session expire' }).click();
  await app.getByText('The server refuses the session now.').waitFor();
  await app.getByLabel('Title contains').fill('a');
  const password = await app.locator('dialog').getByLabel('Password').boundingBox();
  const frame = await demo.boundingBox();
  expect(password!.y).toBeLessThan(frame!.y + frame!.height);
  await context.close();
});

test.for([
  'Widgets/ResourceList',
  // A form that takes the focus on a page of its own.
  'Widgets/LoginForm',
])(
  'the page %s shows its examples; none plays, takes the focus or moves the page',
  async (title, { browser, skip }) => {
    skip(isFirefox, 'loads a frame only when it is close to the visible part');
    const docs = index.find(entry => entry.title === title && entry.type === 'docs');
    const context = await newContext(browser);
    const page = await context.newPage();
    await page.addInitScript(collectPhases);
    await page.goto(`${storybook.url}/iframe.html?viewMode=docs&id=${docs?.id}`);
    // The page is scrolled to its end, and has the focus, before the examples are there.
    const button = page.locator('#storybook-docs').locator('button').last();
    await button.focus();
    // Frames above it grow and shrink with their content. The reader sees the same part of the page all the same.
    const position = () =>
      page.evaluate(() => {
        const focused = document.activeElement;
        return { top: Math.round(focused?.getBoundingClientRect().top ?? 0), focus: focused?.textContent };
      });
    const before = await position();

    await eventually(() => areShown(page), true, FRAMES_MS);
    await eventually(() => doFramesFit(page), true, FRAMES_MS);
    expect(await position()).toEqual(before);
    const examples = examplesOn(page);
    const expected = index.filter(
      entry => entry.title === title && entry.type === 'story' && entry.tags.includes('autodocs'),
    );
    expect(new Set(examples.map(({ id }) => id))).toEqual(new Set(expected.map(({ id }) => id)));
    for (const { id, frame } of examples) {
      expect(isProof(id)).toBe(false);
      expect(await phasesOf(frame)).not.toContain('playing');
      expect(await frame.locator('#storybook-root > *').count()).toBeGreaterThan(0);
    }
    await context.close();
  },
);

test('a change of the user in the toolbar reaches each example on the page', async ({ browser }) => {
  const context = await newContext(browser);
  const page = await context.newPage();
  // So high that all three examples are in sight: a browser may load no others.
  await page.setViewportSize({ width: 1280, height: 4_000 });
  await page.goto(`${storybook.url}/?path=/docs/widgets-resourcelist--docs`);
  const hasText = async (name: string, text: string) => {
    const example = examplesOn(page).find(({ id }) => id === `widgets-resourcelist--${name}`);
    // A frame that loads again has no text yet.
    const count = await example?.frame
      .getByText(text, { exact: true })
      .count()
      .catch(() => 0);
    return count === 1;
  };
  const withText = (text: string) => Promise.all(['basic', 'create', 'undo-delete'].map(name => hasText(name, text)));
  await eventually(() => withText('On signing in'), [true, true, true], FRAMES_MS);

  await page.getByRole('button', { name: /^User:/ }).click();
  await page.getByRole('option', { name: 'Grace', exact: true }).click();
  await eventually(() => withText('A compiler for everyone'), [true, true, true], FRAMES_MS);
  expect(await withText('On signing in')).toEqual([false, false, false]);
  await context.close();
});

test('each page fits into three widths, with one heading of the first level and each picture loaded', async ({
  browser,
}) => {
  const context = await newContext(browser);
  // The examples are pages of their own, whose frames have their sizes without them.
  await context.route(/viewMode=story/, route => route.abort());
  const page = await context.newPage();
  const misfits: unknown[] = [];
  for (const { id } of index.filter(({ type }) => type === 'docs')) {
    await page.goto(`${storybook.url}/iframe.html?viewMode=docs&id=${id}`);
    await page.locator('#storybook-docs h1').first().waitFor();
    await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const misfit = await page.evaluate(() => ({
        sidewaysPx: Math.max(0, document.documentElement.scrollWidth - innerWidth),
        headings: document.querySelectorAll('#storybook-docs h1').length,
        brokenPictures: [...document.images].filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src),
      }));
      if (misfit.sidewaysPx > 0 || misfit.headings !== 1 || misfit.brokenPictures.length > 0)
        misfits.push({ id, width, ...misfit });
    }
  }
  expect(misfits).toEqual([]);
  await context.close();
});
