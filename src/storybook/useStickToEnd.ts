import { useLayoutEffect, useRef, type RefObject, type UIEvent } from 'react';

/** A scroll position within this distance of the end counts as the end. */
const NEAR_PX = 24;

/** Scrolls to the newest row while the reader is at the end. If the list already has rows when it opens, it starts at the first row. */
export function useStickToEnd<E extends HTMLElement>(
  length: number,
): { ref: RefObject<E>; onScroll: (event: UIEvent<E>) => void } {
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
