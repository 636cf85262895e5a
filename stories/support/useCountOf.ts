import { useRef } from 'react';

/** How many different things a value was, over all renders of its component. */
export function useCountOf(value: unknown): number {
  const seen = useRef(new Set<unknown>());
  seen.current.add(value);
  return seen.current.size;
}
