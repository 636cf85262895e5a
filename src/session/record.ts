import type { Clock } from '../clock.js';
import type { SignOutReason } from './session.js';
import { isSameUser, type Position, type SignIn } from './state.js';
import type { Store } from './store.js';

/** One sign-in, as tabs share it. A sign-out is a record too, without sign-in and credential, so that nothing brings them back. */
export interface SignInRecord<Credential = unknown, User = unknown> extends Position {
  readonly signIn?: SignIn<User> | undefined;
  readonly credential?: Credential | undefined;
}

export type MaybePromise<T> = T | Promise<T>;

/** What a tab hears: a record, a position that another tab has written (without its tokens), or null: the record was removed. */
export type Told<Credential, User> = SignInRecord<Credential, User> | { readonly written: Position } | null;

/** Where a mechanism keeps the record of its tabs. Never rejects and never throws. */
export interface RecordStore<Credential = unknown, User = unknown> {
  /** False when the storage has failed: the page's memory counts. */
  readonly isUsable: boolean;
  /** Undefined if there is no record. At once, if the storage is synchronous. */
  read(): MaybePromise<SignInRecord<Credential, User> | undefined>;
  /** In the same task if the storage is synchronous, because the page may be closed. */
  write(record: SignInRecord<Credential, User>): MaybePromise<void>;
  /** Whether other tabs see this record: then they wait until they know it, too. */
  isShared(record: SignInRecord<Credential, User>): boolean;
  /** Calls back when another tab has written or removed the record. Returns what ends that. */
  listen(onTold: (told: Told<Credential, User>) => void): () => void;
}

/** How long a tab looks for a record that another tab has announced, in milliseconds. */
const CATCH_UP_MS = 1_000;
const LOOK_AGAIN_MS = 2;

/** An act of the user ends a sign-in for good; an expired one may be locked. */
const weightOf = ({ ended }: Position): number => (!ended ? 0 : ended === 'expired' || ended === 'idle' ? 1 : 2);

/** Whether a record replaces another one, in whichever tab: the later sign-in, its end over the sign-in itself, the later refresh. */
export function isLater(a: Position, b: Position): boolean {
  if (a.id !== b.id) return a.id > b.id;
  return weightOf(a) === weightOf(b) ? a.revision > b.revision : weightOf(a) > weightOf(b);
}

const beats = (a: Position | undefined, b: Position | undefined): boolean =>
  a !== undefined && (b === undefined || isLater(a, b));

const isSame = (a: Position, b: Position): boolean => !isLater(a, b) && !isLater(b, a);
const isSameText = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const TIME_DIGITS = 15;

/** False for what another program has written: its order would be that of its letters. */
export const isId = (id: unknown): id is string => typeof id === 'string' && /^\d{15}-/.test(id);

/** The id of a new sign-in. It is greater than every known one, also when the clock was set back. */
export function newId(now: number, ...known: readonly string[]): string {
  const time = Math.max(Math.trunc(now), ...known.map(id => (Number.parseInt(id, 10) || 0) + 1));
  return `${String(time).padStart(TIME_DIGITS, '0')}-${Math.random().toString(36).slice(2)}`;
}

interface Parts<C, U> {
  readonly store: Store<C, U>;
  readonly shared: RecordStore<C, U> | undefined;
  readonly clock: Clock;
  /** Whether an end for this reason keeps the screen. */
  readonly endLocks: (reason: SignOutReason) => boolean;
  /** Another tab has signed out without knowing of the last refresh: its logout did not end this credential. */
  readonly onUndone: (credential: C) => void;
  /** True if the server tells who is signed in. @default false */
  readonly canAsk?: boolean | undefined;
  /** @default by their JSON */
  readonly isSameCredential?: ((a: C, b: C) => boolean) | undefined;
}

/** What the other parts of a session see of the record, whatever its credential is. */
export interface SharedRecord {
  readonly isShared: boolean;
  /** Makes the state and the record the same. In the same task, if the storage is synchronous. `isLogin`: writes into an empty storage. */
  sync(options?: { readonly isLogin?: boolean }): Promise<void>;
  /** Resolves when the record is not behind this position, after a second at the latest. */
  catchUp(position: Position): Promise<void>;
  /** What the other tabs have to know before they refresh; undefined if they share nothing with this one. */
  readonly sharedPosition: Position | undefined;
  /** Greater than every known one. `stored`: one that the page has not taken over. */
  nextId(stored?: string): string;
  listen(): (() => void) | undefined;
}

/**
 * Keeps the state and the record of the tabs the same. Every read and every write is one step: the latest of what is known, stored and
 * told counts, here and in the storage. Without a record store it does nothing.
 */
export function createRecord<C, U>(parts: Parts<C, U>): SharedRecord {
  const { store, shared, clock, endLocks, onUndone, isSameCredential = isSameText } = parts;
  /** This tab has read or written a record: when it is gone, the user has removed it. */
  let isStored = false;
  /** The last refreshed sign-in that this tab wrote. A removal that it hears of later was earlier, and ends it. */
  let renewed: Position | undefined;
  /** The steps under way in an asynchronous storage. */
  let last: Promise<void> | undefined;
  /** The latest record that another tab has told: a read that was under way then is older. */
  let news: SignInRecord<C, U> | undefined;
  /** Those who wait until another tab has written. */
  const waiting = new Set<() => void>();

  function known(): SignInRecord<C, U> | undefined {
    const { status, position, signIn, credential } = store.state;
    if (position.id === '') return undefined;
    return status === 'authenticated' ? { ...position, signIn, credential } : position;
  }

  function step(isRemoval: boolean, isLogin: boolean): MaybePromise<void> {
    const read = shared!.read();
    const finish = (stored: SignInRecord<C, U> | undefined) => merge(isRemoval, stored, isLogin);
    return read instanceof Promise ? read.then(finish) : finish(read);
  }

  function merge(isRemoval: boolean, stored: SignInRecord<C, U> | undefined, isLogin: boolean): MaybePromise<void> {
    const told = news;
    news = undefined;
    if (!shared!.isUsable) return undefined;
    const isOwn = renewed && stored && isSame(renewed, stored);
    const isRemoved = stored ? isRemoval && isOwn : isRemoval || (isStored && !isLogin);
    if (isRemoved) endRemoved();
    if (told && beats(told, known())) adopt(told);
    if (stored && !beats(known(), stored)) adopt(stored);
    isStored = stored !== undefined || isLogin;
    const next = known();
    if (!next || !isStored || !beats(next, stored)) return undefined;
    // A login may write into a storage that was emptied; a refresh may not.
    if (!next.ended && !isLogin && next.revision > 0) renewed = next;
    return shared!.write(next);
  }

  function endRemoved(): void {
    const { position, status } = store.state;
    if (status === 'anonymous' || status === 'restoring') return;
    store.dispatch({ type: 'signed-out', reason: 'elsewhere', position: { ...position, ended: 'signed-out' } });
  }

  function adopt({ signIn, credential, ...position }: SignInRecord<C, U>): void {
    const { state } = store;
    // Of two equal records the stored one counts. Mostly it is this tab's own, or that of a sign-in that this page alone has left.
    const isKnown = () => state.credential === undefined || isSameCredential(credential!, state.credential);
    if (isSame(position, state.position) && (position.ended || isKnown())) return;
    if (position.ended || !signIn) return adoptEnd({ ...position, ended: position.ended ?? 'signed-out' });
    const found = { signIn, credential: credential!, position };
    if (state.status === 'restoring') return store.dispatch({ type: 'found', ...found });
    if (state.status !== 'authenticated' || !isSameUser(state.signIn, signIn))
      return store.dispatch({ type: 'signed-in', ...found });
    // The same user object, unless another sign-in describes the user: a refresh renders nothing.
    const isDescribed = position.id === state.position.id || isSameText(signIn.user, state.signIn?.user);
    store.dispatch({ type: 'refreshed', ...found, signIn: isDescribed ? state.signIn! : signIn });
  }

  function adoptEnd(position: Position & { readonly ended: SignOutReason }): void {
    const { status, credential, position: own } = store.state;
    const { ended } = position;
    if (status === 'restoring')
      return store.dispatch({ type: 'found-no-user', reason: ended, position, isAsked: parts.canAsk });
    const isUndone = weightOf(position) === 2 && position.id === own.id && position.revision < Math.floor(own.revision);
    const locks = endLocks(ended);
    const reason = ended === 'signed-out' ? 'elsewhere' : ended;
    store.dispatch({ type: 'signed-out', reason, locks, position });
    if (isUndone && credential !== undefined) onUndone(credential);
  }

  function run(told?: SignInRecord<C, U> | null, isLogin = false): Promise<void> {
    if (!shared || !shared.isUsable) return Promise.resolve();
    // A read that is under way must not take the new sign-in for one that was removed.
    if (isLogin) isStored = false;
    if (told && beats(told, news)) news = told;
    const next = () => step(told === null, isLogin);
    const result = last ? last.then(next) : next();
    if (!(result instanceof Promise)) return Promise.resolve();
    last = result;
    const end = () => {
      if (last === result) last = undefined;
    };
    result.then(end, end);
    // What another tab has told meanwhile counts, too.
    return result.then(() => last);
  }

  const isBehind = (position: Position) => isLater(position, store.state.position);

  async function catchUp({ id, revision, ended }: Position): Promise<void> {
    const position = { id, revision, ended };
    if (!shared?.isUsable || !isBehind(position)) return;
    // The end of a sign-in is a whole record: it has no tokens.
    if (ended) return run(position);
    let isLate = false;
    const cancel = clock.setTimeout(() => (isLate = true), CATCH_UP_MS);
    await run();
    while (isBehind(position) && !isLate) {
      await pause();
      await run();
    }
    cancel();
  }

  /** A timer of a hidden tab may take a second; what another tab writes arrives at once. */
  function pause(): Promise<void> {
    return new Promise(resolve => {
      const goOn = () => {
        cancel();
        waiting.delete(goOn);
        resolve();
      };
      const cancel = clock.setTimeout(goOn, LOOK_AGAIN_MS);
      waiting.add(goOn);
    });
  }

  function hear(told: Told<C, U>): void {
    // Where reading and writing take time, an earlier record may have replaced a later one: a look mends that.
    const isPosition = told !== null && 'written' in told;
    const heard = isPosition ? (isBehind(told.written) ? catchUp(told.written) : run()) : run(told);
    void heard.then(() => waiting.forEach(goOn => goOn()));
  }

  return {
    isShared: shared !== undefined,
    sync: ({ isLogin } = {}) => run(undefined, isLogin),
    catchUp,
    get sharedPosition() {
      const record = known();
      return record && shared?.isUsable && shared.isShared(record) ? store.state.position : undefined;
    },
    nextId: (stored = '') => newId(clock.now(), store.state.position.id, stored),
    listen: () => shared?.listen(hear),
  };
}
