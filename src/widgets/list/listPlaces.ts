import { useController, type Controller } from '@data-client/react';
import { useLastReset } from '../../dataClient/useLastReset.js';

/** What a list saves for the user's return: how high its rows were, and where they were scrolled to. */
export interface ListPlace {
  /** The heights of the rows that had been measured, in pixels, by row key. */
  readonly sizes: ReadonlyMap<unknown, number>;
  /** The height of the other rows. */
  readonly estimate: number | undefined;
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
  const places = store.lists.get(listKey) ?? { latest: undefined, byEntry: new Map() };
  store.lists.set(listKey, places);
  return places;
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
export function getHistoryEntry(): string {
  const { navigation } = window as { navigation?: { currentEntry?: { key: string } | null } };
  if (navigation?.currentEntry) return navigation.currentEntry.key;
  const { key = '' } = (history.state ?? {}) as { key?: unknown };
  return `${location.href} ${String(key)}`;
}
