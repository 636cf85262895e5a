// What ResourceList and PaginatedList have in common: the section, the form, the boundary and the rows.
import { useController } from '@data-client/react';
import { type ComponentType, Fragment, type ReactNode, type RefObject, useCallback, useMemo, useRef } from 'react';
import { ConfirmDialog } from '../actions/ConfirmDialog.js';
import { type AsyncActions, useAsyncAction, useAsyncActions } from '../actions/useAsyncAction.js';
import { type DeleteConfirmation, useDeleteConfirmation } from '../actions/useDeleteConfirmation.js';
import { toCreateEndpoint, type Mutations, useMutations } from '../actions/useMutations.js';
import { FieldsForm } from '../form/FieldsForm.js';
import { toRequestBody } from '../form/FormField.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { useWidgetLabels } from '../labels/WidgetLabelsProvider.js';
import { DataBoundary } from '../shared/DataBoundary.js';
import { UpdatingNote } from '../shared/Delayed.js';
import { getPrimaryKey, useStableParams } from '../shared/params.js';
import type { LooseEndpoint, LooseParams } from '../shared/resourceTypes.js';
import { usePreviousData } from '../shared/usePreviousData.js';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';
import { findList } from './findList.js';
import { ListRows, type ListRowsProps, type SharedRowProps } from './ListRows.js';
import type { ResourceListProps } from './ResourceListProps.js';

/** The list as it has been loaded so far. */
export interface LoadedList {
  endpoint: LooseEndpoint;
  params: LooseParams;
  /** The whole answer, of which the items are a part or all. */
  body: unknown;
  items: readonly object[];
  /** True while newer rows are on their way. */
  isPlaceholderData: boolean;
  labels: WidgetLabels;
}

type LooseListProps = Omit<ResourceListProps<{ useGetList: () => LooseEndpoint }>, 'params' | 'renderItem' | 'renderCreate' | 'getItemKey' | 'getItemLabel'> & {
  params?: object | null | undefined;
  renderItem: (item: object, actions: object) => ReactNode;
  renderCreate?: ((creation: never) => ReactNode) | undefined;
  getItemKey?: ((item: object) => string) | undefined;
  getItemLabel?: ((item: object) => string) | undefined;
};

interface ListBaseProps {
  list: LooseListProps;
  /** Puts the rows into the document. @default all of them */
  rows?: ComponentType<ListRowsProps>;
  /** Stands below the rows, and goes when they go. */
  after?: (list: LoadedList) => ReactNode;
}

export function ListBase({ list, rows = ListRows, after }: ListBaseProps): ReactNode {
  const { resource, create, className, label } = list;
  const endpoint = resource.useGetList();
  const mutations = useMutations(resource);
  const params = useStableParams(list.params);
  const labels = useWidgetLabels(list.labels);
  const controller = useController();
  const region = useRef<HTMLElement>(null);
  const invalidate = () => controller.invalidate(endpoint, params);
  // Kept above the boundary: a failure that takes the rows away for a while ends no time to undo.
  const asyncActions = useAsyncActions();
  const confirmation = useDeleteConfirmation({ deleteMode: list.deleteMode, getItemLabel: list.getItemLabel, endpoint: mutations.remove });
  const form = create && <CreateSlot list={list} adder={endpoint[create]} params={params} labels={labels} />;

  return (
    <section ref={region} className={['dca-list', className].filter(Boolean).join(' ')} aria-label={label} tabIndex={-1}>
      {list.renderHeader?.({ invalidate })}
      {create === 'unshift' && form}
      <DataBoundary endpoint={endpoint} params={params} labels={labels} loading={list.loading} renderError={list.renderError} region={region} keepPreviousData>
        {params && (
          <Content list={list} endpoint={endpoint} mutations={mutations} params={params} labels={labels} region={region} rows={rows} after={after} asyncActions={asyncActions} confirmation={confirmation} />
        )}
      </DataBoundary>
      <ConfirmDialog pendingDeletions={confirmation.pendingDeletions} labels={labels} />
      {create === 'push' && form}
    </section>
  );
}

interface ContentProps extends Pick<LoadedList, 'endpoint' | 'params' | 'labels'>, Required<Pick<ListBaseProps, 'rows'>> {
  list: LooseListProps;
  mutations: Mutations;
  region: RefObject<HTMLElement | null>;
  after: ListBaseProps['after'];
  asyncActions: AsyncActions;
  confirmation: DeleteConfirmation;
}

function Content({ list, mutations, region, rows: Rows, after, labels, asyncActions: { states, run }, confirmation: { pendingDeletions, confirmDeletion }, ...wanted }: ContentProps) {
  const { renderItem, renderActionError, getItemKey = getPrimaryKey } = list;
  const { endpoint, params, body, isPlaceholderData } = usePreviousData(wanted.endpoint, wanted.params);
  const found = useMemo(() => findList(endpoint.schema, body), [endpoint, body]);
  // What has no key yet is told by its place, which must not be another row's key.
  const getKey = useCallback((item: object, index: number) => getItemKey(item) || `#${index}`, [getItemKey]);
  const items = useMemo(() => found.filter((item, index) => pendingDeletions.get(getKey(item, index))?.kind !== 'gone'), [found, getKey, pendingDeletions]);
  // The last row may go away without the boundary hearing of it.
  useRestoreFocus(region, () => region.current);
  const slots: SharedRowProps = { mutations, params, renderItem, renderActionError, labels, run, confirmDeletion };

  return (
    <>
      <UpdatingNote isPlaceholderData={isPlaceholderData} labels={labels} />
      {items.length === 0 && (
        <div className="dca-empty" aria-busy={isPlaceholderData}>
          {list.empty ?? <p>{labels.empty}</p>}
        </div>
      )}
      {items.length > 0 && (
        <Rows items={items} getKey={getKey} states={states} pendingDeletions={pendingDeletions} slots={slots} isPlaceholderData={isPlaceholderData} region={region} />
      )}
      {after && <Fragment key={endpoint.key(params)}>{after({ endpoint, params, body, items, isPlaceholderData, labels })}</Fragment>}
    </>
  );
}

interface CreateSlotViewProps {
  list: LooseListProps;
  adder: LooseEndpoint;
  params: LooseParams | null;
  labels: WidgetLabels;
}

function CreateSlot({ list, adder, params, labels }: CreateSlotViewProps) {
  const controller = useController();
  const { pending, error, run } = useAsyncAction();
  const create = (body: unknown) => run(() => controller.fetch(toCreateEndpoint(adder), params ?? {}, body) as Promise<unknown>);
  if (list.renderCreate) return <>{list.renderCreate({ create, pending, error } as never)}</>;
  const { fields = [] } = list;
  return (
    <FieldsForm
      className="dca-form"
      label={labels.create}
      fields={fields}
      submitLabel={labels.create}
      pendingLabel={labels.saving}
      draftKey={JSON.stringify([list.create, adder.name, params])}
      resetOnSuccess
      labels={labels}
      onSubmit={values => create(toRequestBody(fields, values))}
    />
  );
}
