import { elementScroll, observeElementOffset, observeElementRect, observeWindowOffset, observeWindowRect, useVirtualizer, windowScroll } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useRef, useState } from 'react';
import { useBeforePaint } from '../../providers/useBeforePaint.js';

/** A list of no more rows is in the document as a whole, where the browser's search finds all of it. */
const RENDER_ALL_UP_TO = 50;
/** Rows beyond either edge of what is seen, so that the next ones are there before a person or a screen reader gets to them. */
const OVERSCAN = 8;
/** The height of a row before any has been measured, in pixels. */
const ESTIMATED_ROW_PX = 44;

interface VirtualRowsOptions {
  list: RefObject<HTMLElement | null>;
  keys: readonly (string | number)[];
  /** Rows that are in the document wherever the list is scrolled to. */
  pinnedIndexes: readonly number[];
}

interface VirtualRows {
  /** The rows to render, in their order, and the height of what is left out above each, in pixels. */
  readonly rows: readonly { index: number; gap: number }[];
  readonly measure: (row: HTMLLIElement | null) => void;
}

/** What the list scrolls in, and how far below its start the list begins. */
interface ScrollContainer {
  scroller: HTMLElement | Window;
  margin: number;
}

/** Tells which rows have to be in the document: those near what is seen, in the window or in an ancestor that scrolls, and some always. */
export function useVirtualRows({ list, keys, pinnedIndexes }: VirtualRowsOptions): VirtualRows {
  const [container, setContainer] = useState<ScrollContainer>();
  const estimate = useRef<number>(undefined);
  const count = keys.length;
  const rendersAll = count <= RENDER_ALL_UP_TO;
  const { scroller, margin } = rendersAll || !container ? NO_CONTAINER : container;

  // Looked at after each render, for what stands above the list may have grown; before the virtualizer looks for its scroller.
  useBeforePaint(() => {
    if (rendersAll || !list.current || list.current.getClientRects().length === 0) return;
    const found = container?.scroller ?? getScrollParent(list.current);
    const below = getOffsetWithin(found, list.current);
    if (!container || Math.abs(below - container.margin) > 1) setContainer({ scroller: found, margin: below });
  });

  const getItemKey = useCallback((index: number) => keys[index] ?? index, [keys]);
  const virtualizer = useVirtualizer<any, HTMLLIElement>({
    count,
    enabled: scroller !== null,
    getItemKey,
    // Rows that arrive are taken to be as high as those that are there.
    estimateSize: () => (estimate.current ??= averageHeight(list.current)) ?? ESTIMATED_ROW_PX,
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

  if (scroller === null) return { rows: sortedRows(firstIndexes(rendersAll ? count : RENDER_ALL_UP_TO), rendersAll ? [] : pinnedIndexes, count), measure: virtualizer.measureElement };

  let end = margin;
  const rows = sortedRows(virtualizer.getVirtualIndexes(), pinnedIndexes, count).map(({ index }) => {
    const item = virtualizer.measurementsCache[index];
    const gap = item ? Math.max(0, item.start - end) : 0;
    end = item?.end ?? end;
    return { index, gap };
  });
  return { rows, measure: virtualizer.measureElement };
}

/** While all rows are in the document, and until it is known where the list stands. */
const NO_CONTAINER = { scroller: null, margin: 0 };

const never = () => false;

function browserAnchors(): boolean {
  return typeof CSS !== 'undefined' && CSS.supports('overflow-anchor', 'auto');
}

function firstIndexes(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function sortedRows(near: readonly number[], pinnedIndexes: readonly number[], count: number): VirtualRows['rows'] {
  const indexes = [...new Set([...near, ...pinnedIndexes])].filter(index => index >= 0 && index < count);
  return indexes.sort((a, b) => a - b).map(index => ({ index, gap: 0 }));
}

function averageHeight(list: HTMLElement | null): number | undefined {
  const heights = [...(list?.children ?? [])].map(row => row.getBoundingClientRect().height).filter(height => height > 0);
  return heights.length > 0 ? heights.reduce((sum, height) => sum + height) / heights.length : undefined;
}

/** How far below the start of what scrolls the element begins, wherever that has been scrolled to. */
export function getOffsetWithin(scroller: HTMLElement | Window, element: Element): number {
  const { top } = element.getBoundingClientRect();
  if (!(scroller instanceof HTMLElement)) return top + scroller.scrollY;
  return top - scroller.getBoundingClientRect().top - scroller.clientTop + scroller.scrollTop;
}

/** What the element scrolls in: its nearest ancestor that scrolls its overflow and has some, else the window. */
export function getScrollParent(element: Element): HTMLElement | Window {
  const { body, documentElement } = document;
  for (let above = element.parentElement; above && above !== body && above !== documentElement; above = above.parentElement) {
    if (/^(auto|scroll|overlay)$/.test(getComputedStyle(above).overflowY) && above.scrollHeight > above.clientHeight) return above;
  }
  return window;
}
