interface Cache<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** The value of a key in a `Map` or `WeakMap`. At the first call for the key, creates it and stores it. */
export function getOrCreate<Key, Value>(cache: Cache<Key, Value>, key: Key, create: () => Value & {}): Value & {} {
  const cached = cache.get(key);
  if (cached !== undefined) return cached as Value & {};
  const created = create();
  cache.set(key, created);
  return created;
}
