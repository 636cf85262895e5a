import { useController } from '@data-client/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useAsyncAction } from '../actions/useAsyncAction.js';
import { getErrorStatus } from '../labels/describeError.js';
import { findList } from '../list/findList.js';
import type { LoadedList } from '../list/ListBase.js';
import { useDelayedFlag } from '../shared/Delayed.js';
import { pathParams } from '../shared/params.js';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';
import type { LoadedPages, NextPage } from './NextPage.js';
import { countNew, pageEndpoint, usePagePosition } from './usePagePosition.js';

/** What asks for the next page. */
export type LoadMoreTrigger = 'click' | 'view';

/** How far below what is seen the end of the list is when the next page is asked for: half a screen. */
const PREFETCH_MARGIN = '0px 0px 50% 0px';

interface LoadMoreProps {
  list: LoadedList;
  next: NextPage;
  loadMoreOn: LoadMoreTrigger;
  renderError: ((failure: { error: Error; retry: () => void; pending: boolean }) => ReactNode) | undefined;
}

/** The button below a list that appends its next page, and the note that tells how far the list goes. */
export function LoadMore({ list, next, loadMoreOn, renderError }: LoadMoreProps): ReactNode {
  const { endpoint, params, body, items, isPlaceholderData, labels } = list;
  const controller = useController();
  const position = usePagePosition(list);
  const { pending, error, run } = useAsyncAction();
  const [failedAt, setFailedAt] = useState<unknown>();
  const [note, setNote] = useState('');
  const isLoading = useRef(false);
  const foot = useRef<HTMLDivElement>(null);
  const status = useRef<HTMLParagraphElement>(null);
  useRestoreFocus(foot, () => status.current);

  const { page, error: nextError } = readNextPage(next, { body, items, field: endpoint.paginationField, ...position });

  const load = async (search: NonNullable<typeof page>) => {
    if (isLoading.current || isPlaceholderData) return;
    isLoading.current = true;
    setNote('');
    const answer = await run(
      () => controller.fetch(pageEndpoint(endpoint, params, search), { ...params, ...search, ...pathParams(endpoint, params) }) as Promise<unknown>,
    ).catch(() => undefined);
    const rows = answer === undefined ? undefined : findList(endpoint.schema, answer);
    const more = countNew(rows ?? [], items);
    position.advance(rows);
    if (rows) setNote(labels.loaded(more, items.length + more));
    else setFailedAt(body);
    isLoading.current = false;
  };

  const retry = () => {
    if (page) return void load(page);
    // The server has told no way to the next page: asked from the beginning, it may.
    if (nextError && !pending) run(() => controller.fetch(endpoint, params) as Promise<unknown>).catch(() => undefined);
  };
  // A list that has been fetched anew since, as after a sign-in, has left the failure behind.
  const failure = nextError ?? (failedAt === body ? error : undefined);
  const end = items.length > 0 ? labels.allLoaded(items.length) : '';
  const showsPending = useDelayedFlag(pending);
  const label = showsPending ? labels.loadingMore : labels.loadMore;

  const waitsForView = loadMoreOn === 'view' && page !== undefined && !failure && !pending && !isPlaceholderData;
  const loadNow = useRef(retry);
  loadNow.current = retry;
  useEffect(() => {
    if (!waitsForView || !foot.current || typeof IntersectionObserver === 'undefined') return;
    // A new observer for each page tells anew whether the end is in view, and so whether that page has filled the screen.
    const observer = new IntersectionObserver(entries => entries.some(entry => entry.isIntersecting) && loadNow.current(), { rootMargin: PREFETCH_MARGIN });
    observer.observe(foot.current);
    return () => observer.disconnect();
  }, [waitsForView, body]);

  return (
    <div ref={foot} className="dca-more" aria-busy={showsPending}>
      {failure && (renderError?.({ error: failure, retry, pending }) ?? <p role="alert">{labels.failure(failure)}</p>)}
      {(page ?? nextError) && (
        // Not `disabled`, which would take the focus away from it.
        <button type="button" className="dca-button" aria-disabled={showsPending} onClick={retry}>
          {failure ? labels.retry : label}
        </button>
      )}
      <p ref={status} role="status" className="dca-note" tabIndex={-1}>
        {(page ?? nextError) ? note : end}
      </p>
    </div>
  );
}

/** The next page, or why the answer does not tell it. @throws what has no `status`: an error of the program is the app's. */
function readNextPage(next: NextPage, loaded: LoadedPages): { page?: ReturnType<NextPage>; error?: Error } {
  try {
    return { page: next(loaded) };
  } catch (error) {
    if (getErrorStatus(error) === undefined) throw error;
    return { error: error as Error };
  }
}
