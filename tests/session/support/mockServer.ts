// One msw server and one journal of the kit for all test files, so unit tests count requests with what users get in `data-client-auth/testing`.
import { http, type RequestHandler } from 'msw';
import { setupServer } from 'msw/node';
import { onTestFinished, vi } from 'vitest';
import { createRequestJournal } from '../../../src/testing/index.js';

const PAGE = 'https://page.test';

/** One request as the server saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
  readonly credentials: RequestCredentials;
  readonly redirect: RequestRedirect;
  readonly cache: RequestCache;
  readonly signal: AbortSignal;
}

/** The request for a handler of the kit's servers. */
export const toRequest = ({ url, method, headers, body, credentials }: Seen) =>
  new Request(url, { method, headers, body: body || null, credentials });

type Answer = Response | Promise<Response>;
export type Route = (seen: Seen) => Answer;

export type MockServer = ReturnType<typeof mockServer>;

const msw = setupServer();
const journal = createRequestJournal(msw, { ignore: () => false });
/** By the id of msw. Node never aborts the signal of a copy whose original was collected as garbage, so this keeps the originals. */
const originals = new Map<string, Request>();

msw.events.on('request:start', ({ request, requestId }) => void originals.set(requestId, request));

function toSeen(requestId: string, body: string): Seen {
  const { method, url, headers, credentials, redirect, cache, signal } = originals.get(requestId)!;
  const { pathname, search } = new URL(url);
  return { method, url, path: pathname + search, headers, body, credentials, redirect, cache, signal };
}

let isListening = false;

function listen() {
  if (isListening) return;
  isListening = true;
  msw.listen({ onUnhandledRequest: 'error' });
  onTestFinished(() => {
    isListening = false;
    msw.close();
    originals.clear();
  });
}

/**
 * Serves the handlers until the test ends, and before them the routes: `'METHOD /path'`, or `'/path'` for every method, or `'*'`. A route that
 * is added later counts from then on.
 */
export function mockServer(routes: Record<string, Route>, handlers: readonly RequestHandler[] = []) {
  const answer = http.all('*', async ({ request, requestId }) => {
    const { pathname } = new URL(request.url);
    const route = routes[`${request.method} ${pathname}`] ?? routes[pathname] ?? routes['*'];
    if (!route) return undefined;
    return route(toSeen(requestId, await request.clone().text()));
  });
  listen();
  msw.resetHandlers(answer, ...handlers);
  journal.clear();
  const send = globalThis.fetch;
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => send(new URL(input, PAGE), init));
  const seen = () => journal.entries.filter(({ live }) => !live).map(({ id, body = '' }) => toSeen(id, body));
  const to = (start: string) =>
    seen().filter(({ method, path }) => `${method} ${path}`.startsWith(start) || path.startsWith(start));
  return {
    get seen(): readonly Seen[] {
      return seen();
    },
    to,
    /** How many requests went to a path, or to `'METHOD /path'`, or to anything that starts so. */
    count: (start: string) => to(start).length,
    /** Forgets the requests so far. */
    clear: () => journal.clear(),
    routes,
  };
}

/** Answers a path in the place of the server: a response has a `url`, `type` or status 0 only where the browser itself made it. */
export function stubAnswer(path: string, answer: () => Response) {
  const send = globalThis.fetch;
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) =>
    new URL(input, PAGE).pathname === path ? Promise.resolve(answer()) : send(input, init),
  );
}
