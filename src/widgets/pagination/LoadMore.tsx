import { useController } from '@data-client/react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { isDevelopment } from '../../isDevelopment.js';
import { useLatest } from '../../providers/useLatest.js';
import { warnOnce } from '../../warnOnce.js';
import { wrapText } from '../../wrapText.js';
import { type LoadedList, useAnnouncedRows } from '../list/ListContent.js';
import type { DetectedPage } from '../nextPage/detectNextPage.js';
import type { NextPage } from '../nextPage/NextPage.js';
import { useDelayedFlag } from '../shared/Delayed.js';
import { type ErrorSlotProps, ErrorText, useRetryOnline } from '../shared/ErrorView.js';
import { getFocused } from '../shared/focus.js';
import { useReportedRead } from '../shared/reportedRequests.js';
import { useAsyncAction } from '../shared/useAsyncAction.js';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';
import { bringsRows, findNextPage, loadNextPage, type SentPages, usePagedList } from './loadedPages.js';

/** With `scroll`, the next page is loaded when the end of the list is half a screen below the visible part. */
const PREFETCH_MARGIN = '0px 0px 50% 0px';

interface LoadMoreProps {
  list: LoadedList;
  /** @default detected from the response */
  next: NextPage | undefined;
  /** Loads the next page also when the end of the list comes near the visible part. */
  onScroll: boolean;
  renderError: ((failure: ErrorSlotProps) => ReactNode) | undefined;
}

/** The button below a list that appends its next page, and a note about what has been loaded. */
export function LoadMore({ list, next, onScroll, renderError }: LoadMoreProps): ReactNode {
  const { body, items, isPlaceholderData, labels } = list;
  const { hasNextPage, isComplete, mayLoadOnView, total, pending, error, announcement, arrivals, loadNext } =
    useNextPage(list, next);
  useReportedRead(error, list.endpoint);
  useRetryOnline(error, loadNext);
  const foot = useRef<HTMLDivElement>(null);
  const note = useRef<HTMLParagraphElement>(null);
  useRestoreFocus(foot, () => note.current);

  const showsPending = useDelayedFlag(pending);
  const waitsForView = onScroll && hasNextPage && mayLoadOnView && !error && !pending && !isPlaceholderData;
  const latestLoadNext = useLatest(loadNext);
  useEffect(() => {
    if (!waitsForView || !foot.current || typeof IntersectionObserver === 'undefined') return;
    // A new observer for each page reports at once whether the end is in view, so pages load until they fill the screen.
    const observer = new IntersectionObserver(
      entries => entries.some(entry => entry.isIntersecting) && latestLoadNext.current(),
      { rootMargin: PREFETCH_MARGIN },
    );
    observer.observe(foot.current);
    return () => observer.disconnect();
  }, [waitsForView, body, latestLoadNext]);

  const label = showsPending ? labels.loadingMore : labels.loadMore;
  const describeLoaded = () => (isComplete ? labels.allLoaded(items.length) : labels.someLoaded(items.length, total));
  const progress = () => announcement || (total !== undefined && describeLoaded());
  const noteText = useSettledText((hasNextPage ? progress() : items.length > 0 && describeLoaded()) || '', pending);
  const describeRows = () => {
    if (pending) return undefined;
    if (items.length === 0) return hasNextPage ? '' : list.emptyText;
    // The note is read when it gets the focus of the button.
    return note.current && getFocused(note.current) === note.current
      ? ''
      : noteText || labels.someLoaded(items.length, total);
  };
  useAnnouncedRows(list, describeRows, arrivals);
  return (
    <>
      {!hasNextPage && list.emptyView}
      <div ref={foot} className="dca-more" aria-busy={showsPending}>
        {error &&
          (wrapText(renderError?.({ error, of: 'page', retry: loadNext, pending })) ?? (
            <ErrorText error={error} labels={labels} />
          ))}
        {hasNextPage && (
          // Not `disabled`: a disabled button loses the focus.
          <button type="button" className="dca-button" aria-disabled={showsPending} onClick={loadNext}>
            {error ? labels.retry : label}
          </button>
        )}
        <p ref={note} className="dca-note" tabIndex={-1}>
          {noteText}
        </p>
      </div>
    </>
  );
}

/** The text, and while a page is on its way the one before: its rows would be counted before it is known that they are of a page. */
function useSettledText(text: string, isPending: boolean): string {
  const [settled, setSettled] = useState(text);
  if (!isPending && settled !== text) setSettled(text);
  return isPending ? settled : text;
}

interface NextPageLoader {
  /** False after the last page. True when the next page could not be found: a retry may find it. */
  readonly hasNextPage: boolean;
  /** True when all rows are loaded, by the word of the server or of the app's `next`. */
  readonly isComplete: boolean;
  /** True when the next page may be loaded without a press: the newest one brought new rows, and the newest fetch has not failed. */
  readonly mayLoadOnView: boolean;
  /** The number of rows in all pages, if the server says it, after the user's own changes. */
  readonly total: number | undefined;
  readonly pending: boolean;
  /** Why the last page could not be loaded, or the next one not be found. */
  readonly error: Error | undefined;
  /** Describes the last loaded page; empty before, and when rows have come or gone since. */
  readonly announcement: string;
  /** Counts how often a press has brought rows: a further page, or the list once more. */
  readonly arrivals: number;
  /** Loads the next page, also after an error. Does nothing while a page is loading. */
  readonly loadNext: () => void;
}

/** Finds the next page of a list and loads it. Without `next`, the next page is detected from the response. */
function useNextPage(list: LoadedList, next: NextPage | undefined): NextPageLoader {
  const { endpoint, source, params, body, items, isPlaceholderData, labels } = list;
  const controller = useController();
  const { list: paged, rows, hasFailed } = usePagedList(list);
  const { sent } = paged;
  const received = paged.rows.length;
  const { pending, error: loadError, run } = useAsyncAction();
  const [failedBody, setFailedBody] = useState<unknown>();
  /** The rows before the newest press and its pages, and the number of presses that have brought rows. */
  const [arrived, setArrived] = useState({ before: 0, arrivals: 0, sent: undefined as SentPages | undefined });
  const isLoading = useRef(false);

  const { found, more, isMissed, error: newNextError } = findNextPage(endpoint, { body, rows, received, sent }, next);
  const nextError = useSameError(newNextError);
  const total = found?.total === undefined ? undefined : found.total + rows.length - received;
  const isComplete = found?.state === 'end' && (total === undefined || rows.length >= total);
  const isSettled = !pending && !isPlaceholderData;
  const unclearEnd = isSettled
    ? found && describeUnclearEnd(found.state, isComplete && !isMissed, next, body, endpoint.paginationField)
    : undefined;
  useEffect(() => {
    if (unclearEnd) warnOnce(`GET ${endpoint.path} ${unclearEnd}`);
  }, [endpoint.path, unclearEnd]);

  // An error of it is in the store, and shown above the rows.
  const fetchAgain = () => (controller.fetch(endpoint, params) as Promise<unknown>).catch(() => {});
  const loadNext = async () => {
    // A second press, before `pending` is rendered, or of rows that another response is about to replace.
    if (isLoading.current || isPlaceholderData || (!more && !nextError)) return;
    isLoading.current = true;
    try {
      const loaded = await run(async () => {
        if (more) return loadNextPage({ controller, getList: source, params, found: more, fetchAgain }, rows);
        // The response has no usable link to the next page. A new one may have it.
        await fetchAgain();
        return undefined;
      });
      setArrived(({ arrivals }) => ({ before: items.length, arrivals: arrivals + 1, sent: loaded }));
    } catch {
      setFailedBody(body);
    }
    isLoading.current = false;
  };

  const isUnchanged = sent === arrived.sent && rows.length === received && items.length >= arrived.before;
  const announcement = useMemo(
    () => (isUnchanged ? labels.loaded(items.length - arrived.before, items.length, total) : ''),
    [isUnchanged, labels, items.length, arrived.before, total],
  );
  return {
    // While a page is on its way, its button stays.
    hasNextPage: more !== undefined || nextError !== undefined || pending,
    isComplete,
    mayLoadOnView: bringsRows(sent, received) && !hasFailed,
    total,
    pending,
    // An error counts for the response it came with: a list that has been fetched again, e.g. after a sign-in, shows none.
    error: nextError ?? (failedBody === body ? loadError : undefined),
    announcement,
    arrivals: arrived.arrivals,
    loadNext: () => void loadNext(),
  };
}

/** The same error object as long as its message is the same: it is logged and reported once. */
function useSameError(error: Error | undefined): Error | undefined {
  const [first, setFirst] = useState(error);
  if (first?.message === error?.message) return first;
  setFirst(error);
  return error;
}

/** Why no further page can be loaded although there may be one, for developers. Names the fields of the response, never their values. */
export function describeUnclearEnd(
  state: DetectedPage['state'],
  isComplete: boolean,
  next: NextPage | undefined,
  response: unknown,
  paginationField?: string,
): string | undefined {
  if (!isDevelopment) return undefined;
  const shape = Array.isArray(response) ? 'a bare list' : `an object with ${Object.keys(response ?? {}).join(', ')}`;
  if (state === 'unknown')
    return next
      ? `answered ${shape}, and the \`next\` prop of PaginatedList names a page that was loaded before. Check the prop, and whether the server reads its search param.`
      : `answered ${shape}, which does not say whether there are more rows, or how to get them. Tell PaginatedList by its \`next\` prop: nextPageNumber(), nextCursor(), nextLink(), or a function of your own.${paginationField === undefined ? '' : ` The resource's \`paginationField\` names the search param of a page only.`}`;
  return next && state === 'end' && !isComplete
    ? `answered ${shape}. It says that there are more rows, but the \`next\` prop of PaginatedList found no further page. Check the options of the prop.`
    : undefined;
}
