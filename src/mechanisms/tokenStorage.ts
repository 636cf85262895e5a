import { withTimeout, type Clock } from '../clock.js';
import { DEFAULT_NAME } from './createTabs.js';

/** A place that outlives a reload; its functions may answer at once or by a promise. */
export interface TokenStorage {
  get(): string | null | undefined | Promise<string | null | undefined>;
  set(text: string): void | Promise<void>;
  remove(): void | Promise<void>;
}

/** Where a session keeps its entry. */
export interface TokenStorageOptions {
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
    if (!warned)
      console.warn(
        'data-client-auth: the token storage failed, so this sign-in will not outlive the page. Check that storage is allowed and not full.',
      );
    warned = true;
  };
}

/** What has to be stored for a write to go ahead, and what is taken for stored where that cannot be read. */
interface Condition<T> {
  readonly current: T | undefined;
  readonly isMet: (stored: T | undefined) => boolean;
}

type MaybePromise<T> = T | Promise<T>;

const isPromise = <T>(value: MaybePromise<T>): value is Promise<T> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function';

/** Goes on in the same tick where the storage answers at once: the page may be closed right after. */
function andThen<A, B>(
  call: () => MaybePromise<A>,
  next: (value: A) => MaybePromise<B>,
  onFailure: () => MaybePromise<B>,
): MaybePromise<B> {
  let value: MaybePromise<A>;
  try {
    value = call();
  } catch {
    return onFailure();
  }
  return isPromise(value) ? Promise.resolve(value).then(next, onFailure) : next(value);
}

/** Runs what reads or writes one after the other, and at once while nothing is under way. What hangs is waited for until the timeout. */
function createQueue(clock: Clock, timeoutMs: number) {
  const hanging = new Set<unknown>();
  let last: Promise<void> | undefined;
  const bounded = (result: Promise<unknown>) =>
    withTimeout(clock, timeoutMs, result, () => {
      hanging.add(result);
      void result.finally(() => hanging.delete(result));
      return new Error('The storage does not answer.');
    }).then(
      () => {},
      () => {},
    );
  return {
    /** Whether the storage took longer than the timeout for something, and still does. */
    isHanging: () => hanging.size > 0,
    /** @param act Never throws or rejects. */
    run<R>(act: () => MaybePromise<R>): Promise<R> {
      const before = last;
      const result = before ? before.then(act) : act();
      if (!isPromise(result)) return Promise.resolve(result);
      const settled = (before ? before.then(() => bounded(result)) : bounded(result)).then(() => {
        if (last === settled) last = undefined;
      });
      last = settled;
      return result;
    },
  };
}

/** Reads and writes without throwing or rejecting. After a write that failed, what this page knows counts for what is stored. */
function createAccess<T extends { readonly subject?: string | undefined }>(
  place: TokenStorage,
  parse: (stored: unknown) => T,
) {
  const warn = warnOnce();
  let isBroken = false;
  let owner: string | undefined;
  const read = (current: T | undefined, get: TokenStorage['get'] = () => place.get()): MaybePromise<T | undefined> => {
    if (isBroken) return current;
    const onFailure = () => {
      warn();
      return current;
    };
    const readText = (text: string | null | undefined) => {
      const stored = text ? parse(JSON.parse(text)) : undefined;
      owner = stored?.subject;
      return stored;
    };
    return andThen(
      get,
      text =>
        andThen(
          () => readText(text),
          stored => stored,
          onFailure,
        ),
      onFailure,
    );
  };
  const write = (signedIn: T | undefined): MaybePromise<void> =>
    andThen<void, void>(
      () => (signedIn ? place.set(JSON.stringify(signedIn)) : place.remove()),
      () => void (owner = signedIn?.subject),
      () => {
        isBroken = true;
        warn();
        // A full storage must not keep another user.
        return signedIn && signedIn.subject !== owner ? write(undefined) : undefined;
      },
    );
  return { read, write };
}

/**
 * Loads and saves without rejecting; undefined for memory. A storage that throws (denied, full, corrupt) costs one
 * warning, and the session goes on in memory; so it does while the storage does not answer. Slow reads and writes finish in the
 * order of their calls.
 *
 * @param parse Reads what was stored. Throws when it is not what a session stores.
 * @param timeoutMs How long one read or write may keep the next one waiting.
 */
export function tokenStorage<T extends { readonly subject?: string | undefined }>(
  { storage = 'memory', storageKey = DEFAULT_NAME }: TokenStorageOptions,
  parse: (stored: unknown) => T,
  clock: Clock,
  timeoutMs: number,
) {
  if (storage === 'memory') return undefined;
  const place =
    typeof storage === 'object'
      ? storage
      : webStorage(storage === 'local' ? 'localStorage' : 'sessionStorage', storageKey);
  const queue = createQueue(clock, timeoutMs);
  const { read, write } = createAccess(place, parse);
  /** A read before a write ends by the timeout, so that the write is not lost. */
  const getInTime = () => {
    const text = place.get();
    return isPromise(text)
      ? withTimeout(clock, timeoutMs, Promise.resolve(text), () => new Error('The storage does not answer.'))
      : text;
  };
  const allowed = () => true;
  const never = () => false;
  return {
    load: (current: T | undefined): Promise<T | undefined> =>
      queue.isHanging() ? Promise.resolve(current) : queue.run(() => read(current)),
    save(signedIn: T | undefined, condition?: Condition<T>): Promise<boolean> {
      const writeIf = (isAllowed: boolean) => (isAllowed ? andThen(() => write(signedIn), allowed, allowed) : false);
      const isHanging = queue.isHanging();
      const saved = queue.run(() =>
        condition
          ? andThen<T | undefined, boolean>(
              () => read(condition.current, getInTime),
              stored => writeIf(condition.isMet(stored)),
              never,
            )
          : writeIf(true),
      );
      // It may come back, and what it has then decides; but nothing waits for that.
      return isHanging ? Promise.resolve(!condition || condition.isMet(condition.current)) : saved;
    },
    /** Whether the storage answers at once. */
    savesAtOnce: (): boolean =>
      !isPromise(
        andThen<unknown, unknown>(
          () => place.get(),
          text => text,
          () => undefined,
        ),
      ),
  };
}
