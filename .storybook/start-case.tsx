// The cases of one proof: each starts and ends as a story does.
import type { Decorator, StoryContext } from '@storybook/react-vite';
import { clearAllMocks } from 'storybook/test';
import { checkCase } from './check-story.js';
import { startStory } from './start-story.js';

const between = new WeakSet<StoryContext>();

/** Unmounts the whole story between two cases: a mounted tree would restore the session that the next case disposes of. */
export const emptyBetweenCases: Decorator = (Story, { context }) => (between.has(context) ? <></> : <Story />);

/** The loader that adds `context.startCase`. */
export function addStartCase(context: StoryContext): void {
  const { args, parameters, originalStoryFn } = context;
  let isFirst = true;
  let stops: (() => unknown)[] = [];
  context.startCase = async story => {
    if (!isFirst) {
      await checkCase(context);
      between.add(context);
      await context.renderToCanvas();
      between.delete(context);
      for (const stop of stops) await stop();
      clearAllMocks();
      await startStory(context);
    }
    Object.assign(context, {
      args: { ...args, ...story.args },
      parameters: { ...parameters, ...story.parameters },
      originalStoryFn: story.render ?? originalStoryFn,
    });
    // Storybook has called those of the story before the first case.
    stops = isFirst ? [] : await context.applyBeforeEach(context);
    isFirst = false;
    for (const start of [story.beforeEach ?? []].flat()) {
      const stop = await start(context as never);
      if (typeof stop === 'function') stops.push(stop as () => unknown);
    }
  };
}
