// What a story of this kit gets in its context, and may declare in its parameters and globals.
import type { RequestJournal } from '../src/testing/index.js';

declare module 'storybook/internal/csf' {
  interface StoryContext {
    /** The requests of this story so far. Cleared before every story. */
    journal: RequestJournal;
    /** What the story starts with: the toolbar's choices, or those that it is written for. */
    choices: Globals;
    /** An arg or the theme has changed: what is mounted stays, with its server and its session. */
    isRerender: boolean;
    /** What the story declares in its `globals`. */
    storyGlobals: Globals;
    /** What Storybook's own `mount` calls. */
    renderToCanvas(): Promise<void>;
    /** Makes the server refuse the initial credentials. Set by fixtures with credentials. */
    expireCredentials?: () => void;
  }
  interface Parameters {
    /** Names of the cookies that may still be there when the story ends. */
    cookies?: string[];
    /** `test: 'off'`: problems of accessibility do not fail the story. @default { test: 'error' } */
    a11y?: { test?: string; config?: object };
    /** Expected `console.error` messages. Any other message fails the story. */
    expectedConsoleErrors?: RegExp[];
  }
  /** The choices of the toolbar. */
  interface Globals {
    mechanism?: 'token' | 'cookie' | 'context';
    /** `story`: the user that the story signs in. */
    person?: 'story' | 'ada' | 'grace' | 'nobody';
    network?: 'fast' | 'slow' | 'offline' | 'expired';
    theme?: 'system' | 'light' | 'dark';
  }
}
