/**
 * Stops the page's timers of one length, until a story ends them by hand. So a story does not depend on the speed of the machine.
 * Put `start` into the story's `beforeEach`.
 */
export function manualTimers(lengthMs: number) {
  const held = new Map<number, () => void>();
  let lastId = 0;

  return {
    /** How many timers of this length are running. */
    get running() {
      return held.size;
    },
    /** Calls all of them, as if their time had passed. */
    end() {
      const due = [...held.values()];
      held.clear();
      for (const callback of due) callback();
    },
    start() {
      const { setTimeout: set, clearTimeout: clear } = window;
      held.clear();
      const hold = (callback: () => void, delayMs?: number, ...args: unknown[]) => {
        if (delayMs !== lengthMs) return (set as (...all: unknown[]) => number)(callback, delayMs, ...args);
        lastId -= 1;
        held.set(lastId, callback);
        return lastId;
      };
      window.setTimeout = hold as unknown as typeof window.setTimeout;
      window.clearTimeout = ((id: number | undefined) => {
        if (id === undefined || !held.delete(id)) clear(id);
      }) as typeof window.clearTimeout;
      return () => {
        window.setTimeout = set;
        window.clearTimeout = clear;
        held.clear();
      };
    },
  };
}
