import { untilAborted, type Clock } from '../clock.js';
import { RefreshUnavailableError } from '../errors.js';
import { createLocks, type HeldLock } from './locks.js';
import type { SharedRecord } from './record.js';
import type { Position } from './state.js';

/** How many timeouts one turn may take before the next one steals it. */
const TURN_TIMEOUTS = 4;
/** How long a tab shows what it knew when its turn ended, in milliseconds: storage may be that far behind in another tab. */
const FENCE_MS = 1_000;

interface Parts {
  readonly name: string;
  readonly manager: LockManager;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly record: SharedRecord;
}

/**
 * The turn: one refresh at a time in all tabs, and one login or logout where they set a refresh cookie.
 *
 * Grants of a lock are the only order that all tabs share: the next tab may not yet see in the storage what the last one wrote. So a turn
 * ends with a fence, a `shared` lock whose name is the position that the tab knew. The next turn begins when its tab knows that too.
 */
export function createTurn({ name, manager, clock, timeoutMs, record }: Parts) {
  const locks = createLocks(manager, clock);
  const turnName = `${name}:turn`;
  const fencePrefix = `${name}:fence `;

  /** Runs alone. The signal is aborted when the turn is taken away: it took too long, or the page is left. */
  async function run<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    let turn: HeldLock;
    try {
      turn = await locks.seize(turnName, TURN_TIMEOUTS * timeoutMs);
    } catch {
      // A page in a sandbox has no locks.
      return act(new AbortController().signal);
    }
    const robbed = new AbortController();
    turn.over.catch(() => robbed.abort(new RefreshUnavailableError()));
    const leave = () => locks.loseAll(new RefreshUnavailableError());
    globalThis.addEventListener?.('pagehide', leave);
    try {
      await waitForFences();
      // Another tab acts by now.
      robbed.signal.throwIfAborted();
      return await untilAborted(robbed.signal, act(robbed.signal));
    } finally {
      globalThis.removeEventListener?.('pagehide', leave);
      if (!robbed.signal.aborted) await showFence();
      turn.release();
    }
  }

  async function showFence(): Promise<void> {
    const { id, revision, ended = '-' } = record.sharedPosition ?? {};
    if (id === undefined) return;
    const fence = await locks
      .take(`${fencePrefix}${id} ${ended} ${revision}`, { mode: 'shared' })
      .catch(() => undefined);
    if (fence) clock.setTimeout(fence.release, FENCE_MS, true);
  }

  async function waitForFences(): Promise<void> {
    const { held = [] } = await locks.query().catch((): LockManagerSnapshot => ({}));
    for (const { name: fence = '' } of held) {
      if (!fence.startsWith(fencePrefix)) continue;
      const [id = '', ended, revision] = fence.slice(fencePrefix.length).split(' ');
      const position = { id, revision: Number(revision), ended: ended === '-' ? undefined : ended } as Position;
      await record.catchUp(position);
    }
  }

  return { run };
}
