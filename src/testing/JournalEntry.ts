/** One request as it left the page. Entries never change: a newer one takes the place of the older. */
export interface JournalEntry {
  readonly id: string;
  readonly method: string;
  /** Absolute, without the fragment. */
  readonly url: string;
  readonly origin: string;
  /** Every header that can be seen, names in lower case. Holds real credentials: print `lines()` in their place. */
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: RequestCredentials;
  /** `undefined` for no body, and until the body has been read. */
  readonly body: string | undefined;
  /** 1 for the first request of this method and URL, 2 for its repetition, and so on since the last `clear()`. */
  readonly attempt: number;
  /** `undefined` until the answer arrives, and for ever after a network error. */
  readonly status: number | undefined;
  /** True when no handler took the request. */
  readonly unhandled: boolean;
  /** Milliseconds on the clock of `performance.now()`. */
  readonly startedAt: number;
  readonly endedAt: number | undefined;
}
