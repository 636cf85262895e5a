import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { serveStorybook } from './support/serveStorybook.js';
import { test } from './support/test.js';

const PATIENCE_MS = 20_000;

let storybook: Awaited<ReturnType<typeof serveStorybook>>;
beforeAll(async () => {
  storybook = await serveStorybook();
});
afterAll(() => storybook?.close());

/** Opens a story by itself, in the theme of the system, and waits until its play is over. */
async function openStory(browser: Browser, story: string, options?: BrowserContextOptions) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await show(page, story);
  return page;
}

async function show(page: Page, story: string) {
  await page.goto(`${storybook.url}/iframe.html?viewMode=story&id=${story}`);
  await page.waitForFunction(
    () => (window as unknown as { __STORYBOOK_PREVIEW__?: { currentRender?: { phase?: string } } }).__STORYBOOK_PREVIEW__?.currentRender?.phase === 'finished',
    undefined,
    { timeout: PATIENCE_MS },
  );
}

/** The contrast between two colours of an element, by the rule of WCAG 2. */
const contrast = (element: Locator, one: string, other: string) =>
  element.evaluate(
    (node, names) => {
      const style = getComputedStyle(node);
      const paint = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
      const luminance = (name: string) => {
        paint.fillStyle = style.getPropertyValue(name);
        paint.fillRect(0, 0, 1, 1);
        const [r = 0, g = 0, b = 0] = [...paint.getImageData(0, 0, 1, 1).data].map(level => (level / 255 <= 0.04045 ? level / 255 / 12.92 : ((level / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const [darker = 0, lighter = 0] = names.map(luminance).sort((a, b) => a - b);
      return (lighter + 0.05) / (darker + 0.05);
    },
    [one, other],
  );

const styleOf = (element: Locator, name: string) => element.evaluate((node, property) => getComputedStyle(node).getPropertyValue(property), name);

test('in both themes the edge of an input and the ring of the focus have a contrast of 3 and more', async ({ browser }) => {
  const page = await openStory(browser, 'widgets-styles--basic');
  const input = page.getByLabel('Title');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await input.focus();
    expect(await styleOf(input, 'outline')).toMatch(/ solid 2px$/);
    expect(await contrast(input, 'color', 'background-color')).toBeGreaterThanOrEqual(15);
    expect(await contrast(input, 'border-top-color', 'background-color')).toBeGreaterThanOrEqual(3);
    expect(await contrast(input, 'outline-color', 'background-color')).toBeGreaterThanOrEqual(3);
    expect(await contrast(page.getByRole('button', { name: 'Create' }), 'color', 'background-color')).toBeGreaterThanOrEqual(4.5);
  }
  await page.context().close();
});

test('in forced colours every button and input can be read and has an edge, and the focus a ring', async ({ browser }) => {
  const page = await openStory(browser, 'widgets-resourcelist-deleting--not-confirmed');
  await page.emulateMedia({ forcedColors: 'active' });
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Delete On signing out' }).press('Enter');
  const buttons = ['Cancel', 'Delete'].map(name => page.getByRole('alertdialog').getByRole('button', { name }));
  for (const element of buttons) {
    expect(await contrast(element, 'color', 'background-color')).toBeGreaterThanOrEqual(4.5);
    expect(await contrast(element, 'border-top-color', 'background-color')).toBeGreaterThanOrEqual(3);
    await element.focus();
    expect(await styleOf(element, 'outline')).toMatch(/ solid 2px$/);
  }
  await page.context().close();
});

test('what is loading turns, and stands still for those who prefer less motion', async ({ browser }) => {
  const page = await openStory(browser, 'widgets-resourcelist--loading');
  const animation = () => page.getByText('Loading…').evaluate(node => getComputedStyle(node, '::before').animationName);
  expect(await animation()).toBe('dca-turn');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await animation()).toBe('none');
  await page.context().close();
});

test('on a phone of 360 pixels nothing scrolls sideways, and a finger finds buttons and inputs 44 pixels high', async ({ browser }) => {
  const page = await openStory(browser, 'widgets-styles--basic', { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
  for (const element of [page.getByRole('button', { name: 'Create' }), page.getByLabel('Title')])
    expect((await element.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  const wide: string[] = [];
  for (const story of ['styles--right-to-left', 'loginform--answered-with-nothing', 'paginatedlist--by-page-number', 'resourcedetail--refused', 'resourceform--refused']) {
    await show(page, `widgets-${story}`);
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (beyond > 0) wide.push(`${story}: ${beyond} pixels`);
  }
  expect(wide).toEqual([]);
  await page.context().close();
});
