import type { ObservedLive } from '../live/observeLive.js';
import { formatRequestLine, type JournalEntry } from './JournalEntry.js';
import { isPageAsset } from './isPageAsset.js';
import { readRequestBody } from './readRequestBody.js';
import { redactLines } from './redactLines.js';
import type { SetupWorker } from 'msw/browser';

const CREDENTIAL_HEADERS = ['access-token', 'authorization', 'x-csrf-token', 'x-csrftoken', 'x-xsrf-token'];

/** The set of `observeLive`, which an app without live data does not load. */
const LIVE = Symbol.for('data-client-auth/observeLive');
const page = globalThis as { [LIVE]?: Set<(event: ObservedLive) => void> };

interface MswEvent {
  requestId: string;
  request: Request;
}

/**
 * Records the page's requests in order. `createRequestJournal` creates it. A class, so that Storybook's panel prints its
 * name and not its contents.
 */
export class RequestJournal {
  #entries: readonly JournalEntry[] = [];
  #bodies = new Map<string, Promise<void>>();
  #answers = new PendingAnswers();
  #listeners = new Set<() => void>();
  #hasHeard = false;
  #liveCount = 0;
  #unmet = new Map<string, string>();
  #stop: () => void;
  #options: RequestJournalOptions;

  constructor({ events }: JournalSource, options: RequestJournalOptions = {}) {
    this.#options = options;
    // msw revokes an event after its listeners ran, so each listener reads its event synchronously.
    const start = ({ requestId, request }: MswEvent) => this.#start(requestId, request);
    const unhandled = ({ requestId }: MswEvent) => this.#change(requestId, { unhandled: true });
    const answered = ({ requestId, response }: MswEvent & { response: Response }) =>
      this.#end(requestId, response.status);
    const ended = ({ requestId }: MswEvent) =>
      this.#answers.awaitStatus(requestId, () => this.#end(requestId, undefined));
    events.on('request:start', start);
    events.on('request:unhandled', unhandled);
    events.on('request:end', ended);
    events.on('response:mocked', answered);
    events.on('response:bypass', answered);
    const live = (event: ObservedLive) => this.#addLive(event);
    const observers = (page[LIVE] ??= new Set());
    observers.add(live);
    this.#stop = () => {
      observers.delete(live);
      events.removeListener('request:start', start);
      events.removeListener('request:unhandled', unhandled);
      events.removeListener('request:end', ended);
      events.removeListener('response:mocked', answered);
      events.removeListener('response:bypass', answered);
    };
  }

  /** The requests since the last `clear()`. The same array until something changes. */
  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  /**
   * True when msw has reported a request since the journal was made, also an ignored one. While it is false, the worker may
   * not have been started. `clear()` does not change it.
   */
  get hasHeard(): boolean {
    return this.#hasHeard;
  }

  /**
   * The failures of `toHaveSent`, and those without a result yet, by expectation. A repeated one, as in `waitFor`, replaces its failure.
   * The addon fails a story that ends with one, because the story did not await it, and removes them before each story.
   */
  get unmet(): Map<string, string> {
    return this.#unmet;
  }

  /** The redacted lines of the requests that no handler answered. msw sent them to the network. */
  get unhandled(): string[] {
    return redactLines(
      this.#entries.filter(entry => entry.unhandled).map(entry => this.#line(entry)),
      this.#credentialHeaders(),
    );
  }

  /**
   * The requests, one line each: `GET /article  same-origin  access-token: ‹k3x9›`. Two spaces separate the fields. What a
   * `liveManager` did is there too: `WS /live  ada  open`, `frame`, `close 4401`.
   * Until a body has been read, its line shows `‹unread body›`: wait for `bodiesRead()` before you compare lines.
   */
  lines(options: JournalLinesOptions = {}): string[] {
    const lines = this.#entries.map(entry => this.#line(entry, options.headers));
    return options.redact === false ? lines : redactLines(lines, this.#credentialHeaders());
  }

  /** Hides the secrets of other lines, for example the expected lines of a test, in the same way as `lines()`. */
  redact(lines: readonly string[]): string[] {
    return redactLines(lines, this.#credentialHeaders());
  }

  /** Removes all entries, also of requests in flight. The journal ignores their answers. */
  clear(): void {
    this.#answers.closeAll();
    this.#bodies.clear();
    this.#entries = [];
    this.#notify();
  }

  /** Resolves when the journal has read the body of every request so far. */
  async bodiesRead(): Promise<void> {
    await Promise.all(this.#bodies.values());
  }

  /**
   * Resolves when every request has ended, including requests that start during the wait. It waits for answers that a
   * mock server holds. For a request to the real network, it waits until msw reports its end.
   */
  async settled(): Promise<void> {
    while (!this.#answers.isEmpty || this.#bodies.size > 0) {
      await Promise.all([this.bodiesRead(), this.#answers.closed()]);
    }
  }

  /** Calls the listener after each change. Returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Stops listening to msw and removes all entries and listeners. */
  dispose(): void {
    this.#stop();
    this.clear();
    this.#listeners.clear();
  }

  /** The redacted lines, so that a serialized journal holds no credential. */
  toJSON(): string[] {
    return this.lines();
  }

  #start(id: string, request: Request): void {
    const isFirst = !this.#hasHeard;
    this.#hasHeard = true;
    // A handler sends the page's request on with `bypass()`, which marks the copy in this way.
    const isCopy = request.headers.get('accept')?.includes('msw/passthrough');
    if (isCopy || (this.#options.ignore ?? isPageAsset)(request)) {
      if (isFirst) this.#notify();
      return;
    }
    const url = new URL(request.url);
    url.hash = '';
    const earlier = this.#entries.filter(entry => entry.method === request.method && entry.url === url.href);
    this.#entries = [
      ...this.#entries,
      {
        id,
        method: request.method,
        url: url.href,
        origin: url.origin,
        headers: Object.fromEntries(request.headers),
        credentials: request.credentials,
        body: undefined,
        attempt: earlier.length + 1,
        status: undefined,
        unhandled: false,
        startedAt: performance.now(),
        endedAt: undefined,
      },
    ];
    this.#answers.open(id);
    // Clone now: a handler is about to read the body of the request itself.
    const reading = readRequestBody(request.clone())
      .catch(() => '‹unreadable body›')
      .then(body => {
        this.#bodies.delete(id);
        this.#change(id, { body });
      });
    this.#bodies.set(id, reading);
    this.#notify();
  }

  #addLive({ kind, url, subject, event }: ObservedLive): void {
    const now = performance.now();
    const entry: JournalEntry = {
      id: `live ${this.#liveCount++}`,
      method: kind,
      url,
      origin: url && new URL(url).origin,
      headers: {},
      credentials: 'same-origin',
      body: undefined,
      attempt: 1,
      status: undefined,
      unhandled: false,
      startedAt: now,
      endedAt: now,
      live: { subject, event },
    };
    this.#entries = [...this.#entries, entry];
    this.#notify();
  }

  #end(id: string, status: number | undefined): void {
    // In a browser, msw reports a network error as a response with status 0.
    this.#change(id, { status: status || undefined, endedAt: performance.now() });
    this.#answers.close(id);
  }

  #change(id: string, change: Partial<JournalEntry>): void {
    if (!this.#entries.some(entry => entry.id === id)) return;
    this.#entries = this.#entries.map(entry => (entry.id === id ? { ...entry, ...change } : entry));
    this.#notify();
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #credentialHeaders(): string[] {
    return [...CREDENTIAL_HEADERS, ...(this.#options.credentialHeaders ?? []).map(name => name.toLowerCase())];
  }

  #line(entry: JournalEntry, headers: readonly string[] = []): string {
    const origin = this.#options.origin ?? globalThis.location?.origin;
    if (entry.live) {
      const isOwn = [origin, origin?.replace(/^http/, 'ws')].includes(entry.origin);
      const address = isOwn ? entry.url.slice(entry.origin.length) : entry.url || '‹no address›';
      return [`${entry.method} ${address}`, entry.live.subject ?? 'no id', entry.live.event].join('  ');
    }
    const shown =
      this.#bodies.has(entry.id) && !/^(GET|HEAD)$/.test(entry.method) ? { ...entry, body: '‹unread body›' } : entry;
    return formatRequestLine(shown, {
      headers: [...this.#credentialHeaders(), ...headers],
      origin,
    });
  }
}

/** The source of the journal's events: the result of `setupWorker()` or `setupServer()`. */
export type JournalSource = Pick<SetupWorker, 'events'>;

export interface RequestJournalOptions {
  /** Additional credential headers, for example your own token header. Each line prints them where the request has them. */
  credentialHeaders?: readonly string[];
  /**
   * Returns true for a request that the journal does not record. Called when the request starts.
   * @default `isPageAsset`: ignores the page's own requests. Call it in a function of your own to ignore these too
   */
  ignore?: (request: Request) => boolean;
  /**
   * The journal prints URLs of this origin as paths.
   * @default the page's origin; none outside a browser
   */
  origin?: string;
}

export interface JournalLinesOptions {
  /** Additional headers to print where a request has them, for example `content-type`. */
  headers?: readonly string[];
  /**
   * False prints real credentials. Use it only to compare lines, never for a screen, a message or a log.
   * @default true
   */
  redact?: boolean;
}

/** How long the journal waits for a status after a request has ended. msw reports none for a mocked network error. */
const STATUS_GRACE_MS = 50;

interface PendingAnswer {
  promise: Promise<void>;
  resolve: () => void;
  grace?: ReturnType<typeof setTimeout>;
}

/** The requests without an answer, by msw's id. */
class PendingAnswers {
  #answers = new Map<string, PendingAnswer>();

  get isEmpty(): boolean {
    return this.#answers.size === 0;
  }

  open(id: string): void {
    let resolve!: () => void;
    const promise = new Promise<void>(done => (resolve = done));
    this.#answers.set(id, { promise, resolve });
  }

  close(id: string): void {
    const answer = this.#answers.get(id);
    this.#answers.delete(id);
    clearTimeout(answer?.grace);
    answer?.resolve();
  }

  closeAll(): void {
    for (const id of this.#answers.keys()) this.close(id);
  }

  /** Calls `onMissing` when the request's status has not arrived within the grace period. */
  awaitStatus(id: string, onMissing: () => void): void {
    const answer = this.#answers.get(id);
    if (answer && !answer.grace) answer.grace = setTimeout(onMissing, STATUS_GRACE_MS);
  }

  /** Resolves when every request that is open now has been closed. */
  async closed(): Promise<void> {
    await Promise.all([...this.#answers.values()].map(answer => answer.promise));
  }
}

/**
 * Records a page's requests with their credentials, in order, so that a story can assert the complete list.
 * Recording starts immediately and ends with `dispose()`. Call `clear()` before each story.
 *
 * The journal records the parts that msw sees: method, URL, the headers that code has set, the credentials mode and the
 * body. It never contains `Cookie`, `Origin` and `Referer`, because the browser adds them later.
 *
 * @example
 * export const worker = setupWorker();
 * export const journal = createRequestJournal(worker, { credentialHeaders: ['x-api-key'] });
 * // in a play function
 * await expect(journal).toHaveSent(['GET /article  same-origin  access-token: ada-1']);
 * @see journalMatchers
 * @see requestLines
 */
export function createRequestJournal(worker: JournalSource, options?: RequestJournalOptions): RequestJournal {
  return new RequestJournal(worker, options);
}
