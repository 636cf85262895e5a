import { withTimeout, type Clock } from '../../clock.js';
import { isDevelopment } from '../../isDevelopment.js';
import { DEFAULT_NAME } from '../../mechanisms/createTabs.js';
import type { RememberedStorage, TokenStorage, TokenStorageOptions } from '../../mechanisms/token/tokenStorage.js';
import { isServer } from '../../session/sharedOnServer.js';
import { isLater, type MaybePromise, type RecordStore, type SignInRecord, type Told } from '../session/record.js';

interface Options<C, U> extends TokenStorageOptions {
  /** Reads a stored sign-in. Throws when it is none. */
  readonly parse: (stored: unknown) => Pick<SignInRecord<C, U>, 'signIn' | 'credential'>;
  readonly clock: Clock;
  /** How long one read or write may take, in milliseconds. */
  readonly timeoutMs: number;
  /** The name of the channel for a storage of the app's own; false: no other tab is told. */
  readonly tabs?: string | false | undefined;
}

const UNUSABLE =
  'data-client-auth: the token storage failed, so this sign-in will not outlive the page. Check that storage is allowed and not full.';

/**
 * Keeps the record of the tabs as JSON, in web storage or in a storage of the app's own.
 *
 * A storage that throws, hangs, or does not keep what it is given is given up, once and for all: then the page's memory counts.
 */
export function createRecordStore<C, U>(options: Options<C, U>): RecordStore<C, U> | undefined {
  const { storage = 'memory' } = options;
  if (storage === 'memory') return undefined;
  if (typeof storage === 'object' && 'remembered' in storage) return rememberedStore(storage, options);
  return createPlace(storage, options);
}

/** "Keep me signed in": each login chooses one of two storages. What the other one has ends. */
function rememberedStore<C, U>(
  { remembered, otherwise }: RememberedStorage,
  options: Options<C, U>,
): RecordStore<C, U> {
  const lasting = createPlace(remembered, options);
  const passing = otherwise === 'memory' ? undefined : createPlace(otherwise, options);
  const places = passing ? [lasting, passing] : [lasting];
  const readAll = () => places.map(place => place.read());

  function latest(records: readonly (SignInRecord<C, U> | undefined)[]): SignInRecord<C, U> | undefined {
    const [first, second] = records;
    return first && second ? (isLater(second, first) ? second : first) : (first ?? second);
  }

  function writeInto(
    stored: readonly (SignInRecord<C, U> | undefined)[],
    record: SignInRecord<C, U>,
  ): MaybePromise<void> {
    const isRemembered = (record.credential as { readonly isRemembered?: boolean } | undefined)?.isRemembered === true;
    const target = isRemembered ? lasting : passing;
    const writes = places.map((place, index) => {
      const { [index]: before } = stored;
      if (place === target || (record.ended && before)) return place.write(record);
      // What other tabs have of the earlier sign-in ends.
      return before && !before.ended
        ? place.write({ id: before.id, revision: before.revision, ended: 'signed-out' })
        : undefined;
    });
    return all(writes, () => {});
  }

  return {
    get isUsable() {
      return places.some(({ isUsable }) => isUsable);
    },
    read() {
      return all(readAll(), latest);
    },
    write(record) {
      return all(readAll(), stored => writeInto(stored, record));
    },
    listen(onTold) {
      const ends = places.map(place => place.listen(onTold));
      return () => ends.forEach(end => end());
    },
  };
}

/** At once, if no value is a promise. */
function all<T, R>(
  values: readonly MaybePromise<T>[],
  then: (values: readonly T[]) => MaybePromise<R>,
): MaybePromise<R> {
  const isLate = values.some(value => value instanceof Promise);
  return isLate ? Promise.all(values.map(async value => value)).then(then) : then(values as readonly T[]);
}

/** One storage. */
function createPlace<C, U>(storage: 'session' | 'local' | TokenStorage, options: Options<C, U>): RecordStore<C, U> {
  const { storageKey: key = DEFAULT_NAME, parse, clock, timeoutMs, tabs } = options;
  // All visitors of a server would share its web storage.
  const area = typeof storage === 'string' ? (isServer() ? undefined : (`${storage}Storage` as const)) : undefined;
  const place = typeof storage === 'string' ? (area ? webStorage(area, key) : NOWHERE) : storage;
  let isUsable = true;
  /** The operations under way in an asynchronous storage. */
  let last: Promise<unknown> | undefined;
  let channel: BroadcastChannel | undefined;

  function giveUp(): void {
    if (!isUsable) return;
    isUsable = false;
    if (isDevelopment) console.warn(UNUSABLE);
    try {
      void Promise.resolve(place.remove()).catch(() => {});
    } catch {
      // What cannot be removed cannot be read either.
    }
  }

  /** One operation after the other. In the same task, if none is under way and the storage is synchronous. */
  function attempt<T>(operation: () => MaybePromise<T>): MaybePromise<T | undefined> {
    if (last) return inTime(last.then(operation));
    try {
      const result = operation();
      return result instanceof Promise ? inTime(result) : result;
    } catch {
      return void giveUp();
    }
  }

  function inTime<T>(result: Promise<T>): Promise<T | undefined> {
    const settled = withTimeout(clock, timeoutMs, result, () => new Error('The storage does not answer.')).catch(
      () => void giveUp(),
    );
    last = settled;
    void settled.then(() => {
      if (last === settled) last = undefined;
    });
    return settled;
  }

  /** @throws when the text is no record */
  function parseText(text: string | null | undefined): SignInRecord<C, U> | undefined {
    if (!text) return undefined;
    const { id, revision, ended, ...signIn } = JSON.parse(text) as SignInRecord<C, U>;
    if (typeof id !== 'string' || typeof revision !== 'number') throw new TypeError('This is no record of a sign-in.');
    return ended ? { id, revision, ended } : { id, revision, ...parse(signIn) };
  }

  function readText(text: string | null | undefined): SignInRecord<C, U> | undefined {
    try {
      return parseText(text);
    } catch {
      return void giveUp();
    }
  }

  function textOf({ signIn, credential, ...position }: SignInRecord<C, U>, withUser: boolean): string {
    const { user, ...who } = signIn ?? {};
    return JSON.stringify({ ...position, ...who, ...(withUser && { user }), credential });
  }

  function set(record: SignInRecord<C, U>): MaybePromise<void> {
    const small = () => place.set(textOf(record, false));
    try {
      const written = place.set(textOf(record, true));
      // A user may be larger than the storage. The tokens matter more.
      return written instanceof Promise ? written.catch(small) : written;
    } catch {
      return small();
    }
  }

  /** A storage may swallow what it is given. */
  function assertWritten({ id, revision }: SignInRecord<C, U>): void {
    const text = place.get();
    if (text instanceof Promise) return;
    const stored = parseText(text);
    if (stored?.id !== id || stored.revision !== revision) throw new Error('The storage did not keep the record.');
  }

  function announce({ id, revision, ended }: SignInRecord<C, U>): void {
    try {
      channel?.postMessage({ id, revision, ended });
    } catch {
      // Other tabs see it at their next read.
    }
  }

  function listenToWebStorage(onTold: (told: Told<C, U>) => void): () => void {
    const onStorage = ({ key: changed, newValue, storageArea }: StorageEvent) => {
      if (storageArea && storageArea !== globalThis[area!]) return;
      if (changed !== key && changed !== null) return;
      try {
        // The value is a record too: a write of this tab at the same time may have hidden it in the storage.
        onTold(changed === null || newValue === null ? null : parseText(newValue)!);
      } catch {
        // Another program has written it.
      }
    };
    globalThis.addEventListener?.('storage', onStorage);
    return () => globalThis.removeEventListener?.('storage', onStorage);
  }

  function listenToChannel(onTold: (told: Told<C, U>) => void): () => void {
    try {
      channel = new BroadcastChannel(`data-client-auth:${tabs ?? key}`);
      (channel as { unref?: () => void }).unref?.();
      channel.onmessage = ({ data }: MessageEvent<SignInRecord<C, U> | undefined>) => {
        if (typeof data?.id === 'string') onTold({ written: data });
      };
    } catch {
      // Tabs see changes at their next read.
    }
    return () => {
      channel?.close();
      channel = undefined;
    };
  }

  return {
    get isUsable() {
      return isUsable;
    },
    read() {
      if (!isUsable) return undefined;
      const text = attempt(() => place.get());
      return text instanceof Promise ? text.then(readText) : readText(text);
    },
    write(record) {
      if (!isUsable) return undefined;
      const written = attempt(() => {
        const setting = set(record);
        if (setting instanceof Promise) return setting;
        assertWritten(record);
        return undefined;
      });
      if (written instanceof Promise) return written.then(() => announce(record));
      announce(record);
      return undefined;
    },
    listen(onTold) {
      if (area) return listenToWebStorage(onTold);
      return typeof storage === 'object' && tabs !== false && !isServer() ? listenToChannel(onTold) : () => {};
    },
  };
}

const NOWHERE: TokenStorage = { get: () => null, set: () => {}, remove: () => {} };

function webStorage(area: 'sessionStorage' | 'localStorage', key: string): TokenStorage {
  return {
    get: () => globalThis[area].getItem(key),
    set: text => globalThis[area].setItem(key, text),
    remove: () => globalThis[area].removeItem(key),
  };
}
