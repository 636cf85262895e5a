/** A request that is about to be sent, as `attachCredential` gets it. */
export interface OutgoingRequest {
  /** The final address, absolute or relative to the page. */
  readonly url: string;
  /** The endpoint's own prefix: trusted when the session lists no origins. */
  readonly urlPrefix: string;
  /**
   * What `fetch` would get: `method`, `headers` and `body` among others. `body` is what is sent: a string for JSON,
   * else a `FormData`, a `Blob`, ...
   */
  readonly init: RequestInit;
}
