// Settings of the test runner.
import type { TestRunnerConfig } from '@storybook/test-runner';

const RENDER_END_TIMEOUT_MS = 5_000;

export default {
  tags: { exclude: process.env.STORYBOOK_INCLUDE_TAGS === 'must-fail' ? [] : ['must-fail'] },
  async postVisit(page, { hasFailure }) {
    if (!hasFailure) return;
    // After a failing play the page may reload, and the next story would start during the reload. Do not wait for the network: a request
    // may never be answered.
    await page.waitForLoadState('load');
    await page
      .waitForSelector('html[data-story-ended]', { state: 'attached', timeout: RENDER_END_TIMEOUT_MS })
      .catch(() => undefined);
  },
} satisfies TestRunnerConfig;
