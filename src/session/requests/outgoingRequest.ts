/** A request that is about to be sent, as `attachCredential` gets it. */
export interface OutgoingRequest {
  /** The final address, absolute or relative to the page. */
  readonly url: string;
  /** The endpoint's own prefix. Its origin is trusted when the session lists no origins. */
  readonly urlPrefix: string;
  /**
   * The init for `fetch`, with `method`, `headers` and `body`. The body is already encoded: a string for JSON, else a
   * `FormData`, a `Blob`, ...
   */
  readonly init: RequestInit;
}
