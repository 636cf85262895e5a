// The rows are a list and not a `feed`: the articles of a feed need labels, and the kit cannot know labels for the
// app's rows. Positions and keys follow the feed pattern of the ARIA Authoring Practices.
import {
  observeElementOffset,
  observeElementRect,
  observeWindowOffset,
  observeWindowRect,
  useVirtualizer,
  type VirtualItem,
} from '@tanstack/react-virtual';
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useCallback,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';
import { ListRow, type ListRowsProps } from './ListRows.js';
import {
  findPlace,
  getVisiblePart,
  isDisplayed,
  isWindow,
  type ListPlace,
  type ListPlaces,
  scrollToOffset,
  useListPlaces,
  useSavedPlace,
  useScrollContainer,
} from './scrolling.js';

/** How many rows on each side of the focused one stay in the document, so that Tab finds them. */
const NEIGHBOURS = 2;

/** What the user has typed may be in these and nowhere else. */
const FIELD = 'input, textarea, select, [contenteditable]';

/** In these elements Page Up and Page Down have a meaning of their own. */
const USES_PAGE_KEYS =
  'textarea, select, [contenteditable], [role="textbox"], [role="listbox"], [role="slider"], input[type="number"], input[type="range"]';

/**
 * The rows of a list of any length. Each says its position (`aria-posinset`). With `isVirtual`, only those near the visible part are in the
 * document.
 *
 * The focused row and its neighbours stay in the document, and so do the first and the last row. So Tab, Page Down and
 * Page Up reach every row. Rows in which the user has typed stay as well.
 */
export function VirtualRows({
  isVirtual = false,
  listKey,
  items,
  getKey,
  states,
  pendingDeletions,
  slots,
  isPlaceholderData,
  region,
}: ListRowsProps): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  const keys = useRowKeys(items, getKey);
  const [tabStop, setTabStop] = useTabStop(listKey, keys);
  const [typedRows, rememberTyping] = useTypedRows(list, keys);
  const near = Array.from({ length: 2 * NEIGHBOURS + 1 }, (_, step) => tabStop - NEIGHBOURS + step);
  const places = useListPlaces(listKey);
  const pinnedIndexes = [0, ...near, ...typedRows, items.length - 1];
  const { rows, measure } = useVirtualRows({ isVirtual, list, keys, pinnedIndexes, places });

  useRestoreFocus(list, () => getRow(list.current, tabStop) ?? region.current);

  const rememberRow = ({ target }: FocusEvent) => setTabStop(getRowIndex(list.current, target));

  const moveFocus = (event: KeyboardEvent) => {
    const step = { PageDown: 1, PageUp: -1 }[event.key];
    const from = getRowIndex(list.current, event.target as Element);
    if (!step || from < 0 || event.defaultPrevented || (event.target as Element).matches(USES_PAGE_KEYS)) return;
    const next = getRow(list.current, from + step);
    // At either end the keys scroll, as everywhere else.
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  return (
    // The rows have the focus; their events bubble up to the list.
    <ul
      ref={list}
      className="dca-items"
      aria-busy={isPlaceholderData}
      onFocus={rememberRow}
      onInput={rememberTyping}
      onKeyDown={moveFocus}
    >
      {rows.map(({ index, gap }) => {
        const item = items[index] as object;
        const key = keys[index] as string;
        return (
          <ListRow
            key={key}
            rowKey={key}
            item={item}
            state={states.get(key)}
            pendingDeletion={pendingDeletions.get(key)}
            index={index}
            count={items.length}
            gap={gap}
            tabIndex={index === tabStop ? 0 : -1}
            measure={measure}
            {...slots}
          />
        );
      })}
    </ul>
  );
}

/** The index of the row that contains the element; -1 for none. */
function getRowIndex(list: Element | null, inside: Element): number {
  const row = [...(list?.children ?? [])].find(child => child.contains(inside));
  return Number(row?.getAttribute('data-index') ?? -1);
}

function getRow(list: Element | null, index: number): HTMLElement | null | undefined {
  return list?.querySelector<HTMLElement>(`:scope > [data-index="${index}"]`);
}

/**
 * The index of the row that Tab reaches: the one that has the focus, or had it last. When this row goes away, it is the row that has taken
 * its place. Another list starts with its first row.
 */
function useTabStop(listKey: string, keys: readonly string[]): [number, (index: number) => void] {
  const [visited, setVisited] = useState<{ listKey: string; index: number; key: string }>();
  const visit = (index: number) => index >= 0 && setVisited({ listKey, index, key: keys[index] as string });
  if (!visited) return [0, visit];
  let { index } = visited;
  if (keys[index] !== visited.key) {
    const inPlace = visited.listKey === listKey ? Math.min(index, keys.length - 1) : 0;
    const found = keys.indexOf(visited.key);
    index = found < 0 ? inPlace : found;
  }
  // In render, so that the index is that of the rows that are shown now: it counts when the row goes away later.
  if (keys[visited.index] !== visited.key || visited.listKey !== listKey) visit(index);
  return [index, visit];
}

/**
 * The indexes of the rows in which the user has typed. A row is left out when it has no field any more: its form was sent or closed. This
 * is looked up when the user types in another row.
 */
function useTypedRows(
  list: RefObject<HTMLElement | null>,
  keys: readonly string[],
): [readonly number[], (event: SyntheticEvent) => void] {
  const [typed, setTyped] = useState<ReadonlySet<string>>(() => new Set());
  const indexes = useMemo(
    () => (typed.size === 0 ? [] : keys.flatMap((key, index) => (typed.has(key) ? [index] : []))),
    [keys, typed],
  );
  const remember = ({ target }: SyntheticEvent) => {
    const added = getRowIndex(list.current, target as Element);
    if (added < 0 || indexes.includes(added)) return;
    const open = indexes.filter(index => getRow(list.current, index)?.querySelector(FIELD));
    setTyped(new Set([...open, added].map(index => keys[index] as string)));
  };
  return [indexes, remember];
}

type GetKey = (item: object, index: number) => string;

/** The keys of the rows. After an append, computes only those of the new rows. */
function useRowKeys(items: readonly object[], getKey: GetKey): readonly string[] {
  const last = useRef<{ items: readonly object[]; getKey: GetKey; keys: readonly string[] }>(undefined);
  return useMemo(() => {
    const { current } = last;
    const known = current?.getKey === getKey ? current.keys : [];
    const count = current ? countSame(current.items, items) : 0;
    // Not `push`, which reserves memory for further keys: this array does not grow.
    const keys = items.map((item, index) => (index < count && known[index]) || getKey(item, index));
    last.current = { items, getKey, keys };
    return keys;
  }, [items, getKey]);
}

/**
 * The number of rows at the start that are the same objects in both lists. The store keeps the object of a row that has not changed, so after
 * an append this is the length of the list before, and what was found out about those rows still holds.
 */
function countSame(before: readonly object[], after: readonly object[]): number {
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && before[same] === after[same]) same++;
  return same;
}

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
function useVirtualRows({ isVirtual, list, keys, pinnedIndexes, places }: VirtualRowsOptions): VirtualRows {
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
