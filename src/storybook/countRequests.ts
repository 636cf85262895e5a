import type { PanelRow } from './PanelNews.js';

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
