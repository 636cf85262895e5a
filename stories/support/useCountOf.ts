import { useRef } from 'react';

/** How many different objects a value was, over all renders of its component. */
export function useCountOf(value: object): number {
  const seen = useRef(new Set<object>());
  seen.current.add(value);
  return seen.current.size;
}
