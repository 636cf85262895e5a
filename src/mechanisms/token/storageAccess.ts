import type { TokenStorage } from './tokenStorage.js';

export type MaybePromise<T> = T | Promise<T>;

export const isPromise = <T>(value: MaybePromise<T>): value is Promise<T> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function';

/** Calls `next` in the same tick if the storage is synchronous, because the page may be closed right after. */
export function andThen<A, B>(
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

/** Bounds how long a read may take. */
export type Limit = <T>(result: Promise<T>) => Promise<T>;

/**
 * Reads and writes without throwing or rejecting. After a failed write, `read` returns the value in memory, until a sign-in is stored
 * again.
 */
export interface StorageAccess<T> {
  /** @param limit For a read before a write, which must not be lost. @default no limit */
  read(current: T | undefined, limit?: Limit): MaybePromise<T | undefined>;
  /** Stores the sign-in. Undefined, or if it cannot be stored: removes the stored one. */
  write(signedIn: T | undefined): MaybePromise<void>;
  /** Returns true if the storage answers in the same tick. */
  isSynchronous(): boolean;
}

/** In production too: the user's next visit starts signed out. Contains no token. */
const STORAGE_FAILED =
  'data-client-auth: the token storage failed, so this sign-in will not outlive the page. Check that storage is allowed and not full.';

/** @param parse Parses the stored value. Throws when it is not what a session stores. */
export function createAccess<T>(place: TokenStorage, parse: (stored: unknown) => T): StorageAccess<T> {
  let isBroken = false;
  let hasWarned = false;
  const warn = () => {
    if (!hasWarned) console.warn(STORAGE_FAILED);
    hasWarned = true;
  };
  const read: StorageAccess<T>['read'] = (current, limit) => {
    if (isBroken) return current;
    const onFailure = () => {
      warn();
      return current;
    };
    const get = () => {
      const text = place.get();
      return limit && isPromise(text) ? limit(Promise.resolve(text)) : text;
    };
    const readText = (text: string | null | undefined) => (text ? parse(JSON.parse(text)) : undefined);
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
      () => {
        // A full storage can still remove, which says nothing about the next write.
        if (signedIn) isBroken = false;
      },
      () => {
        isBroken = true;
        warn();
        // The storage may be full. It must not keep the tokens of another user, or a refresh token that was used.
        return signedIn && write(undefined);
      },
    );
  return { read, write, isSynchronous: () => answersAtOnce(place) };
}

function answersAtOnce(place: TokenStorage): boolean {
  return !isPromise(
    andThen<unknown, unknown>(
      () => place.get(),
      text => text,
      () => undefined,
    ),
  );
}
