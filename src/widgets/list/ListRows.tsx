import { memo, useCallback, useRef, type ReactNode, type RefObject } from 'react';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { UndoBar } from '../actions/UndoBar.js';
import type { PendingDeletion } from '../actions/useDeleteConfirmation.js';
import {
  callRenderItem,
  isOptimistic,
  useItemActions,
  type LooseItemActions,
  type WidgetActions,
} from '../actions/useItemActions.js';
import type { WidgetLabels } from '../labels/englishLabels.js';
import { ActionError, type ErrorSlotProps } from '../shared/ErrorView.js';
import { recordParams, type LooseEndpoint, type LooseParams } from '../shared/resource.js';
import { IDLE, type AsyncActionState } from '../shared/useAsyncAction.js';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';

export interface ListRowsProps extends Pick<WidgetActions, 'states' | 'pendingDeletions'> {
  /** Keeps only the rows near the visible part in the document. @default false */
  isVirtual?: boolean | undefined;
  /** The key of the list and its params in the store. */
  listKey: string;
  items: readonly object[];
  getKey: (item: object, index: number) => string;
  slots: SharedRowProps;
  /** True while the rows are previous data and newer ones load. */
  isPlaceholderData: boolean;
  /** Gets the focus when the last row goes away. */
  region: RefObject<HTMLElement | null>;
}

/** All rows of a list, each in the document. */
export function ListRows({
  items,
  getKey,
  states,
  pendingDeletions,
  slots,
  isPlaceholderData,
  region,
}: ListRowsProps): ReactNode {
  const rows = useRef<HTMLUListElement>(null);
  useRestoreFocus(
    rows,
    index => (rows.current?.children[Math.min(index, items.length - 1)] as HTMLElement | undefined) ?? region.current,
  );
  return (
    <ul ref={rows} className="dca-items" aria-busy={isPlaceholderData}>
      {items.map((item, index) => {
        const key = getKey(item, index);
        return (
          <ListRow
            key={key}
            rowKey={key}
            item={item}
            state={states.get(key)}
            pendingDeletion={pendingDeletions.get(key)}
            {...slots}
          />
        );
      })}
    </ul>
  );
}

/** Props that are the same for all rows of a list. */
export interface SharedRowProps extends Pick<WidgetActions, 'mutations' | 'run' | 'confirmDeletion'> {
  readonly endpoint: LooseEndpoint;
  readonly params: LooseParams;
  readonly renderItem: (item: object, actions: LooseItemActions) => ReactNode;
  readonly renderError: ((failure: ErrorSlotProps) => ReactNode) | undefined;
  readonly labels: WidgetLabels;
}

interface RowContentProps extends SharedRowProps {
  item: object;
  rowKey: string;
  /** The state of its last action. The list holds it, because the row may be unmounted and mounted again. */
  state: AsyncActionState | undefined;
  pendingDeletion: PendingDeletion | undefined;
}

interface ListRowProps extends RowContentProps {
  /** The index among all loaded rows, from 0. */
  index?: number;
  count?: number;
  /** The height in pixels of the rows above that are not in the document. */
  gap?: number;
  /** 0 for the one row that Tab reaches. @default -1 */
  tabIndex?: 0 | -1;
  measure?: ((row: HTMLLIElement | null) => void) | undefined;
}

/** The list item. It renders again when its index changes; the app's content in it does not. */
export const ListRow = /* @__PURE__ */ memo(function ListRow({
  index,
  count,
  gap,
  tabIndex = -1,
  measure,
  ...content
}: ListRowProps) {
  const row = useRef<HTMLLIElement | null>(null);
  const attach = useCallback(
    (element: HTMLLIElement | null) => {
      row.current = element;
      measure?.(element);
    },
    [measure],
  );
  const isPending = isOptimistic(content.item);
  // An optimistic record has no key yet, so no action can be sent for it. Set by hand: React 18 and 19 want different values for `inert`.
  useBeforePaint(() => void row.current?.toggleAttribute('inert', isPending), [isPending]);
  return (
    <li
      // Another element while the deletion can be undone: see `wrapText`, which would change the row's layout.
      key={content.pendingDeletion?.kind === 'undo' ? 'undo' : 'item'}
      ref={attach}
      className="dca-item"
      aria-busy={isPending || content.state?.pending === true}
      tabIndex={tabIndex}
      data-index={index}
      aria-posinset={index === undefined ? undefined : index + 1}
      aria-setsize={count}
      style={gap ? { marginBlockStart: gap } : undefined}
    >
      {/* A new function renders only rows with an error again. */}
      <RowContent {...content} renderError={content.state?.error && content.renderError} row={row} />
    </li>
  );
});

/** The app's content. It renders again only for a new item, an action of its own, new endpoints or a new callback. */
const RowContent = /* @__PURE__ */ memo(function RowContent(
  props: RowContentProps & { row: RefObject<HTMLElement | null> },
) {
  const {
    item,
    rowKey,
    state = IDLE,
    pendingDeletion,
    row,
    mutations,
    endpoint: getList,
    params,
    renderItem,
    renderError,
    labels,
    run,
    confirmDeletion,
  } = props;
  const paramsFor = (endpoint: LooseEndpoint) => recordParams(endpoint, item, getList, params);
  const actions = useItemActions({ mutations, item, itemKey: rowKey, state, run, confirmDeletion, paramsFor });
  return (
    <>
      {pendingDeletion?.kind === 'undo' ? (
        <UndoBar pendingDeletion={pendingDeletion} labels={labels} region={row} />
      ) : (
        callRenderItem(renderItem, item, actions)
      )}
      <ActionError error={state.error} renderError={renderError} labels={labels} />
    </>
  );
});
