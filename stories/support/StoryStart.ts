import type { StoryContext } from '@storybook/react-vite';

/**
 * The `beforeEach` of a story: sets it up, and may return what tidies up after it.
 *
 * A session is disposed of before the next story, not after its own: the tree is still mounted then, and would start anew.
 */
export type StoryStart = (context: Pick<StoryContext, 'msw'>) => void | (() => void);
