import { useController, type Controller } from '@data-client/react';
import { useRef, useState, type RefObject } from 'react';
import { useLastReset } from '../../dataClient/useLastReset.js';
import { getOrCreate } from '../../getOrCreate.js';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { useLatest } from '../../providers/useLatest.js';
import { getParent } from '../shared/focus.js';

/** How the list is laid out. */
interface ScrollContainer {
  /** Null as long as the list has not been shown. */
  readonly scroller: HTMLElement | Window | null;
  /** The space between rows, in pixels. */
  readonly rowGap: number;
  /** False when rows are side by side, or the list is not virtual. */
  readonly isColumn: boolean;
}

/**
 * Finds what scrolls the list: an ancestor, or the window. Measures after each render, and when the size of the list or of an ancestor
 * changes: then the list has been shown, another element scrolls, or content above the list has grown.
 *
 * Scrolls to the saved place when the list is first shown.
 *
 * @param onMeasured Called after each measurement of a shown list.
 */
export function useScrollContainer(
  list: RefObject<HTMLElement | null>,
  places: ListPlaces,
  isVirtual: boolean,
  onMeasured: () => void,
): ScrollContainer {
  const [container, setContainer] = useState<ScrollContainer>({ scroller: null, rowGap: 0, isColumn: isVirtual });
  const returnedTo = useRef<ListPlaces>(undefined);
  const width = useRef(0);

  const measure = () => {
    if (!list.current || !isDisplayed(list.current)) return;
    const scroller = getScrollParent(list.current);
    if (returnedTo.current !== places) scrollToSavedPlace(places, list.current, scroller);
    returnedTo.current = places;
    const rowGap = getRowGap(list.current);
    // Rows that were side by side are not looked at again before the width changes: fewer rows might be one below the other.
    const mayBeColumn = isVirtual && (container.isColumn || width.current !== list.current.offsetWidth);
    const isColumn = mayBeColumn && hasOneColumn(list.current);
    width.current = list.current.offsetWidth;
    if (scroller !== container.scroller || rowGap !== container.rowGap || isColumn !== container.isColumn)
      setContainer({ scroller, rowGap, isColumn });
    onMeasured();
  };
  const latestMeasure = useLatest(measure);
  useBeforePaint(measure);
  useBeforePaint(() => {
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => latestMeasure.current());
    for (let element = list.current; element; element = getParent(element)) observer.observe(element);
    return () => observer.disconnect();
  }, [list]);

  return container;
}

/** False in a closed dialog, and in everything else that is not displayed. */
export function isDisplayed(element: Element): boolean {
  return element.getClientRects().length > 0;
}

/** The part of the list that its scroller shows, in the list's own pixels: `zoom` and `transform` change nothing. */
export function getVisiblePart(
  list: HTMLElement,
  scroller: HTMLElement | Window,
): { /** How far the part begins below the start of the list. */ offset: number; height: number } {
  const { top, height } = isWindow(scroller)
    ? { top: 0, height: scroller.innerHeight }
    : scroller.getBoundingClientRect();
  const scale = getScale(list);
  return { offset: (top - list.getBoundingClientRect().top) / scale, height: height / scale };
}

/** Scrolls until the visible part begins at the offset, in the list's own pixels. */
export function scrollToOffset(list: HTMLElement, scroller: HTMLElement | Window, offset: number): void {
  const ratio = getScale(list) / (isWindow(scroller) ? 1 : getScale(scroller));
  // `offsetHeight` is rounded, and a long list makes the difference large.
  const factor = Math.abs(ratio - 1) < 0.01 ? 1 : ratio;
  // Not `auto`: a page with smooth scrolling would scroll through all rows.
  scroller.scrollBy({ top: (offset - getVisiblePart(list, scroller).offset) * factor, behavior: 'instant' });
}

/** The pixels of the window that are one of the element's own. */
function getScale(element: HTMLElement): number {
  return element.getBoundingClientRect().height / element.offsetHeight || 1;
}

function getRowGap(list: HTMLElement): number {
  const { display, rowGap } = getComputedStyle(list);
  return (/flex|grid/.test(display) && parseFloat(rowGap)) || 0;
}

/** False for a grid of several columns, and for everything else that has rows side by side. */
function hasOneColumn(list: HTMLElement): boolean {
  const rows = [...list.children] as HTMLElement[];
  return rows.every((row, index) => {
    const before = rows[index - 1];
    return !before || row.offsetTop >= before.offsetTop + before.offsetHeight / 2;
  });
}

/** By a property: what a portal renders into another window or an `<iframe>` is not of this page's classes. */
export function isWindow(scroller: HTMLElement | Window): scroller is Window {
  return 'scrollY' in scroller;
}

/** The nearest ancestor that scrolls and is not as high as the list, else the window of the list. */
export function getScrollParent(element: Element): HTMLElement | Window {
  const { body, documentElement, defaultView } = element.ownerDocument;
  for (
    let ancestor = getParent(element);
    ancestor && ancestor !== body && ancestor !== documentElement;
    ancestor = getParent(ancestor)
  ) {
    // Not by its `scrollHeight`: a menu that hangs out of an ancestor with `overflow-x: auto` makes it no scroller of the list.
    if (
      /^(auto|scroll|overlay)$/.test(getComputedStyle(ancestor).overflowY) &&
      ancestor.clientHeight < element.clientHeight
    )
      return ancestor;
  }
  return defaultView ?? window;
}

/** What a list saves for the user's return: how high its rows were, and where they were scrolled to. */
export interface ListPlace {
  /** The heights of the rows that had been measured, in pixels, by row key. */
  readonly sizes: ReadonlyMap<unknown, number>;
  /** The height of the other rows. */
  readonly estimate: number | undefined;
  readonly rowGap: number;
  /** The distance in pixels from the start of the list to the start of the visible part. */
  readonly offset: number;
}

/** The places of one list. */
export interface ListPlaces {
  latest: ListPlace | undefined;
  /** The heights are saved for each entry too: with those of a later visit, the same offset would be at another row. */
  readonly byEntry: Map<string, ListPlace>;
}

interface StorePlaces {
  readonly lastReset: unknown;
  readonly lists: Map<string, ListPlaces>;
}

/** By store, so that another identity finds no place. Places outlive the widget, as the rows do. */
const placesByStore = new WeakMap<Controller, StorePlaces>();

/** The places of the list with this key: the same object until the store is emptied. */
export function useListPlaces(listKey: string): ListPlaces {
  const controller = useController();
  const lastReset = useLastReset();
  let store = placesByStore.get(controller);
  if (store?.lastReset !== lastReset) store = undefined;
  store ??= { lastReset, lists: new Map() };
  placesByStore.set(controller, store);
  return getOrCreate(store.lists, listKey, () => ({ latest: undefined, byEntry: new Map() }));
}

/** The place of the current history entry, else the latest one. */
export function findPlace({ latest, byEntry }: ListPlaces): ListPlace | undefined {
  // Nothing is saved on a server, where there is no history.
  return byEntry.size === 0 ? latest : (byEntry.get(getHistoryEntry()) ?? latest);
}

/**
 * The entry of the browser's history that is shown now. Back and Forward return to the same entry. A link makes a new one.
 *
 * Browsers without the Navigation API tell entries apart by their URL, and by the key that most routers keep in the state.
 */
function getHistoryEntry(): string {
  const { navigation } = window as { navigation?: { currentEntry?: { key: string } | null } };
  if (navigation?.currentEntry) return navigation.currentEntry.key;
  const { key = '' } = (history.state ?? {}) as { key?: unknown };
  return `${location.href} ${String(key)}`;
}

/**
 * Saves the place when the list goes away, for each history entry that has shown the list.
 *
 * Each entry keeps the scroll position that it had while it was current. A router that loads data shows the list for some time after Back,
 * and the browser has already scrolled to the place of the page that comes next.
 *
 * The entry that is current at the end has replaced the list. A list that leaves and returns on one entry, like the content of a tab, is
 * not scrolled: the user may have scrolled to something else.
 *
 * @param scroller null as long as the list has not been measured.
 * @param toPlace Returns the place for an offset in the list's pixels.
 */
export function useSavedPlace(
  places: ListPlaces,
  list: RefObject<HTMLElement | null>,
  scroller: HTMLElement | Window | null,
  toPlace: (offset: number) => ListPlace,
): void {
  const offsets = useRef(new Map<string, number>());
  const latestToPlace = useLatest(toPlace);
  const saveOffset = () => {
    if (scroller && list.current && isDisplayed(list.current))
      offsets.current.set(getHistoryEntry(), getVisiblePart(list.current, scroller).offset);
  };
  const latestSaveOffset = useLatest(saveOffset);
  useBeforePaint(() => {
    if (!offsets.current.has(getHistoryEntry())) saveOffset();
  });
  useBeforePaint(() => {
    // Another scroller: the position in the one before no longer counts.
    latestSaveOffset.current();
    const onScroll = () => latestSaveOffset.current();
    scroller?.addEventListener('scroll', onScroll, { passive: true });
    return () => scroller?.removeEventListener('scroll', onScroll);
  }, [scroller, latestSaveOffset]);
  useBeforePaint(
    () => () => {
      const left = getHistoryEntry();
      for (const [entry, offset] of offsets.current) {
        places.latest = latestToPlace.current(offset);
        if (entry !== left) places.byEntry.set(entry, places.latest);
      }
      offsets.current.clear();
    },
    [places],
  );
}

/** Scrolls to the saved place of the current history entry, once. Without one, nothing moves. */
function scrollToSavedPlace({ byEntry }: ListPlaces, list: HTMLElement, scroller: HTMLElement | Window): void {
  const entry = getHistoryEntry();
  const place = byEntry.get(entry);
  if (!place) return;
  byEntry.delete(entry);
  scrollToOffset(list, scroller, place.offset);
}
