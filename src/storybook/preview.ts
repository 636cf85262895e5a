// The half of the requests panel that lives in the story's frame; Storybook finds it by its name.
import type { DecoratorFunction } from 'storybook/internal/types';
import { addons } from 'storybook/preview-api';
import { journalFor, type WatchedContext } from './journalFor.js';
import { NEWS } from './panelNames.js';
import type { PanelNews } from './PanelNews.js';
import { reportRequests } from './reportRequests.js';

export type { RequestsParameters } from './journalFor.js';

/** The story that is watched; a run is over when its story is started again, or left. */
let run: { readonly id: string; stop: (() => void) | undefined } | undefined;
let runs = 0;

const emit = (news: PanelNews) => addons.getChannel().emit(NEWS, news);

/** Without Storybook's own frame around it, as in a test run, there is nobody to tell. */
const hasPanel = () => window.parent !== window;

function watch(context: WatchedContext): void {
  const found = run && !run.stop && journalFor(context);
  if (!run || !found) return;
  const stopReporting = reportRequests({ journal: found.journal, run: run.id, storyId: context.id, emit });
  run.stop = () => {
    stopReporting();
    found.dispose();
  };
}

function end(): void {
  run?.stop?.();
  run = undefined;
}

/** Starts anew with each run of a story, after the loaders, which may have brought the worker or the journal. */
export function beforeEach(context: WatchedContext): (() => void) | undefined {
  if (!hasPanel()) return undefined;
  end();
  // Unlike the count alone, it is new after a reload of the frame too.
  const own = (run = { id: `${performance.timeOrigin}-${++runs}`, stop: undefined });
  emit({ run: own.id, storyId: context.id, wired: false, rows: [], sessions: [] });
  watch(context);
  return () => {
    if (run === own) end();
  };
}

/** Looks once more: an addon that comes after this one brings its worker later. */
export const decorators: DecoratorFunction[] = [
  (story, context) => {
    watch(context);
    return story() as unknown;
  },
];
