import { afterAll, beforeAll, expect } from 'vitest';
import { isDrivenByBidi } from './support/browserUnderTest.js';
import { serveStorybook } from './support/serveStorybook.js';
import { test } from './support/test.js';

let storybook: Awaited<ReturnType<typeof serveStorybook>>;
beforeAll(async () => {
  storybook = await serveStorybook();
});
afterAll(() => storybook?.close());

const STORY = 'widgets-resourcelist--many-actions';

test('on a phone: a tap opens the menu inside of the window; Escape and a tap elsewhere close it, and the focus returns', async ({
  browser,
  skip,
}) => {
  skip(isDrivenByBidi, 'emulates a finger');
  const context = await browser.newContext({ viewport: { width: 360, height: 640 }, hasTouch: true });
  const page = await context.newPage();
  await page.goto(`${storybook.url}/iframe.html?viewMode=story&id=${STORY}`);
  const list = page.getByRole('region', { name: 'Articles on a phone' });
  const button = list.getByRole('button', { name: 'More actions for “On signing out”' });
  const revise = list.getByRole('button', { name: 'Revise' });

  await button.tap();
  await revise.waitFor();
  expect(await button.evaluate(node => node.matches(':scope:has(+ :popover-open)'))).toBe(true);
  const box = (await list.locator(':popover-open').boundingBox())!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(360);
  expect((await revise.boundingBox())!.height).toBeGreaterThanOrEqual(44);

  await page.keyboard.press('Tab');
  expect(await revise.evaluate(node => node === document.activeElement)).toBe(true);
  await page.keyboard.press('Escape');
  await revise.waitFor({ state: 'hidden' });
  expect(await button.evaluate(node => node === document.activeElement)).toBe(true);

  await button.tap();
  await revise.waitFor();
  await page.touchscreen.tap(180, 630);
  await revise.waitFor({ state: 'hidden' });
  await context.close();
});

test('where a press focuses no button, as in Safari on a Mac, the focus returns to the button of the menu', async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 640 } });
  await context.addInitScript(() =>
    addEventListener('mousedown', event => {
      if (event.target instanceof Element && event.target.closest('button')) event.preventDefault();
    }),
  );
  const page = await context.newPage();
  await page.goto(`${storybook.url}/iframe.html?viewMode=story&id=${STORY}`);
  const list = page.getByRole('region', { name: 'Articles on a phone' });
  const button = list.getByRole('button', { name: 'More actions for “On signing out”' });
  await button.click();
  await list.getByRole('button', { name: 'Revise' }).waitFor();
  await page.keyboard.press('Escape');
  await list.getByRole('button', { name: 'Revise' }).waitFor({ state: 'hidden' });
  expect(await button.evaluate(node => node === document.activeElement)).toBe(true);
  // WebKit starts at the element that was pressed, and Tab goes into the menu from its button only.
  expect(await button.evaluate(node => node.childElementCount)).toBe(0);
  await context.close();
});

test.for(['ltr', 'rtl'])(
  'in a narrow row the menu is below its button and begins or ends with it (%s)',
  async (dir, { browser }) => {
    const context = await browser.newContext({ viewport: { width: 360, height: 640 } });
    const page = await context.newPage();
    await page.goto(`${storybook.url}/iframe.html?viewMode=story&id=${STORY}`);
    const list = page.getByRole('region', { name: 'Articles on a phone' });
    const button = list.getByRole('button', { name: 'More actions for “On signing out”' });
    await button.waitFor();
    // A part of a page of the other direction: Firefox aligned the menu by the page's.
    await page.locator('#storybook-root').evaluate((node, direction) => {
      node.ownerDocument.documentElement.dir = direction === 'rtl' ? 'ltr' : 'rtl';
      node.setAttribute('dir', direction);
    }, dir);
    await button.press('Enter');
    const [from, menu] = [(await button.boundingBox())!, (await list.locator(':popover-open').boundingBox())!];
    const end = (box: typeof menu) => (dir === 'rtl' ? box.x : box.x + box.width);
    expect(Math.abs(end(menu) - end(from))).toBeLessThan(2);
    expect(menu.y).toBeGreaterThanOrEqual(from.y + from.height);
    await context.close();
  },
);

test('in forced colours the menu has an edge, and each action a ring of the focus', async ({ browser, skip }) => {
  skip(isDrivenByBidi, 'emulates a media feature');
  const context = await browser.newContext({ viewport: { width: 360, height: 640 }, forcedColors: 'active' });
  const page = await context.newPage();
  await page.goto(`${storybook.url}/iframe.html?viewMode=story&id=${STORY}`);
  const list = page.getByRole('region', { name: 'Articles on a phone' });
  await list.getByRole('button', { name: 'More actions for “On signing in”' }).press('Enter');
  const edge = await list.locator(':popover-open').evaluate(node => {
    const { borderTopStyle, borderTopColor, backgroundColor } = getComputedStyle(node);
    return [borderTopStyle, borderTopColor !== backgroundColor];
  });
  expect(edge).toEqual(['solid', true]);
  await page.keyboard.press('Tab');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outline);
  expect(outline).toMatch(/ solid 2px$/);
  await context.close();
});
