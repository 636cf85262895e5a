import { useLayoutEffect, useRef, type RefObject, type UIEvent } from 'react';

/** So near to the end counts as at the end, in pixels. */
const NEAR_PX = 24;

/** Keeps the newest row in view while the reader is there; who opens a list that is there already begins at its first row. */
export function useStickToEnd<E extends HTMLElement>(length: number): { ref: RefObject<E>; onScroll: (event: UIEvent<E>) => void } {
  const ref = useRef<E>(null);
  const isAtEnd = useRef(length === 0);
  useLayoutEffect(() => {
    if (length === 0) isAtEnd.current = true;
    const element = ref.current;
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [length]);
  return {
    ref,
    onScroll: ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
      isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    },
  };
}
