import type { Clock } from '../clock.js';
import { isDevelopment } from '../isDevelopment.js';
import { DEFAULT_NAME } from './tabsOption.js';
import type { NamedStorage, RememberedStorage, TokenStorage, TokenStorageOptions } from './tokenStorage.js';
import { isServer } from '../session/sharedOnServer.js';
import { isId, isLater, type MaybePromise, type RecordStore, type SignInRecord, type Told } from '../session/record.js';
import type { Position } from '../session/state.js';

/** The option `storage`, with its defaults. */
interface Place {
  readonly storage: NamedStorage['in'] | RememberedStorage;
  readonly key: string;
  readonly tabs: boolean;
}

/** @throws TypeError for a storage that there is not. A text would be taken for the session storage. */
export function readStorage(option: TokenStorageOptions['storage'] = 'memory'): Place {
  const named = typeof option === 'object' && ('in' in option || 'remembered' in option) ? option : undefined;
  const storage = named && 'in' in named ? named.in : (option as Exclude<typeof option, NamedStorage>);
  if (typeof storage === 'object' ? storage === null : !STORAGES.includes(storage))
    throw new TypeError(
      isDevelopment
        ? `\`storage\` is ${JSON.stringify(storage)}. It may be 'memory', 'session', 'local' or an object with get(), set() and remove(). If the server keeps the sign-in in a cookie, use createCookieSession(); if it keeps the refresh token in one, give the session \`restore\`.`
        : 'There is no such `storage`.',
    );
  const { key = DEFAULT_NAME, tabs = true } = named ?? {};
  return { storage, key, tabs };
}

const STORAGES: readonly unknown[] = ['memory', 'session', 'local'];

interface Options<C, U> extends Place {
  /** Reads a stored sign-in. Throws when it is none. */
  readonly parse: (stored: unknown) => Pick<SignInRecord<C, U>, 'signIn' | 'credential'>;
  readonly clock: Clock;
  /** How long one read or write may take, in milliseconds. */
  readonly timeoutMs: number;
}

const UNUSABLE =
  'data-client-auth: the token storage failed, so this sign-in will not outlive the page. Check that storage is allowed and not full.';

/**
 * Keeps the record of the tabs as JSON, in web storage or in a storage of the app's own.
 *
 * A storage that throws, hangs, or does not keep what it is given is given up, once and for all: then the page's memory counts.
 */
export function createRecordStore<C, U>(options: Options<C, U>): RecordStore<C, U> | undefined {
  const { storage } = options;
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
  const passing =
    otherwise === 'memory' ? createPlace(pageStorage(), { ...options, tabs: false }) : createPlace(otherwise, options);
  const places = [lasting, passing];
  const readAll = () => places.map(place => place.read());

  function latest(records: readonly (SignInRecord<C, U> | undefined)[]): SignInRecord<C, U> | undefined {
    const [first, second] = records;
    return first && second ? (isLater(second, first) ? second : first) : (first ?? second);
  }

  /** Of two sign-ins the later one counts: the other one must not come back when that has ended. */
  function endEarlier(records: readonly (SignInRecord<C, U> | undefined)[]): MaybePromise<void> {
    const last = latest(records);
    const ends = places.map((place, index) => {
      const { [index]: record } = records;
      return record && record !== last && !record.ended ? place.write(endOf(record)) : undefined;
    });
    return all(ends, () => {});
  }

  function writeInto(
    stored: readonly (SignInRecord<C, U> | undefined)[],
    record: SignInRecord<C, U>,
  ): MaybePromise<void> {
    const target = isRemembered(record) ? lasting : passing;
    const writes = places.map((place, index) => {
      const { [index]: before } = stored;
      if (place === target || (record.ended && before)) return place.write(record);
      // What other tabs have of the earlier sign-in ends.
      return before && !before.ended ? place.write(endOf(before)) : undefined;
    });
    return all(writes, () => {});
  }

  return {
    get isUsable() {
      return places.some(({ isUsable }) => isUsable);
    },
    read() {
      return all(readAll(), records => then(endEarlier(records), () => latest(records)));
    },
    write(record) {
      return all(readAll(), stored => writeInto(stored, record));
    },
    isShared: record => (record.ended !== undefined || isRemembered(record)) && lasting.isShared(record),
    listen(onTold) {
      const ends = places.map(place => place.listen(onTold));
      return () => ends.forEach(end => end());
    },
  };
}

const endOf = ({ id, revision }: Position): Position => ({ id, revision, ended: 'signed-out' });

const isRemembered = ({ credential }: SignInRecord): boolean =>
  (credential as { readonly isRemembered?: boolean } | undefined)?.isRemembered === true;

const LATE = Symbol('late');

/** At once, if the value is no promise. */
function then<T, R>(value: MaybePromise<T>, next: (value: T) => R): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
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
  const { key, parse, clock, timeoutMs, tabs } = options;
  // All visitors of a server would share its web storage.
  const area = typeof storage === 'string' ? (isServer() ? undefined : (`${storage}Storage` as const)) : undefined;
  const place = typeof storage === 'string' ? (area ? webStorage(area, key) : pageStorage()) : storage;
  let isUsable = true;
  /** What the storage has, as far as this page knows: it counts while the storage does not answer. */
  let kept: SignInRecord<C, U> | undefined;
  /** The operations under way in an asynchronous storage. */
  let last: Promise<unknown> | undefined;
  /** How many operations took longer than `timeoutMs` and still run. Until they end, callers do not wait for the next one of the kind. */
  const hanging = { read: 0, write: 0 };
  /** A write ran beside a hanging one, which may end later: it is done again. */
  let isOwed = false;
  let channel: BroadcastChannel | undefined;

  function giveUp(): void {
    if (!isUsable) return;
    isUsable = false;
    if (isDevelopment) console.warn(UNUSABLE);
    quietly(() => place.remove());
    // Tabs whose token was used by a refresh that cannot be stored find nothing, and end.
    if (kept) announce(kept);
  }

  /** Callers do not wait for it. */
  function quietly(operation: () => MaybePromise<void>): void {
    try {
      void Promise.resolve(operation()).catch(() => {});
    } catch {
      // What cannot be written cannot be helped.
    }
  }

  /** One operation after the other. In the same task, if none is under way and the storage is synchronous. */
  function attempt<T>(
    kind: 'read' | 'write',
    operation: () => MaybePromise<T>,
  ): MaybePromise<T | typeof LATE | undefined> {
    if (last) return inTime(kind, last.then(operation));
    try {
      const result = operation();
      return result instanceof Promise ? inTime(kind, result) : result;
    } catch {
      return void giveUp();
    }
  }

  function inTime<T>(kind: 'read' | 'write', result: Promise<T>): Promise<T | typeof LATE | undefined> {
    const settled = new Promise<T | typeof LATE | undefined>(resolve => {
      const cancel = clock.setTimeout(() => {
        hanging[kind]++;
        void ended.then(() => onAnswer(kind));
        resolve(LATE);
      }, timeoutMs);
      const ended = result.then(resolve, () => resolve(void giveUp())).then(cancel);
    });
    last = settled;
    void settled.then(() => {
      if (last === settled) last = undefined;
    });
    return settled;
  }

  function onAnswer(kind: 'read' | 'write'): void {
    hanging[kind]--;
    if (!isOwed || hanging.write > 0 || !kept) return;
    isOwed = false;
    void write(kept);
  }

  /** @throws when the text is no record */
  function parseText(text: string | null | undefined): SignInRecord<C, U> | undefined {
    if (!text) return undefined;
    const { id, revision, ended, ...signIn } = JSON.parse(text) as SignInRecord<C, U>;
    if (!isId(id) || typeof revision !== 'number') throw new TypeError('This is no record of a sign-in.');
    return ended ? { id, revision, ended } : { id, revision, ...parse(signIn) };
  }

  function readText(text: string | null | undefined): SignInRecord<C, U> | undefined {
    try {
      return parseText(text);
    } catch {
      // Of an earlier version, or of another program.
      return undefined;
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
  function assertWritten({ id, revision, ended }: SignInRecord<C, U>): void {
    const text = place.get();
    if (text instanceof Promise) return;
    const stored = readText(text);
    if (stored?.id !== id || stored.revision !== revision || stored.ended !== ended)
      throw new Error('The storage did not keep the record.');
  }

  /** Web storage tells by itself. */
  const isTold = !area && typeof storage === 'object' && tabs && !isServer();
  const openChannel = () => new BroadcastChannel(`data-client-auth:${key}`);

  function announce({ id, revision, ended }: SignInRecord<C, U>): void {
    if (!isTold) return;
    try {
      // A session without subscribers has no open channel.
      const told = channel ?? openChannel();
      told.postMessage({ id, revision, ended });
      if (told !== channel) told.close();
    } catch {
      // Other tabs see it at their next read.
    }
  }

  function listenToWebStorage(onTold: (told: Told<C, U>) => void): () => void {
    const onStorage = ({ key: changed, newValue, storageArea }: StorageEvent) => {
      if (storageArea && storageArea !== globalThis[area!]) return;
      if (changed !== key && changed !== null) return;
      // The value is a record too: a write of this tab at the same time may have hidden it in the storage.
      onTold(readText(newValue) ?? null);
    };
    globalThis.addEventListener?.('storage', onStorage);
    return () => globalThis.removeEventListener?.('storage', onStorage);
  }

  function listenToChannel(onTold: (told: Told<C, U>) => void): () => void {
    try {
      channel = openChannel();
      (channel as { unref?: () => void }).unref?.();
      channel.onmessage = ({ data }: MessageEvent<SignInRecord<C, U> | undefined>) => {
        if (isId(data?.id)) onTold({ written: data });
      };
    } catch {
      // Tabs see changes at their next read.
    }
    return () => {
      channel?.close();
      channel = undefined;
    };
  }

  function read(): MaybePromise<SignInRecord<C, U> | undefined> {
    if (!isUsable || hanging.read > 0) return kept;
    const take = (found: typeof kept | typeof LATE) => (found === LATE ? kept : (kept = found));
    return then(
      attempt('read', () => then(place.get(), readText)),
      take,
    );
  }

  function write(record: SignInRecord<C, U>): MaybePromise<void> {
    if (!isUsable) return undefined;
    kept = record;
    if (hanging.write > 0) {
      isOwed = true;
      quietly(() => set(record));
      return undefined;
    }
    const written = attempt('write', () => {
      const setting = set(record);
      if (setting instanceof Promise) return setting;
      assertWritten(record);
      return undefined;
    });
    return then(written, () => (isUsable ? announce(record) : undefined));
  }

  return {
    get isUsable() {
      return isUsable;
    },
    read,
    write,
    isShared: () => tabs && storage !== 'session',
    listen(onTold) {
      if (!tabs) return () => {};
      if (area) return listenToWebStorage(onTold);
      return isTold ? listenToChannel(onTold) : () => {};
    },
  };
}

/** Of this page alone. */
function pageStorage(): TokenStorage {
  let text: string | undefined;
  return { get: () => text, set: stored => void (text = stored), remove: () => (text = undefined) };
}

function webStorage(area: 'sessionStorage' | 'localStorage', key: string): TokenStorage {
  return {
    get: () => globalThis[area].getItem(key),
    set: text => globalThis[area].setItem(key, text),
    remove: () => globalThis[area].removeItem(key),
  };
}
