// A run is a story from its start until it is started again, or left.
//
// Storybook renders a story again whenever an arg or a global changes: loaders and `beforeEach` run once more, on what is mounted, and
// the play does not. Here an arg or the theme changes nothing but what is rendered, and what a story is started with (see toolbar.ts)
// starts it anew where it stands: the old tree goes first, then come an empty journal, the server's first day and a new tree.
import type { Decorator, StoryContext } from '@storybook/react-vite';
import { useSyncExternalStore, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { STORY_FINISHED } from 'storybook/internal/core-events';
import { addons } from 'storybook/preview-api';
import { choiceOf } from './toolbar.js';

interface Run {
  readonly storyId: string;
  /** Storybook makes one for each start of a story, and keeps it while it renders that again. */
  readonly signal: AbortSignal;
  choice: string;
  /** Renders that have begun, and that are over. */
  begun: number;
  over: number;
}

let run: Run | undefined;
let number = 0;
const listeners = new Set<() => void>();
let tellOver = () => {};

void addons.ready().then(channel =>
  channel.on(STORY_FINISHED, ({ storyId }: { storyId: string }) => {
    if (run?.storyId === storyId) run.over += 1;
    tellOver();
  }),
);

/** Tells whether the story starts with this render. Belongs at the beginning of the loaders. */
export async function startsWith(context: StoryContext): Promise<boolean> {
  const choice = choiceOf(context);
  if (run?.signal !== context.abortSignal) {
    run = { storyId: context.id, signal: context.abortSignal, choice, begun: 1, over: 0 };
    number += 1;
    return true;
  }
  const current = run;
  current.begun += 1;
  if (current.choice === choice) {
    // No `beforeEach` and no `afterEach` run on a context whose signal is aborted; the render itself has the signal from elsewhere.
    context.abortSignal = AbortSignal.abort();
    return false;
  }
  current.choice = choice;
  // A play that is under way is played to its end: it would fail on what it does not expect.
  const before = current.begun - 1;
  while (current.over < before) await new Promise<void>(resolve => (tellOver = resolve));
  number += 1;
  flushSync(() => listeners.forEach(listener => listener()));
  return true;
}

/** What Storybook keeps of the story that it shows. */
interface Shown {
  readonly renderOptions: { autoplay: boolean };
  readonly callbacks: { showMain(): void };
}

/**
 * What the reader sees of a run: the story in place of what went wrong in the run before, and its play or not. Storybook shows no story
 * again after an error, and lets no story say that it is not to be played.
 */
export function showRun({ plays }: { plays: boolean }): void {
  const { currentRender } =
    (window as { __STORYBOOK_PREVIEW__?: { currentRender?: Partial<Shown> } }).__STORYBOOK_PREVIEW__ ?? {};
  if (currentRender?.renderOptions) currentRender.renderOptions.autoplay = plays;
  if (run && run.begun > 1) currentRender?.callbacks?.showMain();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Takes what is mounted off when its run is over, so that the next one mounts anew. */
export const inItsRun: Decorator = Story => (
  <InRun of={number}>
    <Story />
  </InRun>
);

function InRun({ of, children }: { of: number; children: ReactNode }) {
  return useSyncExternalStore(subscribe, () => number) === of ? children : null;
}
