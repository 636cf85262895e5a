import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useLatest } from '../../providers/useLatest.js';
import { wrapText } from '../../wrapText.js';
import { useAnnouncedRows, type LoadedList } from '../list/ListContent.js';
import type { NextPage } from '../nextPage/NextPage.js';
import { useDelayedFlag } from '../shared/Delayed.js';
import { ErrorText, useRetryOnline, type ErrorSlotProps } from '../shared/ErrorView.js';
import { getFocused } from '../shared/focus.js';
import { useReportedRead } from '../shared/reportedRequests.js';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';
import { useNextPage } from './useNextPage.js';

/** When the next page is loaded: at a click, or also when the end of the list comes near the visible part. */
export type LoadMoreTrigger = 'click' | 'view';

/** With `view`, the next page is loaded when the end of the list is half a screen below the visible part. */
const PREFETCH_MARGIN = '0px 0px 50% 0px';

interface LoadMoreProps {
  list: LoadedList;
  /** @default detected from the response */
  next: NextPage | undefined;
  loadMoreOn: LoadMoreTrigger;
  renderError: ((failure: ErrorSlotProps) => ReactNode) | undefined;
}

/** The button below a list that appends its next page, and a note about what has been loaded. */
export function LoadMore({ list, next, loadMoreOn, renderError }: LoadMoreProps): ReactNode {
  const { body, items, isPlaceholderData, labels } = list;
  const { hasNextPage, isComplete, mayLoadOnView, total, pending, error, announcement, arrivals, loadNext } =
    useNextPage(list, next);
  useReportedRead(error, list.endpoint);
  useRetryOnline(error, loadNext);
  const foot = useRef<HTMLDivElement>(null);
  const note = useRef<HTMLParagraphElement>(null);
  useRestoreFocus(foot, () => note.current);

  const showsPending = useDelayedFlag(pending);
  const waitsForView =
    loadMoreOn === 'view' && hasNextPage && mayLoadOnView && !error && !pending && !isPlaceholderData;
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
          (wrapText(renderError?.({ error, retry: loadNext, pending })) ?? <ErrorText error={error} labels={labels} />)}
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
