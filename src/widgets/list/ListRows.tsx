import { useRef, type ReactNode, type RefObject } from 'react';
import type { Consent } from '../actions/useConsent.js';
import type { Runs } from '../actions/useRuns.js';
import { useKeptFocus } from '../shared/useKeptFocus.js';
import { ListRow, type RowSlots } from './ListRow.js';

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
