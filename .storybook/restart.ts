// When the reader chooses another mechanism, user or network, starts the current example again.
import { FORCE_REMOUNT, GLOBALS_UPDATED, STORY_RENDER_PHASE_CHANGED } from 'storybook/internal/core-events';
import { addons } from 'storybook/preview-api';
import type { StoryContext } from '@storybook/react-vite';
import { choicesOf, isSameChoice } from './toolbar.js';

interface Started {
  readonly story: StoryContext;
  readonly choices: StoryContext['globals'];
}

let started: Started | undefined;
let isUnderWay = false;
let isOutdated = false;

/**
 * Returns true if the story is already mounted. Storybook runs loaders and `beforeEach` again whenever an arg or a global changes, but
 * makes a new signal only for a new start.
 */
export const isRerender = ({ abortSignal }: StoryContext) => started?.story.abortSignal === abortSignal;

/** Remembers the choices that the story starts with. */
export function rememberStart(story: StoryContext): void {
  started = { story, choices: choicesOf(story) };
}

void addons.ready().then(channel => {
  const restart = () => {
    if (!started || !isOutdated || isUnderWay) return;
    isOutdated = false;
    channel.emit(FORCE_REMOUNT, { storyId: started.story.id });
  };
  // Storybook also sends the event with the globals of the next story, before that starts: only the reader's own choices count.
  channel.on(GLOBALS_UPDATED, ({ userGlobals }: { userGlobals: StoryContext['globals'] }) => {
    if (!started) return;
    const globals = { ...userGlobals, ...started.story.storyGlobals };
    isOutdated = !isSameChoice(started.choices, choicesOf({ ...started.story, globals }));
    restart();
  });
  // Storybook reloads the page when a story is restarted before it has finished.
  channel.on(STORY_RENDER_PHASE_CHANGED, ({ newPhase }: { newPhase: string }) => {
    isUnderWay = !['finished', 'aborted', 'errored'].includes(newPhase);
    // The test runner waits for it after a failure.
    document.documentElement.toggleAttribute('data-story-ended', !isUnderWay);
    restart();
  });
});
