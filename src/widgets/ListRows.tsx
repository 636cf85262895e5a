import { useRef, type ReactNode, type RefObject } from 'react';
import { ListRow, type RowSlots } from './ListRow.js';
import { useKeptFocus } from './useKeptFocus.js';

export interface ListRowsProps {
  items: readonly object[];
  keyOf: (item: object, place: number) => string | number;
  slots: RowSlots;
  /** True while newer rows are on their way. */
  isOld: boolean;
  /** Gets the focus when the last row goes away. */
  region: RefObject<HTMLElement | null>;
}

/** All rows of a list, each in the document. */
export function ListRows({ items, keyOf, slots, isOld, region }: ListRowsProps): ReactNode {
  const rows = useRef<HTMLUListElement>(null);
  useKeptFocus(rows, place => (rows.current?.children[Math.min(place, items.length - 1)] as HTMLElement | undefined) ?? region.current);
  return (
    <ul ref={rows} className="dca-items" aria-busy={isOld}>
      {items.map((item, place) => (
        <ListRow key={keyOf(item, place)} item={item} {...slots} />
      ))}
    </ul>
  );
}
