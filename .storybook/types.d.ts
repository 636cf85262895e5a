// What a story of this kit gets in its context, and may declare in its parameters.
import type { RequestJournal } from '../src/testing/index.js';

declare module 'storybook/internal/csf' {
  interface StoryContext {
    /** What this story has sent so far; fresh for every story. */
    journal: RequestJournal;
  }
  interface Parameters {
    /** Names of the cookies that may still be there when the story ends. */
    cookies?: string[];
    /** What the story is expected to write to `console.error`; anything else fails it. */
    expectedConsoleErrors?: RegExp[];
  }
}
