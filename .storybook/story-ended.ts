// Marks the page when no story is under way. The test runner waits for it after a failure.
import { STORY_RENDER_PHASE_CHANGED } from 'storybook/internal/core-events';
import { addons } from 'storybook/preview-api';

void addons.ready().then(channel => {
  channel.on(STORY_RENDER_PHASE_CHANGED, ({ newPhase }: { newPhase: string }) => {
    const hasEnded = ['finished', 'aborted', 'errored'].includes(newPhase);
    document.documentElement.toggleAttribute('data-story-ended', hasEnded);
  });
});
