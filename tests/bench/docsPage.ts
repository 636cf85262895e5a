import type { FrameLocator, Page } from 'playwright';
import { serve } from '../../scripts/serve.mjs';
import { buildStorybook, FULL_BUILD } from '../../scripts/story-runner.mjs';
import { compare } from './app/compare.js';
import type { MeasureRun } from './MeasureRun.js';
import type { Measured } from './Result.js';
import { timesBeside } from './support/checks.js';
import { spread } from './support/statistics.js';

const FIRST = 'the first page of the docs';
const ALONE = 'the same page, outside of Storybook’s window';

/** From the start of the navigation to the heading of the page, with an empty cache. */
export async function docsPage({ inPage, warmUps, rounds }: MeasureRun): Promise<Record<string, Measured>> {
  const { ok, output } = await buildStorybook(FULL_BUILD);
  if (!ok) throw new Error(`The Storybook was not built.\n${output}`);
  const storybook = await serve(FULL_BUILD.folder);
  const open = (path: string, find: (page: Page) => Page | FrameLocator) => () =>
    inPage(async page => {
      const start = performance.now();
      await page.goto(`${storybook.url}${path}`, { waitUntil: 'commit' });
      await find(page).getByRole('heading', { level: 1 }).waitFor();
      return performance.now() - start;
    });
  try {
    const samples = await compare(
      {
        [ALONE]: open('/iframe.html?viewMode=story&id=demo-app--demo-app', page => page),
        [FIRST]: open('/', page => page.frameLocator('#storybook-preview-iframe')),
      },
      { warmUps, rounds },
    );
    const { median, quartiles } = spread(samples[FIRST]!.map(ms => ms / 1_000));
    return {
      docsPage: {
        ...timesBeside(ALONE, samples),
        checks: [{ what: 'until the heading is there', measured: median, quartiles, unit: 's', atMost: 1.5 }],
      },
    };
  } finally {
    await storybook.close();
  }
}
