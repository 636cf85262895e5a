import { withTimeout, type Clock } from '../clock.js';
import { DEFAULT_NAME } from './createTabs.js';

/** A storage that outlives a reload. Its functions may be synchronous or return promises. */
export interface TokenStorage {
  get(): string | null | undefined | Promise<string | null | undefined>;
  set(text: string): void | Promise<void>;
  remove(): void | Promise<void>;
}

/** Where a session stores its tokens. */
export interface TokenStorageOptions {
  /**
   * Where tokens are stored: in memory (a reload loses them), in session or local storage, or in a store of your own. A
   * duplicated tab gets a copy of the session storage. If a refresh token can be used only once, use `local` or a store
   * of your own, so that two tabs share it.
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

/** Warns once for each storage that tokens will not outlive the page. The warning contains no token. */
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

/** The condition for a write. `isMet` gets the stored value. If the storage cannot be read, `isMet` gets `current`. */
interface Condition<T> {
  readonly current: T | undefined;
  readonly isMet: (stored: T | undefined) => boolean;
}

type MaybePromise<T> = T | Promise<T>;

const isPromise = <T>(value: MaybePromise<T>): value is Promise<T> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function';

/** Calls `next` in the same tick if the storage is synchronous, because the page may be closed right after. */
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

/** Reads and writes without throwing or rejecting. After a failed write, `read` returns the value in memory. */
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
        // The storage may be full. It must not keep the tokens of another user.
        return signedIn && signedIn.subject !== owner ? write(undefined) : undefined;
      },
    );
  return { read, write };
}

/**
 * Loads and saves without rejecting. Returns undefined for `memory`. If the storage throws (denied, full, corrupt) or
 * does not answer, the session continues in memory and warns once. Reads and writes end in the order of their calls.
 *
 * @param parse Parses the stored value. Throws when it is not what a session stores.
 * @param timeoutMs How long one read or write may block the next one.
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
  /** A read before a write has a timeout, so that the write is not lost. */
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
      // The storage may answer later; then its content counts. Callers do not wait.
      return isHanging ? Promise.resolve(!condition || condition.isMet(condition.current)) : saved;
    },
    /** Returns true if the storage is synchronous. */
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
