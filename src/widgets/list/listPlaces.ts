import { useController, type Controller } from '@data-client/react';
import { useRef, type RefObject } from 'react';
import { useLastReset } from '../../dataClient/useLastReset.js';
import { getOrCreate } from '../../getOrCreate.js';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { useLatest } from '../../providers/useLatest.js';
import { getVisiblePart, isDisplayed, scrollToOffset } from './useScrollContainer.js';

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
export function scrollToSavedPlace({ byEntry }: ListPlaces, list: HTMLElement, scroller: HTMLElement | Window): void {
  const entry = getHistoryEntry();
  const place = byEntry.get(entry);
  if (!place) return;
  byEntry.delete(entry);
  scrollToOffset(list, scroller, place.offset);
}
