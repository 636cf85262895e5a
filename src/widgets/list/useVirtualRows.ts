import { elementScroll, observeElementOffset, observeElementRect, observeWindowOffset, observeWindowRect, useVirtualizer, windowScroll } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useRef, useState } from 'react';
import { useBeforePaint } from '../../providers/useBeforePaint.js';

/** A list of no more rows is in the document as a whole, where the browser's search finds all of it. */
const WHOLE_UP_TO = 50;
/** Rows beyond either edge of what is seen, so that the next ones are there before a person or a screen reader gets to them. */
const OVERSCAN = 8;
/** The height of a row before any has been measured, in pixels. */
const FIRST_GUESS_PX = 44;

interface VirtualRowsOptions {
  list: RefObject<HTMLElement | null>;
  keys: readonly (string | number)[];
  /** Rows that are in the document wherever the list is scrolled to. */
  always: readonly number[];
}

interface VirtualRows {
  /** The rows to render, in their order, and the height of what is left out above each, in pixels. */
  readonly rows: readonly { place: number; gap: number }[];
  readonly measure: (row: HTMLLIElement | null) => void;
}

/** What the list scrolls in, and how far below its start the list begins. */
interface Ground {
  scroller: HTMLElement | Window;
  margin: number;
}

/** Tells which rows have to be in the document: those near what is seen, in the window or in an ancestor that scrolls, and some always. */
export function useVirtualRows({ list, keys, always }: VirtualRowsOptions): VirtualRows {
  const [ground, setGround] = useState<Ground>();
  const guess = useRef<number>(undefined);
  const count = keys.length;
  const isWhole = count <= WHOLE_UP_TO;
  const { scroller, margin } = isWhole || !ground ? NO_GROUND : ground;

  // Looked at after each render, for what stands above the list may have grown; before the virtualizer looks for its scroller.
  useBeforePaint(() => {
    if (isWhole || !list.current || list.current.getClientRects().length === 0) return;
    const found = ground?.scroller ?? scrollerOf(list.current);
    const below = offsetIn(found, list.current);
    if (!ground || Math.abs(below - ground.margin) > 1) setGround({ scroller: found, margin: below });
  });

  const getItemKey = useCallback((place: number) => keys[place] ?? place, [keys]);
  const virtualizer = useVirtualizer<any, HTMLLIElement>({
    count,
    enabled: scroller !== null,
    getItemKey,
    // Rows that arrive are taken to be as high as those that are there.
    estimateSize: () => (guess.current ??= averageHeight(list.current)) ?? FIRST_GUESS_PX,
    getScrollElement: () => scroller,
    observeElementRect: scroller instanceof HTMLElement ? observeElementRect : observeWindowRect,
    observeElementOffset: scroller instanceof HTMLElement ? observeElementOffset : observeWindowOffset,
    scrollToFn: scroller instanceof HTMLElement ? elementScroll : windowScroll,
    // Unrounded: the heights left out have to add up to what they would be.
    measureElement: (row, entry) => entry?.borderBoxSize[0]?.blockSize ?? row.getBoundingClientRect().height,
    initialOffset: () => (scroller instanceof HTMLElement ? scroller.scrollTop : (scroller?.scrollY ?? 0)),
    initialRect: { width: 0, height: window.innerHeight },
    overscan: OVERSCAN,
    scrollMargin: margin,
  });
  // Where the browser itself holds the rows still that are seen, a second one to do it would undo that.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = browserAnchors() ? never : undefined;

  if (scroller === null) return { rows: inOrder(first(isWhole ? count : WHOLE_UP_TO), isWhole ? [] : always, count), measure: virtualizer.measureElement };

  let end = margin;
  const rows = inOrder(virtualizer.getVirtualIndexes(), always, count).map(({ place }) => {
    const item = virtualizer.measurementsCache[place];
    const gap = item ? Math.max(0, item.start - end) : 0;
    end = item?.end ?? end;
    return { place, gap };
  });
  return { rows, measure: virtualizer.measureElement };
}

/** While all rows are in the document, and until it is known where the list stands. */
const NO_GROUND = { scroller: null, margin: 0 };

const never = () => false;

function browserAnchors(): boolean {
  return typeof CSS !== 'undefined' && CSS.supports('overflow-anchor', 'auto');
}

function first(count: number): number[] {
  return Array.from({ length: count }, (_, place) => place);
}

function inOrder(near: readonly number[], always: readonly number[], count: number): VirtualRows['rows'] {
  const places = [...new Set([...near, ...always])].filter(place => place >= 0 && place < count);
  return places.sort((a, b) => a - b).map(place => ({ place, gap: 0 }));
}

function averageHeight(list: HTMLElement | null): number | undefined {
  const heights = [...(list?.children ?? [])].map(row => row.getBoundingClientRect().height).filter(height => height > 0);
  return heights.length > 0 ? heights.reduce((sum, height) => sum + height) / heights.length : undefined;
}

/** How far below the start of what scrolls the element begins, wherever that has been scrolled to. */
export function offsetIn(scroller: HTMLElement | Window, element: Element): number {
  const { top } = element.getBoundingClientRect();
  if (!(scroller instanceof HTMLElement)) return top + scroller.scrollY;
  return top - scroller.getBoundingClientRect().top - scroller.clientTop + scroller.scrollTop;
}

/** What the element scrolls in: its nearest ancestor that scrolls its overflow and has some, else the window. */
export function scrollerOf(element: Element): HTMLElement | Window {
  const { body, documentElement } = document;
  for (let above = element.parentElement; above && above !== body && above !== documentElement; above = above.parentElement) {
    if (/^(auto|scroll|overlay)$/.test(getComputedStyle(above).overflowY) && above.scrollHeight > above.clientHeight) return above;
  }
  return window;
}
