import { memo, type Ref, type ReactNode } from 'react';
import { recordParams } from './endpointParams.js';
import { keyOfItem } from './keyOfItem.js';
import type { LooseParams } from './resourceTypes.js';
import { useItemActions } from './useItemActions.js';
import type { Mutations } from './useMutations.js';
import type { WidgetLabels } from './WidgetLabels.js';

/** What all rows of a list have in common. */
export interface RowSlots {
  readonly mutations: Mutations;
  readonly params: LooseParams;
  readonly renderItem: (item: object, actions: object) => ReactNode;
  readonly renderActionError: ((error: Error) => ReactNode) | undefined;
  readonly labels: WidgetLabels;
}

interface ListRowProps extends RowSlots {
  item: object;
  /** Where the row stands among all that are loaded, where not all of them are in the document; from 0. */
  place?: number;
  count?: number;
  /** The height of the rows above that are not in the document. */
  gap?: number;
  /** 0 for the one row that Tab goes to. @default -1 */
  tabIndex?: 0 | -1;
  measure?: Ref<HTMLLIElement>;
}

/** Rendered again only for a new item, new endpoints or a new slot: the other rows stand still while one changes. */
export const ListRow = memo(function ListRow({ item, place, count, gap, tabIndex = -1, measure, ...slots }: ListRowProps) {
  const { mutations, params, renderItem, renderActionError, labels } = slots;
  const { actions, run } = useItemActions(mutations, item, endpoint => recordParams(endpoint, item, params, keyOfItem(item)));
  const showError = renderActionError ?? ((error: Error) => <p role="alert">{labels.failure(error)}</p>);
  return (
    <li
      ref={measure}
      className="dca-item"
      aria-busy={run.pending}
      tabIndex={tabIndex}
      data-index={place}
      aria-posinset={place === undefined ? undefined : place + 1}
      aria-setsize={count}
      style={gap ? { marginBlockStart: gap } : undefined}
    >
      {renderItem(item, actions)}
      {run.error && <div className="dca-item-error">{showError(run.error)}</div>}
    </li>
  );
});
