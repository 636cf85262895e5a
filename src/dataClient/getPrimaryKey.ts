/** The record's primary key, else its `id`. */
export function getPrimaryKey(item: object): string | undefined {
  const { pk, id } = item as { pk?: (...args: unknown[]) => unknown; id?: unknown };
  const key = typeof pk === 'function' ? pk.call(item, undefined, '', []) : id;
  return typeof key === 'string' || typeof key === 'number' ? String(key) : undefined;
}
