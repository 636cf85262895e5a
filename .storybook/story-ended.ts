import { STORY_RENDER_PHASE_CHANGED } from 'storybook/internal/core-events';
import { addons } from 'storybook/preview-api';

/**
 * Marks the page when a story has ended. The test runner waits for the mark after a failure.
 *
 * A function that the preview calls: the package says that its files have no side effects, so a build drops an import without a name.
 */
export function markStoryEnd(): void {
  void addons.ready().then(channel => {
    channel.on(STORY_RENDER_PHASE_CHANGED, ({ newPhase }: { newPhase: string }) => {
      const hasEnded = ['finished', 'aborted', 'errored'].includes(newPhase);
      document.documentElement.toggleAttribute('data-story-ended', hasEnded);
    });
  });
}
