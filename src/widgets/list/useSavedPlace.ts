import { useRef } from 'react';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { getHistoryEntry, type ListPlace, type ListPlaces } from './listPlaces.js';

/**
 * Saves the place when the list goes away, for each history entry that has shown the list.
 *
 * The entry that is current then has replaced the list. A list that leaves and returns on one entry, like the content of a tab, is not
 * scrolled: the user may have scrolled to something else.
 *
 * @param readPlace Returns undefined as long as the list has not been measured.
 */
export function useSavedPlace(places: ListPlaces, readPlace: () => ListPlace | undefined): void {
  const entries = useRef(new Set<string>());
  const latestReadPlace = useRef(readPlace);
  useBeforePaint(() => {
    entries.current.add(getHistoryEntry());
    latestReadPlace.current = readPlace;
  });
  useBeforePaint(
    () => () => {
      const current = latestReadPlace.current();
      const left = getHistoryEntry();
      if (current) {
        places.latest = current;
        for (const entry of entries.current) if (entry !== left) places.byEntry.set(entry, current);
      }
      entries.current.clear();
    },
    [places],
  );
}

/** Scrolls to the saved place of the current history entry, once. Without one, nothing moves. */
export function scrollToSavedPlace({ byEntry }: ListPlaces, scroller: HTMLElement | Window, margin: number): void {
  const entry = getHistoryEntry();
  const place = byEntry.get(entry);
  if (!place) return;
  byEntry.delete(entry);
  // Not `auto`: a page with smooth scrolling would scroll through all rows.
  scroller.scrollTo({ top: margin + place.offset, behavior: 'instant' });
}
