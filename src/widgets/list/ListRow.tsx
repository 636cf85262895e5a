import { memo, type ReactNode, type RefObject, useCallback, useRef } from 'react';
import { useBeforePaint } from '../../providers/useBeforePaint.js';
import { UndoNote } from '../actions/UndoNote.js';
import type { Consent, Question } from '../actions/useConsent.js';
import { isUnanswered, useItemActions } from '../actions/useItemActions.js';
import type { Mutations } from '../actions/useMutations.js';
import { IDLE, type Runs, type RunState } from '../actions/useRuns.js';
import type { WidgetLabels } from '../labels/WidgetLabels.js';
import { keyOfItem, recordParams } from '../shared/endpointParams.js';
import type { LooseParams } from '../shared/resourceTypes.js';
import { useKeptFocus } from '../shared/useKeptFocus.js';

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

interface ContentProps extends RowSlots {
  item: object;
  rowKey: string;
  /** How its last act stands. It is kept above the row, which may leave and come back. */
  state: RunState | undefined;
  question: Question | undefined;
}

interface RowRegion {
  /** The row itself. */
  row: RefObject<HTMLElement | null>;
}

interface ListRowProps extends ContentProps {
  /** Where the row stands among all that are loaded, where not all of them are in the document; from 0. */
  place?: number;
  count?: number;
  /** The height of the rows above that are not in the document. */
  gap?: number;
  /** 0 for the one row that Tab goes to. @default -1 */
  tabIndex?: 0 | -1;
  measure?: (row: HTMLLIElement | null) => void;
}

/** Rendered again when its place changes, too: only what the app renders in it is costly, and stands still then. */
export const ListRow = memo(function ListRow({ place, count, gap, tabIndex = -1, measure, ...content }: ListRowProps) {
  const row = useRef<HTMLLIElement | null>(null);
  const held = useCallback(
    (element: HTMLLIElement | null) => {
      row.current = element;
      measure?.(element);
    },
    [measure],
  );
  const isNew = isUnanswered(content.item);
  // Nothing can be done yet with a record that the server has not answered for. React 18 and 19 want another value of the attribute.
  useBeforePaint(() => void row.current?.toggleAttribute('inert', isNew), [isNew]);
  return (
    <li
      ref={held}
      className="dca-item"
      aria-busy={isNew || content.state?.pending === true}
      tabIndex={tabIndex}
      data-index={place}
      aria-posinset={place === undefined ? undefined : place + 1}
      aria-setsize={count}
      style={gap ? { marginBlockStart: gap } : undefined}
    >
      <RowContent {...content} row={row} />
    </li>
  );
});

/** Rendered again only for a new item, an act of its own, new endpoints or a new slot: the other rows stand still while one changes, or goes. */
const RowContent = memo(function RowContent({ item, rowKey, state = IDLE, question, row, ...slots }: ContentProps & RowRegion) {
  const { mutations, params, renderItem, renderActionError, labels, run, ask } = slots;
  const paramsFor = (endpoint: Parameters<typeof recordParams>[0]) => recordParams(endpoint, item, params, keyOfItem(item));
  const actions = useItemActions({ mutations, item, itemKey: rowKey, state, run, ask, paramsFor });
  const showError = renderActionError ?? ((error: Error) => <p role="alert">{labels.failure(error)}</p>);
  return (
    <>
      {question?.kind === 'undo' ? <UndoNote question={question} labels={labels} region={row} /> : renderItem(item, actions)}
      {state.error && <div className="dca-item-error">{showError(state.error)}</div>}
    </>
  );
});

export interface ListRowsProps {
  items: readonly object[];
  keyOf: (item: object, place: number) => string;
  states: Runs['states'];
  questions: Consent['questions'];
  slots: RowSlots;
  /** True while newer rows are on their way. */
  isOld: boolean;
  /** Gets the focus when the last row goes away. */
  region: RefObject<HTMLElement | null>;
}

/** All rows of a list, each in the document. */
export function ListRows({ items, keyOf, states, questions, slots, isOld, region }: ListRowsProps): ReactNode {
  const rows = useRef<HTMLUListElement>(null);
  useKeptFocus(rows, place => (rows.current?.children[Math.min(place, items.length - 1)] as HTMLElement | undefined) ?? region.current);
  return (
    <ul ref={rows} className="dca-items" aria-busy={isOld}>
      {items.map((item, place) => {
        const key = keyOf(item, place);
        return <ListRow key={key} rowKey={key} item={item} state={states.get(key)} question={questions.get(key)} {...slots} />;
      })}
    </ul>
  );
}
