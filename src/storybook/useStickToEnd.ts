import { useLayoutEffect, useRef, type UIEvent } from 'react';

/** A scroll position within this distance of the end counts as the end. */
const NEAR_PX = 24;

/** Scrolls to the newest row while the reader is at the end. If the list already has rows when it opens, it starts at the first row. */
// No declared result: the types of React 18 and 19 name the ref of an element differently.
export function useStickToEnd<E extends HTMLElement>(length: number) {
  const ref = useRef<E>(null);
  const isAtEnd = useRef(length === 0);
  useLayoutEffect(() => {
    if (length === 0) isAtEnd.current = true;
    const element = ref.current;
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [length]);
  return {
    ref,
    onScroll: ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent<E>) => {
      isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    },
  };
}
