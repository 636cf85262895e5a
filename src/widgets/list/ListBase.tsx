import { useController } from '@data-client/react';
import { useRef, useState, type ComponentType, type ReactNode } from 'react';
import { isDevelopment } from '../../isDevelopment.js';
import { ConfirmDialog } from '../actions/ConfirmDialog.js';
import { useWidgetActions } from '../actions/useItemActions.js';
import { useWidgetLabels } from '../labels/WidgetLabelsProvider.js';
import { assertHookified } from '../shared/assertHookified.js';
import { DataBoundary } from '../shared/DataBoundary.js';
import { useStableParams } from '../shared/params.js';
import { pastHttpCache } from '../shared/pastHttpCache.js';
import type { LooseEndpoint, LooseParams } from '../shared/resourceTypes.js';
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
  /** Shown below the rows, while there is data. */
  after?: (list: LoadedList) => ReactNode;
}

/**
 * `ResourceList` and `PaginatedList` share it: the section, the form for new rows, loading and errors, and the state
 * of the rows' actions.
 */
export function ListBase({ list, page, rows = ListRows, after }: ListBaseProps): ReactNode {
  const { resource, create, className, label, deleteMode, getItemLabel } = list;
  if (isDevelopment) assertHookified(resource, 'useGetList');
  const getList = resource.useGetList() as LooseEndpoint;
  const [wasInvalidated, setInvalidated] = useState(false);
  // Further pages, too: those in the HTTP cache are of the list before.
  const endpoint = wasInvalidated ? pastHttpCache(getList) : getList;
  const actions = useWidgetActions({ resource, deleteMode, getItemLabel });
  const listParams = useStableParams(list.params);
  const params = useStableParams(listParams && { ...listParams, ...page?.search });
  const labels = useWidgetLabels(list.labels);
  const controller = useController();
  const region = useRef<HTMLElement>(null);
  const invalidate = () => {
    setInvalidated(true);
    return page ? page.invalidate() : controller.invalidate(endpoint, params);
  };
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
