import { useController } from '@data-client/react';
import { useMemo, useRef, useState, type ComponentType, type ReactNode } from 'react';
import { readBesideDeletions } from '../../dataClient/deletions.js';
import { getOrCreate } from '../../getOrCreate.js';
import { isDevelopment } from '../../isDevelopment.js';
import { ConfirmDialog } from '../actions/useDeleteConfirmation.js';
import { useWidgetActions } from '../actions/useItemActions.js';
import { useWidgetLabels } from '../labels/WidgetLabels.js';
import { DataBoundary } from '../shared/DataBoundary.js';
import { findRowEntity } from '../shared/findList.js';
import { assertHookified, useStableParams, type LooseEndpoint, type LooseParams } from '../shared/resource.js';
import { StatusRegion, useWidgetStatus } from '../shared/WidgetStatus.js';
import { CreateSlot } from './CreateSlot.js';
import { ListContent, type LoadedList } from './ListContent.js';
import { ListRows, type ListRowsProps } from './ListRows.js';
import type { ListOptions } from './ResourceListProps.js';

/** The one page of a list that is shown at a time. */
export interface ShownPage {
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
  /** Fetches the list. @default one request */
  fetchList?: ((getList: LooseEndpoint, params: LooseParams) => Promise<unknown>) | undefined;
  /** Shown below the rows, while there is data. Without rows it also says that the list is empty. It announces the rows. */
  after: (list: LoadedList) => ReactNode;
}

/**
 * `ResourceList` and `PaginatedList` share it: the section, the form for new rows, loading and errors, the state of the
 * rows' actions, and the region that announces what happens.
 */
export function ListBase({ list, page, rows = ListRows, fetchList = sendRequest, after }: ListBaseProps): ReactNode {
  const { resource, create, className, label, deleteMode, getItemLabel } = list;
  if (isDevelopment) assertHookified(resource, 'useGetList');
  const controller = useController();
  const getList = resource.useGetList() as LooseEndpoint;
  const [wasInvalidated, setInvalidated] = useState(false);
  // Further pages, too: those in the HTTP cache are of the list before.
  const source = wasInvalidated ? pastHttpCache(getList) : getList;
  const listParams = useStableParams(list.params);
  const params = useStableParams(listParams && { ...listParams, ...page?.search });
  const invalidate = () => {
    setInvalidated(true);
    return page ? page.invalidate() : controller.invalidate(source, params);
  };
  const endpoint = useMemo(() => {
    const entityKey = findRowEntity(source.schema)?.key ?? '';
    return source.extend({
      fetch: (given: LooseParams) => readBesideDeletions(controller, entityKey, () => fetchList(source, given)),
    });
  }, [source, controller, fetchList]);
  const labels = useWidgetLabels(list.labels);
  const { status, announceOutcome } = useWidgetStatus({ labels, getItemLabel });
  const actions = useWidgetActions({ resource, deleteMode, getItemLabel, onDeletion: announceOutcome });
  const region = useRef<HTMLElement>(null);
  // The server decides on which page a new row is.
  const createSlot = create && (
    <CreateSlot
      create={create}
      addEndpoint={source[create.end]}
      params={listParams}
      labels={labels}
      onCreated={row => {
        announceOutcome('created', row);
        return page?.expire();
      }}
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
      {create?.end === 'unshift' && createSlot}
      <DataBoundary
        endpoint={endpoint}
        params={params}
        labels={labels}
        loading={list.loading}
        renderError={list.renderError}
        region={region}
        announce={status.announceProgress}
        keepPreviousData
      >
        {params && (
          <ListContent
            list={list}
            endpoint={endpoint}
            source={source}
            params={params}
            labels={labels}
            actions={actions}
            region={region}
            rows={rows}
            after={after}
            status={status}
          />
        )}
      </DataBoundary>
      <ConfirmDialog pendingDeletions={actions.pendingDeletions} labels={labels} />
      {create?.end === 'push' && createSlot}
      <StatusRegion status={status} />
    </section>
  );
}

function sendRequest(getList: LooseEndpoint, params: LooseParams): Promise<unknown> {
  return getList(params);
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
  return getOrCreate(revalidating, endpoint, () =>
    endpoint.extend({ requestInit: { ...endpoint.requestInit, cache: 'no-cache' } }),
  );
}
