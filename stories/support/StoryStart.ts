import type { StoryContext } from '@storybook/react-vite';

/** The parts of a story's context that its setup reads. */
export type StartContext = Pick<StoryContext, 'msw' | 'auth'>;

/**
 * The `beforeEach` of a story: sets it up, and may return a cleanup function.
 *
 * A session is disposed of before the next story, not after its own: the tree is still mounted then, and would restore the session again.
 */
export type StoryStart = (context: StartContext) => void | (() => void) | Promise<void>;
