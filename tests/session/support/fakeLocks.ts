export interface FakeLockOptions {
  readonly mode?: LockMode;
  readonly ifAvailable?: boolean;
  readonly steal?: boolean;
  readonly signal?: AbortSignal;
}

type Callback<T> = (lock: { name: string; mode: LockMode } | null) => T | PromiseLike<T>;

interface Asked<Tab> {
  readonly name: string;
  readonly mode: LockMode;
  readonly tab: Tab | undefined;
  start(): void;
  rob(): void;
}

export interface FakeLocksOptions<Tab> {
  /** The tab that runs right now. */
  here(): Tab | undefined;
  run<T>(tab: Tab, act: () => T): T;
  isGone(tab: Tab): boolean;
  /** What `query` calls the tab. @default nothing */
  clientId?(tab: Tab): string;
}

/** Takes an item out of a list. @returns whether it was there */
function take<Item>(items: Item[], item: Item): boolean {
  const index = items.indexOf(item);
  if (index >= 0) items.splice(index, 1);
  return index >= 0;
}

function mistakeIn({ mode = 'exclusive', ifAvailable, steal, signal }: FakeLockOptions): string | undefined {
  if (steal && ifAvailable) return 'The "steal" and "ifAvailable" options cannot be used together.';
  if (steal && mode !== 'exclusive') return 'The "steal" option may only be used with "exclusive" locks.';
  if (signal && (steal || ifAvailable)) return 'The "signal" option cannot be used with "steal" or "ifAvailable".';
  return undefined;
}

/**
 * Web Locks for several tabs, as Chromium has them. tests/browser/locks.test.ts compares the two.
 *
 * Requests for one name queue in order, so a waiting `exclusive` holds back a later `shared`. The queue moves only when a lock is
 * let go: when a waiting `exclusive` is aborted, the `shared` behind it go on waiting, and so does each later request.
 */
export function fakeLocks<Tab>({ here, run, isGone, clientId }: FakeLocksOptions<Tab>) {
  const held: Asked<Tab>[] = [];
  const pending: Asked<Tab>[] = [];
  const isFree = ({ name, mode }: Asked<Tab>) =>
    held.every(other => other.name !== name || (mode === 'shared' && other.mode === 'shared'));
  const isQueued = (name: string) => pending.some(asked => asked.name === name);
  const grant = (asked: Asked<Tab>) => {
    held.push(asked);
    asked.start();
  };
  const moveQueue = (name: string) => {
    for (const asked of pending.filter(one => one.name === name)) {
      if (!isFree(asked)) return;
      take(pending, asked);
      grant(asked);
    }
  };
  const letGo = (asked: Asked<Tab>) => {
    if (take(held, asked)) moveQueue(asked.name);
  };
  const describe = (asked: readonly Asked<Tab>[]) =>
    asked.map(({ name, mode, tab }) => ({ name, mode, ...(clientId && tab && { clientId: clientId(tab) }) }));

  return {
    request<T>(name: string, ...rest: [Callback<T>] | [FakeLockOptions, Callback<T>]): Promise<T> {
      const [options, callback] = rest.length === 1 ? [{}, rest[0]] : rest;
      const { mode = 'exclusive', ifAvailable, steal, signal } = options;
      const tab = here();
      const mistake = mistakeIn(options);
      if (mistake) return Promise.reject(new DOMException(mistake, 'NotSupportedError'));
      if (signal?.aborted) return Promise.reject(signal.reason as Error);
      return new Promise<T>((resolve, reject) => {
        const isOver = () => tab !== undefined && isGone(tab);
        if (isOver()) return;
        // The callback runs later, and in the tab that asked: another one may have let go of the lock.
        const call = async (lock: Parameters<Callback<T>>[0]): Promise<T> => {
          await Promise.resolve();
          if (isOver()) return new Promise<T>(() => {});
          return tab === undefined ? callback(lock) : run(tab, () => callback(lock));
        };
        const abort = () => {
          take(pending, asked);
          reject(signal!.reason as Error);
        };
        const asked: Asked<Tab> = {
          name,
          mode,
          tab,
          start() {
            signal?.removeEventListener('abort', abort);
            call({ name, mode })
              .then(resolve, reject)
              .finally(() => letGo(asked));
          },
          rob: () => reject(new DOMException("Lock broken by another request with the 'steal' option.", 'AbortError')),
        };
        if (steal)
          for (const robbed of held.filter(other => other.name === name)) {
            take(held, robbed);
            robbed.rob();
          }
        if (steal || (!isQueued(name) && isFree(asked))) return grant(asked);
        if (ifAvailable) return void call(null).then(resolve, reject);
        signal?.addEventListener('abort', abort, { once: true });
        pending.push(asked);
      });
    },
    query: async () => ({ held: describe(held), pending: describe(pending) }),
    /** The tab is gone: its locks are free, and its requests leave the queue. */
    forget(tab: Tab) {
      for (const asked of pending.filter(one => one.tab === tab)) take(pending, asked);
      for (const asked of held.filter(one => one.tab === tab)) letGo(asked);
    },
    /** How many locks are held or waited for. */
    count: () => held.length + pending.length,
  };
}
