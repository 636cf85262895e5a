import { useRef, type ReactNode } from 'react';
import { isDevelopment } from '../../isDevelopment.js';
import { callUserCallback } from '../../notifyListeners.js';
import { ConfirmDialog, type DeleteMode } from '../actions/useDeleteConfirmation.js';
import { useWidgetActions } from '../actions/useItemActions.js';
import { failureKind } from '../labels/failureKind.js';
import { useWidgetLabels, type WidgetLabels } from '../labels/WidgetLabels.js';
import { DataBoundary } from '../shared/DataBoundary.js';
import { ErrorView, type ErrorSlotProps } from '../shared/ErrorView.js';
import {
  assertHookified,
  useStableParams,
  type AnswerOf,
  type HookifiedDetail,
  type ItemActions,
  type LooseEndpoint,
  type ParamsOf,
  type RequiredParams,
} from '../shared/resource.js';
import { StatusRegion, useWidgetStatus } from '../shared/WidgetStatus.js';
import { RecordView, type RecordOptions } from './RecordView.js';

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
  /** Shown when the record could not be fetched. @default a text and a button that tries again */
  renderError?: ((failure: ErrorSlotProps) => ReactNode) | undefined;
  /** Shown below the record when its last action failed. @default a text */
  renderActionError?: ((error: Error) => ReactNode) | undefined;
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
  const options = toRecordOptions<R>(props);
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

/** Casts to untyped callbacks. TypeScript has checked them through `R`. */
function toRecordOptions<R extends HookifiedDetail>({
  renderItem,
  getItemLabel,
  renderActionError,
  removed,
}: ResourceDetailProps<R>): RecordOptions {
  return {
    renderItem: renderItem as RecordOptions['renderItem'],
    getItemLabel: getItemLabel as RecordOptions['getItemLabel'],
    renderActionError,
    removed,
  };
}

/** Why the record is not there: the slots of the app first, then a text of the widget's own. */
function renderDetailFailure(
  failure: ErrorSlotProps,
  { notFound, renderError }: Pick<ResourceDetailProps<HookifiedDetail>, 'notFound' | 'renderError'>,
  labels: WidgetLabels,
): ReactNode {
  if (notFound !== undefined && failureKind(failure.error) === 'not-found') return notFound;
  if (renderError) return renderError(failure);
  return <ErrorView {...failure} labels={labels} notFound={labels.notFound} />;
}
