import { useEffect, type ReactNode } from 'react';
import { listPath } from '../../endpoints/listPath.js';
import { isDevelopment } from '../../isDevelopment.js';
import { warnOnce } from '../../warnOnce.js';
import { detectAnotherPage } from '../nextPage/detectNextPage.js';
import { isSizeParam } from '../nextPage/pageParams.js';
import { findList } from '../shared/findList.js';
import type { HookifiedList, LooseParams, RequiredParams } from '../shared/resource.js';
import { ListBase } from './ListBase.js';
import { useAnnouncedRows, type LoadedList } from './ListContent.js';
import { toListOptions, type ResourceListProps } from './ResourceListProps.js';

/**
 * The list of a hookified resource, with loading, empty and error states, actions on each row, and a form for new rows.
 *
 * Rows are read by `useSuspense` and changed by `controller.fetch`, with the credentials of the provider above. The response is the list,
 * or an object that holds it: `{ results: new Collection([Article]), next: '' }`. For a list that the server sends in pages, use
 * `PaginatedList`: this one shows the first page, and warns of it in development.
 *
 * @throws the list's error when it has no `status`.
 * @example
 * <ResourceList
 *   resource={Articles}
 *   create="unshift"
 *   fields={[{ name: 'title', label: 'Title' }]}
 *   renderItem={(article, { remove }) => (
 *     <>
 *       {article.title} <button onClick={remove}>Delete {article.title}</button>
 *     </>
 *   )}
 * />
 */
export function ResourceList<R extends HookifiedList>(
  props: ResourceListProps<R> & RequiredParams<R, 'useGetList'>,
): ReactNode {
  return <ListBase list={toListOptions<R>(props)} after={list => <ListEnd list={list} />} />;
}

function ListEnd({ list }: { list: LoadedList }) {
  useAnnouncedRows(list);
  return (
    <>
      {list.emptyView}
      {isDevelopment && <FirstPageWarning {...list} />}
    </>
  );
}

/** Warns that a `ResourceList` shows one page of several. Render it in development only. */
function FirstPageWarning({ endpoint, params, body, isPlaceholderData }: LoadedList): null {
  const isPart = !isPlaceholderData && isFirstPage(endpoint.schema, params, body);
  useEffect(() => {
    if (isPart)
      warnOnce(
        `ResourceList shows the first page of GET ${endpoint.path}: the response says that there are more rows. Use PaginatedList, or ask for the number of rows that you want to show.`,
      );
  }, [isPart, endpoint]);
  return null;
}

/** True if the response has a link to a next page, or says in another way that it is one page of several. */
export function isFirstPage(schema: unknown, params: LooseParams, body: unknown): boolean {
  // A list that asks for a number of rows, such as the latest five, is meant to show these only.
  if (Object.keys(params).some(isSizeParam)) return false;
  const items = findList(schema, body);
  // A total says nothing here: the user may have deleted rows since the response.
  const first = { body, path: listPath(schema) ?? [], items, field: undefined, pages: 1, received: Infinity };
  return detectAnotherPage(first).state === 'more';
}
