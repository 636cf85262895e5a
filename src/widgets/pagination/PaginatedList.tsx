import type { ReactNode } from 'react';
import { ListBase } from '../list/ListBase.js';
import type { ResourceListProps } from '../list/ResourceListProps.js';
import { VirtualRows } from '../list/VirtualRows.js';
import type { ErrorSlotProps } from '../shared/ErrorView.js';
import type { ListResource, RequiredParams } from '../shared/resourceTypes.js';
import { LoadMore, type LoadMoreTrigger } from './LoadMore.js';
import { nextLink } from './nextLink.js';
import { nextCursor, type NextPage, nextPageNumber } from './NextPage.js';

export interface PaginatedListProps<R extends ListResource> extends ResourceListProps<R> {
  /**
   * Tells the next page: `nextPageNumber()`, `nextCursor()`, `nextLink()`, or a function of your own.
   * @default as the answer suggests: its `next` link, its cursor field, else a page number or the last row's key
   */
  next?: NextPage | undefined;
  /**
   * What asks for the next page: a press of the button, or `'view'`: also the list's end coming into view. The button is there in either
   * case, for a failed page and for those who cannot scroll. With `'view'`, what stands below the list is reached when all is loaded.
   * @default 'click'
   */
  loadMoreOn?: LoadMoreTrigger | undefined;
  /** Shown above the button when a page could not be fetched; the rows stay. @default what happened in words */
  renderPageError?: ((failure: ErrorSlotProps) => ReactNode) | undefined;
}

/**
 * A `ResourceList` that grows by pages: a button, or scrolling to the end, appends the next one to the rows that are there, by `getPage`.
 *
 * The place in the list is kept with the data, so that it is right after the widget was away, and starts anew when the list
 * is fetched anew. A page that fails leaves the rows; the button tries it again.
 *
 * Of more than 50 rows, those near what is seen are in the document, in the window or in whatever ancestor scrolls, and the row with
 * the focus. Their heights are measured: space them by padding, not by margins. Page Down and Page Up go from row to row.
 *
 * @throws what the list rejected with, when that has no `status`.
 * @example
 * <PaginatedList resource={ArticleResource} next={nextPageNumber({ size: 20 })} loadMoreOn="view" renderItem={article => article.title} />
 */
export function PaginatedList<R extends ListResource>({
  next = nextByAnswer,
  loadMoreOn = 'click',
  renderPageError,
  ...props
}: PaginatedListProps<R> & RequiredParams<R, 'useGetList'>): ReactNode {
  return (
    <ListBase
      list={props as never}
      rows={VirtualRows}
      after={list => <LoadMore list={list} next={next} loadMoreOn={loadMoreOn} renderError={renderPageError} />}
    />
  );
}

const byLink = nextLink();
const byCursor = nextCursor();
const byNumber = nextPageNumber();

/**
 * The next page as the answer suggests: by its `next` link, by its cursor field, and of an answer that is the bare list by the
 * number (when the resource's `paginationField` speaks of pages) or else by the key of the last row.
 */
export const nextByAnswer: NextPage = loaded => {
  const { body, field = '' } = loaded;
  if (Array.isArray(body)) return /page/i.test(field) ? byNumber(loaded) : byCursor(loaded);
  return 'next' in (body as object) ? byLink(loaded) : byCursor(loaded);
};
