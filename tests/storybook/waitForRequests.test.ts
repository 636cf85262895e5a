import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitForRequests } from '../../src/storybook/journalFor.js';
import type { JournalEntry } from '../../src/testing/JournalEntry.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A story that sends at these times, in milliseconds; a mock server answers each request after 20 ms, or never. */
function story({ sendsAt, answers = true }: { sendsAt: readonly number[]; answers?: boolean }) {
  const [start, startedAt] = [Date.now(), performance.now()];
  const sent = () => sendsAt.filter(at => Date.now() - start >= at);
  const isWaiting = () => sent().some(at => !answers || Date.now() - start < at + 20);
  return {
    get entries() {
      return sent().map(at => ({ startedAt: startedAt + at })) as unknown as readonly JournalEntry[];
    },
    async settled() {
      while (isWaiting()) await new Promise(resolve => setTimeout(resolve, 1));
    },
  };
}

/** When the wait has ended, in milliseconds. */
async function endOf(journal: ReturnType<typeof story>, hasPlay: boolean): Promise<number> {
  const start = Date.now();
  let end: number | undefined;
  void waitForRequests(journal, { timeoutMs: 300, renderedAt: hasPlay ? undefined : performance.now() }).then(
    () => (end = Date.now() - start),
  );
  await vi.advanceTimersByTimeAsync(5_000);
  return end!;
}

test('a story without a play ends 50 ms after its last request, also when it sends one request after the other', async () => {
  expect(await endOf(story({ sendsAt: [] }), false)).toBe(50);
  expect(await endOf(story({ sendsAt: [16] }), false)).toBe(16 + 50);
  expect(await endOf(story({ sendsAt: [16, 60, 100] }), false)).toBe(100 + 50);
});

test('a story with a play ends with its last answer', async () => {
  expect(await endOf(story({ sendsAt: [] }), true)).toBe(0);
  expect(await endOf(story({ sendsAt: [0] }), true)).toBe(20);
});

test('an answer that a mock server holds does not hold the story, and a story that polls ends', async () => {
  expect(await endOf(story({ sendsAt: [0], answers: false }), true)).toBe(300);
  const polls = Array.from({ length: 25 }, (_, index) => index * 200);
  expect(await endOf(story({ sendsAt: polls, answers: false }), true)).toBe(300);
  expect(await endOf(story({ sendsAt: polls }), false)).toBeLessThan(500);
});
