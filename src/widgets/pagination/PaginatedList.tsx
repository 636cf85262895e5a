import { useController } from '@data-client/react';
import { useCallback, type ReactNode } from 'react';
import { useLatest } from '../../providers/useLatest.js';
import { ListBase } from '../list/ListBase.js';
import { toListOptions, type ResourceListProps } from '../list/ResourceListProps.js';
import { VirtualRows } from '../list/VirtualRows.js';
import type { NextPage } from '../nextPage/NextPage.js';
import type { HookifiedList, LooseEndpoint, LooseParams, RequiredParams } from '../shared/resource.js';
import { fetchPages } from './loadedPages.js';
import { LoadMore } from './LoadMore.js';
import { NumberedList } from './NumberedList.js';

export interface PaginatedListProps<R extends HookifiedList> extends ResourceListProps<R> {
  /**
   * `append` adds further pages to the rows, at a click of the button. `scroll` does so also when the end of the list comes near the visible
   * part; content below the list is then reached after the last page. `pages` shows one page at a time, above buttons with the numbers of
   * the pages; `{ page, onPageChange }` does so with the number that the app keeps, for example in the URL.
   * @default 'append'
   */
  paginated?: Pagination | undefined;
  /**
   * Returns the search params of the next page: `nextPageNumber()`, `nextCursor()`, `nextLink()`, or a function of your own. For numbered
   * pages, it knows `pages`, the number of pages before the requested one: `next={({ pages }) => ({ offset: pages * 20 })}`.
   * @default detected from the response: its link, cursor or page number as Django REST framework, Laravel, Spring, JSON:API, Stripe and
   * others send them; else counted as the resource's `paginationField` says. A response that says nothing warns in development.
   */
  next?: NextPage | undefined;
  /**
   * With `append` and `scroll`: keeps only the rows near the visible part in the document, for lists of hundreds of rows. Rows that are side by side, as in
   * a grid of several columns, stay in the document all the same.
   * @default false
   */
  virtual?: boolean | undefined;
}

/** How a list shows its pages. */
export type Pagination = 'append' | 'scroll' | 'pages' | NumberedPages;

export interface NumberedPages {
  /** The number of the shown page, from 1. Set it back to 1 when a filter in `params` changes. @default the list's own state, which starts at 1 for other `params` */
  readonly page?: number | undefined;
  /** Called with the number of the page that the user has chosen, or of the one before a page whose last row was deleted. */
  readonly onPageChange?: ((page: number) => void) | undefined;
}

/**
 * A `ResourceList` that loads page by page, with `getPage`: a button, or scrolling to the end, appends the next page to the rows.
 *
 * A list that is fetched again, for example by `controller.expireAll` or after Back, fetches its pages in order, each as the answer before it
 * says, and the rows stay until all are there. So does the next page after the user has deleted or created rows. A page that fails leaves the
 * rows. “All … loaded” is shown only if the server, or `next`, says so.
 *
 * With `virtual`, rows in which the user has typed stay in the document; other state of a row is lost: keep above the list which row is edited.
 * Space rows with padding or `gap`, not with margins. Page Down and Page Up move the focus from row to row. Back and Forward in the browser
 * return to the same row.
 *
 * With numbered pages, the number of pages and the total are shown if the server says them. After a deletion, here or elsewhere in the app,
 * or a creation, the shown page is fetched again, and the others when they are shown. Without `renderError`, a page that is not there (404) is
 * shown as empty.
 *
 * @throws the list's error when it has no `status`. With numbered pages, an error when the resource's `paginationField` is a cursor or an
 * offset, and there is no `next`.
 * @example
 * <PaginatedList resource={Articles} next={nextPageNumber({ size: 20 })} paginated="scroll" renderItem={article => article.title} />
 * @example
 * const [search, setSearch] = useSearchParams();
 * <PaginatedList
 *   resource={Articles}
 *   paginated={{ page: Number(search.get('page') ?? 1), onPageChange: page => setSearch({ page: String(page) }) }}
 *   renderItem={article => article.title}
 * />
 */
export function PaginatedList<R extends HookifiedList>(
  props: PaginatedListProps<R> & RequiredParams<R, 'useGetList'>,
): ReactNode {
  const { paginated = 'append', next, virtual } = props;
  const list = { ...toListOptions<R>(props), virtual };
  const controller = useController();
  const latestNext = useLatest(next);
  const fetchList = useCallback(
    (getList: LooseEndpoint, given: LooseParams) => fetchPages(controller, getList, given, latestNext.current),
    [controller, latestNext],
  );
  if (paginated === 'pages' || typeof paginated === 'object')
    return <NumberedList list={list} next={next} {...(typeof paginated === 'object' && paginated)} />;
  return (
    <ListBase
      list={list}
      rows={VirtualRows}
      fetchList={fetchList}
      after={loaded => (
        <LoadMore
          key={loaded.listKey}
          list={loaded}
          next={next}
          onScroll={paginated === 'scroll'}
          renderError={props.renderError}
        />
      )}
    />
  );
}
