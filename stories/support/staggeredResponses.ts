import { delay, http } from 'msw';
import type { StoryStart } from './StoryStart.js';

/** How long after the first answer the last one comes, in milliseconds. */
const SPREAD_MS = 200;

/**
 * Answers reads of articles one after the other. Waits until all reads with one token have arrived. So the first 401s come before
 * the refresh, and the last ones long after it; and no replay has its answer before all replays are sent. A read without a token is
 * answered at once.
 *
 * @param expire Runs before the answers to the first token. With it, the server refuses a token that it issued only when the token was sent.
 */
export function staggeredResponses(url: string, reads: number, expire?: () => void): StoryStart {
  return ({ msw }) => {
    const waiting = new Map<string, (() => void)[]>();
    msw.use(
      http.get<{ id: string }>(`${url}/article/:id`, async ({ request, params }) => {
        const token = request.headers.get('Access-Token');
        if (token === null) return;
        const arrived = waiting.get(token) ?? [];
        waiting.set(token, arrived);
        await new Promise<void>(resolve => {
          arrived.push(resolve);
          if (arrived.length < reads) return;
          if (waiting.size === 1) expire?.();
          for (const answer of arrived) answer();
        });
        await delay((Number(params.id) * SPREAD_MS) / reads);
      }),
    );
  };
}
