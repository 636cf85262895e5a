import { useSyncExternalStore } from 'react';

/** Lines that code outside of React writes, and a component that lists them. */
export function createNotes() {
  let lines: readonly string[] = [];
  const listeners = new Set<() => void>();
  const set = (next: readonly string[]) => {
    lines = next;
    for (const listener of listeners) listener();
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const read = () => lines;
  return {
    add: (line: string) => set([...lines, line]),
    reset: () => set([]),
    read,
    Notes: ({ label }: { label: string }) => (
      <section aria-label={label}>
        <ul>
          {useSyncExternalStore(subscribe, read).map((line, index) => (
            <li key={index}>{line}</li>
          ))}
        </ul>
      </section>
    ),
  };
}
