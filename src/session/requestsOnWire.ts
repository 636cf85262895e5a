/** The requests that were sent and not answered yet, of a session whose credential the browser keeps. */
export class RequestsOnWire {
  readonly #requests = new Set<object>();
  #onEmpty = new Set<() => void>();

  /** True while an answer may still change a cookie. */
  get isBusy(): boolean {
    return this.#requests.size > 0;
  }

  enter(request: object): void {
    this.#requests.add(request);
  }

  leave(request: object): void {
    this.#requests.delete(request);
    if (this.isBusy) return;
    const waiting = this.#onEmpty;
    this.#onEmpty = new Set();
    for (const resolve of waiting) resolve();
  }

  /** Resolves when each of them is answered. */
  settled(): Promise<void> {
    return this.isBusy ? new Promise(resolve => this.#onEmpty.add(resolve)) : Promise.resolve();
  }
}
