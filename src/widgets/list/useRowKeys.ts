import { useMemo, useRef } from 'react';
import { countSame } from './countSame.js';

type GetKey = (item: object, index: number) => string;

/** The keys of the rows. After an append, only the new rows are asked for theirs. */
export function useRowKeys(items: readonly object[], getKey: GetKey): readonly string[] {
  const last = useRef<{ items: readonly object[]; getKey: GetKey; keys: readonly string[] }>(undefined);
  return useMemo(() => {
    const { current } = last;
    const known = current?.getKey === getKey ? current.keys.slice(0, countSame(current.items, items)) : [];
    const keys = known.concat(items.slice(known.length).map((item, index) => getKey(item, known.length + index)));
    last.current = { items, getKey, keys };
    return keys;
  }, [items, getKey]);
}
