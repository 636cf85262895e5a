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
export function journalFor({ parameters, journal, msw }: WatchedContext): FoundJournal | undefined {
  const given = (parameters[PARAM_KEY] ?? {}) as RequestsParameters;
  if (given.disable) return undefined;
  const shared = [given.journal, journal].find(isJournal);
  if (shared) return { journal: shared, dispose: () => {} };
  if (!isWorker(msw)) return undefined;
  const own = createRequestJournal(msw, given);
  return { journal: own, dispose: () => own.dispose() };
}

function isJournal(value: unknown): value is ReportedJournal {
  const { lines, subscribe } = (value ?? {}) as Partial<ReportedJournal>;
  return typeof lines === 'function' && typeof subscribe === 'function';
}

function isWorker(value: unknown): value is JournalSource {
  return typeof (value as Partial<JournalSource> | undefined)?.events?.on === 'function';
}
