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
