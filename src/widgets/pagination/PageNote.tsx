import { useController, type Controller } from '@data-client/react';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { countDeleted, useStoredRecords } from '../../dataClient/deletions.js';
import { useResponseExpiry } from '../../dataClient/storedResponses.js';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { useLatest } from '../../providers/useLatest.js';
import { getOrCreate } from '../../getOrCreate.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { useAnnouncedRows, type LoadedList } from '../list/ListContent.js';
import { findList, findRowEntity, getListPath, keyOf, type RowKey } from '../shared/findList.js';
import { withoutSearch } from '../shared/resource.js';
import { readPageOverview, type PageOverview } from './pageOverview.js';

/** How many rows were deleted when a list was shown last, by store and path. It outlives the widget, as the pages do. */
const seenDeletions = new WeakMap<Controller, Map<string, number>>();

interface PageNoteProps {
  list: LoadedList;
  page: number;
  /** Identifies the list by its params. */
  source: string | null;
  /** The resource's `paginationField`. */
  field: string;
  /** What the responses have said about all pages. */
  known: PageOverview | undefined;
  /** Called with what the response says about all pages. */
  onOverview: (overview: PageOverview) => void;
  /** Called when a row was deleted, or one has joined the page: the server has moved rows between the pages. */
  onChanged: (isEmpty: boolean) => void;
}

/** Says which rows the page shows. */
export function PageNote({ list, page, source, field, known, onOverview, onChanged }: PageNoteProps): ReactNode {
  const { endpoint, listKey, body, isPlaceholderData, labels } = list;
  const rows = useMemo(() => findList(endpoint.schema, body), [endpoint, body]);
  const overview = useMemo(
    () => readPageOverview({ body, path: getListPath(endpoint.schema), rows, page, field, size: known?.size }),
    [body, endpoint, rows, page, field, known?.size],
  );
  const records = useStoredRecords(findRowEntity(endpoint.schema)?.key ?? '');
  const deletions = useMemo(() => countDeleted(records), [records]);
  const seen = getOrCreate(seenDeletions, useController(), () => new Map<string, number>());
  const path = withoutSearch(listKey);
  const isEmpty = rows.length === 0;
  const expiry = useResponseExpiry(listKey);
  const hasOtherRows = useHasOtherRows(list, rows, expiry);
  // A page whose rows were all deleted says nothing about the other pages until it has been fetched again.
  const isCurrent = !isPlaceholderData && !(isEmpty && (hasOtherRows || expiry <= 1));

  const latest = useLatest({ onOverview, onChanged });
  // Before the paint, so that the buttons appear with the rows. Also for other params that lead to the same response.
  useBeforePaint(() => {
    if (isCurrent) latest.current.onOverview(overview);
  }, [isCurrent, overview, source]);
  useEffect(() => {
    const isDeleted = deletions > (seen.get(path) ?? deletions);
    seen.set(path, deletions);
    if (isDeleted || hasOtherRows) latest.current.onChanged(isEmpty && !isPlaceholderData);
  }, [seen, path, page, deletions, hasOtherRows, isEmpty, isPlaceholderData, latest]);

  const note = isEmpty ? '' : describeRows(overview, page, rows.length, labels);
  // Says nothing yet about an empty page: the list may leave it for the page before, or its response may not be current.
  const isPassing = isEmpty && known?.hasNext;
  useAnnouncedRows(list, () => (isPassing ? undefined : note || list.emptyText));

  return (
    <>
      {!isPassing && list.emptyView}
      <div className="dca-more">
        <p className="dca-note">{!isPlaceholderData && note}</p>
      </div>
    </>
  );
}

/** Whether a row of the page was deleted, or another one has joined it, since the server has sent the page. */
function useHasOtherRows({ listKey, isPlaceholderData }: LoadedList, rows: readonly object[], expiry: number): boolean {
  const answer = `${listKey} ${expiry}`;
  const sent = useRef<{ answer: string; count: number; keys: ReadonlySet<RowKey> }>(undefined);
  if (sent.current?.answer !== answer) sent.current = { answer, count: rows.length, keys: new Set(rows.map(keyOf)) };
  const { count, keys } = sent.current;
  return !isPlaceholderData && (rows.length !== count || !rows.every(row => keys.has(keyOf(row))));
}

function describeRows(
  { total, size, hasNext }: PageOverview,
  page: number,
  rows: number,
  labels: WidgetLabels,
): string {
  if (total === undefined || (hasNext && size === undefined)) return labels.page(page);
  // All pages before the last one are full.
  const before = hasNext ? (page - 1) * size! : total - rows;
  return labels.shownRows(before + 1, before + rows, total);
}
