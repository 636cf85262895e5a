import { withTimeout, type Clock } from '../../clock.js';
import type { SaveCondition } from '../../session/persistence.js';
import { isServer } from '../../session/sharedOnServer.js';
import { DEFAULT_NAME } from '../createTabs.js';
import { rememberedAccess, type RememberedAccess, type SignInInStorage } from './rememberedAccess.js';
import {
  andThen,
  createAccess,
  isPromise,
  type Limit,
  type MaybePromise,
  type StorageAccess,
} from './storageAccess.js';

/**
 * A storage that outlives a reload. Its functions may be synchronous or return promises. Do not make one of `sessionStorage`: in Firefox, a
 * page from the back/forward cache reads an old copy of it. The option `storage: 'session'` prevents that.
 */
export interface TokenStorage {
  /** Returns the stored text; null or undefined if there is none. Called before a check, around a refresh, and at a message of another tab. */
  get(): string | null | undefined | Promise<string | null | undefined>;
  /** Stores the text, which contains the tokens. Called after a login, a check and a refresh. */
  set(text: string): void | Promise<void>;
  /** Removes the text. Called at a sign-out and an expiry. */
  remove(): void | Promise<void>;
}

/**
 * Two storages: each login chooses one of them, and removes what the other one has. The later sign-in counts in all tabs.
 *
 * @see https://firebase.google.com/docs/auth/web/auth-state-persistence Firebase's `setPersistence` has the same rules for tabs.
 */
export interface RememberedStorage {
  /** For a login whose first argument has `remember: true`. All tabs share it, and it outlives them. */
  readonly remembered: 'local' | TokenStorage;
  /**
   * For all other logins. Each tab has its own: `session` outlives a reload and ends with the tab, `memory` ends with
   * the page.
   */
  readonly otherwise: 'session' | 'memory';
}

/** Where a session stores its tokens. */
export interface TokenStorageOptions {
  /**
   * Where tokens are stored: in memory (a reload loses them), in session or local storage, or in a store of your own. A
   * duplicated tab gets a copy of the session storage, and a closed tab that the user opens again gets its own back. If a
   * refresh token can be used only once, use `local` or a store of your own, so that two tabs share it.
   *
   * On a server, web storage is not used: all visitors would share it.
   *
   * An `<iframe>` of the same origin shares the session storage of its tab. It follows the sign-ins and sign-outs of the tab, also the end
   * of an idle user in either of them. If it shows the app too, set `tabs` to a name: the two then refresh one at a time, and count what the
   * user does in either of them.
   *
   * A `RememberedStorage` lets the user choose at the login ("Keep me signed in"). The choice is the property `remember`
   * of the first argument of `session.login`, as `<LoginForm remember>` passes it. A login removes what the other storage
   * has.
   *
   * @default 'memory'
   * @example storage: { remembered: 'local', otherwise: 'session' }
   */
  readonly storage?: 'memory' | 'session' | 'local' | TokenStorage | RememberedStorage | undefined;
  /** The key in web storage. Two sessions of one origin need two, also those of two apps. @default 'data-client-auth' */
  readonly storageKey?: string | undefined;
}

function webStorage(name: 'sessionStorage' | 'localStorage', key: string): TokenStorage {
  return {
    get: () => globalThis[name].getItem(key),
    set: text => globalThis[name].setItem(key, text),
    remove: () => globalThis[name].removeItem(key),
  };
}

/** The storage of one session. */
function ownStorage(): TokenStorage {
  let text: string | undefined;
  return { get: () => text, set: stored => void (text = stored), remove: () => (text = undefined) };
}

/** Runs reads and writes one after the other. An operation that hangs blocks the queue until the timeout. */
function createQueue(clock: Clock, timeoutMs: number) {
  const hanging = new Set<unknown>();
  let last: Promise<void> | undefined;
  const settleInTime = (result: Promise<unknown>) =>
    withTimeout(clock, timeoutMs, result, () => {
      hanging.add(result);
      void result.finally(() => hanging.delete(result));
      return new Error('The storage does not answer.');
    }).then(
      () => {},
      () => {},
    );
  return {
    /** Returns true while an operation takes longer than the timeout. */
    isHanging: () => hanging.size > 0,
    /** @param operation Must not throw or reject. Runs in the same tick while the queue is empty. */
    run<R>(operation: () => MaybePromise<R>): Promise<R> {
      const before = last;
      const result = before ? before.then(operation) : operation();
      if (!isPromise(result)) return Promise.resolve(result);
      const settled = (before ? before.then(() => settleInTime(result)) : settleInTime(result)).then(() => {
        if (last === settled) last = undefined;
      });
      last = settled;
      return result;
    },
  };
}

/**
 * Loads and saves without rejecting. Returns undefined for `memory`. If the storage throws (denied, full, corrupt) or
 * does not answer, the session continues in memory and warns once. Reads and writes end in the order of their calls.
 *
 * @param parse Parses the stored value. Throws when it is not what a session stores.
 * @param timeoutMs How long one read or write may block the next one.
 */
export function tokenStorage<T extends SignInInStorage>(
  { storage = 'memory', storageKey = DEFAULT_NAME }: TokenStorageOptions,
  parse: (stored: unknown) => T,
  clock: Clock,
  timeoutMs: number,
) {
  if (storage === 'memory') return undefined;
  const { read, write, isSynchronous, ownId } = accessTo(storage, storageKey, parse);
  const queue = createQueue(clock, timeoutMs);
  const limit: Limit = result => withTimeout(clock, timeoutMs, result, () => new Error('The storage does not answer.'));
  const allowed = () => true;
  const never = () => false;
  return {
    load: (current: T | undefined): Promise<T | undefined> =>
      queue.isHanging() ? Promise.resolve(current) : queue.run(() => read(current)),
    save(signedIn: T | undefined, condition?: SaveCondition<T>): Promise<boolean> {
      const writeIf = (isAllowed: boolean) => (isAllowed ? andThen(() => write(signedIn), allowed, allowed) : false);
      const isHanging = queue.isHanging();
      const saved = queue.run(() =>
        condition
          ? andThen<T | undefined, boolean>(
              () => read(condition.current, limit),
              stored => writeIf(condition.isMet(stored)),
              never,
            )
          : writeIf(true),
      );
      // The storage may answer later; then its content counts. Callers do not wait.
      return isHanging ? Promise.resolve(!condition || condition.isMet(condition.current)) : saved;
    },
    /** Returns true if the storage is synchronous. */
    savesAtOnce: isSynchronous,
    /** The id of the sign-in that this tab alone has, where each login chooses its storage. */
    ownId,
  };
}

function placeOf(storage: 'local' | 'session' | TokenStorage, key: string): TokenStorage {
  if (typeof storage === 'object') return storage;
  // Deno and newer versions of Node have web storage. All visitors share it: the next one would be signed in as this one.
  if (isServer()) return ownStorage();
  return webStorage(storage === 'local' ? 'localStorage' : 'sessionStorage', key);
}

function accessTo<T extends SignInInStorage>(
  storage: 'local' | 'session' | TokenStorage | RememberedStorage,
  key: string,
  parse: (stored: unknown) => T,
): StorageAccess<T> & Partial<RememberedAccess<T>> {
  if (typeof storage !== 'object' || !('remembered' in storage)) return createAccess(placeOf(storage, key), parse);
  const parseAs = (isRemembered: boolean) => (stored: unknown) => {
    const signedIn = parse(stored);
    return { ...signedIn, credential: { ...signedIn.credential, isRemembered } };
  };
  const { remembered, otherwise } = storage;
  return rememberedAccess(
    createAccess(placeOf(remembered, key), parseAs(true)),
    otherwise === 'memory' ? undefined : createAccess(placeOf(otherwise, key), parseAs(false)),
  );
}
