import { alova } from './clients/alova.js';
import { EXPIRED, FIRST_REFRESH_TOKEN, type Client } from './clients/Client.js';
import { kit } from './clients/kit.js';
import { rtkQuery } from './clients/rtkQuery.js';
import { urql } from './clients/urql.js';

const clients: Record<string, (urlPrefix: string) => Promise<Client>> = {
  'data-client-auth': kit,
  'urql authExchange': urql,
  'RTK Query mutex recipe': rtkQuery,
  alova,
};

/** Three round trips, written by hand: all are refused, one refresh, all are sent again. */
async function threeRoundTrips(urlPrefix: string, ids: readonly string[]): Promise<void> {
  const sendAll = (token: string) =>
    Promise.all(
      ids.map(id =>
        fetch(`${urlPrefix}/data/${id}`, { headers: { Authorization: `Bearer ${token}` } }).then(response =>
          response.json(),
        ),
      ),
    );
  await sendAll(EXPIRED);
  const answer = await fetch(`${urlPrefix}/refresh`, {
    method: 'POST',
    body: JSON.stringify({ refreshToken: FIRST_REFRESH_TOKEN }),
  });
  await sendAll(((await answer.json()) as { accessToken: string }).accessToken);
}

interface Burst {
  base: string;
  ids: readonly string[];
  /** How long to look at what comes of the requests, in milliseconds. */
  timeoutMs: number;
  /** Look that long in any case. @default until all are settled */
  toTheEnd?: boolean;
}

/** Sends one request for each id at once; tells how many were answered and refused, and when the last was. */
export async function burst(name: string, { base, ids, timeoutMs, toTheEnd = false }: Burst) {
  const urlPrefix = location.origin + base;
  const client = await clients[name]?.(urlPrefix);
  const tally = { answered: 0, refused: 0, ms: 0 };
  const start = performance.now();
  const settled = (outcome: 'answered' | 'refused', by = 1) => {
    tally[outcome] += by;
    tally.ms = performance.now() - start;
  };
  const all = client
    ? Promise.all(
        ids.map(id =>
          client.get(id).then(
            () => settled('answered'),
            () => settled('refused'),
          ),
        ),
      )
    : threeRoundTrips(urlPrefix, ids).then(() => settled('answered', ids.length));
  const timeout = new Promise(done => setTimeout(done, timeoutMs));
  await (toTheEnd ? timeout : Promise.race([all, timeout]));
  return tally;
}
