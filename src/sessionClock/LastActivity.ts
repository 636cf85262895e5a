import type { Clock } from '../clock.js';
import { elapsedSince } from '../clock.js';
import type { SharedActivity } from './SharedActivity.js';

/** The shortest time between two messages about activity, in milliseconds. */
const SHARE_INTERVAL_MS = 1_000;

/** When the user was active last, in any tab. */
export class LastActivity {
  readonly #shared: SharedActivity;
  readonly #clock: Clock;
  #at = -Infinity;
  #sharedAt = -Infinity;
  #cancelShare: (() => void) | undefined;

  constructor(shared: SharedActivity, clock: Clock) {
    this.#shared = shared;
    this.#clock = clock;
  }

  /** In milliseconds since 1970. */
  get at(): number {
    return this.#at;
  }

  /** @param signedInAt When the user signed in on this page. What was stored before that does not count; with Infinity, nothing does. */
  begin(signedInAt = -Infinity): void {
    const record = this.#shared.read();
    const goesOn = record && !record.isConfirmed && record.at >= signedInAt;
    this.#at = goesOn ? record.at : this.#clock.now();
    // Without the mark of an end that the server has not confirmed: this page ends the session again.
    if (!goesOn || record.endedBy !== undefined) this.#share();
  }

  /** The user was active on this page. */
  note(at: number): void {
    this.#at = at;
    const leftMs = SHARE_INTERVAL_MS - elapsedSince(this.#sharedAt, this.#clock);
    if (leftMs <= 0) this.#share();
    else this.#cancelShare ??= this.#clock.setTimeout(() => this.#share(), leftMs);
  }

  /** Another tab tells of activity. */
  onShared(at: number): void {
    this.#at = Math.min(at, this.#clock.now());
  }

  /** The page's clock may have been set back. */
  limitTo(now: number): void {
    this.#at = Math.min(this.#at, now);
  }

  /**
   * Reads what other tabs have stored: their messages may be late, because a browser freezes pages. A time that is still to come was
   * stored before the system clock was set back. It says nothing: until then, it would count as activity of this moment.
   */
  catchUp(now: number): void {
    const at = this.#shared.read()?.at ?? -Infinity;
    if (at <= now) this.#at = Math.max(this.#at, at);
  }

  /** Shares nothing that has not been shared yet. */
  stopSharing(): void {
    this.#cancelShare?.();
    this.#cancelShare = undefined;
  }

  #share(): void {
    this.stopSharing();
    this.#sharedAt = this.#clock.now();
    this.#shared.share(this.#at);
  }
}
