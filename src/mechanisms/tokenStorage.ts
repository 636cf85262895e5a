import { DEFAULT_NAME } from './createTabs.js';

/** A place that outlives a reload; its functions may answer at once or by a promise. */
export interface TokenStorage {
  get(): string | null | undefined | Promise<string | null | undefined>;
  set(text: string): void | Promise<void>;
  remove(): void | Promise<void>;
}

/** Where a session keeps its entry. */
export interface StoragePlace {
  /**
   * Where tokens outlive a reload: memory (they do not), session, local, or a store of your own. A duplicated tab copies what
   * `session` keeps; where refresh tokens can be used once, only `local` or a store of your own lets two tabs share one.
   *
   * @default 'memory'
   */
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

/** Warns, once for each storage, that tokens will not outlive the page; what was to be kept is never named. */
function warnOnce(): () => void {
  let warned = false;
  return () => {
    if (!warned) console.warn('data-client-auth: the token storage failed, so this sign-in will not outlive the page. Check that storage is allowed and not full.');
    warned = true;
  };
}

/**
 * Loads and saves without rejecting; undefined for memory. A storage that throws (denied, full, corrupt) costs one
 * warning, and the session goes on in memory. Slow writes finish in the order of their calls, and before the next read.
 *
 * @param parse Reads what was stored. Throws when it is not what a session stores.
 */
export function tokenStorage<T extends { readonly subject?: string | undefined }>({ storage = 'memory', storageKey = DEFAULT_NAME }: StoragePlace, parse: (stored: unknown) => T) {
  if (storage === 'memory') return undefined;
  const place = typeof storage === 'object' ? storage : webStorage(storage === 'local' ? 'localStorage' : 'sessionStorage', storageKey);
  const warn = warnOnce();
  let writing: Promise<void> | undefined;
  let isBroken = false;
  let owner: string | undefined;
  const write = async (signedIn: T | undefined): Promise<void> => {
    try {
      await (signedIn ? place.set(JSON.stringify(signedIn)) : place.remove());
      owner = signedIn?.subject;
    } catch {
      isBroken = true;
      warn();
      // A full storage must not keep another user.
      if (signedIn && signedIn.subject !== owner) await write(undefined);
    }
  };
  return {
    async load(current: T | undefined): Promise<T | undefined> {
      await writing;
      if (isBroken) return current;
      try {
        const text = await place.get();
        const stored = text ? parse(JSON.parse(text)) : undefined;
        owner = stored?.subject;
        return stored;
      } catch {
        warn();
        return current;
      }
    },
    save(signedIn: T | undefined): Promise<void> {
      const written = writing ? writing.then(() => write(signedIn)) : write(signedIn);
      writing = written;
      return written.then(() => {
        if (writing === written) writing = undefined;
      });
    },
  };
}
