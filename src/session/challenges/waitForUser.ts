import { untilAborted } from '../../clock.js';

/** Requests that wait until the user has done something. Each waits for its own signal too. */
export class WaitForUser<T> {
  #resume!: (value: T) => void;
  #reject!: (reason: Error) => void;
  #waiting = 0;
  readonly #acted: Promise<T>;

  constructor() {
    this.#acted = new Promise((resolve, reject) => {
      this.#resume = resolve;
      this.#reject = reject;
    });
    // Nothing may wait any more when it ends.
    this.#acted.catch(() => {});
  }

  /** How many requests wait. */
  get size(): number {
    return this.#waiting;
  }

  /**
   * @param signal Of the request's scope: aborted when its caller gives up, or its identity ends.
   * @throws the reason of the signal, or that of `reject`.
   */
  async wait(signal: AbortSignal): Promise<T> {
    this.#waiting++;
    try {
      return await untilAborted(signal, this.#acted);
    } finally {
      this.#waiting--;
    }
  }

  /** The user has acted: what waits goes on. */
  resume(value: T): void {
    this.#resume(value);
  }

  /** The user will not act: what waits rejects. */
  reject(reason: Error): void {
    this.#reject(reason);
  }
}
