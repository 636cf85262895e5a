import type { ReactNode } from 'react';
import { isDevelopment } from '../../isDevelopment.js';
import type { HookifiedList, RequiredParams } from '../shared/resource.js';
import { FirstPageWarning } from './FirstPageWarning.js';
import { ListBase } from './ListBase.js';
import type { LoadedList } from './ListContent.js';
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
  return <ListBase list={toListOptions<R>(props)} {...(isDevelopment && { after: warnOfFirstPage })} />;
}

const warnOfFirstPage = (list: LoadedList) => <FirstPageWarning {...list} />;
