/** Returns true if both objects have the same own fields, with the same values. */
export function sameEntries(a: object, b: object): boolean {
  const keys = Reflect.ownKeys(a) as (keyof typeof a)[];
  return keys.length === Reflect.ownKeys(b).length && keys.every(key => Object.is(a[key], b[key]));
}

/** Returns `before` if both are objects with the same fields, so that what depends on the object does not change. */
export function keepIfEqual<T>(before: unknown, after: T): T {
  return before instanceof Object && after instanceof Object && sameEntries(before, after) ? (before as T) : after;
}
