import type { StoryContext } from '@storybook/react-vite';
import type { StoryCase } from 'storybook/internal/csf';

interface Case extends StoryCase {
  play?: ((context: never) => unknown) | undefined;
}

/**
 * One proof of several cases, by the title of their step. Each case is a story of its own for the page: its own tree, a fresh server, an empty
 * journal, no cookies and no storage.
 */
export const inCases = (cases: Record<string, Case>) => ({
  play: async ({ mount, context }: StoryContext) => {
    for (const [title, story] of Object.entries(cases))
      await context.step(title, async () => {
        if ('decorators' in story)
          throw new Error('A case has no decorators of its own: those of the story are around each.');
        await context.startCase(story);
        await mount();
        await story.play?.(context as never);
      });
  },
});
