// The texts of the widgets in browsers of several languages.
import { afterAll, beforeAll, expect } from 'vitest';
import { isDrivenByBidi } from './support/browserUnderTest.js';
import { serveStorybook } from './support/serveStorybook.js';
import { test } from './support/test.js';

let storybook: Awaited<ReturnType<typeof serveStorybook>>;
beforeAll(async () => {
  storybook = await serveStorybook();
});
afterAll(() => storybook?.close());

test.for(['ar-EG', 'hi-IN-u-nu-deva'])(
  'the English texts have English digits, whatever the language of the browser is: %s',
  async (locale, { browser, skip }) => {
    skip(isDrivenByBidi, 'emulates a language');
    const context = await browser.newContext({ locale });
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    await page.goto(`${storybook.url}/iframe.html?viewMode=story&id=widgets-paginatedlist--numbered-pages`);
    await page.getByText('1–4 of 40').waitFor();
    expect(await page.locator('.dca-pages').getByRole('button').allTextContents()).toEqual([
      'Previous',
      '1',
      '2',
      '10',
      'Next',
    ]);
    await context.close();
  },
);

test('a long label of the button beside a password is not cut off, with the spacing of WCAG 1.4.12 at 320 px', async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 320, height: 640 } });
  const page = await context.newPage();
  await page.goto(`${storybook.url}/iframe.html?viewMode=story&id=widgets-loginform--basic`);
  const button = page.locator('.dca-password button');
  await button.waitFor();
  await page.addStyleTag({
    content: '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }',
  });
  const edges = await button.evaluate(node => {
    node.textContent = 'Passwort im Klartext anzeigen';
    return [node, node.parentElement!].map(element => element.getBoundingClientRect().right);
  });
  expect(edges[0]).toBeLessThanOrEqual(edges[1]!);
  await context.close();
});

test.for([
  ['ltr', 'Website', 'https://example.com/', 'left'],
  ['ltr', 'Title', 'מה קורה?', 'right'],
  ['rtl', 'Website', 'https://example.com/', 'left'],
  ['rtl', 'Abstract', 'On moths.', 'left'],
  ['rtl', 'Title', 'מה קורה?', 'right'],
] as const)(
  'what the user types has the direction of its letters: in a page %s, %s begins “%s” at the %s',
  async ([direction, label, text, edge], { browser }) => {
    const context = await browser.newContext({ viewport: { width: 800, height: 800 } });
    const page = await context.newPage();
    await page.goto(`${storybook.url}/iframe.html?viewMode=story&id=widgets-resourceform--input-types`);
    const input = page.getByLabel(label);
    await input.waitFor();
    await page.evaluate(dir => (document.documentElement.dir = dir), direction);
    // No placeholder is in the picture of the empty input.
    await input.evaluate(node => node.removeAttribute('placeholder'));
    const { x, y, width } = (await input.boundingBox())!;
    const picture = () =>
      page.screenshot({ clip: { x: edge === 'left' ? x : x + width - 60, y, width: 60, height: 36 }, caret: 'hide' });
    const before = await picture();
    await input.fill(text);
    await input.blur();
    expect((await picture()).equals(before)).toBe(false);
    await context.close();
  },
);
