// The cases of one proof: each starts and ends as a story does.
import type { Decorator, StoryContext } from '@storybook/react-vite';
import { clearAllMocks } from 'storybook/test';
import { checkCase } from './check-story.js';
import { startStory } from './start-story.js';

type Stop = () => unknown;

const between = new WeakSet<StoryContext>();
/** What the `beforeEach` of the current case has returned. */
const stopsOfCase = new WeakMap<StoryContext, Stop[]>();

/** Unmounts the whole story between two cases: a mounted tree would restore the session that the next case disposes of. */
export const emptyBetweenCases: Decorator = (Story, { context }) => (between.has(context) ? <></> : <Story />);

async function stopAll(stops: Stop[] = []): Promise<void> {
  for (const stop of [...stops].reverse()) await stop();
}

/** The `beforeEach` of a story whose last case ends with the story. */
export const endLastCase = (context: StoryContext) => async () => {
  await stopAll(stopsOfCase.get(context));
  stopsOfCase.delete(context);
};

/** The loader that adds `context.startCase`. */
export function addStartCase(context: StoryContext): void {
  const { args, auth, parameters, originalStoryFn } = context;
  let isFirst = true;
  let stops: Stop[] = [];
  context.startCase = async story => {
    if (!isFirst) {
      await checkCase(context);
      between.add(context);
      await context.renderToCanvas();
      between.delete(context);
      await endLastCase(context)();
      await stopAll(stops);
      clearAllMocks();
      await startStory(context);
    }
    const { mechanism = auth.mechanism } = story.globals ?? {};
    // Storybook has called each `beforeEach` of the story before the first case, and ends what they began with the story.
    const hasStarted = isFirst && mechanism === context.auth.mechanism;
    isFirst = false;
    Object.assign(context, {
      args: { ...args, ...story.args },
      auth: { ...auth, mechanism },
      parameters: { ...parameters, ...story.parameters },
      originalStoryFn: story.render ?? originalStoryFn,
    });
    stops = hasStarted ? [] : (await context.applyBeforeEach(context)).filter(stop => stop !== undefined);
    const started: Stop[] = [];
    stopsOfCase.set(context, started);
    for (const start of [story.beforeEach ?? []].flat()) {
      const stop = await start(context as never);
      if (typeof stop === 'function') started.push(stop as Stop);
    }
  };
}
