import { useController } from '@data-client/react';
import { useRef, useState, type ComponentType, type ReactNode } from 'react';
import { isDevelopment } from '../../isDevelopment.js';
import { ConfirmDialog } from '../actions/useDeleteConfirmation.js';
import { useWidgetActions } from '../actions/useItemActions.js';
import { useWidgetLabels } from '../labels/WidgetLabels.js';
import { DataBoundary } from '../shared/DataBoundary.js';
import { assertHookified, useStableParams, type LooseEndpoint, type LooseParams } from '../shared/resource.js';
import { CreateSlot } from './CreateSlot.js';
import { ListContent, type LoadedList } from './ListContent.js';
import { ListRows, type ListRowsProps } from './ListRows.js';
import type { ListOptions } from './ResourceListProps.js';

/** The one page of a list that is shown at a time. */
interface ShownPage {
  /** The search params of the page. */
  readonly search: LooseParams;
  /** Fetches the page again, and the other pages when they are shown. */
  readonly expire: () => Promise<void>;
  /** The same, and what is in the store is not shown as current until then. */
  readonly invalidate: () => Promise<void>;
}

interface ListBaseProps {
  list: ListOptions;
  /** @default the list as a whole, to which pages may be appended */
  page?: ShownPage;
  /** Renders the rows. @default all of them */
  rows?: ComponentType<ListRowsProps>;
  /** Shown below the rows, while there is data. Without rows it also says that the list is empty. */
  after?: (list: LoadedList) => ReactNode;
}

/**
 * `ResourceList` and `PaginatedList` share it: the section, the form for new rows, loading and errors, and the state
 * of the rows' actions.
 */
export function ListBase({ list, page, rows = ListRows, after }: ListBaseProps): ReactNode {
  const { resource, create, className, label, deleteMode, getItemLabel } = list;
  const { endpoint, listParams, params, invalidate } = useListRequest(list, page);
  const actions = useWidgetActions({ resource, deleteMode, getItemLabel });
  const labels = useWidgetLabels(list.labels);
  const region = useRef<HTMLElement>(null);
  // The server decides on which page a new row is.
  const createSlot = create && (
    <CreateSlot
      list={list}
      addEndpoint={endpoint[create]}
      params={listParams}
      labels={labels}
      onCreated={page?.expire}
    />
  );

  return (
    <section
      ref={region}
      className={['dca-list', className].filter(Boolean).join(' ')}
      aria-label={label}
      tabIndex={-1}
      {...actions.pressGuard}
    >
      {list.renderHeader && <div className="dca-header">{list.renderHeader({ invalidate })}</div>}
      {create === 'unshift' && createSlot}
      <DataBoundary
        endpoint={endpoint}
        params={params}
        labels={labels}
        loading={list.loading}
        renderError={list.renderError}
        region={region}
        keepPreviousData
      >
        {params && (
          <ListContent
            list={list}
            endpoint={endpoint}
            params={params}
            labels={labels}
            actions={actions}
            region={region}
            rows={rows}
            after={after}
          />
        )}
      </DataBoundary>
      <ConfirmDialog pendingDeletions={actions.pendingDeletions} labels={labels} />
      {create === 'push' && createSlot}
    </section>
  );
}

interface ListRequest {
  readonly endpoint: LooseEndpoint;
  /** The params of the list, without those of a page. Null waits until they are known. */
  readonly listParams: LooseParams | null;
  /** The params of the request. The same object as long as they are equal. */
  readonly params: LooseParams | null;
  /** Fetches the list again. What is in the store is not shown as current until then. */
  readonly invalidate: () => Promise<void>;
}

/** What a list reads: its endpoint with its params, as a whole or the one page that is shown. */
function useListRequest({ resource, params: given }: ListOptions, page: ShownPage | undefined): ListRequest {
  if (isDevelopment) assertHookified(resource, 'useGetList');
  const getList = resource.useGetList() as LooseEndpoint;
  const [wasInvalidated, setInvalidated] = useState(false);
  // Further pages, too: those in the HTTP cache are of the list before.
  const endpoint = wasInvalidated ? pastHttpCache(getList) : getList;
  const listParams = useStableParams(given);
  const params = useStableParams(listParams && { ...listParams, ...page?.search });
  const controller = useController();
  const invalidate = () => {
    setInvalidated(true);
    return page ? page.invalidate() : controller.invalidate(endpoint, params);
  };
  return { endpoint, listParams, params, invalidate };
}

const revalidating = new WeakMap<LooseEndpoint, LooseEndpoint>();

/**
 * The endpoint, so that its requests reach the server although the HTTP cache has an answer. The same endpoint for the same one.
 *
 * Requests of a session use no HTTP cache anyway, unless the endpoint sets `cache`.
 */
function pastHttpCache(endpoint: LooseEndpoint): LooseEndpoint {
  const cache = endpoint.requestInit?.cache ?? (endpoint.session ? 'no-store' : 'default');
  if (cache === 'no-store' || cache === 'no-cache' || cache === 'reload') return endpoint;
  const cached = revalidating.get(endpoint);
  if (cached) return cached;
  const past = endpoint.extend({ requestInit: { ...endpoint.requestInit, cache: 'no-cache' } });
  revalidating.set(endpoint, past);
  return past;
}
