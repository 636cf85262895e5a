// The rows are a list and not a `feed`: the articles of a feed need labels, and the kit cannot know labels for the
// app's rows. Positions and keys follow the feed pattern of the ARIA Authoring Practices.
import {
  useMemo,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
} from 'react';
import { useRestoreFocus } from '../shared/useRestoreFocus.js';
import { useListPlaces } from './listPlaces.js';
import { ListRow, type ListRowsProps } from './ListRows.js';
import { useVirtualRows } from './useVirtualRows.js';

/** How many rows on each side of the focused one stay in the document, so that Tab finds them. */
const NEIGHBOURS = 2;

/** What the user has typed may be in these and nowhere else. */
const FIELD = 'input, textarea, select, [contenteditable]';

/** In these elements Page Up and Page Down have a meaning of their own. */
const USES_PAGE_KEYS =
  'textarea, select, [contenteditable], [role="textbox"], [role="listbox"], [role="slider"], input[type="number"], input[type="range"]';

/**
 * The rows of a list of any length. Each says its position (`aria-posinset`). With `isVirtual`, only those near the visible part are in the
 * document.
 *
 * The focused row and its neighbours stay in the document, and so do the first and the last row. So Tab, Page Down and
 * Page Up reach every row. Rows in which the user has typed stay as well.
 */
export function VirtualRows({
  isVirtual = false,
  listKey,
  items,
  getKey,
  states,
  pendingDeletions,
  slots,
  isPlaceholderData,
  region,
}: ListRowsProps): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  const keys = useRowKeys(items, getKey);
  const [tabStop, setTabStop] = useTabStop(listKey, keys);
  const [typedRows, rememberTyping] = useTypedRows(list, keys);
  const near = Array.from({ length: 2 * NEIGHBOURS + 1 }, (_, step) => tabStop - NEIGHBOURS + step);
  const places = useListPlaces(listKey);
  const pinnedIndexes = [0, ...near, ...typedRows, items.length - 1];
  const { rows, measure } = useVirtualRows({ isVirtual, list, keys, pinnedIndexes, places });

  useRestoreFocus(list, () => getRow(list.current, tabStop) ?? region.current);

  const rememberRow = ({ target }: FocusEvent) => setTabStop(getRowIndex(list.current, target));

  const moveFocus = (event: KeyboardEvent) => {
    const step = { PageDown: 1, PageUp: -1 }[event.key];
    const from = getRowIndex(list.current, event.target as Element);
    if (!step || from < 0 || event.defaultPrevented || (event.target as Element).matches(USES_PAGE_KEYS)) return;
    const next = getRow(list.current, from + step);
    // At either end the keys scroll, as everywhere else.
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  return (
    // The rows have the focus; their events bubble up to the list.
    <ul
      ref={list}
      className="dca-items"
      aria-busy={isPlaceholderData}
      onFocus={rememberRow}
      onInput={rememberTyping}
      onKeyDown={moveFocus}
    >
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

/** The index of the row that contains the element; -1 for none. */
function getRowIndex(list: Element | null, inside: Element): number {
  const row = [...(list?.children ?? [])].find(child => child.contains(inside));
  return Number(row?.getAttribute('data-index') ?? -1);
}

function getRow(list: Element | null, index: number): HTMLElement | null | undefined {
  return list?.querySelector<HTMLElement>(`:scope > [data-index="${index}"]`);
}

/**
 * The index of the row that Tab reaches: the one that has the focus, or had it last. When this row goes away, it is the row that has taken
 * its place. Another list starts with its first row.
 */
function useTabStop(listKey: string, keys: readonly string[]): [number, (index: number) => void] {
  const [visited, setVisited] = useState<{ listKey: string; index: number; key: string }>();
  const visit = (index: number) => index >= 0 && setVisited({ listKey, index, key: keys[index] as string });
  if (!visited) return [0, visit];
  let { index } = visited;
  if (keys[index] !== visited.key) {
    const inPlace = visited.listKey === listKey ? Math.min(index, keys.length - 1) : 0;
    const found = keys.indexOf(visited.key);
    index = found < 0 ? inPlace : found;
  }
  // In render, so that the index is that of the rows that are shown now: it counts when the row goes away later.
  if (keys[visited.index] !== visited.key || visited.listKey !== listKey) visit(index);
  return [index, visit];
}

/**
 * The indexes of the rows in which the user has typed. A row is left out when it has no field any more: its form was sent or closed. This
 * is looked up when the user types in another row.
 */
function useTypedRows(
  list: RefObject<HTMLElement | null>,
  keys: readonly string[],
): [readonly number[], (event: SyntheticEvent) => void] {
  const [typed, setTyped] = useState<ReadonlySet<string>>(() => new Set());
  const indexes = useMemo(
    () => (typed.size === 0 ? [] : keys.flatMap((key, index) => (typed.has(key) ? [index] : []))),
    [keys, typed],
  );
  const remember = ({ target }: SyntheticEvent) => {
    const added = getRowIndex(list.current, target as Element);
    if (added < 0 || indexes.includes(added)) return;
    const open = indexes.filter(index => getRow(list.current, index)?.querySelector(FIELD));
    setTyped(new Set([...open, added].map(index => keys[index] as string)));
  };
  return [indexes, remember];
}

type GetKey = (item: object, index: number) => string;

/** The keys of the rows. After an append, computes only those of the new rows. */
function useRowKeys(items: readonly object[], getKey: GetKey): readonly string[] {
  const last = useRef<{ items: readonly object[]; getKey: GetKey; keys: readonly string[] }>(undefined);
  return useMemo(() => {
    const { current } = last;
    const known = current?.getKey === getKey ? current.keys : [];
    const count = current ? countSame(current.items, items) : 0;
    // Not `push`, which reserves memory for further keys: this array does not grow.
    const keys = items.map((item, index) => (index < count && known[index]) || getKey(item, index));
    last.current = { items, getKey, keys };
    return keys;
  }, [items, getKey]);
}

/**
 * The number of rows at the start that are the same objects in both lists. The store keeps the object of a row that has not changed, so after
 * an append this is the length of the list before, and what was found out about those rows still holds.
 */
function countSame(before: readonly object[], after: readonly object[]): number {
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && before[same] === after[same]) same++;
  return same;
}
