import { diffLines, type DiffStep } from './diffLines.js';
import { diffLinesInAnyOrder } from './diffLinesInAnyOrder.js';
import type { RequestJournal } from './RequestJournal.js';

/** Test runners cut a message here. */
const LONGEST_MESSAGE_CHARS = 1_000;
const LONGEST_LINE_CHARS = 240;

export interface ToHaveSentOptions {
  /**
   * Compares without order, for requests that start together; how many there are of each still counts.
   * @default false
   */
  anyOrder?: boolean;
  /** More headers to compare where a request has them, like `content-type`. */
  headers?: readonly string[];
}

/**
 * The types of `journalMatchers`, for the `expect` that was extended with them. `R` is what the matcher returns.
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
   * Compares everything that the page has sent with a whole list of lines: one request too many is a failure. Waits for
   * bodies, not for answers, nor for requests that are yet to start: first await something visible that comes after them.
   */
  toHaveSent(lines: readonly string[], options?: ToHaveSentOptions): R;
}

/**
 * Matchers for `expect.extend`, of `storybook/test` or of Vitest. Messages show the difference line by line, and no secrets.
 *
 * @example
 * expect.extend(journalMatchers);
 * await expect(journal).toHaveSent([
 *   'POST https://api.example.com/login  same-origin  {"username":"ada","password":"lovelace"}',
 *   'GET https://api.example.com/article/1  same-origin  access-token: ada-1',
 * ]);
 * @throws TypeError when what is compared is no journal, or with no list of lines
 */
export const journalMatchers = {
  async toHaveSent(received: unknown, expected: unknown, options: ToHaveSentOptions = {}) {
    assertJournal(received);
    assertLines(expected);
    await received.bodiesRead();
    const sent = received.lines({ headers: options.headers ?? [], redact: false });
    const steps = options.anyOrder ? diffLinesInAnyOrder(expected, sent) : diffLines(expected, sent);
    const pass = steps.every(step => step.kind === 'same');
    const shown = received.redact([...expected, ...sent]);
    const print = (step: DiffStep) =>
      step.kind === 'missing'
        ? `- ${shown[step.expected]}`
        : `${step.kind === 'same' ? ' ' : '+'} ${shown[expected.length + step.sent]}`;
    const message = pass
      ? `Expected other requests than these, but exactly these were sent${anyOrder(options)}:`
      : `${summary(steps)}${anyOrder(options)} (- expected but not sent, + sent but not expected):`;
    return { pass, message: () => fit([message, '', ...fold(steps, print), ...hint(pass, expected, sent)]) };
  },
};

function assertJournal(value: unknown): asserts value is RequestJournal {
  const journal = value as Partial<RequestJournal> | null | undefined;
  if (typeof journal?.lines === 'function' && typeof journal.bodiesRead === 'function') return;
  throw new TypeError('toHaveSent compares a request journal: pass what createRequestJournal(worker) returned to expect().');
}

function assertLines(value: unknown): asserts value is readonly string[] {
  if (Array.isArray(value) && value.every(line => typeof line === 'string')) return;
  throw new TypeError(
    "toHaveSent takes all expected lines as one array of strings, like ['GET /article  same-origin']; pass [] for no request.",
  );
}

function summary(steps: readonly DiffStep[]): string {
  const count = (kind: DiffStep['kind']) => steps.filter(step => step.kind === kind).length;
  return `Requests differ: ${count('missing')} missing, ${count('extra')} unexpected, ${count('same')} as expected`;
}

function anyOrder(options: ToHaveSentOptions): string {
  return options.anyOrder ? ', in any order' : '';
}

/** Prints the steps; of a long run of equal lines only the ends, because the difference is what is looked for. */
function fold(steps: readonly DiffStep[], print: (step: DiffStep) => string): string[] {
  const lines: string[] = [];
  for (let place = 0; place < steps.length; ) {
    let end = place;
    while (steps[end]?.kind === 'same') end += 1;
    const run = end - place;
    if (run > 4 && run < steps.length) {
      lines.push(...steps.slice(place, place + 1).map(print), `  … ${run - 2} more as expected`);
      place = end - 1;
    }
    lines.push(...steps.slice(place, end + 1).map(print));
    place = end + 1;
  }
  return lines.map(clip);
}

function clip(line: string): string {
  const tail = LONGEST_LINE_CHARS / 2;
  if (line.length <= LONGEST_LINE_CHARS) return line;
  return `${line.slice(0, tail)} … ${line.length - LONGEST_LINE_CHARS} characters … ${line.slice(-tail)}`;
}

function hint(pass: boolean, expected: readonly string[], sent: readonly string[]): string[] {
  const words = (lines: readonly string[]) => lines.map(line => line.trim().replace(/\s+/g, ' ')).join('\n');
  return !pass && words(expected) === words(sent) ? ['', 'Only spaces differ: two of them stand between fields.'] : [];
}

function fit(lines: readonly string[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const [place, line] of lines.entries()) {
    const rest = `… and ${lines.length - place} more lines`;
    const isLast = place === lines.length - 1;
    if (length + line.length + (isLast ? 0 : rest.length + 1) > LONGEST_MESSAGE_CHARS) return [...kept, rest].join('\n');
    kept.push(line);
    length += line.length + 1;
  }
  return kept.join('\n');
}
