import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { serveStorybook } from './support/serveStorybook.js';
import { test } from './support/test.js';

const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true } as const;

let storybook: Awaited<ReturnType<typeof serveStorybook>>;
beforeAll(async () => {
  storybook = await serveStorybook();
});
afterAll(() => storybook?.close());

const open = (page: Page, story: string) => page.goto(`${storybook.url}/iframe.html?viewMode=story&id=${story}`);

interface StoryWindow {
  __STORYBOOK_ADDONS_CHANNEL__?: {
    last(event: string): [{ storyId: string; status: string }] | undefined;
    emit(event: string, selection: { storyId: string; viewMode: 'story' }): void;
  };
}

/** How a story has ended, in a window of the page's size: `success` or `error`. */
const outcome = (page: Page, story: string) =>
  page
    .waitForFunction(id => {
      const last = (window as unknown as StoryWindow).__STORYBOOK_ADDONS_CHANNEL__?.last('storyFinished')?.[0];
      return last?.storyId === id && last.status;
    }, story)
    .then(status => status.jsonValue());

/** Shows another story in the page of one, as a click in the sidebar does, and waits until it has ended. */
async function show(page: Page, story: string): Promise<void> {
  await page.evaluate(
    storyId =>
      (window as unknown as StoryWindow).__STORYBOOK_ADDONS_CHANNEL__?.emit('setCurrentStory', {
        storyId,
        viewMode: 'story',
      }),
    story,
  );
  await outcome(page, story);
}

describe('proofs that are played in a window of 360 px', () => {
  test.for([
    ['the dialog of a challenge, from right to left', 'proofs-step-up--on-a-phone'],
    ['the warning of the session clock and the focus', 'proofs-session-clock--focus-is-visible'],
    ['the place of a user whose session has expired', 'proofs-keep-my-place--same-user'],
    ['the page of an SDK’s user whose session has expired', 'proofs-keep-my-place-under-an-sdk--same-user'],
  ] as const)('%s', async ([, story], { browser }) => {
    const context = await browser.newContext(PHONE);
    const page = await context.newPage();
    await open(page, story);
    expect(await outcome(page, story)).toBe('success');
    await context.close();
  });
});

test('a challenge takes the focus into its field, and Escape gives it back to the button that was pressed', async ({
  browser,
}) => {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  await open(page, 'widgets-challenge--before-a-deletion');
  const button = page.getByRole('button', { name: 'Delete' }).nth(1);
  await button.click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await dialog.waitFor();
  const hasFocus = (element: typeof button) => element.evaluate(node => node === document.activeElement);
  expect(await hasFocus(dialog.getByLabel('Password'))).toBe(true);
  // The rest of the page is inert: Tab stays in the dialog, or goes to the browser's own bar.
  for (let times = 0; times < 5; times++) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('dialog, body')?.tagName)).toMatch(
      /^(DIALOG|BODY)$/,
    );
    expect(await hasFocus(button)).toBe(false);
  }
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await hasFocus(button)).toBe(true);
  await context.close();
});

test('a wrong password makes the dialog of a challenge higher, and does not move its upper edge', async ({
  browser,
}) => {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  await open(page, 'widgets-challenge--before-a-deletion');
  await page.getByRole('button', { name: 'Delete' }).nth(1).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  const before = await dialog.boundingBox();
  await dialog.getByLabel('Password', { exact: true }).fill('byron');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('alert').filter({ hasText: /./ }).waitFor();
  const after = await dialog.boundingBox();
  expect(after!.height).toBeGreaterThan(before!.height);
  expect(after!.y).toBe(before!.y);
  await context.close();
});

test('at a zoom of 400 %, the warning of the session clock covers no field that has the focus, in either direction of Tab', async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 320, height: 256 } });
  const page = await context.newPage();
  await open(page, 'widgets-sessionwarning--basic');
  await page.locator('.dca-warning').waitFor();
  await page.evaluate(() => {
    const fields = Array.from(
      { length: 20 },
      (_, index) => `<p><label>Field ${index} <input style="inline-size: 100%"></label></p>`,
    );
    document.querySelector('#storybook-root')!.insertAdjacentHTML('beforeend', fields.join(''));
  });
  /** The focused field, if the warning covers a part of it or it is not in the window; null for another element. */
  const coveredField = () =>
    page.evaluate(async () => {
      const { activeElement: focused } = document;
      if (focused?.tagName !== 'INPUT') return null;
      const warning = document.querySelector('.dca-warning')!;
      const isCovered = () => {
        const [field, cover] = [focused.getBoundingClientRect(), warning.getBoundingClientRect()];
        const isBelow = field.top < cover.bottom && field.bottom > cover.top;
        return isBelow || field.top < 0 || field.bottom > innerHeight;
      };
      // The browser scrolls and the warning moves within a few frames, of which a busy machine skips some.
      for (let frames = 0; frames < 60 && (frames < 2 || isCovered()); frames++)
        await new Promise(requestAnimationFrame);
      return isCovered() ? focused.parentElement!.textContent : '';
    });
  for (const key of ['Tab', 'Shift+Tab']) {
    const fields: string[] = [];
    for (let presses = 0; presses < 30; presses++) {
      await page.keyboard.press(key);
      const covered = await coveredField();
      if (covered !== null) fields.push(covered);
    }
    expect(fields.length).toBeGreaterThanOrEqual(19);
    expect(fields.filter(Boolean)).toEqual([]);
  }
  await context.close();
});

test('a warning that takes another line moves off the field that has the focus', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 320, height: 640 } });
  const page = await context.newPage();
  await open(page, 'widgets-sessionwarning--basic');
  const warning = page.locator('.dca-warning');
  await warning.waitFor();
  const { y } = (await warning.boundingBox())!;
  await page.evaluate(top => {
    const style = `position: fixed; inset-inline: 16px; inset-block-start: ${top - 40}px; block-size: 30px`;
    document.body.insertAdjacentHTML('beforeend', `<input aria-label="Search" style="${style}">`);
  }, y);
  await page.getByLabel('Search').focus();
  const edge = () => warning.getAttribute('data-edge');
  const before = await edge();
  await warning.getByRole('timer').evaluate(time => (time.style.minBlockSize = '100px'));
  await expect.poll(edge).not.toBe(before);
  await context.close();
});

test.for(['ltr', 'rtl'])(
  'a locked page is one dialog for everybody (%s): it has the focus, fits, and hides all else from screen readers',
  async (direction, { browser }) => {
    const context = await browser.newContext(PHONE);
    const page = await context.newPage();
    await page.addInitScript(dir => {
      addEventListener('DOMContentLoaded', () => (document.documentElement.dir = dir));
    }, direction);
    await open(page, 'widgets-authenticated--locked');
    const dialog = page.getByRole('dialog', { name: /^Your session has ended/ });
    await dialog.waitFor();
    const name = dialog.getByLabel('User name');
    expect(await name.evaluate(node => node === document.activeElement)).toBe(true);
    expect(await name.getAttribute('autocomplete')).toBe('username');
    expect(await dialog.getByLabel('Password', { exact: true }).getAttribute('autocomplete')).toBe('current-password');
    const widths = await dialog.evaluate(node => [node.scrollWidth, document.documentElement.scrollWidth]);
    expect(widths).toEqual([PHONE.viewport.width, PHONE.viewport.width]);
    for (const button of ['Sign in', 'Not me']) {
      const box = await dialog.getByRole('button', { name: button, exact: true }).boundingBox();
      expect(box!.x).toBeGreaterThanOrEqual(0);
      expect(box!.x + box!.width).toBeLessThanOrEqual(PHONE.viewport.width);
      expect(box!.height).toBeGreaterThanOrEqual(24);
    }
    const tree = await page.locator('body').ariaSnapshot();
    expect(tree.match(/dialog/g)).toHaveLength(1);
    expect(tree).toContain('Your session has ended');
    expect(await page.locator('[aria-label="Articles"]').count()).toBe(1);
    expect(tree).not.toContain('Articles');
    await context.close();
  },
);

/** Longer than the mock server takes for the first rows of an example. */
const FIRST_ROWS_MS = 200;

test(
  'each example of a widget fits into 360 px, from left to right and from right to left',
  { timeout: 100_000 },
  async ({ browser }) => {
    const response = await fetch(`${storybook.url}/index.json`);
    const { entries } = (await response.json()) as {
      entries: Record<string, { id: string; type: string; title: string }>;
    };
    const examples = Object.values(entries).filter(
      ({ type, title }) => type === 'story' && title.startsWith('Widgets/'),
    );
    expect(examples.length).toBeGreaterThan(50);
    const context = await browser.newContext({ viewport: PHONE.viewport, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const misfits: string[] = [];
    await open(page, examples[0]!.id);
    await outcome(page, examples[0]!.id);
    for (const { id } of examples) {
      await show(page, id);
      await page.waitForTimeout(FIRST_ROWS_MS);
      for (const direction of ['ltr', 'rtl']) {
        const width = await page.evaluate(dir => {
          document.documentElement.dir = dir;
          return document.documentElement.scrollWidth;
        }, direction);
        if (width > PHONE.viewport.width) misfits.push(`${id}, ${direction}: ${width} px`);
      }
    }
    expect(misfits).toEqual([]);
    await context.close();
  },
);
