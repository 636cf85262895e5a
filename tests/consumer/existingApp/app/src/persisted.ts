/** A value in the local storage. */
export function persisted<T>(key: string) {
  return {
    get: () => JSON.parse(localStorage.getItem(key) ?? 'null') as T | null,
    set(value: T): T {
      localStorage.setItem(key, JSON.stringify(value));
      return value;
    },
    remove: () => localStorage.removeItem(key),
  };
}
