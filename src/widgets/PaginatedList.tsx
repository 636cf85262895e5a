import type { ReactNode } from 'react';
import { ListFrame } from './ListFrame.js';
import { LoadMore } from './LoadMore.js';
import { nextByAnswer } from './nextByAnswer.js';
import type { NextPage } from './NextPage.js';
import type { ResourceListProps } from './ResourceListProps.js';
import type { ListResource, RequiredParams } from './resourceTypes.js';
import type { Failure } from './ErrorView.js';

export interface PaginatedListProps<R extends ListResource> extends ResourceListProps<R> {
  /**
   * Tells the next page: `nextPageNumber()`, `nextCursor()`, `nextLink()`, or a function of your own.
   * @default as the answer suggests: its `next` link, its cursor field, else a page number or the last row's key
   */
  next?: NextPage | undefined;
  /** Shown above the button when a page could not be fetched; the rows stay. @default what happened in words */
  renderPageError?: ((failure: Failure) => ReactNode) | undefined;
}

/**
 * A `ResourceList` that grows by pages: a button appends the next one to the rows that are there, by `getPage`.
 *
 * The place in the list is kept with the data, so that it is right after the widget was away, and starts anew when the list
 * is fetched anew. A page that fails leaves the rows; the button tries it again.
 *
 * @throws what the list rejected with, when that has no `status`.
 * @example
 * <PaginatedList resource={ArticleResource} next={nextPageNumber({ size: 20 })} renderItem={article => article.title} />
 */
export function PaginatedList<R extends ListResource>({
  next = nextByAnswer,
  renderPageError,
  ...props
}: PaginatedListProps<R> & RequiredParams<R, 'useGetList'>): ReactNode {
  return <ListFrame list={props as never} after={list => <LoadMore list={list} next={next} renderError={renderPageError} />} />;
}
