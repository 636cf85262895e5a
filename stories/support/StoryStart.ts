import type { StoryContext } from '@storybook/react-vite';

/** What of a story's context it is set up by. */
export type StartContext = Pick<StoryContext, 'msw' | 'choices' | 'isRerender' | 'expireCredentials'>;

/**
 * The `beforeEach` of a story: sets it up, and may return what tidies up after it.
 *
 * A session is disposed of before the next story, not after its own: the tree is still mounted then, and would start anew.
 */
export type StoryStart = (context: StartContext) => void | (() => void);

/** Who is signed in at the start: whoever the toolbar says, else whoever the story says. */
export function startingPerson({ choices }: StartContext, ofTheStory?: string): string | undefined {
  if (choices.person === 'nobody') return undefined;
  return choices.person === 'ada' || choices.person === 'grace' ? choices.person : ofTheStory;
}
