// Marks the page when the story has ended. The test runner waits for the mark after a failure.
import { STORY_RENDER_PHASE_CHANGED } from 'storybook/internal/core-events';
import { addons } from 'storybook/preview-api';

void addons.ready().then(channel => {
  channel.on(STORY_RENDER_PHASE_CHANGED, ({ newPhase }: { newPhase: string }) => {
    const hasEnded = ['finished', 'aborted', 'errored'].includes(newPhase);
    document.documentElement.toggleAttribute('data-story-ended', hasEnded);
  });
});
