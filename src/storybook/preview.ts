// The part of the addon in the story's frame: “Signed in as ...”, and the requests panel. Storybook finds this file by its name.
import type { AfterEach, BeforeEach, DecoratorFunction, LoaderFunction } from 'storybook/internal/types';
import { addons } from 'storybook/preview-api';
import { authGlobalTypes, signInBeforeEach, startRun, withSession } from './auth/authPreview.js';
import { initialGlobals } from './auth/choices.js';
import { journalFor, sharedJournal, type WatchedContext, waitForRequests } from './journalFor.js';
import { NEWS, type PanelNews } from './PanelNews.js';
import { reportRequests } from './reportRequests.js';

export type {
  AuthMechanism,
  AuthParameters,
  SessionStart,
  StoryNetwork,
  StoryServer,
  StorySession,
} from './auth/AuthParameters.js';
export type { StoryAuth } from './auth/StoryRun.js';
export type { RequestsParameters } from './journalFor.js';
export { initialGlobals };

export const globalTypes = authGlobalTypes;
// Storybook's type of a loader's context lacks `storyGlobals`. `setProjectAnnotations` takes this module by Storybook's types only.
export const loaders = [startRun] as unknown as LoaderFunction[];

/** The current run of a story. A run ends when the story restarts, or when the reader leaves the story. */
let run: { readonly id: string; stop: (() => void) | undefined } | undefined;
let runs = 0;

const emit = (news: PanelNews) => addons.getChannel().emit(NEWS, news);

/** False outside Storybook's own frame, for example in a test run. Then there is no panel. */
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

/** Starts a report for each run of a story. Runs after the loaders, which may add the worker or the journal. */
function reportRun(context: WatchedContext): (() => void) | undefined {
  if (!hasPanel()) return undefined;
  end();
  // The time origin makes the id unique even after a reload of the frame.
  const own = (run = { id: `${performance.timeOrigin}-${++runs}`, stop: undefined });
  emit({ run: own.id, storyId: context.id, source: 'none', rows: [], sessions: [] });
  watch(context);
  return () => {
    if (run === own) end();
  };
}

/** A forgotten `await` of `toHaveSent` is told at the end of the story, with the remedy, and not by Storybook as an unhandled error. */
function watchExpectations(context: WatchedContext): (() => void) | undefined {
  const unmet = sharedJournal(context)?.unmet;
  if (!unmet) return undefined;
  unmet.clear();
  const silence = (event: PromiseRejectionEvent) => {
    if (![...unmet.values()].includes((event.reason as Partial<Error> | undefined)?.message ?? '')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener('unhandledrejection', silence);
  return () => window.removeEventListener('unhandledrejection', silence);
}

export const beforeEach = [reportRun, signInBeforeEach, watchExpectations] as BeforeEach[];

/** A story may end while the mock server holds an answer. */
const ANSWER_TIMEOUT_MS = 300;

let renderedAt = 0;

/** The story ends after its requests, so that a journal that the preview clears for the next story records none of them. */
async function endRequests(context: WatchedContext & { playFunction?: unknown }): Promise<void> {
  const journal = sharedJournal(context);
  if (!journal) return;
  const [unmet] = journal.unmet.values();
  await waitForRequests(journal, {
    timeoutMs: ANSWER_TIMEOUT_MS,
    renderedAt: context.playFunction ? undefined : renderedAt,
  });
  if (unmet === undefined) return;
  throw new Error(
    `toHaveSent failed, and the play did not wait for it. Write \`await expect(journal).toHaveSent(...)\`.\n\n${unmet}`,
  );
}

export const afterEach = [endRequests] as AfterEach[];

export const decorators: DecoratorFunction[] = [
  // Looks for a journal again, because a later addon adds its worker after `beforeEach` of this addon.
  (story, context) => {
    watch(context);
    renderedAt = performance.now();
    return story() as unknown;
  },
  withSession,
];
