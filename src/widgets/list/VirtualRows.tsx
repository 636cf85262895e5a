// The rows of a PaginatedList. They are a list, not a `feed`: the articles of a feed need labels of their own, which a kit cannot
// know of somebody else's rows. What the feed pattern of the ARIA practices says about place and keys holds here all the same.
import { type FocusEvent, type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';
import { ListRow, type ListRowsProps } from './ListRows.js';
import { useVirtualRows } from './useVirtualRows.js';

/** How many rows on either side of the one with the focus are in the document, so that Tab finds them. */
const NEIGHBOURS = 2;

/** Fields in which Page Up and Page Down belong to the text. */
const USES_PAGE_KEYS = 'textarea, select, [contenteditable], [role="textbox"], [role="listbox"], [role="slider"], input[type="number"], input[type="range"]';

/**
 * The rows of a list of any length, those near what is seen in the document.
 *
 * Each says which of how many it is. The row with the focus stays in the document wherever the list is scrolled to, with its
 * neighbours, and so do the first and the last: Tab, and Page Down and Page Up from row to row, reach all of them.
 */
export function VirtualRows({ items, getKey, states, pendingDeletions, slots, isPlaceholderData, region }: ListRowsProps): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  const keys = useMemo(() => items.map((item, index) => getKey(item, index)), [items, getKey]);
  const indexes = useMemo(() => new Map(keys.map((key, index) => [key, index])), [keys]);
  /** The row that has the focus, or had it last. */
  const [visited, setVisited] = useState<string>();
  const tabStop = (visited === undefined ? undefined : indexes.get(visited)) ?? 0;
  const near = Array.from({ length: 2 * NEIGHBOURS + 1 }, (_, step) => tabStop - NEIGHBOURS + step);
  const { rows, measure } = useVirtualRows({ list, keys, pinnedIndexes: [0, ...near, items.length - 1] });

  useRestoreFocus(list, index => {
    const { children = [] } = list.current ?? {};
    return (children[Math.min(index, children.length - 1)] as HTMLElement | undefined) ?? region.current;
  });

  const visit = ({ target }: FocusEvent) => setVisited(keys[indexOfRow(list.current, target)]);

  const moveFocus = (event: KeyboardEvent) => {
    const step = { PageDown: 1, PageUp: -1 }[event.key];
    const from = indexOfRow(list.current, event.target as Element);
    if (!step || from < 0 || event.defaultPrevented || (event.target as Element).matches(USES_PAGE_KEYS)) return;
    const next = list.current?.querySelector<HTMLElement>(`:scope > [data-index="${from + step}"]`);
    // Beyond the ends the keys scroll, as everywhere.
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  return (
    // The keys are those of its rows, which have the focus.
    <ul ref={list} className="dca-items" aria-busy={isPlaceholderData} onFocus={visit} onKeyDown={moveFocus}>
      {rows.map(({ index, gap }) => {
        const item = items[index] as object;
        const key = keys[index] as string;
        return (
          <ListRow
            key={key}
            rowKey={key}
            item={item}
            state={states.get(key)}
            pendingDeletion={pendingDeletions.get(key)}
            index={index}
            count={items.length}
            gap={gap}
            tabIndex={index === tabStop ? 0 : -1}
            measure={measure}
            {...slots}
          />
        );
      })}
    </ul>
  );
}

/** The place of the row that an element stands in; -1 for none. */
function indexOfRow(list: Element | null, inside: Element): number {
  const row = [...(list?.children ?? [])].find(child => child.contains(inside));
  return Number(row?.getAttribute('data-index') ?? -1);
}
