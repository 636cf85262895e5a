import { memo, type ReactNode, type RefObject, useCallback, useRef } from 'react';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { UndoBar } from '../actions/UndoBar.js';
import { IDLE, type AsyncActions, type AsyncActionState } from '../actions/useAsyncAction.js';
import type { DeleteConfirmation, PendingDeletion } from '../actions/useDeleteConfirmation.js';
import { isUnconfirmed, useItemActions } from '../actions/useItemActions.js';
import type { Mutations } from '../actions/useMutations.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { getPrimaryKey, recordParams } from '../shared/params.js';
import type { LooseParams } from '../shared/resourceTypes.js';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';

/** What all rows of a list have in common. */
export interface SharedRowProps {
  readonly mutations: Mutations;
  readonly params: LooseParams;
  readonly renderItem: (item: object, actions: object) => ReactNode;
  readonly renderActionError: ((error: Error) => ReactNode) | undefined;
  readonly labels: WidgetLabels;
  readonly run: AsyncActions['run'];
  readonly confirmDeletion: DeleteConfirmation['confirmDeletion'];
}

interface ContentProps extends SharedRowProps {
  item: object;
  rowKey: string;
  /** How its last act stands. It is kept above the row, which may leave and come back. */
  state: AsyncActionState | undefined;
  pendingDeletion: PendingDeletion | undefined;
}

interface RowRegion {
  /** The row itself. */
  row: RefObject<HTMLElement | null>;
}

interface ListRowProps extends ContentProps {
  /** Where the row stands among all that are loaded, where not all of them are in the document; from 0. */
  index?: number;
  count?: number;
  /** The height of the rows above that are not in the document. */
  gap?: number;
  /** 0 for the one row that Tab goes to. @default -1 */
  tabIndex?: 0 | -1;
  measure?: (row: HTMLLIElement | null) => void;
}

/** Rendered again when its place changes, too: only what the app renders in it is costly, and stands still then. */
export const ListRow = memo(function ListRow({ index, count, gap, tabIndex = -1, measure, ...content }: ListRowProps) {
  const row = useRef<HTMLLIElement | null>(null);
  const held = useCallback(
    (element: HTMLLIElement | null) => {
      row.current = element;
      measure?.(element);
    },
    [measure],
  );
  const isNew = isUnconfirmed(content.item);
  // Nothing can be done yet with a record that the server has not answered for. React 18 and 19 want another value of the attribute.
  useBeforePaint(() => void row.current?.toggleAttribute('inert', isNew), [isNew]);
  return (
    <li
      ref={held}
      className="dca-item"
      aria-busy={isNew || content.state?.pending === true}
      tabIndex={tabIndex}
      data-index={index}
      aria-posinset={index === undefined ? undefined : index + 1}
      aria-setsize={count}
      style={gap ? { marginBlockStart: gap } : undefined}
    >
      <RowContent {...content} row={row} />
    </li>
  );
});

/** Rendered again only for a new item, an act of its own, new endpoints or a new slot: the other rows stand still while one changes, or goes. */
const RowContent = memo(function RowContent({ item, rowKey, state = IDLE, pendingDeletion, row, ...slots }: ContentProps & RowRegion) {
  const { mutations, params, renderItem, renderActionError, labels, run, confirmDeletion } = slots;
  const paramsFor = (endpoint: Parameters<typeof recordParams>[0]) => recordParams(endpoint, item, params, getPrimaryKey(item));
  const actions = useItemActions({ mutations, item, itemKey: rowKey, state, run, confirmDeletion, paramsFor });
  const showError = renderActionError ?? ((error: Error) => <p role="alert">{labels.failure(error)}</p>);
  return (
    <>
      {pendingDeletion?.kind === 'undo' ? <UndoBar pendingDeletion={pendingDeletion} labels={labels} region={row} /> : renderItem(item, actions)}
      {state.error && <div className="dca-item-error">{showError(state.error)}</div>}
    </>
  );
});

export interface ListRowsProps {
  items: readonly object[];
  getKey: (item: object, index: number) => string;
  states: AsyncActions['states'];
  pendingDeletions: DeleteConfirmation['pendingDeletions'];
  slots: SharedRowProps;
  /** True while newer rows are on their way. */
  isPlaceholderData: boolean;
  /** Gets the focus when the last row goes away. */
  region: RefObject<HTMLElement | null>;
}

/** All rows of a list, each in the document. */
export function ListRows({ items, getKey, states, pendingDeletions, slots, isPlaceholderData, region }: ListRowsProps): ReactNode {
  const rows = useRef<HTMLUListElement>(null);
  useRestoreFocus(rows, index => (rows.current?.children[Math.min(index, items.length - 1)] as HTMLElement | undefined) ?? region.current);
  return (
    <ul ref={rows} className="dca-items" aria-busy={isPlaceholderData}>
      {items.map((item, index) => {
        const key = getKey(item, index);
        return <ListRow key={key} rowKey={key} item={item} state={states.get(key)} pendingDeletion={pendingDeletions.get(key)} {...slots} />;
      })}
    </ul>
  );
}
