import type { WithDeadline } from '../deadline.js';

/** Logins and logouts reach the server one after the other, in the order in which they were called. */
export class AuthCallQueue {
  readonly #withDeadline: WithDeadline;
  readonly #keepsOrder: boolean;
  /** Aborted by `dispose()`. */
  #disposed = new AbortController();
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /**
   * @param keepsOrder A call that was given up must settle, or time out, before the next one starts. Needed where the browser keeps the
   * credential: it takes the cookie of a response that nobody waits for.
   */
  constructor(withDeadline: WithDeadline, keepsOrder: boolean) {
    this.#withDeadline = withDeadline;
    this.#keepsOrder = keepsOrder;
  }

  /** Aborted when the calls of now no longer count. */
  get signal(): AbortSignal {
    return this.#disposed.signal;
  }

  /** True while a call is under way or in the queue, and has not timed out. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /** Starts the call when the calls before it have settled or timed out. The caller waits as long as the call takes. */
  enqueue<T>(call: () => Promise<T>): Promise<T> {
    this.#waiting++;
    return new Promise((resolve, reject) => {
      this.#last = this.#last.then(() => {
        const result = call();
        result.then(resolve, reject);
        const done = () => void this.#waiting--;
        const givenUp = this.#keepsOrder ? undefined : this.#disposed.signal;
        return this.#withDeadline(result, givenUp).then(done, done);
      });
    });
  }

  /** Resolves when no call is under way. */
  async settled(): Promise<void> {
    for (let last: unknown; last !== this.#last;) await (last = this.#last);
  }

  /** Settles like the promise, or rejects after the timeout, or when the session is disposed of. */
  withTimeout<T>(promise: Promise<T>): Promise<T> {
    return this.#withDeadline(promise, this.#disposed.signal);
  }

  /** Ends every wait for a call. */
  dispose(reason: Error): void {
    const disposed = this.#disposed;
    this.#disposed = new AbortController();
    disposed.abort(reason);
  }
}
