// What a story of this kit gets in its context, and may declare in its parameters and globals.
import type { RequestJournal } from '../src/testing/index.js';

declare module 'storybook/internal/csf' {
  interface StoryContext {
    /** What this story has sent so far; fresh for every story. */
    journal: RequestJournal;
    /** What the story declares in its `globals`. */
    storyGlobals: Globals;
    /** What Storybook's own `mount` calls. */
    renderToCanvas(): Promise<void>;
    /** Set by a world that has credentials: makes the server refuse those that somebody starts with. */
    expireCredentials?: () => void;
  }
  interface Parameters {
    /** Names of the cookies that may still be there when the story ends. */
    cookies?: string[];
    /** What the story is expected to write to `console.error`; anything else fails it. */
    expectedConsoleErrors?: RegExp[];
  }
  /** The choices of the toolbar. */
  interface Globals {
    mechanism?: 'token' | 'cookie' | 'context';
    /** `story`: whoever the story signs in. */
    person?: 'story' | 'ada' | 'grace' | 'nobody';
    network?: 'fast' | 'slow' | 'offline' | 'expired';
    theme?: 'system' | 'light' | 'dark';
  }
}
