import type { RequestJournal } from './RequestJournal.js';
import type { RequestLine } from './requestLines.js';

/** Test runners cut longer messages. */
const MAX_MESSAGE_CHARS = 1_000;
const MAX_LINE_CHARS = 240;
/** A secret in a failure message. */
const HASH = /‹\w{4}›/;

const NOT_STARTED =
  'The worker has not been started: msw has reported no request to this journal. Await worker.start() in the `beforeAll` of the preview, or call server.listen() in Node. If you do, make the journal of the same worker. Where a story imports the preview, two copies of it are loaded after an edit: import the worker and the journal from a module of its own.';

export interface ToHaveSentOptions {
  /**
   * Ignores the order, for requests that start together. The number of equal lines must still match.
   * @default false
   */
  anyOrder?: boolean;
  /** Additional headers to compare where a request has them, for example `content-type`. */
  headers?: readonly string[];
}

/**
 * The types of `journalMatchers`, to declare for the `expect` that you extend with them.
 *
 * @typeParam R The return type of the matcher.
 *
 * @example
 * // Storybook
 * declare module 'storybook/test' {
 *   interface Assertion<T> extends JournalMatchers<Promise<void>> {}
 * }
 * // Vitest
 * declare module 'vitest' {
 *   interface Matchers<T> extends JournalMatchers<Promise<void>> {}
 * }
 */
export interface JournalMatchers<R = unknown> {
  /**
   * Compares all requests of the page with the whole list of lines, of `requestLines` or written as text: one request too many is a failure. A line may be
   * copied from a failure message, with the hashes of its secrets. Waits until the
   * bodies of the requests are read. Does not wait for answers or for later requests: first await a visible result of them.
   */
  toHaveSent(lines: readonly (string | RequestLine)[], options?: ToHaveSentOptions): R;
}

/**
 * Matchers for `expect.extend` of `storybook/test` or Vitest. Failure messages show the difference line by line, with hidden secrets.
 *
 * @example
 * expect.extend(journalMatchers);
 * await expect(journal).toHaveSent([
 *   'POST https://api.example.com/login  same-origin  {"username":"ada","password":"lovelace"}',
 *   'GET https://api.example.com/article/1  same-origin  access-token: ada-1',
 * ]);
 * @throws TypeError when the received value is no journal, or the expected value is no list of lines
 * @see requestLines
 */
export const journalMatchers = {
  async toHaveSent(this: object, received: unknown, lines: unknown, options: ToHaveSentOptions = {}) {
    assertJournal(received);
    // Called without `expect`, it fails nothing.
    if (!('isNot' in this)) return compare(received, lines, options);
    const isNot = Boolean(this.isNot);
    const expectation = [isNot, options.anyOrder, options.headers, lines].join(' ');
    received.unmet.set(expectation, 'It had not ended.');
    const result = await compare(received, lines, options);
    if (result.pass === isNot) received.unmet.set(expectation, result.message());
    else received.unmet.delete(expectation);
    return result;
  },
};

async function compare(journal: RequestJournal, lines: unknown, options: ToHaveSentOptions) {
  const asWritten = toLines(lines);
  await journal.bodiesRead();
  const sent = journal.lines({ headers: options.headers ?? [], redact: false });
  const expected = resolveHashes(asWritten, sent, journal);
  const steps = options.anyOrder ? diffLinesInAnyOrder(expected, sent) : diffLines(expected, sent);
  const pass = steps.every(step => step.kind === 'same');
  const shown = journal.redact([...expected, ...sent]);
  const print = (step: DiffStep) =>
    step.kind === 'missing'
      ? `- ${shown[step.expected]}`
      : `${step.kind === 'same' ? ' ' : '+'} ${shown[expected.length + step.sent]}`;
  const message = pass
    ? `Expected other requests than these, but exactly these were sent${anyOrder(options)}:`
    : `${summary(steps)}${anyOrder(options)} (- expected but not sent, + sent but not expected):`;
  return {
    pass,
    message: () =>
      fit([message, '', ...notStarted(pass, journal), ...fold(steps, print), ...hint(pass, expected, sent)]),
  };
}

function assertJournal(value: unknown): asserts value is RequestJournal {
  const journal = value as Partial<RequestJournal> | null | undefined;
  if (typeof journal?.lines === 'function' && typeof journal.bodiesRead === 'function') return;
  throw new TypeError(
    'toHaveSent compares a request journal: pass what createRequestJournal(worker) returned to expect().',
  );
}

function toLines(expected: unknown): string[] {
  const lines = Array.isArray(expected) ? expected.map(toLine) : [undefined];
  if (lines.every(line => line !== undefined)) return lines;
  throw new TypeError(
    "toHaveSent takes all expected requests as one array of lines, like ['GET /article  same-origin'] or [sent.get('/article')]; pass [] for no request.",
  );
}

function toLine(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  // By shape and not by class: a page can load the entry twice.
  const line = (value as Partial<RequestLine> | null | undefined)?.line;
  return typeof line === 'string' ? line : undefined;
}

/** An expected line with a hash, as failure messages print it, stands for the sent line that is printed like it. */
function resolveHashes(expected: readonly string[], sent: readonly string[], journal: RequestJournal): string[] {
  if (!expected.some(line => HASH.test(line))) return [...expected];
  const shown = journal.redact([...expected, ...sent]);
  const sentByShown = new Map(sent.map((line, index) => [shown[expected.length + index], line]));
  return expected.map((line, index) => (HASH.test(line) ? (sentByShown.get(shown[index]) ?? line) : line));
}

function summary(steps: readonly DiffStep[]): string {
  const count = (kind: DiffStep['kind']) => steps.filter(step => step.kind === kind).length;
  return `Requests differ: ${count('missing')} missing, ${count('extra')} unexpected, ${count('same')} as expected`;
}

function anyOrder(options: ToHaveSentOptions): string {
  return options.anyOrder ? ', in any order' : '';
}

/** Prints the steps. Of a long run of equal lines it prints only the first and the last, so that the difference stands out. */
function fold(steps: readonly DiffStep[], print: (step: DiffStep) => string): string[] {
  const lines: string[] = [];
  for (let index = 0; index < steps.length;) {
    let end = index;
    while (steps[end]?.kind === 'same') end += 1;
    const run = end - index;
    if (run > 4 && run < steps.length) {
      lines.push(...steps.slice(index, index + 1).map(print), `  … ${run - 2} more as expected`);
      index = end - 1;
    }
    lines.push(...steps.slice(index, end + 1).map(print));
    index = end + 1;
  }
  return lines.map(clip);
}

function clip(line: string): string {
  const half = MAX_LINE_CHARS / 2;
  if (line.length <= MAX_LINE_CHARS) return line;
  return `${line.slice(0, half)} … ${line.length - MAX_LINE_CHARS} characters … ${line.slice(-half)}`;
}

/** Above the lines: a long message is cut at its end. */
function notStarted(pass: boolean, journal: RequestJournal): string[] {
  return pass || journal.hasHeard ? [] : [NOT_STARTED, ''];
}

function hint(pass: boolean, expected: readonly string[], sent: readonly string[]): string[] {
  const words = (lines: readonly string[]) => lines.map(line => line.trim().replace(/\s+/g, ' ')).join('\n');
  return !pass && words(expected) === words(sent) ? ['', 'Only spaces differ: two of them stand between fields.'] : [];
}

function fit(lines: readonly string[]): string {
  const fitting: string[] = [];
  let length = 0;
  for (const [index, line] of lines.entries()) {
    const rest = `… and ${lines.length - index} more lines`;
    const isLast = index === lines.length - 1;
    if (length + line.length + (isLast ? 0 : rest.length + 1) > MAX_MESSAGE_CHARS) return [...fitting, rest].join('\n');
    fitting.push(line);
    length += line.length + 1;
  }
  return fitting.join('\n');
}

/** One step of a difference. `expected` and `sent` are indexes in the two lists. */
export type DiffStep =
  | { kind: 'same'; expected: number; sent: number }
  | { kind: 'missing'; expected: number }
  | { kind: 'extra'; sent: number };

/** Compares two lists in order, by their longest common subsequence: one extra line does not make the following lines differ. */
function diffLines(expected: readonly string[], sent: readonly string[]): DiffStep[] {
  const width = sent.length + 1;
  const longest = new Uint32Array((expected.length + 1) * width);
  const at = (e: number, s: number) => longest[e * width + s] ?? 0;
  for (let e = expected.length - 1; e >= 0; e--) {
    for (let s = sent.length - 1; s >= 0; s--) {
      longest[e * width + s] = expected[e] === sent[s] ? at(e + 1, s + 1) + 1 : Math.max(at(e + 1, s), at(e, s + 1));
    }
  }
  const steps: DiffStep[] = [];
  let e = 0;
  let s = 0;
  while (e < expected.length || s < sent.length) {
    if (e < expected.length && s < sent.length && expected[e] === sent[s]) {
      steps.push({ kind: 'same', expected: e++, sent: s++ });
    } else if (e < expected.length && (s === sent.length || at(e + 1, s) >= at(e, s + 1))) {
      steps.push({ kind: 'missing', expected: e++ });
    } else {
      steps.push({ kind: 'extra', sent: s++ });
    }
  }
  return steps;
}

/** Compares two lists as multisets: each expected line matches one equal sent line at any index. */
function diffLinesInAnyOrder(expected: readonly string[], sent: readonly string[]): DiffStep[] {
  const unmatched = new Map<string, number[]>();
  sent.forEach((line, index) => unmatched.set(line, [...(unmatched.get(line) ?? []), index]));
  const matched = new Set<number>();
  const steps = expected.map((line, index): DiffStep => {
    const found = unmatched.get(line)?.shift();
    if (found === undefined) return { kind: 'missing', expected: index };
    matched.add(found);
    return { kind: 'same', expected: index, sent: found };
  });
  sent.forEach((_, index) => {
    if (!matched.has(index)) steps.push({ kind: 'extra', sent: index });
  });
  return steps;
}
