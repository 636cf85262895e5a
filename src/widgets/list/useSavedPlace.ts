import { useRef } from 'react';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { getHistoryEntry, type ListPlace, type ListPlaces } from './listPlaces.js';

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
 * @param toPlace Returns the place for a scroll position in pixels.
 */
export function useSavedPlace(
  places: ListPlaces,
  scroller: HTMLElement | Window | null,
  toPlace: (scrollTop: number) => ListPlace,
): void {
  const scrollTops = useRef(new Map<string, number>());
  const latestToPlace = useRef(toPlace);
  useBeforePaint(() => {
    latestToPlace.current = toPlace;
    const entry = getHistoryEntry();
    if (scroller && !scrollTops.current.has(entry)) scrollTops.current.set(entry, getScrollTop(scroller));
  });
  useBeforePaint(() => {
    const saveScrollTop = () => scroller && scrollTops.current.set(getHistoryEntry(), getScrollTop(scroller));
    scroller?.addEventListener('scroll', saveScrollTop, { passive: true });
    return () => scroller?.removeEventListener('scroll', saveScrollTop);
  }, [scroller]);
  useBeforePaint(
    () => () => {
      const left = getHistoryEntry();
      for (const [entry, scrollTop] of scrollTops.current) {
        places.latest = latestToPlace.current(scrollTop);
        if (entry !== left) places.byEntry.set(entry, places.latest);
      }
      scrollTops.current.clear();
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

/** The scroll position in pixels. */
export function getScrollTop(scroller: HTMLElement | Window): number {
  return scroller instanceof HTMLElement ? scroller.scrollTop : scroller.scrollY;
}
