import { useController } from '@data-client/react';
import { useEffect, useState, type ReactNode } from 'react';
import { wrapText } from '../../wrapText.js';
import { UndoBar } from '../actions/UndoBar.js';
import {
  callRenderItem,
  useItemActions,
  type LooseItemActions,
  type WidgetActions,
} from '../actions/useItemActions.js';
import type { DataBoundaryProps } from '../shared/DataBoundary.js';
import { UpdatingNote } from '../shared/Delayed.js';
import { ErrorText } from '../shared/ErrorView.js';
import { PartialDetailWarning } from '../shared/PartialRecordWarning.js';
import { pathParams } from '../shared/resource.js';
import { IDLE } from '../shared/useAsyncAction.js';
import { usePreviousData } from '../shared/usePreviousData.js';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';

/** The props of a `ResourceDetail` that show its record, whose type is unknown here. */
export interface RecordOptions {
  renderItem: (item: unknown, actions: LooseItemActions & { readonly invalidate: () => Promise<void> }) => ReactNode;
  getItemLabel: ((item: object) => string) | undefined;
  renderActionError: ((error: Error) => ReactNode) | undefined;
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
export function RecordView({
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
  const showError = options.renderActionError ?? ((error: Error) => <ErrorText error={error} labels={labels} />);
  const invalidate = () => controller.invalidate(endpoint, params);
  return (
    <>
      <PartialDetailWarning endpoint={endpoint} params={params} record={record} />
      <UpdatingNote isPlaceholderData={isPlaceholderData} labels={labels} announce={announce} />
      {wrapText(callRenderItem(options.renderItem, record, { ...itemActions, invalidate }))}
      {state.error && <div className="dca-item-error">{showError(state.error)}</div>}
    </>
  );
}
