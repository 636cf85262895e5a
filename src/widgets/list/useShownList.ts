import { useEffect, useMemo, useRef, type RefObject } from 'react';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { findList } from '../shared/findList.js';
import type { LooseEndpoint, LooseParams } from '../shared/resource.js';
import { usePreviousData, type PreviousData } from '../shared/usePreviousData.js';
import { getScrollParent, isWindow } from './useScrollContainer.js';

/** A list as it is shown, maybe with the data of a previous request. */
export interface ShownList extends PreviousData {
  /** The key of the list and its params in the store. */
  readonly listKey: string;
}

/** Reads a list. Its rows are in `found`. @param region The element around the list. */
export function useShownList(
  endpoint: LooseEndpoint,
  params: LooseParams,
  region: RefObject<HTMLElement | null>,
): ShownList & { found: readonly object[] } {
  const shown = usePreviousData(endpoint, params);
  const { schema } = shown.endpoint;
  const found = useMemo(() => findList(schema, shown.body), [schema, shown.body]);
  const listKey = shown.endpoint.key(shown.params);
  useScrollToStart(region, listKey);
  return { ...shown, found, listKey };
}

/**
 * Scrolls to the start of the list when it shows other rows, such as the next page, and its start is above the visible part. After Back and
 * Forward nothing moves: the browser or the app restores the place.
 */
function useScrollToStart(region: RefObject<HTMLElement | null>, listKey: string): void {
  const shownKey = useRef(listKey);
  const isRestored = useRef(false);
  useEffect(() => {
    // When the user goes on, the next change is no longer that of Back or Forward, which may have changed nothing in this list.
    const types = ['popstate', 'click', 'input'];
    const onEvent = ({ type }: Event) => void (isRestored.current = type === 'popstate');
    for (const type of types) window.addEventListener(type, onEvent, true);
    return () => {
      for (const type of types) window.removeEventListener(type, onEvent, true);
    };
  }, []);
  useBeforePaint(() => {
    if (shownKey.current === listKey) return;
    shownKey.current = listKey;
    const list = region.current;
    if (list && !isRestored.current && list.getBoundingClientRect().top < getVisibleTop(list))
      // Not `auto`: a page with smooth scrolling would scroll through all rows.
      list.scrollIntoView({ block: 'start', behavior: 'instant' });
    isRestored.current = false;
  }, [region, listKey]);
}

/** Where the visible part begins, in pixels from the top of the window. */
function getVisibleTop(list: HTMLElement): number {
  const scroller = getScrollParent(list);
  return isWindow(scroller) ? 0 : scroller.getBoundingClientRect().top;
}
