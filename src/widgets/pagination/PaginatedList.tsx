import type { ReactNode } from 'react';
import { ListBase } from '../list/ListBase.js';
import { toListOptions, type ResourceListProps } from '../list/ResourceListProps.js';
import { VirtualRows } from '../list/VirtualRows.js';
import type { ErrorSlotProps } from '../shared/ErrorView.js';
import type { ListResource, RequiredParams } from '../shared/resourceTypes.js';
import { LoadMore, type LoadMoreTrigger } from './LoadMore.js';
import { nextCursor, nextPageNumber, type NextPage } from './NextPage.js';
import { nextLink } from './nextLink.js';

export interface PaginatedListProps<R extends ListResource> extends ResourceListProps<R> {
  /**
   * Returns the search params of the next page: `nextPageNumber()`, `nextCursor()`, `nextLink()`, or a function of your own.
   * @default detected from the response: its `next` link, its cursor field, else a page number or the last row's key
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
 * again. A page that fails leaves the rows, and the button tries it again.
 *
 * With more than 50 rows, only those near the visible part and the focused one are in the document. The list may scroll in the window or in
 * an ancestor. Row heights are measured: space rows with padding, not with margins. Page Down and Page Up move the focus from row to row.
 *
 * @throws the list's error when it has no `status`.
 * @example
 * <PaginatedList resource={ArticleResource} next={nextPageNumber({ size: 20 })} loadMoreOn="view" renderItem={article => article.title} />
 */
export function PaginatedList<R extends ListResource>(
  props: PaginatedListProps<R> & RequiredParams<R, 'useGetList'>,
): ReactNode {
  const { next = nextFromResponse, loadMoreOn = 'click', renderPageError } = props;
  return (
    <ListBase
      list={toListOptions<R>(props)}
      rows={VirtualRows}
      after={list => <LoadMore list={list} next={next} loadMoreOn={loadMoreOn} renderError={renderPageError} />}
    />
  );
}

const byLink = nextLink();
const byCursor = nextCursor();
const byPageNumber = nextPageNumber();

/**
 * Detects the strategy: a `next` link, else a cursor. In a response that is the bare list, a `paginationField` with
 * “page” in its name counts pages.
 */
const nextFromResponse: NextPage = loaded => {
  const { body, field = '' } = loaded;
  if (Array.isArray(body)) return /page/i.test(field) ? byPageNumber(loaded) : byCursor(loaded);
  return 'next' in (body as object) ? byLink(loaded) : byCursor(loaded);
};
