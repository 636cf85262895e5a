import type { Clock } from '../clock.js';
import { TabChannel } from '../mechanisms/TabChannel.js';
import { tryOrUndefined } from '../mechanisms/tryOrUndefined.js';
import { PROPAGATION_MS, withLock } from '../mechanisms/withLock.js';
import type { EndCause } from './RunningClock.js';

/** How long one tab may hold the lock while it claims the end, in milliseconds. */
const LOCK_TIMEOUT_MS = 5_000;

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

/** A message to the other tabs: the time of the last activity, and what else is new. */
export interface ActivityMessage {
  readonly at: number;
  /** `idle`: the session has ended in all tabs. `expired`: a sign-in has ended, which may be another one than the reader's. */
  readonly ended?: EndCause | undefined;
  readonly end?: SharedEnd | undefined;
}

/**
 * Shares the time of the last activity, and the end that the server has set, with the other tabs that share the sign-in.
 * The storage is what counts: a tab that was frozen reads it before it ends anything. Messages make the other tabs notice
 * at once.
 */
export class SharedActivity {
  readonly #address: string | undefined;
  readonly #clock: Clock;
  readonly #id = Math.random().toString(36).slice(2);
  readonly #channel: TabChannel | undefined;

  /** @param name Undefined: nothing is shared, and nothing is stored. */
  constructor(name: string | undefined, clock: Clock) {
    this.#address = name === undefined ? undefined : `data-client-auth:${name}:activity`;
    this.#channel = this.#address === undefined ? undefined : new TabChannel(`${this.#address}:message`, clock);
    this.#clock = clock;
  }

  read(): ActivityRecord | undefined {
    return this.#address === undefined
      ? undefined
      : parseRecord(tryOrUndefined(() => globalThis.localStorage.getItem(this.#address!)));
  }

  /** Stores the time of the last activity, and tells the other tabs. */
  share(at: number): void {
    this.#write({ at, end: this.read()?.end });
    this.#channel?.post({ at });
  }

  /**
   * Stores the end that the server has set, beside the activity that is stored, and tells the other tabs.
   *
   * @param at The last activity, in milliseconds since 1970: stored only if there is none.
   */
  shareEnd(at: number, end: SharedEnd): void {
    this.#write({ ...(this.read() ?? { at }), end });
    this.#channel?.post({ at, end });
  }

  /** Tells the other tabs that this tab's session has ended: see `ActivityMessage`. */
  postEnd(at: number, ended: EndCause, end?: SharedEnd): void {
    this.#channel?.post({ at, ended, end });
  }

  /** No user is signed in: forgets the last activity. */
  clear(): void {
    if (this.#address !== undefined) tryOrUndefined(() => globalThis.localStorage.removeItem(this.#address!));
  }

  /** Resolves with true in one of the tabs that end the session at the same time. That one tells the server. */
  async claimEnd(at: number): Promise<boolean> {
    if (this.#address === undefined) return true;
    const claim = async () => {
      if (this.read()?.endedBy !== undefined) return false;
      this.#write({ at, endedBy: this.#id });
      return true;
    };
    // Nothing ends the wait: a tab holds this lock for as long as it writes, and `PROPAGATION_MS`.
    const { signal } = new AbortController();
    const options = { signal, timeoutMs: LOCK_TIMEOUT_MS, clock: this.#clock };
    return new Promise(resolve => {
      const claimAndPropagate = async () => {
        resolve(await claim());
        await new Promise<void>(done => this.#clock.setTimeout(done, PROPAGATION_MS));
      };
      withLock(`${this.#address}:lock`, claimAndPropagate, options).catch(() => resolve(true));
    });
  }

  /** The server has confirmed the end that this tab has claimed: a later sign-in begins with new activity. */
  confirmEnd(): void {
    const record = this.read();
    if (record?.endedBy === this.#id) this.#write({ ...record, isConfirmed: true });
  }

  listen(onMessage: (message: ActivityMessage) => void): () => void {
    const receive = (data: unknown) => {
      const message = parseMessage(data);
      if (message) onMessage(message);
    };
    return this.#channel?.listen(receive) ?? (() => {});
  }

  #write(record: ActivityRecord): void {
    const address = this.#address;
    if (address !== undefined) tryOrUndefined(() => globalThis.localStorage.setItem(address, JSON.stringify(record)));
  }
}

function parseRecord(text: string | null | undefined): ActivityRecord | undefined {
  const { at, endedBy, isConfirmed, end } = (tryOrUndefined(() => JSON.parse(text!) as unknown) ?? {}) as Partial<
    Record<keyof ActivityRecord, unknown>
  >;
  if (typeof at !== 'number') return undefined;
  return {
    at,
    endedBy: typeof endedBy === 'string' ? endedBy : undefined,
    isConfirmed: isConfirmed === true,
    end: parseEnd(end),
  };
}

function parseMessage(data: unknown): ActivityMessage | undefined {
  const { at, ended, end } = (data ?? {}) as Partial<Record<keyof ActivityMessage, unknown>>;
  if (typeof at !== 'number') return undefined;
  return { at, ended: ended === 'idle' || ended === 'expired' ? ended : undefined, end: parseEnd(end) };
}

function parseEnd(data: unknown): SharedEnd | undefined {
  const { signIn, endsAt, knownAt } = (data ?? {}) as Partial<Record<keyof SharedEnd, unknown>>;
  if (typeof signIn !== 'string' || typeof endsAt !== 'number' || typeof knownAt !== 'number') return undefined;
  return { signIn, endsAt, knownAt };
}
