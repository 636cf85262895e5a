import { useRef } from 'react';

/** How often the calling component has rendered since it was mounted. */
export function useRenderCount(): number {
  const count = useRef(0);
  count.current += 1;
  return count.current;
}
