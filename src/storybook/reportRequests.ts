import { observeRequests, type ObservedRequest, type ObservedSession } from '../session/observeRequests.js';
import type { RequestJournal } from '../testing/RequestJournal.js';
import type { JournalEntry } from '../testing/JournalEntry.js';
import type { PanelNews, PanelRow, PanelSession, PanelSource, RequestOutcome } from './PanelNews.js';

/**
 * The interval for reading the status of sessions, and whether msw reports requests. A status also changes between requests, but a
 * subscription would start the session.
 */
const POLL_INTERVAL_MS = 200;

/** The members of a journal that the panel uses. */
export type ReportedJournal = Pick<RequestJournal, 'entries' | 'lines' | 'subscribe' | 'hasHeard'>;

interface ReportOptions {
  journal: ReportedJournal;
  run: string;
  storyId: string;
  emit: (news: PanelNews) => void;
  /** @default requestAnimationFrame */
  nextFrame?: (callback: () => void) => void;
}

/** A request of this run, with the row that the panel received last. */
interface Seen {
  readonly id: number;
  readonly details: ObservedRequest | undefined;
  row: PanelRow | undefined;
}

/**
 * Reports a story's requests to the panel, at most once per animation frame, until you call the returned function.
 *
 * The journal hides the credentials before a message leaves the frame. It redacts all lines together, because a secret in a header
 * of one request may be in the address of another.
 */
export function reportRequests({
  journal,
  run,
  storyId,
  emit,
  nextFrame = requestAnimationFrame,
}: ReportOptions): () => void {
  const seen = new Map<string, Seen>();
  const sessions = new Map<number, ObservedSession>();
  const matcher = matchRequests();
  let reportedEntries: readonly JournalEntry[] | undefined;
  let first: number | undefined;
  let reported: string | undefined;
  let source: PanelSource = 'journal';
  let hasSent = false;
  let hadSent = false;
  let isDue = false;
  let isOver = false;

  /** A play may clear the journal. The panel then still shows the earlier rows, and pending ones become `forgotten`. */
  const currentRows = (entries: readonly JournalEntry[]): Map<Seen, PanelRow> => {
    const lines = journal.lines();
    const rows = new Map([...seen.values()].map(item => [item, forgotten(item.row)]));
    entries.forEach((entry, index) => {
      const item = seen.get(entry.id) as Seen;
      rows.set(item, rowOf(item, entry, lines[index] ?? '', (first ??= entry.startedAt)));
    });
    return new Map([...rows].filter((pair): pair is [Seen, PanelRow] => pair[1] !== undefined));
  };

  const changedRows = (): PanelRow[] => {
    const { entries } = journal;
    if (entries === reportedEntries) return [];
    reportedEntries = entries;
    const changed = [...currentRows(entries)].filter(([item, row]) => JSON.stringify(item.row) !== JSON.stringify(row));
    for (const [item, row] of changed) item.row = row;
    return changed.map(([, row]) => row);
  };

  const flush = () => {
    isDue = false;
    if (isOver) return;
    const rows = changedRows();
    const current = [...sessions.values()].map((session): PanelSession => ({ id: session.id, ...session.getStatus() }));
    if (journal.hasHeard) source = 'journal';
    const state = JSON.stringify([source, current]);
    if (rows.length === 0 && reported === state) return;
    reported = state;
    emit({ run, storyId, source, rows, sessions: current });
  };

  const schedule = () => {
    if (isDue) return;
    isDue = true;
    nextFrame(flush);
  };

  const addNewEntries = () => {
    const { entries } = journal;
    let from = entries.length;
    while (from > 0 && !seen.has((entries[from - 1] as JournalEntry).id)) from--;
    for (const entry of entries.slice(from)) {
      seen.set(entry.id, { id: seen.size, details: matcher.match(entry), row: undefined });
    }
    schedule();
  };

  /** The worker reports a request some time after the kit has sent it, so the first check after a request decides nothing. */
  const checkWorker = () => {
    if (hadSent && !journal.hasHeard) source = 'not-started';
    hadSent = hasSent;
  };

  const stopObserving = observeRequests(request => {
    hasSent = true;
    matcher.add(request);
    if (request.session) sessions.set(request.session.id, request.session);
  });
  const stopListening = journal.subscribe(addNewEntries);
  const polling = setInterval(() => {
    checkWorker();
    if (hasSent) schedule();
  }, POLL_INTERVAL_MS);
  addNewEntries();
  return () => {
    isOver = true;
    stopObserving();
    stopListening();
    clearInterval(polling);
  };
}

function forgotten(row: PanelRow | undefined): PanelRow | undefined {
  return row?.outcome === 'pending' ? { ...row, outcome: 'forgotten' } : row;
}

function rowOf({ id, details }: Seen, entry: JournalEntry, line: string, first: number): PanelRow {
  const { address, credentials } = readLine(line, entry.headers);
  const cookies = bringsCookies(entry.credentials, entry.origin, globalThis.location?.origin) ? ['cookies'] : [];
  return {
    id,
    method: entry.method,
    address,
    outcome: outcomeOf(entry),
    unhandled: entry.unhandled,
    sentAt: Math.round(entry.startedAt - first),
    took: entry.endedAt === undefined || entry.live ? undefined : Math.round(entry.endedAt - entry.startedAt),
    credentials: [...credentials, ...cookies],
    details: details && {
      attempt: details.attempt,
      cause: details.cause,
      sessionId: details.session?.id,
      ...(details.session && { status: details.session.status, reason: details.session.reason }),
    },
    live: entry.live && (entry.live.subject ?? 'no id'),
  };
}

function outcomeOf({ status, endedAt, live }: JournalEntry): RequestOutcome {
  return live?.event ?? status ?? (endedAt === undefined ? 'pending' : 'no answer');
}

/** Two spaces separate the fields of a journal's line: `METHOD URL  mode  header: value  body`. */
const FIELD_END = '  ';
const HEADER = /^([\w-]+): (.*)$/s;

/** Reads the address and the credential headers from a redacted line of the journal. Ignores the body. */
function readLine(line: string, headers: Readonly<Record<string, string>>): { address: string; credentials: string[] } {
  const [request = '', , ...fields] = line.split(FIELD_END);
  const credentials: string[] = [];
  let last = '';
  for (const field of fields) {
    // Headers are in alphabetical order. A text body may look like another header.
    const name = HEADER.exec(field)?.[1] ?? '';
    if (!(name in headers) || name <= last) break;
    credentials.push(field);
    last = name;
  }
  return { address: request.slice(request.indexOf(' ') + 1), credentials };
}

/** Returns true when the browser adds its cookies for the address. A page cannot see which cookies. */
function bringsCookies(mode: RequestCredentials, origin: string, page: string | undefined): boolean {
  return mode === 'include' || (mode === 'same-origin' && origin === page);
}

/** Matches the journal's entries with the requests that the kit reported right before it sent them. */
interface RequestMatcher {
  add(request: ObservedRequest): void;
  /** Returns the kit's report for an entry, or undefined for a request from elsewhere. Call it once for each entry, in order. */
  match(entry: JournalEntry): ObservedRequest | undefined;
}

/**
 * Matches by method and address, oldest first. An aborted request may never have left the page, so it matches only if there is
 * no other candidate.
 */
export function matchRequests(base: string | undefined = globalThis.location?.href): RequestMatcher {
  const waiting = new Map<string, ObservedRequest[]>();
  return {
    add(request) {
      const url = URL.canParse(request.url, base) ? new URL(request.url, base) : undefined;
      if (!url) return;
      url.hash = '';
      const key = `${request.method} ${url.href}`;
      waiting.set(key, [...(waiting.get(key) ?? []), request]);
    },
    match({ method, url }) {
      const key = `${method} ${url}`;
      const candidates = waiting.get(key) ?? [];
      const found = candidates.find(({ signal }) => !signal?.aborted) ?? candidates[0];
      const rest = candidates.filter(candidate => candidate !== found);
      if (rest.length > 0) waiting.set(key, rest);
      else waiting.delete(key);
      return found;
    },
  };
}
