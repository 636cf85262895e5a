import type { ObservedStatus, RequestCause } from '../session/observeRequests.js';
import type { JournalEntry } from '../testing/JournalEntry.js';

/** The result of a request: its status, none yet, none after a network error, or unknown because the journal was cleared first. Of a live connection: what happened. */
export type RequestOutcome =
  number | 'pending' | 'no answer' | 'forgotten' | NonNullable<JournalEntry['live']>['event'];

/** One request, as the panel shows it. Credentials are hidden already. */
export interface PanelRow {
  /** Counts from 0 in each run of a story, in the order in which requests left the page. */
  readonly id: number;
  readonly method: string;
  /** A path on the page's own origin, else the whole address. */
  readonly address: string;
  readonly outcome: RequestOutcome;
  /** True when no msw handler answered it. */
  readonly unhandled: boolean;
  /** Milliseconds since the first request of the run. */
  readonly sentAt: number;
  /** Milliseconds until the answer. */
  readonly took: number | undefined;
  /** Its credentials, such as `access-token: ‹k3x9›` and `cookies`. */
  readonly credentials: readonly string[];
  /** Undefined for a request that the kit did not send. */
  readonly details: RequestDetails | undefined;
  /** Whose live connection it is. Undefined for a request. */
  readonly live?: string | undefined;
}

/** The details of a request that only the kit knows. */
export interface RequestDetails extends Partial<ObservedStatus> {
  readonly attempt: number;
  readonly cause: RequestCause;
  readonly sessionId: number | undefined;
}

/**
 * Where the rows come from: no journal or worker was found, a journal whose worker has not been started (the kit has sent a request, and
 * msw has reported none), or a journal.
 */
export type PanelSource = 'none' | 'not-started' | 'journal';

export interface PanelSession extends ObservedStatus {
  readonly id: number;
}

/** A message from the story's frame to the panel. Contains only the changes since the last message. */
export interface PanelNews {
  /** The id of the story's run. A new id makes the panel drop all earlier rows. */
  readonly run: string;
  readonly storyId: string;
  readonly source: PanelSource;
  /** Rows that are new or have changed, in order. */
  readonly rows: readonly PanelRow[];
  /** The current status of all sessions that have sent a request. */
  readonly sessions: readonly PanelSession[];
}

/** The ids that connect the two parts of the panel, in the story's frame and in Storybook's own frame. */
export const ADDON_ID = 'data-client-auth/requests';
export const PANEL_ID = `${ADDON_ID}/panel`;
export const NEWS = `${ADDON_ID}/news`;

/** The parameter of a story, as in `parameters: { requests: { disable: true } }`. */
export const PARAM_KEY = 'requests';

const isFailure = ({ outcome }: PanelRow) => outcome === 'no answer' || (typeof outcome === 'number' && outcome >= 400);

/** Summarizes the requests of a story: `5 requests, 1 replay, 1 refresh, 2 failed`. */
export function countRequests(rows: readonly PanelRow[]): string {
  const count = (matches: (row: PanelRow) => boolean) => rows.filter(matches).length;
  const parts: [number, string, string][] = [
    [count(({ details }) => details?.cause === 'replay'), 'replay', 'replays'],
    [count(({ details }) => details?.cause === 'refresh'), 'refresh', 'refreshes'],
    [count(isFailure), 'failed', 'failed'],
    [count(({ outcome }) => outcome === 'pending'), 'pending', 'pending'],
    [count(({ live }) => live !== undefined), 'live event', 'live events'],
  ];
  const sent = count(({ live }) => live === undefined);
  const total = sent === 0 ? 'No requests' : `${sent} ${sent === 1 ? 'request' : 'requests'}`;
  return [
    total,
    ...parts.filter(([number]) => number > 0).map(([number, one, more]) => `${number} ${number === 1 ? one : more}`),
  ].join(', ');
}

const REASONS = { 'signed-out': 'signed out', expired: 'expired', elsewhere: 'ended elsewhere', idle: 'idle' };

/** Describes the status of a session: `authenticated`, `anonymous (expired)`. */
export function describeStatus({ status, reason }: ObservedStatus): string {
  return reason ? `${status} (${REASONS[reason]})` : status;
}
