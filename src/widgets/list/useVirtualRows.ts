import {
  observeElementOffset,
  observeElementRect,
  observeWindowOffset,
  observeWindowRect,
  useVirtualizer,
  type VirtualItem,
} from '@tanstack/react-virtual';
import { useCallback, useMemo, useRef, useState, useSyncExternalStore, type RefObject } from 'react';
import { findPlace, useSavedPlace, type ListPlace, type ListPlaces } from './listPlaces.js';
import { getVisiblePart, isDisplayed, isWindow, scrollToOffset, useScrollContainer } from './useScrollContainer.js';

/** How many rows are in the document before the list is laid out. */
const FIRST_ROWS = 50;
/** Rows beyond each edge of the visible part, so that they are there before a user or a screen reader gets to them. */
const OVERSCAN = 8;
/** The height of a row before any row has been measured. */
const ESTIMATED_ROW_PX = 44;

interface VirtualRowsOptions {
  /** False renders all rows. */
  isVirtual: boolean;
  list: RefObject<HTMLElement | null>;
  keys: readonly (string | number)[];
  /** Rows that stay in the document wherever the user scrolls. */
  pinnedIndexes: readonly number[];
  /** Where the list was when it was left. */
  places: ListPlaces;
}

interface VirtualRows {
  /** The rows to render, in order. `gap` is the height of the rows that are left out above, in pixels. */
  readonly rows: readonly { index: number; gap: number }[];
  readonly measure?: ((row: HTMLLIElement | null) => void) | undefined;
}

/**
 * Finds the rows that have to be in the document: those near the visible part of the window or of an ancestor that
 * scrolls, and the pinned ones; all of them while the page is printed, and where rows are side by side.
 */
export function useVirtualRows({ isVirtual, list, keys, pinnedIndexes, places }: VirtualRowsOptions): VirtualRows {
  const savedPlace = useMemo(() => findPlace(places), [places]);
  const savedMeasurements = useMemo(() => toMeasurements(savedPlace), [savedPlace]);
  const estimate = useRef(savedPlace?.estimate);
  const count = keys.length;
  const reportOffset = useRef<() => void>(undefined);
  const { scroller, rowGap, isColumn } = useScrollContainer(list, places, isVirtual, () => reportOffset.current?.());
  const isPrinting = useIsPrinting();
  const rendersAll = !isColumn || isPrinting;

  const isElement = scroller !== null && !isWindow(scroller);
  const readPart = () =>
    scroller && list.current && isDisplayed(list.current) ? getVisiblePart(list.current, scroller) : undefined;
  // Above the list there are no rows.
  const readOffset = () => Math.max(0, readPart()?.offset ?? 0);

  const getItemKey = useCallback((index: number) => keys[index] ?? index, [keys]);
  // `any`: the hook is typed for elements only, but the functions below serve the window too. Offsets and sizes are in the list's own pixels.
  const virtualizer = useVirtualizer<any, HTMLLIElement>({
    count,
    enabled: scroller !== null && !rendersAll,
    getItemKey,
    gap: rowGap,
    // New rows are estimated at the average height of the rows in the document.
    estimateSize: () => (estimate.current ??= averageHeight(list.current)) ?? ESTIMATED_ROW_PX,
    initialMeasurementsCache: savedMeasurements,
    getScrollElement: () => scroller,
    // A list that is not displayed has no size and no position, and keeps its rows.
    observeElementRect: (instance, callback) =>
      (isElement ? observeElementRect : observeWindowRect)(instance, () => {
        const part = readPart();
        if (part) callback({ width: 0, height: part.height });
      }),
    observeElementOffset: (instance, callback) => {
      reportOffset.current = () => readPart() && callback(readOffset(), instance.isScrolling);
      return (isElement ? observeElementOffset : observeWindowOffset)(
        instance,
        (_, isScrolling) => readPart() && callback(readOffset(), isScrolling),
      );
    },
    scrollToFn: (offset, { adjustments = 0 }) => {
      const top = offset + adjustments;
      if (scroller && list.current && top !== readOffset()) scrollToOffset(list.current, scroller, top);
    },
    // Not rounded: rounding errors of many rows would add up in the gaps. A list that is hidden later keeps its heights.
    measureElement: (row, entry, { itemSizeCache, indexFromElement }) => {
      const height = entry?.borderBoxSize[0]?.blockSize ?? getLayoutHeight(row);
      if (height > 0 || !list.current || isDisplayed(list.current)) return height;
      return itemSizeCache.get(getItemKey(indexFromElement(row))) ?? estimate.current ?? ESTIMATED_ROW_PX;
    },
    initialOffset: readOffset,
    initialRect: { width: 0, height: window.innerHeight },
    overscan: OVERSCAN,
  });
  // A browser with scroll anchoring keeps the visible rows in place. A second correction would move them again.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = hasScrollAnchoring() ? never : undefined;

  useSavedPlace(places, list, scroller, offset => ({
    sizes: new Map(virtualizer.itemSizeCache),
    estimate: estimate.current,
    rowGap,
    offset,
  }));

  if (rendersAll) return { rows: keys.map((_, index) => ({ index, gap: 0 })) };
  const measure = virtualizer.measureElement;
  if (scroller === null) {
    const first = Array.from({ length: FIRST_ROWS }, (_, index) => index);
    return { rows: reserveHeights(sortedRows(first, pinnedIndexes, count), keys, savedPlace), measure };
  }

  let end = -rowGap;
  const rows = sortedRows(virtualizer.getVirtualIndexes(), pinnedIndexes, count).map(({ index }) => {
    const item = virtualizer.measurementsCache[index];
    const gap = item ? Math.max(0, item.start - end - rowGap) : 0;
    end = item?.end ?? end;
    return { index, gap };
  });
  return { rows, measure };
}

/** Not rounded, unless a transform changes what the browser says. */
function getLayoutHeight(row: HTMLElement): number {
  const { height } = row.getBoundingClientRect();
  return Math.abs(height - row.offsetHeight) < 1 ? height : row.offsetHeight;
}

const never = () => false;

function hasScrollAnchoring(): boolean {
  return typeof CSS !== 'undefined' && CSS.supports('overflow-anchor', 'auto');
}

function sortedRows(near: readonly number[], pinnedIndexes: readonly number[], count: number): VirtualRows['rows'] {
  const indexes = [...new Set([...near, ...pinnedIndexes])].filter(index => index >= 0 && index < count);
  return indexes.sort((a, b) => a - b).map(index => ({ index, gap: 0 }));
}

/** The saved heights in the virtualizer's format. It reads keys and sizes, and calculates the positions. */
function toMeasurements(place: ListPlace | undefined): VirtualItem[] {
  return [...(place?.sizes ?? [])].map(([key, size], index) => ({
    key: key as string | number,
    size,
    index,
    start: 0,
    end: 0,
    lane: 0,
  }));
}

/**
 * The gaps that make the list as high as it was when it was left. A browser or a router that restores the scroll position does it right after
 * the first render, and stops at the end of the page.
 */
function reserveHeights(
  rows: VirtualRows['rows'],
  keys: VirtualRowsOptions['keys'],
  place: ListPlace | undefined,
): VirtualRows['rows'] {
  if (!place) return rows;
  const { sizes, estimate = ESTIMATED_ROW_PX, rowGap } = place;
  let next = 0;
  return rows.map(({ index }) => {
    let gap = 0;
    for (; next < index; next++) gap += (sizes.get(keys[next]) ?? estimate) + rowGap;
    next = index + 1;
    return { index, gap };
  });
}

function averageHeight(list: HTMLElement | null): number | undefined {
  const heights = [...(list?.children ?? [])]
    .map(row => getLayoutHeight(row as HTMLElement))
    .filter(height => height > 0);
  return heights.length > 0 ? heights.reduce((sum, height) => sum + height) / heights.length : undefined;
}

/**
 * True while the page is printed. By `useSyncExternalStore`: React then renders right after the event, before the browser lays the
 * pages out.
 */
function useIsPrinting(): boolean {
  const [{ subscribe, read }] = useState(createPrinting);
  return useSyncExternalStore(subscribe, read, () => false);
}

function createPrinting() {
  let isPrinting = false;
  const subscribe = (listener: () => void) => {
    const onPrint = ({ type }: Event) => {
      isPrinting = type === 'beforeprint';
      listener();
    };
    for (const type of ['beforeprint', 'afterprint']) window.addEventListener(type, onPrint);
    return () => {
      for (const type of ['beforeprint', 'afterprint']) window.removeEventListener(type, onPrint);
    };
  };
  return { subscribe, read: () => isPrinting };
}
