/** What tells one row from another: its primary key, or its `id`. */
export function keyOfItem(item: object): string | undefined {
  const { pk, id } = item as { pk?: (...args: unknown[]) => unknown; id?: unknown };
  const key = typeof pk === 'function' ? pk.call(item, undefined, '', []) : id;
  return typeof key === 'string' || typeof key === 'number' ? String(key) : undefined;
}
