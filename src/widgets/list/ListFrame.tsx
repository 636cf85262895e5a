// What ResourceList and PaginatedList have in common: the section, the form, the boundary and the rows.
import { useController } from '@data-client/react';
import { type ComponentType, Fragment, type ReactNode, type RefObject, useCallback, useMemo, useRef } from 'react';
import { ConfirmDialog } from '../actions/ConfirmDialog.js';
import { type Consent, useConsent } from '../actions/useConsent.js';
import { createEndpoint, type Mutations, useMutations } from '../actions/useMutations.js';
import { type Runs, useRun, useRuns } from '../actions/useRuns.js';
import { FieldsForm } from '../form/FieldsForm.js';
import { bodyOf } from '../form/FormField.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { useStableLabels } from '../labels/WidgetLabelsProvider.js';
import { DataBoundary } from '../shared/DataBoundary.js';
import { keyOfItem, useStableParams } from '../shared/endpointParams.js';
import { UpdatingNote } from '../shared/Late.js';
import type { LooseEndpoint, LooseParams } from '../shared/resourceTypes.js';
import { useKeptAnswer } from '../shared/useKeptAnswer.js';
import { useKeptFocus } from '../shared/useKeptFocus.js';
import { findList } from './findList.js';
import { ListRows, type ListRowsProps, type RowSlots } from './ListRow.js';
import type { ResourceListProps } from './ResourceListProps.js';

/** The list as it has been loaded so far. */
export interface LoadedList {
  endpoint: LooseEndpoint;
  params: LooseParams;
  /** The whole answer, of which the items are a part or all. */
  body: unknown;
  items: readonly object[];
  /** True while newer rows are on their way. */
  isOld: boolean;
  labels: WidgetLabels;
}

type LooseListProps = Omit<ResourceListProps<{ useGetList: () => LooseEndpoint }>, 'params' | 'renderItem' | 'renderCreate' | 'itemKey' | 'nameOf'> & {
  params?: object | null | undefined;
  renderItem: (item: object, actions: object) => ReactNode;
  renderCreate?: ((creation: never) => ReactNode) | undefined;
  itemKey?: ((item: object) => string) | undefined;
  nameOf?: ((item: object) => string) | undefined;
};

interface ListFrameProps {
  list: LooseListProps;
  /** Puts the rows into the document. @default all of them */
  rows?: ComponentType<ListRowsProps>;
  /** Stands below the rows, and goes when they go. */
  after?: (list: LoadedList) => ReactNode;
}

export function ListFrame({ list, rows = ListRows, after }: ListFrameProps): ReactNode {
  const { resource, create, className, label } = list;
  const endpoint = resource.useGetList();
  const mutations = useMutations(resource);
  const params = useStableParams(list.params);
  const labels = useStableLabels(list.labels);
  const controller = useController();
  const region = useRef<HTMLElement>(null);
  const invalidate = () => controller.invalidate(endpoint, params);
  // Kept above the boundary: a failure that takes the rows away for a while ends no time to undo.
  const runs = useRuns();
  const consent = useConsent({ deletion: list.deletion, nameOf: list.nameOf, endpoint: mutations.remove });
  const form = create && <Creation list={list} adder={endpoint[create]} params={params} labels={labels} />;

  return (
    <section ref={region} className={['dca-list', className].filter(Boolean).join(' ')} aria-label={label} tabIndex={-1}>
      {list.renderHeader?.({ invalidate })}
      {create === 'unshift' && form}
      <DataBoundary endpoint={endpoint} params={params} labels={labels} loading={list.loading} renderError={list.renderError} region={region} keeps="answer">
        {params && (
          <Content list={list} endpoint={endpoint} mutations={mutations} params={params} labels={labels} region={region} rows={rows} after={after} runs={runs} consent={consent} />
        )}
      </DataBoundary>
      <ConfirmDialog questions={consent.questions} labels={labels} />
      {create === 'push' && form}
    </section>
  );
}

interface ContentProps extends Pick<LoadedList, 'endpoint' | 'params' | 'labels'>, Required<Pick<ListFrameProps, 'rows'>> {
  list: LooseListProps;
  mutations: Mutations;
  region: RefObject<HTMLElement | null>;
  after: ListFrameProps['after'];
  runs: Runs;
  consent: Consent;
}

function Content({ list, mutations, region, rows: Rows, after, labels, runs: { states, run }, consent: { questions, ask }, ...wanted }: ContentProps) {
  const { renderItem, renderActionError, itemKey = keyOfItem } = list;
  const { endpoint, params, body, isOld } = useKeptAnswer(wanted.endpoint, wanted.params);
  const found = useMemo(() => findList(endpoint.schema, body), [endpoint, body]);
  // What has no key yet is told by its place, which must not be another row's key.
  const keyOf = useCallback((item: object, place: number) => itemKey(item) || `#${place}`, [itemKey]);
  const items = useMemo(() => found.filter((item, place) => questions.get(keyOf(item, place))?.kind !== 'gone'), [found, keyOf, questions]);
  // The last row may go away without the boundary hearing of it.
  useKeptFocus(region, () => region.current);
  const slots: RowSlots = { mutations, params, renderItem, renderActionError, labels, run, ask };

  return (
    <>
      <UpdatingNote isOld={isOld} labels={labels} />
      {items.length === 0 && (
        <div className="dca-empty" aria-busy={isOld}>
          {list.empty ?? <p>{labels.empty}</p>}
        </div>
      )}
      {items.length > 0 && (
        <Rows items={items} keyOf={keyOf} states={states} questions={questions} slots={slots} isOld={isOld} region={region} />
      )}
      {after && <Fragment key={endpoint.key(params)}>{after({ endpoint, params, body, items, isOld, labels })}</Fragment>}
    </>
  );
}

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
      labels={labels}
      onSubmit={values => create(bodyOf(fields, values))}
    />
  );
}
