type Pk = (...args: unknown[]) => unknown;

/**
 * The record's primary key, else its `id`.
 *
 * @param methods Has the `pk` method. For a plain object that the server has sent: the prototype of its class. @default item
 */
export function getPrimaryKey(item: object, methods: { readonly pk?: unknown } = item): string | undefined {
  const { pk } = methods;
  const key = typeof pk === 'function' ? (pk as Pk).call(item, undefined, '', []) : (item as { id?: unknown }).id;
  return typeof key === 'string' || typeof key === 'number' ? String(key) : undefined;
}
