import { DEFAULT_TIMEOUT_MS, type Clock } from '../../clock.js';
import { elapsedSince } from '../../session/elapsedSince.js';

/** One call for all that need its result at the same time. Later ones do not join a call that has timed out. */
export class SharedCall<T> {
  readonly #clock: Clock;
  #latest: { readonly result: Promise<T>; readonly startedAt: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Joins the call under way, or starts one. */
  join(start: () => Promise<T>): Promise<T> {
    if (this.#latest && elapsedSince(this.#latest.startedAt, this.#clock) < DEFAULT_TIMEOUT_MS)
      return this.#latest.result;
    const result = start().finally(() => {
      if (this.#latest === started) this.#latest = undefined;
    });
    const started = (this.#latest = { result, startedAt: this.#clock.now() });
    return result;
  }
}
