import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { countDeleted, useStoredRecords } from '../../dataClient/deletions.js';
import { useResponseExpiry } from '../../dataClient/storedResponses.js';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { useLatest } from '../../providers/useLatest.js';
import { findList, findRowEntity, getListPath } from '../list/findList.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { useAnnouncedRows, type LoadedList } from '../list/ListContent.js';
import { keyOf, type RowKey } from './compareRows.js';
import { detectAnotherPage, PAGE_COUNT, TOTAL } from './detectNextPage.js';
import { fieldKind, RELATIVE_BASE } from './NextPage.js';
import { findNumber, readPageFacts, toWholeNumber, type PageFacts } from './pageFacts.js';

/** The pages of one list that were shown. */
export class ShownPages {
  readonly #keys = new Set<string>();
  #deletions: number | undefined;

  /** The keys of the pages in the store. */
  get keys(): readonly string[] {
    return [...this.#keys];
  }

  /** Remembers a page. True if rows were deleted since the last call, also while the list was not shown. */
  noteShown(key: string, deletions: number): boolean {
    this.#keys.add(key);
    const isDeleted = deletions > (this.#deletions ?? deletions);
    this.#deletions = deletions;
    return isDeleted;
  }
}

interface PageNoteProps {
  list: LoadedList;
  page: number;
  /** The key of the page in the store. Until it is loaded, the list has the rows of another one. */
  pageKey: string;
  pages: ShownPages;
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
export function PageNote({
  list,
  page,
  pageKey,
  pages,
  field,
  known,
  onOverview,
  onChanged,
}: PageNoteProps): ReactNode {
  const { endpoint, listKey, body, isPlaceholderData, labels } = list;
  const rows = useMemo(() => findList(endpoint.schema, body), [endpoint, body]);
  const overview = useMemo(
    () => readPageOverview({ body, path: getListPath(endpoint.schema), rows, page, field, size: known?.size }),
    [body, endpoint, rows, page, field, known?.size],
  );
  const records = useStoredRecords(findRowEntity(endpoint.schema)?.key ?? '');
  const deletions = useMemo(() => countDeleted(records), [records]);
  const isEmpty = rows.length === 0;
  const expiry = useResponseExpiry(listKey);
  const hasOtherRows = useHasOtherRows(list, rows, expiry);
  // A page whose rows were all deleted says nothing about the other pages until it has been fetched again.
  const isCurrent = !isPlaceholderData && !(isEmpty && (hasOtherRows || expiry <= 1));

  const latest = useLatest({ onOverview, onChanged });
  // Before the paint, so that the buttons appear with the rows.
  useBeforePaint(() => {
    if (isCurrent) latest.current.onOverview(overview);
  }, [isCurrent, overview]);
  useEffect(() => {
    const isDeleted = pages.noteShown(pageKey, deletions);
    if (isDeleted || hasOtherRows) latest.current.onChanged(isEmpty && !isPlaceholderData);
  }, [pages, pageKey, deletions, hasOtherRows, isEmpty, isPlaceholderData, latest]);

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

/** What the response of one page says about all pages. */
export interface PageOverview {
  /** The number of pages, if the server says it, or what it says leads to it. */
  readonly count: number | undefined;
  /** The number of rows on all pages, if the server says it. */
  readonly total: number | undefined;
  /** The number of rows on a full page, if it is known. */
  readonly size: number | undefined;
  /** False on the last page. True if nothing says whether there are more: the next page may then be empty. */
  readonly hasNext: boolean;
}

interface NumberedPage {
  readonly body: unknown;
  /** The fields that lead from the response to its rows; empty for a bare list. */
  readonly path: readonly string[];
  readonly rows: readonly object[];
  /** From 1. */
  readonly page: number;
  /** The resource's `paginationField`. */
  readonly field: string;
  /** The number of rows on a full page, as another page has shown it. */
  readonly size: number | undefined;
}

const PAGE_SIZE = ['perpage', 'pagesize', 'itemsperpage', 'limit', 'size'];

/** Reads the number of pages from a response: a count of pages, a link to the last page, or a count of rows. */
export function readPageOverview({ body, path, rows, page, field, size: seenSize }: NumberedPage): PageOverview {
  const facts = readPageFacts(body, path);
  const saidSize = findNumber(facts, PAGE_SIZE) ?? seenSize;
  // A full page has at least as many rows as this one.
  const received = (page - 1) * (saidSize ?? rows.length) + rows.length;
  const next = detectAnotherPage({ body, path, items: rows, field, pages: page, received });
  const isEnd = next.state === 'end';
  const isFull = (next.state === 'more' && next.by === 'link') || (page === 1 && !isEnd);
  const size = saidSize ?? (isFull ? rows.length : undefined);
  const total = findNumber(facts, TOTAL) ?? next.total;
  const count =
    findNumber(facts, PAGE_COUNT) ??
    pageOfLastLink(facts, field) ??
    (total !== undefined && size ? Math.max(1, Math.ceil(total / size)) : undefined) ??
    // A page beyond the last one ends the list, too, but does not count.
    (isEnd && rows.length > 0 ? page : undefined);
  return { count, total, size, hasNext: count === undefined ? !isEnd : page < count };
}

/** JSON:API, Laravel and others send a link to the last page. */
function pageOfLastLink(facts: PageFacts, field: string): number | undefined {
  if (fieldKind(field) !== 'page') return undefined;
  const links = ['last', 'lastpageurl'].map(name => facts.get(name)?.value);
  const link = links.find(value => typeof value === 'string' && URL.canParse(value, RELATIVE_BASE)) as
    string | undefined;
  return link === undefined ? undefined : toWholeNumber(new URL(link, RELATIVE_BASE).searchParams.get(field));
}
