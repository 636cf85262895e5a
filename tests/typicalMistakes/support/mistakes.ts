import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { readSentences } from '../../../.storybook/reference.js';
import { matchesSearch, wordsOf } from '../../../stories/support/matchesSearch.js';
import type { Session } from '../../../src/index.js';

/** Where a developer reads the sentence. */
type Where = 'thrown' | 'error.cause' | 'session.error' | 'console.warn' | 'console.error';

/** One mistake of somebody who is new to the kit, and the sentence by which the kit answers it. */
export interface Mistake {
  readonly mistake: string;
  /** Makes the mistake, with what the package exports. For `session.error` it returns the session. */
  readonly make: () => unknown;
  readonly where: Where;
  /** What has happened, and the remedy. */
  readonly says: string;
}

/** A mistake that another test makes, because it takes a browser, a store or a compiler. */
export interface MistakeElsewhere {
  readonly mistake: string;
  /** The file of the test. */
  readonly provenBy: string;
  /** A text of that file: the sentence, or the reason why the code does not compile. */
  readonly says: string;
  /** False where it is no sentence of the kit: the compiler or the user's screen says it. @default true */
  readonly inReference?: boolean;
}

/** Makes each mistake, and looks for its sentence: where a developer reads it, and in the reference. */
export function testMistakes(mistakes: readonly Mistake[]): void {
  test.each(mistakes)('$mistake: $where', async ({ make, where, says }) => {
    const texts = await textsOf(make, where);
    expect(texts.find(text => text.includes(says)) ?? texts.join('\n')).toContain(says);
    expectInReference(says);
  });
}

export function testMistakesElsewhere(mistakes: readonly MistakeElsewhere[]): void {
  test.each(mistakes)('$mistake: $provenBy', ({ provenBy, says, inReference = true }) => {
    expect(readFile(provenBy)).toContain(says);
    if (inReference) expectInReference(says);
  });
}

async function textsOf(make: () => unknown, where: Where): Promise<string[]> {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  try {
    const [outcome] = await Promise.allSettled([(async () => make())()]);
    // A warning may come after the answer that it is about.
    await new Promise(resolve => setTimeout(resolve));
    const reason = outcome.status === 'rejected' ? (outcome.reason as Error) : undefined;
    const found: Record<Where, () => unknown[]> = {
      thrown: () => [reason?.message],
      'error.cause': () => [(reason?.cause as Error | undefined)?.message],
      'session.error': () => [(outcome as PromiseFulfilledResult<Session>).value.getSnapshot().error?.message],
      'console.warn': () => warn.mock.calls.flat(),
      'console.error': () => error.mock.calls.flat(),
    };
    return found[where]().map(String);
  } finally {
    warn.mockRestore();
    error.mockRestore();
  }
}

function readFile(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

const reference = readSentences();

/** Who pastes the sentence into the search of the page “Errors” finds it. */
function expectInReference(says: string): void {
  const found = reference.filter(sentence => matchesSearch(sentence, wordsOf(says)));
  expect(found.length, `The reference has not “${says}”.`).toBeGreaterThan(0);
}
