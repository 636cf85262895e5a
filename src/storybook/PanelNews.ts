import type { ObservedStatus, RequestCause } from '../endpoints/observeRequests.js';

/** How a request came out: its status, or that there is none yet, never will be, or that the journal forgot the request before. */
export type RequestOutcome = number | 'pending' | 'no answer' | 'forgotten';

/** One request, as the panel shows it. Credentials are hidden already. */
export interface PanelRow {
  /** Counts from 0 in each run of a story, in the order in which requests left the page. */
  readonly id: number;
  readonly method: string;
  /** A path on the page's own origin, else the whole address. */
  readonly address: string;
  readonly outcome: RequestOutcome;
  /** True when no handler took it. */
  readonly unhandled: boolean;
  /** Milliseconds since the first request of the run. */
  readonly sentAt: number;
  /** Milliseconds until the answer. */
  readonly took: number | undefined;
  /** What it carried, such as `access-token: ‹k3x9›` and `cookies`. */
  readonly credentials: readonly string[];
  /** Undefined for a request that the kit did not send. */
  readonly told: ToldRequest | undefined;
}

/** What the kit itself tells of a request. */
export interface ToldRequest extends Partial<ObservedStatus> {
  readonly attempt: number;
  readonly cause: RequestCause;
  readonly sessionId: number | undefined;
}

export interface PanelSession extends ObservedStatus {
  readonly id: number;
}

/** What the story's frame tells the panel: only what is new since the last time. */
export interface PanelNews {
  /** Changes whenever a story starts over; everything before is of no interest then. */
  readonly run: string;
  readonly storyId: string;
  /** False when nothing was found to listen to. */
  readonly wired: boolean;
  /** Rows that are new or have changed, in order. */
  readonly rows: readonly PanelRow[];
  /** The sessions that have sent something, as they stand now. */
  readonly sessions: readonly PanelSession[];
}
