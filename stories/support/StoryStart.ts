import type { StoryContext } from '@storybook/react-vite';

/** The `beforeEach` of a story: sets it up, and returns what tidies up after it. */
export type StoryStart = (context: Pick<StoryContext, 'msw'>) => () => void;
