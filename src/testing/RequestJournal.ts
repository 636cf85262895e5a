import type { SetupWorker } from 'msw/browser';
import { formatRequestLine } from './formatRequestLine.js';
import { isPageAsset } from './isPageAsset.js';
import type { JournalEntry } from './JournalEntry.js';
import { readRequestBody } from './readRequestBody.js';
import { redactLines } from './redactLines.js';

/** What the journal listens to: the result of `setupWorker()` or `setupServer()`. */
export type JournalSource = Pick<SetupWorker, 'events'>;

export interface RequestJournalOptions {
  /** More headers that carry credentials and belong on every line, like a token header of your own. */
  credentialHeaders?: readonly string[];
  /**
   * Requests that are not recorded.
   * @default the page's own: GETs of its scripts, styles, pictures and of its development server
   */
  ignore?: (request: Request) => boolean;
  /**
   * The origin whose URLs are printed as paths.
   * @default the page's; none outside a browser
   */
  origin?: string;
}

export interface JournalLinesOptions {
  /** More headers to print where a request has them, like `content-type`. */
  headers?: readonly string[];
  /**
   * False prints real credentials: for comparing, never for a screen, a message or a log.
   * @default true
   */
  redact?: boolean;
}

const CREDENTIAL_HEADERS = ['access-token', 'authorization', 'x-csrf-token', 'x-csrftoken', 'x-xsrf-token'];

/** How long an answered request waits for the news of its status: a mocked network error brings none. */
const STATUS_GRACE_MS = 50;

interface Seen {
  requestId: string;
  request: Request;
}

interface Answer {
  promise: Promise<void>;
  resolve: () => void;
  grace?: ReturnType<typeof setTimeout>;
}

/**
 * What the page sent, in order. One class in one file, because msw's events, the entries and the waits are one state.
 * Made by `createRequestJournal`; a class, so that Storybook's panel prints its name in place of its contents.
 */
export class RequestJournal {
  #entries: readonly JournalEntry[] = [];
  #bodies = new Map<string, Promise<void>>();
  #answers = new Map<string, Answer>();
  #listeners = new Set<() => void>();
  #stop: () => void;
  #options: RequestJournalOptions;

  constructor({ events }: JournalSource, options: RequestJournalOptions = {}) {
    this.#options = options;
    // msw revokes an event after its listeners ran: everything is taken out of it here, at once.
    const start = ({ requestId, request }: Seen) => this.#start(requestId, request);
    const unhandled = ({ requestId }: Seen) => this.#change(requestId, { unhandled: true });
    const answered = ({ requestId, response }: Seen & { response: Response }) => this.#end(requestId, response.status);
    const ended = ({ requestId }: Seen) => this.#awaitStatus(requestId);
    events.on('request:start', start);
    events.on('request:unhandled', unhandled);
    events.on('request:end', ended);
    events.on('response:mocked', answered);
    events.on('response:bypass', answered);
    this.#stop = () => {
      events.removeListener('request:start', start);
      events.removeListener('request:unhandled', unhandled);
      events.removeListener('request:end', ended);
      events.removeListener('response:mocked', answered);
      events.removeListener('response:bypass', answered);
    };
  }

  /** What was sent since the last `clear()`; the same array until something changes. */
  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  /** The lines of requests that no handler took, which went on to the network. */
  get unhandled(): string[] {
    return redactLines(this.#entries.filter(entry => entry.unhandled).map(entry => this.#line(entry)), this.#names());
  }

  /**
   * What was sent, a line for each request: `GET /article  same-origin  access-token: ‹k3x9›`, fields separated by two
   * spaces. A body that is still being read shows as `‹unread body›`; wait for `bodiesRead()` before comparing.
   */
  lines(options: JournalLinesOptions = {}): string[] {
    const lines = this.#entries.map(entry => this.#line(entry, options.headers));
    return options.redact === false ? lines : redactLines(lines, this.#names());
  }

  /** Hides the secrets of lines that were not made here, like those that a test expects, as `lines()` does. */
  redact(lines: readonly string[]): string[] {
    return redactLines(lines, this.#names());
  }

  /** Forgets everything, also requests in flight: their answers change nothing any more. */
  clear(): void {
    for (const id of this.#answers.keys()) this.#closeAnswer(id);
    this.#bodies.clear();
    this.#entries = [];
    this.#tell();
  }

  /** Resolves when the body of every request so far has been read. */
  async bodiesRead(): Promise<void> {
    await Promise.all(this.#bodies.values());
  }

  /**
   * Resolves when every request has its answer, those included that start meanwhile. A held answer keeps it waiting; a
   * request that goes on to the network is waited for until msw lets it go.
   */
  async settled(): Promise<void> {
    while (this.#answers.size > 0 || this.#bodies.size > 0) {
      await Promise.all([...this.#bodies.values(), ...[...this.#answers.values()].map(answer => answer.promise)]);
    }
  }

  /** Calls the listener after each change. Returns the function that ends it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Stops listening to msw and forgets everything. */
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
    if ((this.#options.ignore ?? isPageAsset)(request)) return;
    const url = new URL(request.url);
    url.hash = '';
    const before = this.#entries.filter(entry => entry.method === request.method && entry.url === url.href);
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
        attempt: before.length + 1,
        status: undefined,
        unhandled: false,
        startedAt: performance.now(),
        endedAt: undefined,
      },
    ];
    let resolve!: () => void;
    const promise = new Promise<void>(done => (resolve = done));
    this.#answers.set(id, { promise, resolve });
    // The clone is made now: a handler reads the request itself a moment later.
    const reading = readRequestBody(request.clone())
      .catch(() => '‹unreadable body›')
      .then(body => {
        this.#bodies.delete(id);
        this.#change(id, { body });
      });
    this.#bodies.set(id, reading);
    this.#tell();
  }

  #awaitStatus(id: string): void {
    const answer = this.#answers.get(id);
    if (answer && !answer.grace) answer.grace = setTimeout(() => this.#end(id, undefined), STATUS_GRACE_MS);
  }

  #end(id: string, status: number | undefined): void {
    // msw tells of a network error in a browser as of a response with the status 0.
    this.#change(id, { status: status || undefined, endedAt: performance.now() });
    this.#closeAnswer(id);
  }

  #closeAnswer(id: string): void {
    const answer = this.#answers.get(id);
    this.#answers.delete(id);
    clearTimeout(answer?.grace);
    answer?.resolve();
  }

  #change(id: string, change: Partial<JournalEntry>): void {
    if (!this.#entries.some(entry => entry.id === id)) return;
    this.#entries = this.#entries.map(entry => (entry.id === id ? { ...entry, ...change } : entry));
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #names(): string[] {
    return [...CREDENTIAL_HEADERS, ...(this.#options.credentialHeaders ?? []).map(name => name.toLowerCase())];
  }

  #line(entry: JournalEntry, headers: readonly string[] = []): string {
    const shown = this.#bodies.has(entry.id) && !/^(GET|HEAD)$/.test(entry.method) ? { ...entry, body: '‹unread body›' } : entry;
    return formatRequestLine(shown, {
      headers: [...this.#names(), ...headers],
      origin: this.#options.origin ?? globalThis.location?.origin,
    });
  }
}
