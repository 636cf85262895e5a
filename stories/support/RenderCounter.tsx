import { useSyncExternalStore } from 'react';

/** A count that components add to in an effect, so that a story can show how often they rendered. */
export function createCounter() {
  let count = 0;
  const listeners = new Set<() => void>();
  const set = (next: number) => {
    count = next;
    for (const listener of listeners) listener();
  };
  return {
    add: () => set(count + 1),
    reset: () => set(0),
    read: () => count,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The count in words; it alone renders when the count changes. */
export function RenderCounter({ label, tally }: { label: string; tally: ReturnType<typeof createCounter> }) {
  return <p>{`${label}: ${useSyncExternalStore(tally.subscribe, tally.read)}`}</p>;
}
