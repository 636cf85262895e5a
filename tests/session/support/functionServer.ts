// A plain function in the place of `fetch`, for properties and for tests that play each tick of a login: they send many thousands of
// requests, and msw takes about a millisecond for each. All other tests run on `mockServer`, which has the same routes.
import { vi } from 'vitest';
import type { MockServer, Route, Seen } from './mockServer.js';

/**
 * Takes the place of `fetch`: routes are `'METHOD /path'`, or `'/path'` for every method, or `'*'`. An aborted request
 * rejects at once like a browser's, yet the server goes on with it.
 */
export function functionServer(routes: Record<string, Route>): MockServer {
  const seen: Seen[] = [];
  const take = async (input: string, init: RequestInit = {}): Promise<Response> => {
    const request = new Request(new URL(input, 'https://page.test'), { ...init });
    const { pathname, search, href } = new URL(request.url);
    const body = await request.clone().text();
    const { method, headers, credentials, redirect, cache } = request;
    // The signal that Node derives is never aborted once its request was collected as garbage.
    const entry: Seen = {
      method,
      url: href,
      path: pathname + search,
      headers,
      body,
      credentials,
      redirect,
      cache,
      signal: init.signal ?? request.signal,
    };
    seen.push(entry);
    const route = routes[`${method} ${pathname}`] ?? routes[pathname] ?? routes['*'];
    if (!route) throw new Error(`No route for ${method} ${href}`);
    const answer = await route(entry);
    if (answer.type === 'error') throw new TypeError('Failed to fetch');
    return answer;
  };
  const fetch = (input: string, init?: RequestInit) =>
    new Promise<Response>((resolve, reject) => {
      const signal = init?.signal;
      if (signal?.aborted) return reject(signal.reason as Error);
      const abort = () => reject(signal?.reason as Error);
      signal?.addEventListener('abort', abort, { once: true });
      take(input, init)
        .then(resolve, reject)
        .finally(() => signal?.removeEventListener('abort', abort));
    });
  vi.stubGlobal('fetch', fetch);
  const to = (start: string) =>
    seen.filter(({ method, path }) => `${method} ${path}`.startsWith(start) || path.startsWith(start));
  return {
    get seen(): readonly Seen[] {
      return seen;
    },
    to,
    /** How many requests went to a path, or to `'METHOD /path'`, or to anything that starts so. */
    count: (start: string) => to(start).length,
    /** Forgets the requests so far. */
    clear: () => void (seen.length = 0),
    routes,
  };
}
