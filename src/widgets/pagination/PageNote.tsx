import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { findList, getListPath } from '../list/findList.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import type { LoadedList } from '../list/ListContent.js';
import { readPageOverview, type PageOverview } from './readPageOverview.js';
import { usePagePosition } from './usePagePosition.js';

interface PageNoteProps {
  list: LoadedList;
  page: number;
  /** The resource's `paginationField`. */
  field: string;
  /** The number of rows on a full page, as another page has shown it. */
  size: number | undefined;
  /** Called with what the response says about all pages. */
  onOverview: (overview: PageOverview) => void;
  /** Called when a row of the page was deleted, or another one has joined it: the server has moved rows between the pages. */
  onChanged: (isEmpty: boolean) => void;
}

/** Says which rows the page shows. */
export function PageNote({ list, page, field, size, onOverview, onChanged }: PageNoteProps): ReactNode {
  const { listKey, endpoint, body, isPlaceholderData, labels } = list;
  const { deleted, created } = usePagePosition(list);
  const rows = useMemo(() => findList(endpoint.schema, body), [endpoint, body]);
  const overview = useMemo(
    () => readPageOverview({ body, path: getListPath(endpoint.schema), rows, page, field, size }),
    [body, endpoint, rows, page, field, size],
  );
  const isEmpty = rows.length === 0;
  const hasChanged = deleted + created > 0 && !isPlaceholderData;

  const latest = useRef({ onOverview, onChanged });
  useBeforePaint(() => {
    latest.current = { onOverview, onChanged };
  });
  // Before the paint, so that the buttons appear with the rows.
  useBeforePaint(() => {
    if (!isPlaceholderData) latest.current.onOverview(overview);
  }, [isPlaceholderData, overview]);
  useEffect(() => {
    if (hasChanged) latest.current.onChanged(isEmpty);
  }, [listKey, hasChanged, isEmpty]);

  return (
    <div className="dca-more">
      <p role="status" className="dca-note">
        {!isEmpty && !isPlaceholderData && describeRows(overview, page, rows.length, labels)}
      </p>
    </div>
  );
}

function describeRows(
  { total, size, hasNext }: PageOverview,
  page: number,
  rows: number,
  labels: WidgetLabels,
): string {
  // All pages before the last one are full.
  const before = hasNext
    ? size === undefined
      ? undefined
      : (page - 1) * size
    : total === undefined
      ? undefined
      : total - rows;
  return total === undefined || before === undefined
    ? labels.page(page)
    : labels.shownRows(before + 1, before + rows, total);
}
