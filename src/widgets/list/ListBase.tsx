import { useRef, type ComponentType, type ReactNode } from 'react';
import { isDevelopment } from '../../isDevelopment.js';
import { warnOnce } from '../../warnOnce.js';
import { ConfirmDialog } from '../actions/useDeleteConfirmation.js';
import { useWidgetActions } from '../actions/useItemActions.js';
import { useWidgetLabels } from '../labels/WidgetLabels.js';
import { DataBoundary } from '../shared/DataBoundary.js';
import { CreateSlot } from './CreateSlot.js';
import { ListContent, type LoadedList } from './ListContent.js';
import { ListRows, type ListRowsProps } from './ListRows.js';
import type { ListOptions } from './ResourceListProps.js';
import { useListRequest, type ShownPage } from './useListRequest.js';

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
  if (isDevelopment && create && !list.fields?.length && !list.renderCreate) warnOnce(NO_INPUTS);
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

const NO_INPUTS =
  'A list with `create` and without `fields` shows a form that has a button only. Give the list the inputs as `fields`, or a form of your own as `renderCreate`.';
