import type { WithDeadline } from '../deadline.js';

/** A copy of a refusal, read while the session refreshes: the end of the session, which may follow, aborts the refusal's own body. */
export class RefusalCopy {
  readonly #response: Response;
  readonly #reading = new AbortController();
  /** The copy. Undefined if the body has not ended in time. */
  readonly result: Promise<Response | undefined>;

  constructor(response: Response, withDeadline: WithDeadline, epochSignal: AbortSignal) {
    this.#response = response;
    this.result = withDeadline(this.#read(), epochSignal).catch(() => undefined);
  }

  /** Ends the reading, and that of the refusal itself: a body that never ends would keep its connection. */
  cancel(): void {
    this.#reading.abort();
    this.#response.body?.cancel().catch(() => {});
  }

  async #read(): Promise<Response> {
    const { status, statusText, headers, url, body } = this.#response.clone();
    const read = body?.pipeThrough(new TransformStream(), { signal: this.#reading.signal });
    const copy = new Response(read && (await new Response(read).blob()), { status, statusText, headers });
    return Object.defineProperty(copy, 'url', { value: url });
  }
}
