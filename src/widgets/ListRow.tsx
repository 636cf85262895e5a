import { memo, useCallback, useRef, type ReactNode } from 'react';
import { useBeforePaint } from '../providers/useBeforePaint.js';
import { recordParams } from './endpointParams.js';
import { keyOfItem } from './keyOfItem.js';
import type { LooseParams } from './resourceTypes.js';
import { UndoNote } from './UndoNote.js';
import type { Consent, Question } from './useConsent.js';
import { isUnanswered, useItemActions } from './useItemActions.js';
import type { Mutations } from './useMutations.js';
import { IDLE, type Runs, type RunState } from './useRuns.js';
import type { WidgetLabels } from './WidgetLabels.js';

/** What all rows of a list have in common. */
export interface RowSlots {
  readonly mutations: Mutations;
  readonly params: LooseParams;
  readonly renderItem: (item: object, actions: object) => ReactNode;
  readonly renderActionError: ((error: Error) => ReactNode) | undefined;
  readonly labels: WidgetLabels;
  readonly run: Runs['run'];
  readonly ask: Consent['ask'];
}

interface ListRowProps extends RowSlots {
  item: object;
  rowKey: string;
  /** How its last act stands. It is kept above the row, which may leave and come back. */
  state: RunState | undefined;
  question: Question | undefined;
  /** Where the row stands among all that are loaded, where not all of them are in the document; from 0. */
  place?: number;
  count?: number;
  /** The height of the rows above that are not in the document. */
  gap?: number;
  /** 0 for the one row that Tab goes to. @default -1 */
  tabIndex?: 0 | -1;
  measure?: (row: HTMLLIElement | null) => void;
}

/** Rendered again only for a new item, an act of its own, new endpoints or a new slot: the other rows stand still while one changes. */
export const ListRow = memo(function ListRow({ item, rowKey, state = IDLE, question, place, count, gap, tabIndex = -1, measure, ...slots }: ListRowProps) {
  const { mutations, params, renderItem, renderActionError, labels, run, ask } = slots;
  const row = useRef<HTMLLIElement | null>(null);
  const held = useCallback(
    (element: HTMLLIElement | null) => {
      row.current = element;
      measure?.(element);
    },
    [measure],
  );
  const paramsFor = (endpoint: Parameters<typeof recordParams>[0]) => recordParams(endpoint, item, params, keyOfItem(item));
  const actions = useItemActions({ mutations, item, itemKey: rowKey, state, run, ask, paramsFor });
  const showError = renderActionError ?? ((error: Error) => <p role="alert">{labels.failure(error)}</p>);
  const isNew = isUnanswered(item);
  // Nothing can be done yet with a record that the server has not answered for. React 18 and 19 want another value of the attribute.
  useBeforePaint(() => void row.current?.toggleAttribute('inert', isNew), [isNew]);
  return (
    <li
      ref={held}
      className="dca-item"
      aria-busy={actions.pending}
      tabIndex={tabIndex}
      data-index={place}
      aria-posinset={place === undefined ? undefined : place + 1}
      aria-setsize={count}
      style={gap ? { marginBlockStart: gap } : undefined}
    >
      {question?.kind === 'undo' ? <UndoNote question={question} labels={labels} region={row} /> : renderItem(item, actions)}
      {state.error && <div className="dca-item-error">{showError(state.error)}</div>}
    </li>
  );
});
