import type { Clock } from '../clock.js';

/** A Web Lock that is held. */
export interface HeldLock {
  /** Lets it go; the next in the queue gets it. */
  release(): void;
  /** Rejects when the lock is taken away: stolen, or the page is left. Resolves when it was released. */
  readonly over: Promise<void>;
}

export type Locks = ReturnType<typeof createLocks>;

/** Aborted requests may still set a cookie or spend a token for this long after a lock was stolen, in milliseconds. */
export const ROBBED_MS = 100;

/**
 * The browser's locks as values: one takes a lock and holds it until one releases it. A request for a lock is never cancelled, because
 * Chromium would then leave those who wait behind it stuck; a grant that comes too late is released at once.
 *
 * @see https://w3c.github.io/web-locks/
 */
export function createLocks(manager: LockManager, clock: Clock) {
  const losses = new Set<(reason: Error) => void>();

  /** @throws what the browser says, when the page may not use locks */
  function take(name: string, options: { mode?: LockMode; steal?: boolean } = {}): Promise<HeldLock> {
    return new Promise<HeldLock>((resolve, reject) => {
      const hold = () =>
        new Promise<void>((end, lose) => {
          losses.add(lose);
          const release = () => {
            losses.delete(lose);
            end();
          };
          resolve({ release, over });
        });
      const over: Promise<void> = Promise.resolve(manager.request(name, options, hold)).then(() => {});
      over.catch(reject);
    });
  }

  /** Takes a lock alone: when its turn comes, or at the limit by stealing it. */
  async function seize(name: string, limitMs: number): Promise<HeldLock> {
    const waiting = take(name);
    let cancel = () => {};
    const limit = new Promise<undefined>(resolve => (cancel = clock.setTimeout(() => resolve(undefined), limitMs)));
    const inTime = await Promise.race([waiting, limit]).finally(cancel);
    if (inTime) return inTime;
    waiting.then(
      late => late.release(),
      () => {},
    );
    const stolen = await take(name, { steal: true });
    await new Promise<void>(resolve => void clock.setTimeout(resolve, ROBBED_MS));
    return stolen;
  }

  /** What the browser knows of a lock: whether this page holds it `shared`, and whether a page waits to hold it alone. */
  async function look(name: string): Promise<{ readonly isHeld: boolean; readonly isWanted: boolean }> {
    // A lock with a name of its own tells which of the holders this page is.
    const probe = `${name} probe ${Math.random()}`;
    const { held = [], pending = [] } = await manager.request(probe, () => manager.query());
    const { clientId } = held.find(lock => lock.name === probe) ?? {};
    return {
      isHeld: held.some(lock => lock.name === name && lock.mode === 'shared' && lock.clientId === clientId),
      isWanted: pending.some(lock => lock.name === name && lock.mode === 'exclusive'),
    };
  }

  return {
    take,
    seize,
    look,
    query: () => manager.query(),
    /** The page is left: a page in the back/forward cache would keep its locks. */
    loseAll(reason: Error): void {
      const all = [...losses];
      losses.clear();
      for (const lose of all) lose(reason);
    },
  };
}

/** The locks of this browser; undefined where there are none (plain http, servers). */
export function webLocks(): LockManager | undefined {
  return (globalThis.navigator as Partial<Navigator> | undefined)?.locks;
}
