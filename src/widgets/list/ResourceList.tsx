import type { ReactNode } from 'react';
import type { ListResource, RequiredParams } from '../shared/resourceTypes.js';
import { ListBase } from './ListBase.js';
import type { ResourceListProps } from './ResourceListProps.js';

/**
 * The list of a hookified resource: loading, empty, error with retry, rows that can be changed and deleted, and new rows
 * at either end. Whose credentials the requests carry is the matter of the provider above.
 *
 * Rows are read by `useSuspense` and changed by `controller.fetch`. The list may be the answer itself, or stand in it:
 * `{ results: new Collection([Article]), next: '' }`.
 *
 * @throws what the list rejected with, when that has no `status`.
 * @example
 * <ResourceList
 *   resource={ArticleResource}
 *   create="unshift"
 *   fields={[{ name: 'title', label: 'Title' }]}
 *   renderItem={(article, { remove }) => (
 *     <>
 *       {article.title} <button onClick={remove}>Delete {article.title}</button>
 *     </>
 *   )}
 * />
 */
export function ResourceList<R extends ListResource>(props: ResourceListProps<R> & RequiredParams<R, 'useGetList'>): ReactNode {
  return <ListBase list={props as never} />;
}
