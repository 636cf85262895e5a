/** A request that was sent. One that the wire's signal does not reach has a function of its own to abort it. */
interface SentRequest {
  readonly abort?: ((reason: Error) => void) | undefined;
}

/** Counts what was sent and has no response yet: auth calls, and requests whose credential is a cookie. */
export class RequestsOnWire {
  readonly #requests = new Set<SentRequest>();
  /** The session's own checks and refreshes. */
  readonly #authCalls = new Set<object>();
  #onEmpty = new Set<() => void>();

  /** True while the response to a request may still change a cookie. */
  get isBusy(): boolean {
    return this.#requests.size > 0;
  }

  enter(request: SentRequest): void {
    this.#requests.add(request);
  }

  leave(request: SentRequest): void {
    this.#requests.delete(request);
    this.#resolveIfEmpty();
  }

  /** Counts a check or a refresh until it settles: its response may renew the cookie as well. */
  addAuthCall(call: Promise<unknown>): void {
    this.#authCalls.add(call);
    const leave = () => {
      this.#authCalls.delete(call);
      this.#resolveIfEmpty();
    };
    call.then(leave, leave);
  }

  /** Aborts the requests that have their own function for it. */
  abort(reason: Error): void {
    for (const request of this.#requests) request.abort?.(reason);
  }

  /** Resolves when nothing is on the wire. */
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
