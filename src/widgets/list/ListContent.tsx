import { useCallback, useEffect, useMemo, useRef, type ComponentType, type ReactNode, type RefObject } from 'react';
import { getPrimaryKey } from '../../dataClient/getPrimaryKey.js';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import type { WidgetActions } from '../actions/useItemActions.js';
import type { WidgetLabels } from '../labels/englishLabels.js';
import { hasFilter } from '../nextPage/pageParams.js';
import { wrapText } from '../../wrapText.js';
import { findList } from '../shared/findList.js';
import { UpdatingNote } from '../shared/Delayed.js';
import type { LooseEndpoint } from '../shared/resource.js';
import { usePreviousData, type PreviousData } from '../shared/usePreviousData.js';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';
import type { WidgetStatus } from '../shared/WidgetStatus.js';
import type { ListRowsProps, SharedRowProps } from './ListRows.js';
import type { ListOptions } from './ResourceListProps.js';
import { getScrollParent, isWindow } from './scrolling.js';

/** The data of a list, and its rows as far as they have been loaded. */
export interface LoadedList extends PreviousData {
  /** The key of the list and its params in the store. */
  readonly listKey: string;
  readonly items: readonly object[];
  /** The endpoint of one request. */
  readonly source: LooseEndpoint;
  /** Says that the list is empty; undefined while it has rows. Render it unless there is a next page. */
  readonly emptyView: ReactNode;
  /** The text for an empty list. */
  readonly emptyText: string;
  /** Announces what happens to the list. */
  readonly status: WidgetStatus;
  readonly labels: WidgetLabels;
}

interface ListContentProps extends Pick<LoadedList, 'endpoint' | 'source' | 'params' | 'labels' | 'status'> {
  list: ListOptions;
  actions: WidgetActions;
  region: RefObject<HTMLElement | null>;
  rows: ComponentType<ListRowsProps>;
  after: (list: LoadedList) => ReactNode;
}

/** Reads the list, and shows its rows or that it is empty. */
export function ListContent({
  list,
  actions,
  region,
  rows: Rows,
  after,
  labels,
  status,
  source,
  ...requested
}: ListContentProps): ReactNode {
  const { renderItem, renderError, getItemKey = getPrimaryKey } = list;
  const { mutations, states, run, pendingDeletions, confirmDeletion } = actions;
  const shown = usePreviousData(requested.endpoint, requested.params);
  const { endpoint, params, body, isPlaceholderData } = shown;
  const found = useMemo(() => findList(endpoint.schema, body), [endpoint, body]);
  const listKey = endpoint.key(params);
  useScrollToStart(region, listKey);
  // A row without a key uses its index, marked so that it is not another row's key.
  const getKey = useCallback((item: object, index: number) => getItemKey(item) || `#${index}`, [getItemKey]);
  const items = useMemo(
    () =>
      pendingDeletions.size === 0
        ? found
        : found.filter((item, index) => pendingDeletions.get(getKey(item, index))?.kind !== 'hidden'),
    [found, getKey, pendingDeletions],
  );
  // The boundary does not render when the last row goes away.
  useRestoreFocus(region, () => region.current);
  const slots: SharedRowProps = {
    mutations,
    endpoint,
    params,
    renderItem,
    renderError,
    labels,
    run,
    confirmDeletion,
  };

  const isFiltered = list.isFiltered ?? hasFilter(endpoint, params);
  const emptyText = isFiltered ? labels.noMatches : labels.empty;
  const emptyView =
    items.length === 0 ? (
      <EmptyView list={list} isFiltered={isFiltered} text={emptyText} isPlaceholderData={isPlaceholderData} />
    ) : undefined;

  return (
    <>
      <UpdatingNote isPlaceholderData={isPlaceholderData} labels={labels} announce={status.announceProgress} />
      {items.length > 0 && (
        <Rows
          isVirtual={list.virtual}
          listKey={listKey}
          items={items}
          getKey={getKey}
          states={states}
          pendingDeletions={pendingDeletions}
          slots={slots}
          isPlaceholderData={isPlaceholderData}
          region={region}
        />
      )}
      {after({ ...shown, listKey, source, items, emptyView, emptyText, labels, status })}
    </>
  );
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

/**
 * Announces the rows of a list when others have arrived.
 *
 * @param describe Returns the text. Called after each render, when the focus has moved. Undefined: not known yet. An empty text announces
 * nothing. @default the number of rows
 * @param arrivals Counts how often further rows have arrived for the same params.
 */
export function useAnnouncedRows(list: LoadedList, describe?: () => string | undefined, arrivals = 0): void {
  const { status, listKey, items, emptyText, isPlaceholderData, labels } = list;
  const isEmpty = items.length === 0;
  // No dependencies: if the list has suspended and announced “Loading…”, the same rows must be announced again.
  useEffect(() => {
    if (isPlaceholderData) return;
    const describeNumber = () => (isEmpty ? emptyText : labels.someLoaded(items.length, undefined));
    const text = (describe ?? describeNumber)();
    if (text !== undefined) status.announceContent(listKey, () => text, { isEmpty, arrivals });
  });
}

interface EmptyViewProps extends Pick<LoadedList, 'isPlaceholderData'> {
  list: ListOptions;
  isFiltered: boolean;
  text: string;
}

/** Shown in place of the rows: there are none, or none that match the filter. */
function EmptyView({ list, isFiltered, text, isPlaceholderData }: EmptyViewProps): ReactNode {
  const fallback = (
    <>
      {isFiltered ? SEARCH_PICTURE : TRAY_PICTURE}
      <p>{text}</p>
    </>
  );
  return (
    <div key={String(isFiltered)} className="dca-empty" aria-busy={isPlaceholderData}>
      {(typeof list.empty === 'function' ? wrapText(list.empty(isFiltered)) : list.empty) ?? fallback}
    </div>
  );
}

const PICTURE_PROPS = {
  width: 40,
  height: 40,
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.5,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  'aria-hidden': true,
} as const;

const TRAY_PICTURE = (
  <svg {...PICTURE_PROPS}>
    <path d="M3 13h5l1.5 3h5l1.5-3h5M6 5h12l3 8v5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-5z" />
  </svg>
);

const SEARCH_PICTURE = (
  <svg {...PICTURE_PROPS}>
    <circle cx="10.5" cy="10.5" r="6.5" />
    <path d="m15.5 15.5 5 5M8 10.5h5" />
  </svg>
);
