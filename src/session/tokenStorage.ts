/** A place that outlives a reload; its functions may answer at once or by a promise. */
export interface TokenStorage {
  get(): string | null | undefined | Promise<string | null | undefined>;
  set(text: string): void | Promise<void>;
  remove(): void | Promise<void>;
}

/** Where a session keeps its entry. */
export interface StoragePlace {
  /** Where tokens outlive a reload: memory (they do not), session, local, or a store of your own. @default 'memory' */
  readonly storage?: 'memory' | 'session' | 'local' | TokenStorage | undefined;
  /** The key in web storage; two sessions of one origin need two. @default 'data-client-auth' */
  readonly storageKey?: string | undefined;
}

function webStorage(name: 'sessionStorage' | 'localStorage', key: string): TokenStorage {
  return {
    get: () => globalThis[name].getItem(key),
    set: text => globalThis[name].setItem(key, text),
    remove: () => globalThis[name].removeItem(key),
  };
}

/**
 * The place as two verbs, or undefined for memory. A storage that throws (denied, full, corrupt) costs one
 * warning without its content; the session goes on in memory. Slow writes end in the order in which they were asked for.
 *
 * @param parse Reads what was kept; throws when it is nothing that a session keeps.
 */
export function tokenStorage<T>({ storage = 'memory', storageKey = 'data-client-auth' }: StoragePlace, parse: (kept: unknown) => T) {
  if (storage === 'memory') return undefined;
  const place = typeof storage === 'object' ? storage : webStorage(storage === 'local' ? 'localStorage' : 'sessionStorage', storageKey);
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
