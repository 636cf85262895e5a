import { useSyncExternalStore } from 'react';

/** A counter. Components add to it in an effect, and a story shows how often they rendered. */
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

/** Shows the count. Only this component renders when the count changes. */
export function RenderCounter({ label, counter }: { label: string; counter: ReturnType<typeof createCounter> }) {
  return <p>{`${label}: ${useSyncExternalStore(counter.subscribe, counter.read)}`}</p>;
}
