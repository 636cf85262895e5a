import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { axeSource } from './support/axeSource.js';
import { isDrivenByBidi } from './support/browserUnderTest.js';
import { serveStorybook } from './support/serveStorybook.js';
import { test as base } from './support/test.js';

const TIMEOUT_MS = 20_000;
const FIRST = 'proofs-look-and-labels--styles-basic';

let storybook: Awaited<ReturnType<typeof serveStorybook>>;
beforeAll(async () => {
  storybook = await serveStorybook();
});
afterAll(() => storybook?.close());

/** What a story's page says of itself. */
interface StoryWindow {
  __STORYBOOK_PREVIEW__?: { currentRender?: { id: string; phase?: string } };
  __STORYBOOK_ADDONS_CHANNEL__: { emit(event: string, story: { storyId: string; viewMode: string }): void };
}

/** A page of stories by themselves, in the theme of the system. */
async function openPage(browser: Browser, options?: BrowserContextOptions) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(`${storybook.url}/iframe.html?viewMode=story&id=${FIRST}`);
  return page;
}

/** Shows a story in a page that stays, and waits until its play is over. */
async function show(page: Page, story: string) {
  await page.waitForFunction(() => !!(window as unknown as StoryWindow).__STORYBOOK_PREVIEW__?.currentRender);
  await page.evaluate(
    id =>
      (window as unknown as StoryWindow).__STORYBOOK_ADDONS_CHANNEL__.emit('setCurrentStory', {
        storyId: id,
        viewMode: 'story',
      }),
    story,
  );
  await page.waitForFunction(
    id => {
      const { currentRender } = (window as unknown as StoryWindow).__STORYBOOK_PREVIEW__ ?? {};
      return currentRender?.id === id && currentRender.phase === 'finished';
    },
    story,
    { timeout: TIMEOUT_MS },
  );
}

/** Storybook takes a second to start: tests of one size of the window share a page. */
const test = base.extend<{ page: Page; phone: Page }>({
  page: [
    async ({ browser }, give) => {
      const page = await openPage(browser);
      await give(page);
      await page.context().close();
    },
    { scope: 'file' },
  ],
  phone: [
    async ({ browser }, give) => {
      const page = await openPage(browser, { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
      await give(page);
      await page.context().close();
    },
    { scope: 'file' },
  ],
});
afterEach<{ page: Page }>(({ page }) =>
  page.emulateMedia({ colorScheme: null, forcedColors: null, reducedMotion: null }),
);

/** The contrast between two colours of an element, by the rule of WCAG 2. @param part The pseudo-element that has the first colour. */
const contrast = (element: Locator, one: string, other: string, part?: string) =>
  element.evaluate(
    (node, [names, pseudo]) => {
      const paint = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
      const luminance = (name: string, index: number) => {
        paint.fillStyle = getComputedStyle(node, index === 0 ? pseudo : undefined).getPropertyValue(name);
        paint.fillRect(0, 0, 1, 1);
        const [r = 0, g = 0, b = 0] = [...paint.getImageData(0, 0, 1, 1).data].map(level =>
          level / 255 <= 0.04045 ? level / 255 / 12.92 : ((level / 255 + 0.055) / 1.055) ** 2.4,
        );
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const [darker = 0, lighter = 0] = names.map(luminance).sort((a, b) => a - b);
      return (lighter + 0.05) / (darker + 0.05);
    },
    [[one, other], part] as const,
  );

const styleOf = (element: Locator, name: string) =>
  element.evaluate((node, property) => getComputedStyle(node).getPropertyValue(property), name);

test('in both themes the edge of an input and the ring of the focus have a contrast of 3 and more', async ({
  page,
}) => {
  await show(page, 'proofs-look-and-labels--styles-basic');
  const input = page.getByLabel('Title');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await input.focus();
    expect(await styleOf(input, 'outline')).toMatch(/ solid 2px$/);
    expect(await contrast(input, 'color', 'background-color')).toBeGreaterThanOrEqual(15);
    expect(await contrast(input, 'border-top-color', 'background-color')).toBeGreaterThanOrEqual(3);
    expect(await contrast(input, 'outline-color', 'background-color')).toBeGreaterThanOrEqual(3);
    expect(
      await contrast(page.getByRole('button', { name: 'Create' }), 'color', 'background-color'),
    ).toBeGreaterThanOrEqual(4.5);
  }
});

test('in both themes the example in an empty input can be read', async ({ page }) => {
  await show(page, 'widgets-resourceform--input-types');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const label of ['Title', 'Tags'])
      expect(
        await contrast(page.getByLabel(label), 'color', 'background-color', '::placeholder'),
      ).toBeGreaterThanOrEqual(4.5);
  }
});

/** The dark system colours of other browsers. Chromium's canvas is darker: #121212. */
const DARK = {
  Firefox: { canvas: '#1c1b22', text: 'rgb(251, 251, 254)' },
  Safari: { canvas: '#1e1e1e', text: 'rgb(255, 255, 255)' },
};

/** Replaces the system colours in the stylesheets that are there, and in the page. */
const replaceSystemColors = (page: Page, colors: (typeof DARK)['Firefox']) =>
  page.evaluate(({ canvas, text }) => {
    const style = document.createElement('style');
    style.textContent = `html { background: ${canvas}; color: ${text} }`;
    for (const sheet of [...document.styleSheets].filter(({ disabled }) => !disabled)) {
      const css = [...sheet.cssRules].map(({ cssText }) => cssText).join('\n');
      if (!/\bCanvas/i.test(css)) continue;
      sheet.disabled = true;
      style.textContent += css.replace(/\bCanvasText\b/gi, text).replace(/\bCanvas\b/gi, canvas);
    }
    document.head.append(style);
  }, colors);

/** The texts that axe finds hard to read. */
const contrastProblems = (page: Page) =>
  page.evaluate(async () => {
    interface Result {
      violations: { nodes: { html: string; any: { message: string }[] }[] }[];
    }
    const { axe } = window as unknown as { axe: { run: (where: string, options: object) => Promise<Result> } };
    const { violations } = await axe.run('#storybook-root', { runOnly: ['color-contrast'] });
    return violations.flatMap(({ nodes }) => nodes.map(({ html, any }) => `${html} ${any[0]?.message}`));
  });

test.for(Object.keys(DARK) as (keyof typeof DARK)[])(
  'in the dark colours of %s links, errors and the button “Undo” can be read',
  async (name, { browser }) => {
    const page = await openPage(browser, { colorScheme: 'dark' });
    await page.evaluate(axeSource());
    const problems: string[] = [];
    for (const story of [
      'widgets-loginform--title-and-links',
      'proofs-loginform--answered-with-nothing',
      'widgets-resourcelist--undo-delete',
    ]) {
      await show(page, story);
      if (story.includes('undo')) {
        await page.getByRole('button', { name: 'Delete On signing in' }).press('Enter');
        await page.getByRole('button', { name: 'Undo' }).waitFor();
      }
      await replaceSystemColors(page, DARK[name]);
      expect(await styleOf(page.locator('#storybook-root [class^="dca-"]').first(), 'color')).toBe(DARK[name].text);
      problems.push(...(await contrastProblems(page)));
    }
    expect(problems).toEqual([]);
    await page.context().close();
  },
);

test('in forced colours every button and input can be read and has an edge, and the focus a ring', async ({
  page,
  skip,
}) => {
  skip(isDrivenByBidi, 'emulates a media feature');
  await show(page, 'proofs-deleting--not-confirmed');
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
});

test('what is loading pulses, and stands still for those who prefer less motion', async ({ page, skip }) => {
  skip(isDrivenByBidi, 'emulates a media feature');
  await show(page, 'widgets-resourcelist--loading');
  const animation = () =>
    page.locator('.dca-loading').evaluate(node => getComputedStyle(node, '::before').animationName);
  expect(await animation()).toBe('dca-pulse');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await animation()).toBe('none');
});

test('on a phone of 360 pixels nothing scrolls sideways, and a finger finds buttons and inputs 44 pixels high', async ({
  phone: page,
  skip,
}) => {
  skip(isDrivenByBidi, 'emulates a finger');
  await show(page, 'proofs-look-and-labels--styles-basic');
  for (const element of [page.getByRole('button', { name: 'Create' }), page.getByLabel('Title')])
    expect((await element.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  const wide: string[] = [];
  for (const story of [
    'proofs-look-and-labels--right-to-left',
    'proofs-loginform--answered-with-nothing',
    'proofs-paginatedlist--each-kind-of-page',
    'widgets-resourcedetail--refused',
    'proofs-resourceform--refused',
  ]) {
    await show(page, story);
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (beyond > 0) wide.push(`${story}: ${beyond} pixels`);
  }
  expect(wide).toEqual([]);
});

test('in a window of 240 pixels a form fits, with a date and its time too', async ({ browser }) => {
  const page = await openPage(browser, { viewport: { width: 240, height: 640 } });
  await show(page, 'widgets-resourceform--input-types');
  expect(await page.getByLabel('Doors open').isVisible()).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(240);
  await page.context().close();
});

test('the button that shows a password is an icon in the box of its input', async ({ browser }) => {
  const page = await openPage(browser, { viewport: { width: 240, height: 640 } });
  await show(page, 'widgets-loginform--basic');
  const box = async (element: Locator) => (await element.boundingBox())!;
  const name = page.getByLabel('User name');
  const password = page.locator('.dca-password');
  const button = password.getByRole('button', { name: 'Show password' });
  expect((await box(password)).height).toBe((await box(name)).height);
  expect(await styleOf(password, 'background-color')).toBe(await styleOf(name, 'background-color'));
  expect((await box(button)).y).toBe((await box(page.getByLabel('Password', { exact: true }))).y);
  expect((await box(button)).width).toBe(40);
  await page.context().close();
});
