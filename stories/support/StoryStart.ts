import type { StoryContext } from '@storybook/react-vite';

/** What of a story's context it is set up by. */
export type StartContext = Pick<StoryContext, 'msw' | 'globals' | 'expireCredentials'>;

/**
 * The `beforeEach` of a story: sets it up, and may return what tidies up after it.
 *
 * A session is disposed of before the next story, not after its own: the tree is still mounted then, and would start anew.
 */
export type StoryStart = (context: StartContext) => void | (() => void);

/** Who is signed in at the start: whoever the toolbar says, else whoever the story says. */
export function startingPerson({ globals }: StartContext, ofTheStory?: string): string | undefined {
  if (globals.person === 'nobody') return undefined;
  return globals.person === 'ada' || globals.person === 'grace' ? globals.person : ofTheStory;
}
