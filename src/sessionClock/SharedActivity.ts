import type { Clock } from '../clock.js';
import { tryOrUndefined } from '../mechanisms/tryOrUndefined.js';
import { webLocks } from '../session/locks.js';
import type { EndCause } from './RunningClock.js';

/** The time until all other tabs can read a write to web storage, in milliseconds. */
const PROPAGATION_MS = 50;

/** The last activity in any tab, as `localStorage` has it. */
interface ActivityRecord {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** The tab that ended the session because of no activity, and tells the server. */
  readonly endedBy?: string | undefined;
  /** True when the server has confirmed it. */
  readonly isConfirmed?: boolean | undefined;
  /** The end that a tab has learned last. */
  readonly end?: SharedEnd | undefined;
}

/** The end that the server has set for one sign-in. */
export interface SharedEnd {
  /** See `ClockedSession.getSharedSignIn`. */
  readonly signIn: string;
  /** By the page's clock, in milliseconds since 1970. */
  readonly endsAt: number;
  /** When a tab learned it. The latest knowledge counts. */
  readonly knownAt: number;
}

/** What another tab has stored: the time of the last activity, and what else is new. */
export interface ActivityMessage {
  readonly at: number;
  /** `idle`: the session has ended in all tabs. `expired`: a sign-in has ended, which may be another one than the reader's. */
  readonly ended?: EndCause | undefined;
  readonly end?: SharedEnd | undefined;
}

/**
 * Shares the time of the last activity, and the end that the server has set, with the other tabs that share the sign-in, by
 * `localStorage`: a tab that was frozen reads it before it ends anything, and events make the other tabs notice at once.
 */
export class SharedActivity {
  readonly #address: string | undefined;
  readonly #clock: Clock;
  readonly #id = Math.random().toString(36).slice(2);

  /** @param name Undefined: nothing is shared, and nothing is stored. */
  constructor(name: string | undefined, clock: Clock) {
    this.#address = name === undefined ? undefined : `data-client-auth:${name}:activity`;
    this.#clock = clock;
  }

  read(): ActivityRecord | undefined {
    return this.#address === undefined
      ? undefined
      : parseRecord(tryOrUndefined(() => globalThis.localStorage.getItem(this.#address!)));
  }

  /** Stores the time of the last activity. */
  share(at: number): void {
    this.#write({ at, end: this.read()?.end });
  }

  /**
   * Stores the end that the server has set, beside the activity that is stored.
   *
   * @param at The last activity, in milliseconds since 1970: stored only if there is none.
   */
  shareEnd(at: number, end: SharedEnd): void {
    this.#write({ ...(this.read() ?? { at }), end });
  }

  /** Tells the other tabs that this tab's session has ended: see `ActivityMessage`. */
  postEnd(at: number, ended: EndCause, end?: SharedEnd): void {
    if (this.#address === undefined) return;
    const key = endKey(this.#address);
    // Not in the record, where it might replace another tab's claim. The event is all that is needed.
    tryOrUndefined(() => globalThis.localStorage.setItem(key, JSON.stringify({ at, ended, end })));
    tryOrUndefined(() => globalThis.localStorage.removeItem(key));
  }

  /** No user is signed in: forgets the last activity. */
  clear(): void {
    if (this.#address !== undefined) tryOrUndefined(() => globalThis.localStorage.removeItem(this.#address!));
  }

  /** Resolves with true in one of the tabs that end the session at the same time (without Web Locks, in each). That one tells the server. */
  async claimEnd(at: number): Promise<boolean> {
    const address = this.#address;
    if (address === undefined) return true;
    const claim = () => {
      if (this.read()?.endedBy !== undefined) return false;
      this.#write({ at, endedBy: this.#id });
      return true;
    };
    return new Promise(resolve => {
      const claimAndPropagate = () => {
        resolve(claim());
        return new Promise<void>(done => void this.#clock.setTimeout(done, PROPAGATION_MS));
      };
      const held = Promise.resolve(webLocks()).then(locks => locks!.request(`${address}:lock`, claimAndPropagate));
      held.catch(() => resolve(claim()));
    });
  }

  /** The server has confirmed the end that this tab has claimed: a later sign-in begins with new activity. */
  confirmEnd(): void {
    const record = this.read();
    if (record?.endedBy === this.#id) this.#write({ ...record, isConfirmed: true });
  }

  listen(onMessage: (message: ActivityMessage) => void): () => void {
    const address = this.#address;
    if (address === undefined) return () => {};
    const read = ({ key, newValue }: StorageEvent) => {
      const message = key === address || key === endKey(address) ? parseMessage(newValue) : undefined;
      if (message) onMessage(message);
    };
    globalThis.addEventListener?.('storage', read);
    return () => globalThis.removeEventListener?.('storage', read);
  }

  #write(record: ActivityRecord): void {
    const address = this.#address;
    if (address !== undefined) tryOrUndefined(() => globalThis.localStorage.setItem(address, JSON.stringify(record)));
  }
}

const endKey = (address: string) => `${address}:end`;

/** Another program may have written a text that is no JSON. */
const parse = <T>(text: string | null | undefined) =>
  (tryOrUndefined(() => JSON.parse(text!) as unknown) ?? {}) as Partial<Record<keyof T, unknown>>;

function parseRecord(text: string | null | undefined): ActivityRecord | undefined {
  const { at, endedBy, isConfirmed, end } = parse<ActivityRecord>(text);
  if (typeof at !== 'number') return undefined;
  return {
    at,
    endedBy: typeof endedBy === 'string' ? endedBy : undefined,
    isConfirmed: isConfirmed === true,
    end: parseEnd(end),
  };
}

function parseMessage(text: string | null): ActivityMessage | undefined {
  const { at, ended, end } = parse<ActivityMessage>(text);
  if (typeof at !== 'number') return undefined;
  return { at, ended: ended === 'idle' || ended === 'expired' ? ended : undefined, end: parseEnd(end) };
}

function parseEnd(data: unknown): SharedEnd | undefined {
  const { signIn, endsAt, knownAt } = (data ?? {}) as Partial<Record<keyof SharedEnd, unknown>>;
  if (typeof signIn !== 'string' || typeof endsAt !== 'number' || typeof knownAt !== 'number') return undefined;
  return { signIn, endsAt, knownAt };
}
