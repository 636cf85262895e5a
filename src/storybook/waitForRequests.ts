import type { RequestJournal } from '../testing/RequestJournal.js';

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
