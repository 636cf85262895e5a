import type { SetupWorker } from 'msw/browser';

/** The source of the journal's events: the result of `setupWorker()` or `setupServer()`. */
export type JournalSource = Pick<SetupWorker, 'events'>;

export interface RequestJournalOptions {
  /** Additional credential headers, for example your own token header. Each line prints them where the request has them. */
  credentialHeaders?: readonly string[];
  /**
   * Returns true for a request that the journal does not record. Called when the request starts.
   * @default `isPageAsset`: ignores the page's own requests. Call it in a function of your own to ignore these too
   */
  ignore?: (request: Request) => boolean;
  /**
   * The journal prints URLs of this origin as paths.
   * @default the page's origin; none outside a browser
   */
  origin?: string;
}

export interface JournalLinesOptions {
  /** Additional headers to print where a request has them, for example `content-type`. */
  headers?: readonly string[];
  /**
   * False prints real credentials. Use it only to compare lines, never for a screen, a message or a log.
   * @default true
   */
  redact?: boolean;
}
