import type { StoryContext } from 'storybook/internal/types';
import {
  createRequestJournal,
  type RequestJournal,
  type JournalSource,
  type RequestJournalOptions,
} from '../testing/RequestJournal.js';
import { PARAM_KEY } from './PanelNews.js';
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

/** A story without a play does not wait for its data, and data-client sends a read only when the browser is idle. */
const QUIET_MS = 50;

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));

interface WaitOptions {
  /** How long to wait for answers at most. A mock server may hold one, and a story may poll. */
  timeoutMs: number;
  /** When the story was rendered, by `performance.now()`. Undefined for a story with a play, which waits for its last request itself. */
  renderedAt: number | undefined;
}

/**
 * Waits for the requests of a story: until all are answered, and a story without a play has sent nothing for 50 ms, but no longer
 * than `timeoutMs` and that pause. The journal of the next story would record a later request as its own.
 */
export async function waitForRequests(
  journal: Pick<RequestJournal, 'entries' | 'settled'>,
  { timeoutMs, renderedAt }: WaitOptions,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  let sent: number;
  do {
    sent = journal.entries.length;
    await Promise.race([journal.settled(), pause(deadline - performance.now())]);
    if (renderedAt === undefined) continue;
    const lastAt = Math.max(renderedAt, journal.entries.at(-1)?.startedAt ?? 0);
    await pause(lastAt + QUIET_MS - performance.now());
  } while (sent !== journal.entries.length && performance.now() < deadline);
}
