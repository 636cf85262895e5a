import type { ReactNode } from 'react';
import { ListBase } from '../list/ListBase.js';
import { toListOptions, type ResourceListProps } from '../list/ResourceListProps.js';
import { VirtualRows } from '../list/VirtualRows.js';
import type { ErrorSlotProps } from '../shared/ErrorView.js';
import type { ListResource, RequiredParams } from '../shared/resourceTypes.js';
import { LoadMore, type LoadMoreTrigger } from './LoadMore.js';
import type { NextPage } from './NextPage.js';

export interface PaginatedListProps<R extends ListResource> extends ResourceListProps<R> {
  /**
   * Returns the search params of the next page: `nextPageNumber()`, `nextCursor()`, `nextLink()`, or a function of your own.
   * @default detected from the response: its link, cursor or page number as Django REST framework, Laravel, Spring, JSON:API, Stripe and
   * others send them; else counted as the resource's `paginationField` says. A response that says nothing warns in development.
   */
  next?: NextPage | undefined;
  /**
   * When the next page is loaded: at a click of the button, or also when the end of the list comes near the visible part (`'view'`). With
   * `'view'` the button stays, for a failed page and for users who do not scroll. Content below the list is then
   * reached after the last page.
   * @default 'click'
   */
  loadMoreOn?: LoadMoreTrigger | undefined;
  /** Shown above the button when a page could not be fetched; the rows stay. @default a text */
  renderPageError?: ((failure: ErrorSlotProps) => ReactNode) | undefined;
}

/**
 * A `ResourceList` that loads page by page, with `getPage`: a button, or scrolling to the end, appends the next page to the rows.
 *
 * The position in the pages is stored with the data. It survives an unmounted list, and starts from the first page when the list is fetched
 * again. A page that fails leaves the rows, and the button tries it again. A page that was requested is not requested again, and a page
 * without new rows is the last one that is loaded without a press. “All … loaded” is shown only if the server, or `next`, says so.
 *
 * With more than 50 rows, only those near the visible part and the focused one are in the document. The list may scroll in the window or in
 * an ancestor. Row heights are measured: space rows with padding, not with margins. Page Down and Page Up move the focus from row to row.
 * Back and Forward in the browser return to the same row. A link to the list shows its start.
 *
 * @throws the list's error when it has no `status`.
 * @example
 * <PaginatedList resource={ArticleResource} next={nextPageNumber({ size: 20 })} loadMoreOn="view" renderItem={article => article.title} />
 */
export function PaginatedList<R extends ListResource>(
  props: PaginatedListProps<R> & RequiredParams<R, 'useGetList'>,
): ReactNode {
  const { next, loadMoreOn = 'click', renderPageError } = props;
  return (
    <ListBase
      list={toListOptions<R>(props)}
      rows={VirtualRows}
      after={list => <LoadMore list={list} next={next} loadMoreOn={loadMoreOn} renderError={renderPageError} />}
    />
  );
}
