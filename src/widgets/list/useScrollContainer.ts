import { useRef, useState, type RefObject } from 'react';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { useLatest } from '../../providers/useLatest.js';
import { scrollToSavedPlace, type ListPlaces } from './listPlaces.js';

interface ScrollContainer {
  /** Null as long as the list has not been shown. */
  scroller: HTMLElement | Window | null;
  /** The distance from the start of the scrolled content to the list, in pixels. */
  margin: number;
}

const NO_CONTAINER: ScrollContainer = { scroller: null, margin: 0 };

/**
 * Finds what scrolls the list: an ancestor, or the window. Measures after each render, and when the size of the list or of an ancestor
 * changes: then the list has been shown, another element scrolls, or content above the list has grown.
 *
 * Scrolls to the saved place when the list is first shown.
 *
 * @param isNeeded False while all rows are in the document.
 */
export function useScrollContainer(
  list: RefObject<HTMLElement | null>,
  places: ListPlaces,
  isNeeded: boolean,
): ScrollContainer {
  const [container, setContainer] = useState(NO_CONTAINER);
  const returnedTo = useRef<ListPlaces>(undefined);

  const measure = () => {
    if (!isNeeded || !list.current || !isDisplayed(list.current)) return;
    const scroller = getScrollParent(list.current);
    const margin = getOffsetWithin(scroller, list.current);
    if (returnedTo.current !== places) scrollToSavedPlace(places, scroller, margin);
    returnedTo.current = places;
    if (scroller !== container.scroller || Math.abs(margin - container.margin) > 1) setContainer({ scroller, margin });
  };
  const latestMeasure = useLatest(measure);
  useBeforePaint(measure);
  useBeforePaint(() => {
    if (!isNeeded || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => latestMeasure.current());
    for (let element = list.current; element; element = element.parentElement) observer.observe(element);
    return () => observer.disconnect();
  }, [isNeeded, list]);

  return isNeeded ? container : NO_CONTAINER;
}

/** False in a closed dialog, and in everything else that is not displayed. */
export function isDisplayed(element: Element): boolean {
  return element.getClientRects().length > 0;
}

/** The distance in pixels from the start of the scrolled content to the element. It does not depend on the scroll position. */
function getOffsetWithin(scroller: HTMLElement | Window, element: Element): number {
  const { top } = element.getBoundingClientRect();
  if (isWindow(scroller)) return top + scroller.scrollY;
  return top - scroller.getBoundingClientRect().top - scroller.clientTop + scroller.scrollTop;
}

/** By a property: what a portal renders into another window or an `<iframe>` is not of this page's classes. */
export function isWindow(scroller: HTMLElement | Window): scroller is Window {
  return 'scrollY' in scroller;
}

/** The nearest ancestor that scrolls and is not as high as the list, else the window of the list. */
export function getScrollParent(element: Element): HTMLElement | Window {
  const { body, documentElement, defaultView } = element.ownerDocument;
  for (
    let ancestor = element.parentElement;
    ancestor && ancestor !== body && ancestor !== documentElement;
    ancestor = ancestor.parentElement
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
