import type { BrowserContext, Page } from 'playwright';

/** What a page showed after the tab went back to it. */
export interface ShownAgain {
  /** Whether it came out of the back/forward cache. */
  persisted: boolean;
  /** Why it did not. */
  notRestoredReasons?: unknown;
  /** The text that each frame painted, the first one first. */
  painted: string[];
  /** The text after each change. */
  changed: string[];
}

declare global {
  interface Window {
    /** Undefined while the page has not come back. */
    shownAgain?: ShownAgain;
  }
}

const FRAMES = 10;

function record(frames: number) {
  addEventListener('pageshow', ({ persisted }) => {
    const [navigation] = performance.getEntriesByType('navigation') as (PerformanceNavigationTiming & {
      notRestoredReasons?: unknown;
    })[];
    if (!persisted && navigation?.type !== 'back_forward') return;
    const notes: ShownAgain = {
      persisted,
      notRestoredReasons: navigation?.notRestoredReasons,
      painted: [],
      changed: [],
    };
    const text = () => document.body.textContent ?? '';
    const onFrame = () => {
      notes.painted.push(text());
      if (notes.painted.length < frames) requestAnimationFrame(onFrame);
      else window.shownAgain = notes;
    };
    requestAnimationFrame(onFrame);
    new MutationObserver(() => notes.changed.push(text())).observe(document, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
}

/** Records on every page of the context that is opened from now on. */
export async function recordShownAgain(context: BrowserContext): Promise<void> {
  await context.addInitScript(record, FRAMES);
}

/** Goes back in the tab's history; resolves with what the page showed. */
export async function goBack(page: Page): Promise<ShownAgain> {
  // Playwright's own `goBack` waits for a load, which a page from the cache does not have.
  await page.evaluate(() => history.back()).catch(() => {});
  const handle = await page.waitForFunction(() => window.shownAgain);
  return (await handle.jsonValue()) as ShownAgain;
}
