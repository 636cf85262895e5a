// What the test runner does around a story, beyond running its play.
import type { TestRunnerConfig } from '@storybook/test-runner';

const RENDER_END_TIMEOUT_MS = 5_000;

export default {
  tags: { exclude: process.env.STORYBOOK_INCLUDE_TAGS === 'must-fail' ? [] : ['must-fail'] },
  async postVisit(page, { hasFailure }) {
    if (!hasFailure) return;
    // After a failing play the page may reload; the next story would hang in between. A request may never be answered: the network
    // is not waited for.
    await page.waitForLoadState('load');
    await page
      .waitForFunction(
        () => {
          const { currentRender } = (
            window as unknown as { __STORYBOOK_PREVIEW__: { currentRender?: { phase?: string } } }
          ).__STORYBOOK_PREVIEW__;
          return ['finished', 'aborted', 'errored'].includes(currentRender?.phase ?? '');
        },
        undefined,
        { timeout: RENDER_END_TIMEOUT_MS },
      )
      .catch(() => undefined);
  },
} satisfies TestRunnerConfig;
