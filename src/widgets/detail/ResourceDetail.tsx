import { useRef, type ReactNode } from 'react';
import { isDevelopment } from '../../isDevelopment.js';
import { ConfirmDialog } from '../actions/useDeleteConfirmation.js';
import { useWidgetActions } from '../actions/useItemActions.js';
import { useWidgetLabels } from '../labels/WidgetLabels.js';
import { DataBoundary } from '../shared/DataBoundary.js';
import {
  assertHookified,
  useStableParams,
  type HookifiedDetail,
  type LooseEndpoint,
  type RequiredParams,
} from '../shared/resource.js';
import { RecordView, type RecordOptions } from './RecordView.js';
import { renderDetailFailure } from './renderDetailFailure.js';
import type { ResourceDetailProps } from './ResourceDetailProps.js';

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
  const actions = useWidgetActions({ resource, deleteMode, getItemLabel: options.getItemLabel, shown: recordKey });

  return (
    <article
      ref={region}
      className={['dca-detail', className].filter(Boolean).join(' ')}
      aria-label={label}
      tabIndex={-1}
      {...actions.pressGuard}
    >
      <DataBoundary
        endpoint={endpoint}
        params={params}
        labels={labels}
        loading={props.loading}
        renderError={failure => renderDetailFailure(failure, props, labels)}
        region={region}
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
