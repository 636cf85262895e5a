import { useController } from '@data-client/react';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { ConfirmDialog } from '../actions/ConfirmDialog.js';
import { UndoBar } from '../actions/UndoBar.js';
import { IDLE, type AsyncActions, useAsyncActions } from '../actions/useAsyncAction.js';
import { type DeleteConfirmation, type DeleteMode, useDeleteConfirmation } from '../actions/useDeleteConfirmation.js';
import { useItemActions } from '../actions/useItemActions.js';
import { type Mutations, useMutations } from '../actions/useMutations.js';
import { getErrorStatus } from '../labels/describeError.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { useWidgetLabels } from '../labels/WidgetLabelsProvider.js';
import { DataBoundary } from '../shared/DataBoundary.js';
import { UpdatingNote } from '../shared/Delayed.js';
import { ErrorView, type ErrorSlotProps } from '../shared/ErrorView.js';
import { pathParams, useStableParams } from '../shared/params.js';
import type { AnswerOf, DetailResource, ItemActions, LooseEndpoint, LooseParams, ParamsOf, RequiredParams } from '../shared/resourceTypes.js';
import { usePreviousData } from '../shared/usePreviousData.js';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';

export interface ResourceDetailProps<R extends DetailResource> {
  /** A hookified resource. Its `useUpdate`, `usePartialUpdate` and `useDelete` become the acts of the record. */
  resource: R;
  /** The params of `get`. Null waits until they are known. */
  params?: ParamsOf<R, 'useGet'> | undefined;
  /** The record. `actions` are `update` (PUT), `partialUpdate` (PATCH) and `remove`, as far as the resource has them, their state, and `invalidate`. */
  renderItem: (item: AnswerOf<R, 'useGet'>, actions: DetailActions<R>) => ReactNode;
  /** What `remove` waits for: nothing, a yes in a dialog, or 8 seconds in which it can be undone; see `ResourceList`. @default 'immediate' */
  deleteMode?: DeleteMode | undefined;
  /** Names the record in the question or the note of its deletion. @default no name */
  getItemLabel?: ((item: AnswerOf<R, 'useGet'>) => string) | undefined;
  /** The name of the record, for those who do not see it. */
  label?: string | undefined;
  /** Shown while the answer is on its way. */
  loading?: ReactNode;
  /** Shown when the server answers 404. @default `renderError`, and without it the word for that and a button that tries again */
  notFound?: ReactNode;
  /** Shown when the record could not be fetched. @default what happened in words, and a button that tries again */
  renderError?: ((failure: ErrorSlotProps) => ReactNode) | undefined;
  /** Shown below the record when its last act failed. @default what happened in words */
  renderActionError?: ((error: Error) => ReactNode) | undefined;
  /** Shown once the record has been deleted here. */
  removed?: ReactNode;
  /** The words that the widget says by itself. @default English */
  labels?: Partial<WidgetLabels> | undefined;
  /** A class beside `dca-detail`. */
  className?: string | undefined;
}

/** What can be done with the record of a `ResourceDetail`. */
export type DetailActions<R> = ItemActions<R, AnswerOf<R, 'useGet'>> & {
  /** Has the record fetched again. */
  readonly invalidate: () => Promise<void>;
};

/**
 * One record of a hookified resource: loading, not found, error with retry, changed by PUT or PATCH, deleted. Whose
 * credentials the requests carry is the matter of the provider above.
 *
 * @throws what the record rejected with, when that has no `status`.
 * @example
 * <ResourceDetail resource={ArticleResource} params={{ id }} renderItem={article => <h1>{article.title}</h1>} />
 */
export function ResourceDetail<R extends DetailResource>(props: ResourceDetailProps<R> & RequiredParams<R, 'useGet'>): ReactNode {
  const { resource, className, label } = props;
  const endpoint = resource.useGet() as LooseEndpoint;
  const params = useStableParams(props.params as object | null | undefined);
  const labels = useWidgetLabels(props.labels);
  const region = useRef<HTMLElement>(null);
  const mutations = useMutations(resource);
  const record = JSON.stringify(params);
  // Kept above the boundary: a failure that takes the record away for a while ends no time to undo.
  const asyncActions = useAsyncActions();
  const confirmation = useDeleteConfirmation({ deleteMode: props.deleteMode, getItemLabel: props.getItemLabel, endpoint: mutations.remove, shown: record });
  const missing: WidgetLabels = { ...labels, failure: () => labels.notFound };
  const renderFailure = (failure: ErrorSlotProps) => {
    const isMissing = getErrorStatus(failure.error) === 404;
    if (isMissing && props.notFound !== undefined) return props.notFound;
    if (props.renderError) return props.renderError(failure);
    return <ErrorView {...failure} labels={isMissing ? missing : labels} />;
  };

  return (
    <article ref={region} className={['dca-detail', className].filter(Boolean).join(' ')} aria-label={label} tabIndex={-1}>
      <DataBoundary endpoint={endpoint} params={params} labels={labels} loading={props.loading} renderError={renderFailure} region={region}>
        {params && (
          <RecordView key={record} itemKey={record} detail={props as never} endpoint={endpoint} params={params} labels={labels} region={region} mutations={mutations} asyncActions={asyncActions} confirmation={confirmation} />
        )}
      </DataBoundary>
      <ConfirmDialog pendingDeletions={confirmation.pendingDeletions} labels={labels} />
    </article>
  );
}

interface RecordViewProps {
  detail: Omit<ResourceDetailProps<{ useGet: () => LooseEndpoint }>, 'renderItem' | 'getItemLabel'> & {
    renderItem: (item: unknown, actions: object) => ReactNode;
    getItemLabel?: (item: unknown) => string;
  };
  endpoint: LooseEndpoint;
  params: LooseParams;
  labels: WidgetLabels;
  region: RefObject<HTMLElement | null>;
  /** Tells the record from others that were shown here, in `runs` and `consent`. */
  itemKey: string;
  mutations: Mutations;
  asyncActions: AsyncActions;
  confirmation: DeleteConfirmation;
}

function RecordView({ detail, endpoint, params, labels, region, itemKey, mutations, asyncActions: { states, run }, confirmation: { pendingDeletions, confirmDeletion } }: RecordViewProps) {
  const controller = useController();
  const [state, setState] = useState<'there' | 'leaving' | 'removed'>('there');
  // A deleted record is missing in the store, and reading it would fetch it again: it is not read from here on.
  const { body: record, isPlaceholderData } = usePreviousData(endpoint, state === 'there' ? params : null);
  useRestoreFocus(region, () => region.current);

  const actionState = states.get(itemKey) ?? IDLE;
  const pendingDeletion = pendingDeletions.get(itemKey);
  const actions = useItemActions({
    mutations,
    item: record as object,
    itemKey,
    state: actionState,
    run,
    confirmDeletion,
    paramsFor: mutation => pathParams(mutation, params),
    around: async deletion => {
      setState('leaving');
      try {
        await deletion();
        setState('removed');
      } catch (error) {
        setState('there');
        throw error;
      }
    },
  });

  if (state === 'removed' || pendingDeletion?.kind === 'gone') return <div className="dca-removed">{detail.removed ?? <p role="status">{labels.removed}</p>}</div>;
  if (pendingDeletion?.kind === 'undo') return <UndoBar pendingDeletion={pendingDeletion} labels={labels} region={region} />;
  const showError = detail.renderActionError ?? ((error: Error) => <p role="alert">{labels.failure(error)}</p>);
  const invalidate = () => controller.invalidate(endpoint, params);
  return (
    <>
      <UpdatingNote isPlaceholderData={isPlaceholderData} labels={labels} />
      {detail.renderItem(record, { ...actions, invalidate })}
      {actionState.error && <div className="dca-item-error">{showError(actionState.error)}</div>}
    </>
  );
}
