// What ResourceList and PaginatedList have in common: the section, the form, the boundary and the rows.
import { useController, useSuspense } from '@data-client/react';
import { memo, useRef, type ReactNode, type RefObject } from 'react';
import { bodyOf } from './bodyOf.js';
import { createEndpoint } from './createEndpoint.js';
import { DataBoundary } from './DataBoundary.js';
import { recordParams } from './endpointParams.js';
import { FieldsForm } from './FieldsForm.js';
import { findList } from './findList.js';
import { keyOfItem } from './keyOfItem.js';
import { labelsWith } from './labels.js';
import type { ResourceListProps } from './ResourceListProps.js';
import type { LooseEndpoint, LooseParams } from './resourceTypes.js';
import { useItemActions } from './useItemActions.js';
import { useKeptFocus } from './useKeptFocus.js';
import { useMutations, type Mutations } from './useMutations.js';
import { useRun } from './useRun.js';
import { useStableParams } from './useStableParams.js';
import type { WidgetLabels } from './WidgetLabels.js';

/** The list as it has been loaded so far. */
export interface LoadedList {
  endpoint: LooseEndpoint;
  params: LooseParams;
  /** The whole answer, of which the items are a part or all. */
  body: unknown;
  items: readonly object[];
  labels: WidgetLabels;
}

type LooseListProps = Omit<ResourceListProps<{ useGetList: () => LooseEndpoint }>, 'params' | 'renderItem' | 'renderCreate' | 'itemKey'> & {
  params?: object | null | undefined;
  renderItem: (item: object, actions: object) => ReactNode;
  renderCreate?: ((creation: never) => ReactNode) | undefined;
  itemKey?: ((item: object) => string) | undefined;
};

interface ListFrameProps {
  list: LooseListProps;
  /** Stands below the rows, and goes when they go. */
  after?: (list: LoadedList) => ReactNode;
}

export function ListFrame({ list, after }: ListFrameProps): ReactNode {
  const { resource, create, className, label } = list;
  const endpoint = resource.useGetList();
  const mutations = useMutations(resource);
  const params = useStableParams(list.params);
  const labels = labelsWith(list.labels);
  const controller = useController();
  const region = useRef<HTMLElement>(null);
  const invalidate = () => controller.invalidate(endpoint, params);
  const form = create && <Creation list={list} adder={endpoint[create]} params={params} labels={labels} />;

  return (
    <section ref={region} className={['dca-list', className].filter(Boolean).join(' ')} aria-label={label} tabIndex={-1}>
      {list.renderHeader?.({ invalidate })}
      {create === 'unshift' && form}
      <DataBoundary endpoint={endpoint} params={params} labels={labels} loading={list.loading} renderError={list.renderError} region={region}>
        {params && <Rows list={list} endpoint={endpoint} mutations={mutations} params={params} labels={labels} region={region} after={after} />}
      </DataBoundary>
      {create === 'push' && form}
    </section>
  );
}

interface RowsProps extends Omit<LoadedList, 'body' | 'items'> {
  list: LooseListProps;
  mutations: Mutations;
  region: RefObject<HTMLElement | null>;
  after: ListFrameProps['after'];
}

function Rows({ list, mutations, region, after, ...source }: RowsProps) {
  const { endpoint, params, labels } = source;
  const { renderItem, renderActionError, itemKey = keyOfItem } = list;
  const body: unknown = useSuspense(endpoint, params);
  const items = findList(endpoint.schema, body);
  const rows = useRef<HTMLUListElement>(null);
  useKeptFocus(rows, place => (rows.current?.children[Math.min(place, items.length - 1)] as HTMLElement | undefined) ?? region.current);

  return (
    <>
      {items.length === 0 && <div className="dca-empty">{list.empty ?? <p>{labels.empty}</p>}</div>}
      {items.length > 0 && (
        <ul ref={rows} className="dca-items">
          {items.map((item, place) => (
            <Row key={itemKey(item) ?? place} item={item} mutations={mutations} params={params} renderItem={renderItem} renderActionError={renderActionError} labels={labels} />
          ))}
        </ul>
      )}
      {after?.({ ...source, body, items })}
    </>
  );
}

interface RowProps extends Pick<LooseListProps, 'renderItem' | 'renderActionError'>, Pick<LoadedList, 'params' | 'labels'> {
  item: object;
  mutations: Mutations;
}

/** Rendered again only for a new item, new endpoints or a new slot: the other rows stand still while one changes. */
const Row = memo(function Row({ item, mutations, params, renderItem, renderActionError, labels }: RowProps) {
  const { actions, run } = useItemActions(mutations, item, endpoint => recordParams(endpoint, item, params, keyOfItem(item)));
  const showError = renderActionError ?? ((error: Error) => <p role="alert">{labels.failure(error)}</p>);
  return (
    <li className="dca-item" aria-busy={run.pending} tabIndex={-1}>
      {renderItem(item, actions)}
      {run.error && <div className="dca-item-error">{showError(run.error)}</div>}
    </li>
  );
});

interface CreationProps {
  list: LooseListProps;
  adder: LooseEndpoint;
  params: LooseParams | null;
  labels: WidgetLabels;
}

function Creation({ list, adder, params, labels }: CreationProps) {
  const controller = useController();
  const { pending, error, run } = useRun();
  const create = (body: unknown) => run(() => controller.fetch(createEndpoint(adder), params ?? {}, body) as Promise<unknown>);
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
      afterwards="empty"
      failure={labels.failure}
      onSubmit={values => create(bodyOf(fields, values))}
    />
  );
}
