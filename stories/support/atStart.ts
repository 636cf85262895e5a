import type { StartContext, StoryStart } from './StoryStart.js';

/** A story's `beforeEach` that runs when the story starts, and not again when the reader changes an arg. */
export const atStart =
  (act: (context: StartContext) => void): StoryStart =>
  context => {
    if (!context.auth.isRerender) act(context);
  };
