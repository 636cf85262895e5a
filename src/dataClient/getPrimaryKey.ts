type Pk = (...args: unknown[]) => unknown;

/**
 * The record's primary key, else its `id`.
 *
 * @param methods The prototype of the record's class, for a record as the server has sent it. @default the record itself
 */
export function getPrimaryKey(item: object, methods: { readonly pk?: unknown } = item): string | undefined {
  const { pk } = methods;
  const key = typeof pk === 'function' ? (pk as Pk).call(item, undefined, '', []) : (item as { id?: unknown }).id;
  return typeof key === 'string' || typeof key === 'number' ? String(key) : undefined;
}
