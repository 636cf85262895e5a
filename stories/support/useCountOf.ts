import { useRef } from 'react';

/** Counts the different values over all renders of the component. */
export function useCountOf(value: unknown): number {
  const seen = useRef(new Set<unknown>());
  seen.current.add(value);
  return seen.current.size;
}
