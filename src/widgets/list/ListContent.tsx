import { useCallback, useMemo, type ComponentType, type ReactNode, type RefObject } from 'react';
import type { WidgetActions } from '../actions/useItemActions.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { UpdatingNote } from '../shared/Delayed.js';
import { getPrimaryKey } from '../../dataClient/getPrimaryKey.js';
import { usePreviousData, type PreviousData } from '../shared/usePreviousData.js';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';
import { EmptyView } from './EmptyView.js';
import { findList } from './findList.js';
import type { ListRowsProps, SharedRowProps } from './ListRows.js';
import type { ListOptions } from './ResourceListProps.js';

/** The data of a list, and its rows as far as they have been loaded. */
export interface LoadedList extends PreviousData {
  /** The key of the list and its params in the store. */
  readonly listKey: string;
  readonly items: readonly object[];
  readonly labels: WidgetLabels;
}

interface ListContentProps extends Pick<LoadedList, 'endpoint' | 'params' | 'labels'> {
  list: ListOptions;
  actions: WidgetActions;
  region: RefObject<HTMLElement | null>;
  rows: ComponentType<ListRowsProps>;
  after: ((list: LoadedList) => ReactNode) | undefined;
}

/** Reads the list, and shows its rows or that it is empty. */
export function ListContent({
  list,
  actions,
  region,
  rows: Rows,
  after,
  labels,
  ...requested
}: ListContentProps): ReactNode {
  const { renderItem, renderActionError, getItemKey = getPrimaryKey } = list;
  const { mutations, states, run, pendingDeletions, confirmDeletion } = actions;
  const { endpoint, params, body, isPlaceholderData } = usePreviousData(requested.endpoint, requested.params);
  const found = useMemo(() => findList(endpoint.schema, body), [endpoint, body]);
  // A row without a key uses its index, marked so that it is not another row's key.
  const getKey = useCallback((item: object, index: number) => getItemKey(item) || `#${index}`, [getItemKey]);
  const items = useMemo(
    () =>
      pendingDeletions.size === 0
        ? found
        : found.filter((item, index) => pendingDeletions.get(getKey(item, index))?.kind !== 'hidden'),
    [found, getKey, pendingDeletions],
  );
  const listKey = endpoint.key(params);
  // The boundary does not render when the last row goes away.
  useRestoreFocus(region, () => region.current);
  const slots: SharedRowProps = { mutations, params, renderItem, renderActionError, labels, run, confirmDeletion };

  return (
    <>
      <UpdatingNote isPlaceholderData={isPlaceholderData} labels={labels} />
      {items.length === 0 && (
        <EmptyView
          list={list}
          endpoint={endpoint}
          params={params}
          labels={labels}
          isPlaceholderData={isPlaceholderData}
        />
      )}
      {items.length > 0 && (
        <Rows
          listKey={listKey}
          items={items}
          getKey={getKey}
          states={states}
          pendingDeletions={pendingDeletions}
          slots={slots}
          isPlaceholderData={isPlaceholderData}
          region={region}
        />
      )}
      {after?.({ listKey, endpoint, params, body, items, isPlaceholderData, labels })}
    </>
  );
}
