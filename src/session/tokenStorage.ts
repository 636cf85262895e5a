/** A place that outlives a reload; its functions may answer at once or by a promise. */
export interface TokenStorage {
  get(): string | null | undefined | Promise<string | null | undefined>;
  set(text: string): void | Promise<void>;
  remove(): void | Promise<void>;
}

/** The key under which web storage keeps the entry. */
const STORAGE_KEY = 'data-client-auth';

function webStorage(name: 'sessionStorage' | 'localStorage'): TokenStorage {
  return {
    get: () => globalThis[name].getItem(STORAGE_KEY),
    set: text => globalThis[name].setItem(STORAGE_KEY, text),
    remove: () => globalThis[name].removeItem(STORAGE_KEY),
  };
}

/**
 * The option `storage` as two verbs, or undefined for memory. A storage that throws (denied, full, corrupt) costs one
 * warning without its content; the session goes on in memory. Slow writes end in the order in which they were asked for.
 *
 * @param parse Reads what was kept; throws when it is nothing that a session keeps.
 */
export function tokenStorage<T>(option: 'memory' | 'session' | 'local' | TokenStorage = 'memory', parse: (kept: unknown) => T) {
  if (option === 'memory') return undefined;
  const place = typeof option === 'object' ? option : webStorage(option === 'local' ? 'localStorage' : 'sessionStorage');
  let warned = false;
  let writing: Promise<unknown> | undefined;
  const guarded = async <R>(act: () => R | Promise<R>): Promise<R | undefined> => {
    try {
      return await act();
    } catch {
      if (!warned) console.warn('data-client-auth: the token storage failed, so this sign-in will not outlive the page. Check that storage is allowed and not full.');
      warned = true;
      return undefined;
    }
  };
  return {
    load: () =>
      guarded(async () => {
        const text = await place.get();
        return text ? parse(JSON.parse(text)) : undefined;
      }),
    save: (entry: T | undefined): void => {
      const write = () => guarded(() => (entry ? place.set(JSON.stringify(entry)) : place.remove()));
      const last = (writing = writing ? writing.then(write) : write());
      void last.then(() => {
        if (writing === last) writing = undefined;
      });
    },
  };
}
