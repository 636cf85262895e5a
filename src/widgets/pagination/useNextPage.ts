import { useController } from '@data-client/react';
import { useEffect, useRef, useState } from 'react';
import { isDevelopment } from '../../isDevelopment.js';
import { warnOnce } from '../../warnOnce.js';
import { failureKind, getErrorStatus } from '../labels/failureKind.js';
import type { LoadedList } from '../list/ListContent.js';
import {
  detectAnotherPage,
  detectNextPage,
  findTotal,
  type DetectedPage,
  type PageSearch,
} from '../nextPage/detectNextPage.js';
import type { NextPage } from '../nextPage/NextPage.js';
import { findList, getListPath } from '../shared/findList.js';
import { useAsyncAction } from '../shared/useAsyncAction.js';
import { loadPage, type LoadedPage } from './loadPage.js';
import { usePagePosition, type PagePosition } from './usePagePosition.js';

interface NextPageLoader {
  /** False after the last page. True when the next page could not be found: a retry may find it. */
  readonly hasNextPage: boolean;
  /** True when all rows are loaded, by the word of the server or of the app's `next`. */
  readonly isComplete: boolean;
  /** True when the next page may be loaded without a press: the newest one brought new rows. */
  readonly mayLoadOnView: boolean;
  /** The number of rows in all pages, if the server says it, after the user's own changes. */
  readonly total: number | undefined;
  readonly pending: boolean;
  /** True when a deletion has held up the page: call `loadNext` once more. */
  readonly isHeldUp: boolean;
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
export function useNextPage(list: LoadedList, next: NextPage | undefined): NextPageLoader {
  const { endpoint, params, body, items, isPlaceholderData, labels } = list;
  const controller = useController();
  const position = usePagePosition(list);
  const { pending, error: loadError, run } = useAsyncAction();
  const [failedBody, setFailedBody] = useState<unknown>();
  const [announced, setAnnounced] = useState({ text: '', rows: 0, arrivals: 0 });
  const isLoading = useRef(false);
  const hasStartedOver = useRef(false);
  const [isHeldUp, setIsHeldUp] = useState(false);

  const { found, isMissed, error: newNextError } = findNextPage(list, next, position);
  const nextError = useSameError(newNextError);
  const search = found?.state === 'more' ? found.search : undefined;
  const total = found?.total === undefined ? undefined : found.total - position.deleted + position.created;
  const isComplete = found?.state === 'end' && (total === undefined || position.rows >= total);
  const isSettled = !pending && !isPlaceholderData;
  const unclearEnd = isSettled
    ? found && describeUnclearEnd(found.state, isComplete && !isMissed, next, body)
    : undefined;
  useEffect(() => {
    if (unclearEnd) warnOnce(`GET ${endpoint.path} ${unclearEnd}`);
  }, [endpoint.path, unclearEnd]);

  const fetchAgain = async () => {
    await controller.fetch(endpoint, params);
    setAnnounced(({ arrivals }) => ({ text: '', rows: 0, arrivals: arrivals + 1 }));
  };
  const appendPage = async (pageSearch: PageSearch) => {
    // A second press, before `pending` is rendered, or of rows that another response is about to replace.
    if (isLoading.current || isPlaceholderData) return;
    isLoading.current = true;
    const append = async () => {
      const isOutdated = position.watchList();
      let page: LoadedPage;
      try {
        page = await loadPage({ controller, getList: endpoint, params, search: pageSearch, isOutdated });
      } catch (error) {
        // Others have deleted rows, and the server has fewer pages now. The same again after a new first page is an error.
        if (failureKind(error as Error) !== 'not-found' || hasStartedOver.current) throw error;
        hasStartedOver.current = true;
        await fetchAgain();
        return undefined;
      }
      if (page === 'held-up') setIsHeldUp(true);
      if (page === 'held-up' || page === 'outdated') return undefined;
      hasStartedOver.current = false;
      const isLinked = found?.state === 'more' && found.by === 'link';
      return position.advance({ rows: findList(endpoint.schema, page.response), search: pageSearch, isLinked });
    };
    try {
      const added = await run(append);
      const rows = items.length + (added ?? 0);
      const text = added === undefined ? undefined : labels.loaded(added, rows, total);
      if (text !== undefined) setAnnounced(({ arrivals }) => ({ text, rows, arrivals: arrivals + 1 }));
    } catch {
      position.advance();
      setFailedBody(body);
    }
    isLoading.current = false;
  };

  const loadNext = () => {
    setIsHeldUp(false);
    if (search) return void appendPage(search);
    // The response has no usable link to the next page. A new response of the first page may have one.
    if (nextError && !pending) run(() => fetchAgain()).catch(() => undefined);
  };

  const isLoadingPage = pending || isHeldUp;
  return {
    // While a page is on its way, its button stays.
    hasNextPage: search !== undefined || nextError !== undefined || isLoadingPage,
    isComplete,
    mayLoadOnView: !position.isStuck,
    total,
    pending: isLoadingPage,
    isHeldUp: isHeldUp && !pending,
    // An error counts for the response it came with: a list that has been fetched again, e.g. after a sign-in, shows none.
    error: nextError ?? (failedBody === body ? loadError : undefined),
    // Not of rows that have changed since.
    announcement: announced.rows === items.length ? announced.text : '',
    arrivals: announced.arrivals,
    loadNext,
  };
}

/** The same error object as long as its message is the same: it is logged and reported once. */
function useSameError(error: Error | undefined): Error | undefined {
  const [first, setFirst] = useState(error);
  if (first?.message === error?.message) return first;
  setFirst(error);
  return error;
}

/**
 * The next page, or why it could not be read. A page that was requested already is not requested again, and after a page without new rows
 * counting stops, unless changes of the user explain it: nothing says then whether there are more.
 *
 * @throws an error without `status`: it is a bug of the app.
 */
function findNextPage(
  { body, items, endpoint }: LoadedList,
  next: NextPage | undefined,
  position: PagePosition,
): { found?: DetectedPage; isMissed?: boolean; error?: Error } {
  const loaded = { body, items, field: endpoint.paginationField, ...position };
  const answer = { ...loaded, path: getListPath(endpoint.schema) };
  try {
    const found = next ? byApp(next(loaded), findTotal(answer)) : detectNextPage(answer);
    if (found.state !== 'more') return { found, isMissed: isDevelopment && position.pages === 1 && isLinked(answer) };
    const leadsNowhere = position.wasRequested(found.search) || (found.by === 'counting' && position.isStuck);
    return { found: leadsNowhere ? { state: 'unknown', total: found.total } : found };
  } catch (error) {
    if (getErrorStatus(error) === undefined) throw error;
    return { error: error as Error };
  }
}

/** True if the response has a link or a cursor for the next page, which the `next` prop may have missed. */
function isLinked(answer: Parameters<typeof detectAnotherPage>[0]): boolean {
  const detected = detectAnotherPage(answer);
  return detected.state === 'more' && detected.by === 'link';
}

function byApp(search: PageSearch | undefined, total: number | undefined): DetectedPage {
  return search ? { state: 'more', by: 'number', search, total } : { state: 'end', total };
}

/** Why no further page can be loaded although there may be one, for developers. Names the fields of the response, never their values. */
export function describeUnclearEnd(
  state: DetectedPage['state'],
  isComplete: boolean,
  next: NextPage | undefined,
  response: unknown,
): string | undefined {
  if (!isDevelopment) return undefined;
  const shape = Array.isArray(response) ? 'a bare list' : `an object with ${Object.keys(response ?? {}).join(', ')}`;
  if (state === 'unknown')
    return next
      ? `answered ${shape}, and the \`next\` prop of PaginatedList names a page that was loaded before. Check the prop, and whether the server reads its search param.`
      : `answered ${shape}, which does not say whether there are more rows, or how to get them. Tell PaginatedList by its \`next\` prop: nextPageNumber(), nextCursor(), nextLink(), or a function of your own.`;
  return next && state === 'end' && !isComplete
    ? `answered ${shape}. It says that there are more rows, but the \`next\` prop of PaginatedList found no further page. Check the options of the prop.`
    : undefined;
}
