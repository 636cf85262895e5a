// The types of a story's context, parameters and globals in these docs.
import type { AuthParameters, StoryAuth } from '../src/storybook/preview.js';
import type { RequestJournal, RequestLine, ToHaveSentOptions } from '../src/testing/index.js';

declare module 'storybook/internal/csf' {
  interface StoryContext {
    /** The requests of this story so far. Cleared before every story. */
    journal: RequestJournal;
    /** A step of this title, which compares all requests so far: `expect(journal).toHaveSent(lines, options)`. */
    hasSent(title: string, lines: readonly (string | RequestLine)[], options?: ToHaveSentOptions): Promise<void>;
    /** The choices that the story starts with: the toolbar's, or those that it is written for. */
    auth: StoryAuth;
    /** The `globals` that the story declares. */
    storyGlobals: Globals;
    /** Renders the story. Storybook's own `mount` calls it. */
    renderToCanvas(): Promise<void>;
    /** Calls each `beforeEach` of the story, and returns their cleanup functions. */
    applyBeforeEach(context: StoryContext): Promise<(() => unknown)[]>;
    /** Renders the story without its decorators. */
    originalStoryFn: unknown;
    /** Prepares the next case of a proof, as the start of a story would. `inCases` calls it. */
    startCase(story: StoryCase): Promise<void>;
  }
  interface Parameters {
    auth?: AuthParameters;
    /** Names of the cookies that may still be there when the story ends. */
    cookies?: string[];
    /** True for a story that leaves requests without an answer, for example to show what loading looks like. @default false */
    unanswered?: boolean;
    /** `test: 'off'`: problems of accessibility do not fail the story. @default { test: 'error' } */
    a11y?: { test?: string; config?: object };
    /** True for an example that is about scrolling: on the docs page its frame keeps the declared height. @default false */
    scrolls?: boolean;
    /** Expected `console.error` messages. Any other message fails the story. */
    expectedConsoleErrors?: RegExp[];
  }
  /** The parts of a story in which the cases of one proof may differ. */
  interface StoryCase {
    args?: object | undefined;
    globals?: Pick<Globals, 'mechanism'> | undefined;
    parameters?: object | undefined;
    render?: unknown;
    /** Called after those of the story. */
    beforeEach?: ((context: never) => unknown) | ((context: never) => unknown)[] | undefined;
  }
  /** The choices of the toolbar. */
  interface Globals {
    /** `fixtures` is a mechanism of one proof. */
    mechanism?: 'token' | 'cookie' | 'context' | 'fixtures';
    /** `story`: the user that the story signs in. */
    user?: 'story' | 'ada' | 'grace' | 'none';
    network?: 'fast' | 'slow' | 'offline' | 'expired';
    theme?: 'system' | 'light' | 'dark';
  }
}
