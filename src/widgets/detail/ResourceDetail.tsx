import { useController } from '@data-client/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { isDevelopment } from '../../isDevelopment.js';
import { callUserCallback } from '../../notifyListeners.js';
import { wrapText } from '../../wrapText.js';
import { UndoBar } from '../actions/UndoBar.js';
import { ConfirmDialog, type DeleteMode } from '../actions/useDeleteConfirmation.js';
import {
  callRenderItem,
  type LooseItemActions,
  useItemActions,
  useWidgetActions,
  type WidgetActions,
} from '../actions/useItemActions.js';
import { failureKind } from '../labels/failureKind.js';
import type { WidgetLabels } from '../labels/englishLabels.js';
import { useWidgetLabels } from '../labels/WidgetLabels.js';
import { DataBoundary, type DataBoundaryProps } from '../shared/DataBoundary.js';
import { UpdatingNote } from '../shared/Delayed.js';
import { ActionError, type ErrorSlotProps, ErrorView } from '../shared/ErrorView.js';
import { PartialDetailWarning } from '../shared/PartialRecordWarning.js';
import {
  type AnswerOf,
  assertHookified,
  type HookifiedDetail,
  type ItemActions,
  type LooseEndpoint,
  type ParamsOf,
  pathParams,
  type RequiredParams,
  useStableParams,
} from '../shared/resource.js';
import { IDLE } from '../shared/useAsyncAction.js';
import { usePreviousData } from '../shared/usePreviousData.js';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';
import { StatusRegion, useWidgetStatus } from '../shared/WidgetStatus.js';

export interface ResourceDetailProps<R extends HookifiedDetail> {
  /** A hookified resource. Its `useUpdate`, `usePartialUpdate` and `useDelete` become the actions of the record. */
  resource: R;
  /** The params of `get`. Null waits until they are known. */
  params?: ParamsOf<R, 'useGet'> | undefined;
  /**
   * Renders the record. `actions` has `pending`, `error`, `invalidate`, and `update` (PUT), `partialUpdate` (PATCH) and `remove`, as far as
   * the resource has them. The widget shows the error of an action, so its promise needs no `catch`. A promise that you derive from it does: `remove().then(goBack, () => {})`.
   */
  renderItem: (item: AnswerOf<R, 'useGet'>, actions: DetailActions<R>) => ReactNode;
  /**
   * When `remove` sends the deletion: immediately, after a confirmation in a dialog, or after 8 seconds in which a bar
   * can undo it. The rules are those of `ResourceList`.
   * @default 'immediate'
   */
  deleteMode?: DeleteMode | undefined;
  /** Returns the name of the record, for the question before its deletion, for the undo bar, and for what the widget announces. @default no name */
  getItemLabel?: ((item: AnswerOf<R, 'useGet'>) => string) | undefined;
  /** Accessible name of the record (`aria-label`). Announced in place of a name from `getItemLabel`. */
  label?: string | undefined;
  /** Shown while the response is pending. @default a text, after 300 ms */
  loading?: ReactNode;
  /** Shown when the server responds with 404 or 410. @default `renderError`, else a text and a button that tries again */
  notFound?: ReactNode;
  /**
   * Shown when the record could not be fetched, and below the record when its last action failed: `failure.of` says which. For undefined,
   * the default is shown. @default a text, and for the read a button that tries again
   */
  renderError?: ((failure: ErrorSlotProps) => ReactNode) | undefined;
  /** Shown after the record has been deleted here. @default a text */
  removed?: ReactNode;
  /** Overrides for built-in texts. @default English */
  labels?: Partial<WidgetLabels> | undefined;
  /** Added to the class `dca-detail`. */
  className?: string | undefined;
}

/** The actions of a `ResourceDetail`'s record. */
export type DetailActions<R> = ItemActions<R, AnswerOf<R, 'useGet'>> & {
  /** Fetches the record again. */
  readonly invalidate: () => Promise<void>;
};

/**
 * One record of a hookified resource, with loading, not found and error states, and the actions update (PUT), partial update (PATCH) and
 * delete. Requests carry the credentials of the provider above.
 *
 * @throws the record's error when it has no `status`.
 * @example
 * <ResourceDetail resource={Articles} params={{ id }} renderItem={article => <h1>{article.title}</h1>} />
 */
export function ResourceDetail<R extends HookifiedDetail>(
  props: ResourceDetailProps<R> & RequiredParams<R, 'useGet'>,
): ReactNode {
  const { resource, deleteMode, className, label } = props;
  if (isDevelopment) assertHookified(resource, 'useGet');
  const endpoint = resource.useGet() as LooseEndpoint;
  const params = useStableParams(props.params as object | null | undefined);
  const labels = useWidgetLabels(props.labels);
  const region = useRef<HTMLElement>(null);
  const recordKey = JSON.stringify(params);
  // TypeScript has checked the callbacks through `R`.
  const options = props as unknown as RecordOptions;
  const { getItemLabel } = options;
  const { status, announceOutcome } = useWidgetStatus({ labels, getItemLabel });
  const announceRecord = (record: object) =>
    callUserCallback(() => status.announceContent(recordKey, () => getItemLabel?.(record) ?? label ?? ''));
  const actions = useWidgetActions({
    resource,
    deleteMode,
    getItemLabel,
    onDeletion: announceOutcome,
    shown: recordKey,
  });

  return (
    <article
      ref={region}
      className={['dca-detail', className].filter(Boolean).join(' ')}
      aria-label={label}
      tabIndex={-1}
      {...actions.pressGuard}
    >
      <StatusRegion status={status} />
      <DataBoundary
        endpoint={endpoint}
        params={params}
        labels={labels}
        loading={props.loading}
        renderError={failure => renderDetailFailure(failure, props, labels)}
        region={region}
        announce={status.announceProgress}
      >
        {params && (
          <RecordView
            key={recordKey}
            recordKey={recordKey}
            options={options}
            endpoint={endpoint}
            params={params}
            labels={labels}
            actions={actions}
            region={region}
            announce={status.announceProgress}
            announceRecord={announceRecord}
          />
        )}
      </DataBoundary>
      <ConfirmDialog pendingDeletions={actions.pendingDeletions} labels={labels} />
    </article>
  );
}

/** Why the record is not there: the slots of the app first, then a text of the widget's own. */
function renderDetailFailure(
  failure: ErrorSlotProps,
  { notFound, renderError }: Pick<ResourceDetailProps<HookifiedDetail>, 'notFound' | 'renderError'>,
  labels: WidgetLabels,
): ReactNode {
  if (notFound !== undefined && failureKind(failure.error) === 'not-found') return notFound;
  return renderError?.(failure) ?? <ErrorView {...failure} labels={labels} notFound={labels.notFound} />;
}

/** The props of a `ResourceDetail` that show its record, whose type is unknown here. */
interface RecordOptions {
  renderItem: (item: unknown, actions: LooseItemActions & { readonly invalidate: () => Promise<void> }) => ReactNode;
  getItemLabel: ((item: object) => string) | undefined;
  renderError: ((failure: ErrorSlotProps) => ReactNode) | undefined;
  removed: ReactNode;
}

interface RecordViewProps extends Pick<DataBoundaryProps, 'endpoint' | 'labels' | 'region' | 'announce'> {
  options: RecordOptions;
  params: NonNullable<DataBoundaryProps['params']>;
  actions: WidgetActions;
  /** The key of the record in `actions`. */
  recordKey: string;
  /** Announces the name of a record that has arrived. */
  announceRecord: (record: object) => void;
}

/** Reads one record and shows it, until it has been deleted. */
function RecordView({
  options,
  endpoint,
  params,
  labels,
  region,
  recordKey,
  actions,
  announce,
  announceRecord,
}: RecordViewProps): ReactNode {
  const controller = useController();
  const [shown, setShown] = useState<'record' | 'deleting' | 'deleted'>('record');
  // The store does not have a deleted record any more, and reading it would fetch it again.
  const { body: record, isPlaceholderData } = usePreviousData(endpoint, shown === 'record' ? params : null);
  useRestoreFocus(region, () => region.current);
  // No dependencies: if the widget has suspended and announced “Loading…”, the same record must be announced again.
  useEffect(() => {
    if (!isPlaceholderData && shown === 'record') announceRecord(record as object);
  });

  const { mutations, states, run, pendingDeletions, confirmDeletion } = actions;
  const state = states.get(recordKey) ?? IDLE;
  const pendingDeletion = pendingDeletions.get(recordKey);
  const itemActions = useItemActions({
    mutations,
    item: record as object,
    itemKey: recordKey,
    state,
    run,
    confirmDeletion,
    paramsFor: mutation => pathParams(mutation, params),
    aroundDeletion: async deletion => {
      setShown('deleting');
      try {
        await deletion();
        setShown('deleted');
      } catch (error) {
        setShown('record');
        throw error;
      }
    },
  });

  if (shown === 'deleted' || pendingDeletion?.kind === 'hidden') {
    return <div className="dca-removed">{options.removed ?? <p>{labels.removed}</p>}</div>;
  }
  if (pendingDeletion?.kind === 'undo')
    return <UndoBar pendingDeletion={pendingDeletion} labels={labels} region={region} />;
  const invalidate = () => controller.invalidate(endpoint, params);
  return (
    <>
      <PartialDetailWarning endpoint={endpoint} params={params} record={record} />
      <UpdatingNote isPlaceholderData={isPlaceholderData} labels={labels} announce={announce} />
      {wrapText(callRenderItem(options.renderItem, record, { ...itemActions, invalidate }))}
      <ActionError error={state.error} renderError={options.renderError} labels={labels} />
    </>
  );
}
