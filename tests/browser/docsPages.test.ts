import type { ElementHandle } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { serveStorybook } from './support/serveStorybook.js';
import { eventually, newContext, test } from './support/test.js';

let storybook: Awaited<ReturnType<typeof serveStorybook>>;
beforeAll(async () => {
  storybook = await serveStorybook();
});
afterAll(() => storybook?.close());

/** How far a story in a frame of the page is. */
const phaseOf = async (frame: ElementHandle) =>
  (await frame.contentFrame())?.evaluate(
    () =>
      (window as { __STORYBOOK_PREVIEW__?: { currentRender?: { phase?: string } } }).__STORYBOOK_PREVIEW__
        ?.currentRender?.phase,
  );

test('a story of a docs page plays when it is seen, and moves neither the page nor the focus', async ({ browser }) => {
  const context = await newContext(browser);
  const page = await context.newPage();
  // Low enough for one story at a time.
  await page.setViewportSize({ width: 1280, height: 400 });
  await page.goto(`${storybook.url}/iframe.html?viewMode=docs&id=guides-lists-and-forms--docs`);
  const link = page.locator('#storybook-docs').getByRole('link').first();
  await link.focus();
  const place = () => page.evaluate(() => ({ top: scrollY, focus: document.activeElement?.outerHTML }));

  const stories = page.locator('#storybook-docs iframe');
  await eventually(() => stories.count(), 2);
  for (const story of await stories.elementHandles()) {
    await eventually(() => phaseOf(story), 'loading');
    // Its lower half is seen; what its play moves the focus to is in the upper one.
    await story.evaluate(frame =>
      scrollBy(0, (frame as Element).getBoundingClientRect().top + (frame as Element).clientHeight / 2),
    );
    const before = await place();
    await eventually(() => phaseOf(story), 'finished');
    expect((await (await story.contentFrame())?.locator(':focus').count()) ?? 0).toBe(0);
    expect(await place()).toEqual(before);
  }
  await context.close();
});
