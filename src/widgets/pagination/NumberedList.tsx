import { type Controller, useController } from '@data-client/react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { countDeleted, expireSoon, useStoredRecords } from '../../dataClient/deletions.js';
import { useResponseExpiry } from '../../dataClient/storedResponses.js';
import { useLastReset } from '../../dataClient/useLastReset.js';
import { getOrCreate } from '../../getOrCreate.js';
import { isDevelopment } from '../../isDevelopment.js';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { useLatest } from '../../providers/useLatest.js';
import type { WidgetLabels } from '../labels/englishLabels.js';
import { useWidgetLabels } from '../labels/WidgetLabels.js';
import { ListBase } from '../list/ListBase.js';
import { type LoadedList, useAnnouncedRows } from '../list/ListContent.js';
import type { ListOptions } from '../list/ResourceListProps.js';
import type { NextPage } from '../nextPage/NextPage.js';
import { fieldKind } from '../nextPage/pageParams.js';
import { ErrorView } from '../shared/ErrorView.js';
import { findList, findRowEntity, getListPath, keyOf, type RowKey } from '../shared/findList.js';
import { type LooseEndpoint, type LooseParams, paramsKey, useStableParams, withoutSearch } from '../shared/resource.js';
import { PageNavigation } from './PageNavigation.js';
import { type PageOverview, readPageOverview } from './pageOverview.js';

interface NumberedListProps {
  list: ListOptions;
  /** @default the list's own state */
  page?: number | undefined;
  onPageChange?: ((page: number) => void) | undefined;
  /** @default the number, as `paginationField` or as `page` */
  next: NextPage | undefined;
}

/** A list that shows one page at a time. Each page is a list of its own in the store. */
export function NumberedList({ list, page: pageOfApp, onPageChange, next }: NumberedListProps): ReactNode {
  const controller = useController();
  const endpoint = list.resource.useGetList() as LooseEndpoint;
  const params = useStableParams(list.params);
  const labels = useWidgetLabels(list.labels);
  const field = endpoint.paginationField ?? 'page';
  const toSearch = (number: number) => searchOf(number, endpoint.paginationField, next);

  // Other params show the first page of another list.
  const source = params && paramsKey(params);
  const [own, setOwn] = useState({ source, page: 1 });
  const chosen = pageOfApp ?? (own.source === source ? own.page : 1);
  // The app's number may come from a URL that anybody can write.
  const page = Number.isSafeInteger(chosen) && chosen > 0 ? chosen : 1;
  const lastReset = useLastReset();
  const [known, setKnown] = useState<{ overview: PageOverview; source: string | null; lastReset: unknown }>();
  // What was known before the store was emptied is not for the user who has signed in.
  const overview = known?.lastReset === lastReset ? known?.overview : undefined;

  const goTo = (next: number) => {
    setOwn({ source, page: next });
    onPageChange?.(next);
  };
  const keyOfPage = (number: number) => endpoint.key({ ...params, ...toSearch(number) });
  /** True for the pages of this list, also with another filter. */
  const testPage = (key: string) => withoutSearch(key) === withoutSearch(keyOfPage(page));
  const showChangedPages = (isEmpty: boolean) => {
    const leftKey = isEmpty && page > 1 ? keyOfPage(page) : undefined;
    // A page that is left is not fetched again: there may be none any more.
    expireSoon(controller, key => testPage(key) && key !== leftKey);
    if (leftKey) goTo(page - 1);
  };

  const options = page > 1 ? toListOfFurtherPage(list, labels) : list;
  return (
    <>
      <ListBase
        list={options}
        page={{
          search: toSearch(page),
          expire: () => controller.expireAll({ testKey: testPage }),
          invalidate: () => controller.invalidateAll({ testKey: testPage }),
        }}
        after={loaded => (
          <PageNote
            list={loaded}
            page={page}
            source={source}
            field={field}
            known={overview}
            onOverview={newest => setKnown({ overview: newest, source, lastReset })}
            onChanged={showChangedPages}
          />
        )}
      />
      <PageNavigation
        page={page}
        overview={overview}
        isOutdated={overview !== undefined && known?.source !== source}
        label={list.label}
        labels={labels}
        goTo={goTo}
      />
    </>
  );
}

/** A page after the first one may be empty, or gone: that has a text of its own, and does not mean that the list is empty. */
function toListOfFurtherPage(list: ListOptions, labels: WidgetLabels): ListOptions {
  const { emptyPage } = labels;
  return {
    ...list,
    isFiltered: false,
    empty: <p>{emptyPage}</p>,
    renderError: failure =>
      list.renderError?.(failure) ??
      (failure.of === 'read' ? <ErrorView {...failure} labels={labels} notFound={emptyPage} /> : undefined),
    labels: { ...list.labels, empty: emptyPage },
  };
}

/** The search params of a page. @throws an error when neither the field nor `next` says them. */
function searchOf(page: number, field: string | undefined, next: NextPage | undefined): LooseParams {
  const before = {
    body: {},
    items: [],
    pages: page - 1,
    offset: NaN,
    lastPageSize: Infinity,
    lastKey: undefined,
    field,
  };
  const search = next ? next(before) : fieldKind(field ?? 'page') === 'page' && { [field ?? 'page']: page };
  if (search) return search;
  throw new Error(
    isDevelopment
      ? `<PaginatedList paginated="pages"> needs page numbers, and ${next ? '`next` finds none without the answer before' : `the paginationField of the resource is \`${field}\``}. Say how a page is requested: next={({ pages }) => ({ offset: pages * 20, limit: 20 })}.`
      : `The paginationField ${field} names no page numbers.`,
  );
}

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
function PageNote({ list, page, source, field, known, onOverview, onChanged }: PageNoteProps): ReactNode {
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
