import type { StoryContext } from 'storybook/internal/types';
import { createRequestJournal } from '../testing/createRequestJournal.js';
import type { RequestJournal } from '../testing/RequestJournal.js';
import type { JournalSource, RequestJournalOptions } from '../testing/RequestJournalOptions.js';
import { PARAM_KEY } from './panelNames.js';
import type { ReportedJournal } from './reportRequests.js';

/** `parameters.requests` of a story. */
export interface RequestsParameters extends Pick<RequestJournalOptions, 'credentialHeaders' | 'ignore'> {
  /** The journal to show. Read when the story starts. @default the context's `journal`, else a new journal of the context's `msw` worker */
  journal?: RequestJournal;
  /** True hides the panel. @default false */
  disable?: boolean;
}

/** The part of a story's context with the journal or the msw worker. Loaders and other addons add them. */
export type WatchedContext = Pick<StoryContext, 'id' | 'parameters'> & {
  readonly journal?: unknown;
  readonly msw?: unknown;
};

interface FoundJournal {
  readonly journal: ReportedJournal;
  readonly dispose: () => void;
}

/**
 * Returns the journal to show: the journal of the story or the preview, else a new journal of the worker that msw's
 * addon put into the context.
 */
export function journalFor(context: WatchedContext): FoundJournal | undefined {
  const given = parametersOf(context);
  if (given.disable) return undefined;
  const shared = sharedJournal(context);
  const { msw } = context;
  if (shared) return { journal: shared, dispose: () => {} };
  if (!isWorker(msw)) return undefined;
  const own = createRequestJournal(msw, given);
  return { journal: own, dispose: () => own.dispose() };
}

/** The journal of the story or the preview, if they have one. */
export function sharedJournal(context: WatchedContext): RequestJournal | undefined {
  return [parametersOf(context).journal, context.journal].find(isJournal);
}

function parametersOf({ parameters }: WatchedContext): RequestsParameters {
  return (parameters[PARAM_KEY] ?? {}) as RequestsParameters;
}

function isJournal(value: unknown): value is RequestJournal {
  const { lines, subscribe } = (value ?? {}) as Partial<RequestJournal>;
  return typeof lines === 'function' && typeof subscribe === 'function';
}

function isWorker(value: unknown): value is JournalSource {
  return typeof (value as Partial<JournalSource> | undefined)?.events?.on === 'function';
}
