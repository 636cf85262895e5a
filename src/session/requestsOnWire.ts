/** What was sent and is not answered yet. Of requests, only those that go with a credential that the browser keeps. */
export class RequestsOnWire {
  readonly #requests = new Set<object>();
  /** The session's own checks and refreshes. */
  readonly #authCalls = new Set<object>();
  #onEmpty = new Set<() => void>();

  /** True while the answer to a request may still change a cookie. */
  get isBusy(): boolean {
    return this.#requests.size > 0;
  }

  enter(request: object): void {
    this.#requests.add(request);
  }

  leave(request: object): void {
    this.#requests.delete(request);
    this.#resolveIfEmpty();
  }

  /** Counts a check or a refresh until it is answered: its answer may renew the cookie as well. */
  addAuthCall(answer: Promise<unknown>): void {
    this.#authCalls.add(answer);
    const leave = () => {
      this.#authCalls.delete(answer);
      this.#resolveIfEmpty();
    };
    answer.then(leave, leave);
  }

  /** Resolves when everything is answered. */
  settled(): Promise<void> {
    return this.#isEmpty ? Promise.resolve() : new Promise(resolve => this.#onEmpty.add(resolve));
  }

  get #isEmpty(): boolean {
    return !this.isBusy && this.#authCalls.size === 0;
  }

  #resolveIfEmpty(): void {
    if (!this.#isEmpty) return;
    const waiting = this.#onEmpty;
    this.#onEmpty = new Set();
    for (const resolve of waiting) resolve();
  }
}
