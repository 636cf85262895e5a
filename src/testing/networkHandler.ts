import { http, HttpResponse, type RequestHandler } from 'msw';
import { isPageAsset } from './isPageAsset.js';

/**
 * How the server answers: late, not at all, or with credentials that are expired. `expired` concerns the first request that is not an
 * auth call: a session may sign in with that very request's render.
 */
export type MockNetwork = 'slow' | 'offline' | 'expired';

/** How long a slow answer takes, in milliseconds: long enough to see loading states. */
const SLOW_MS = 1_500;

/** The auth calls of a session. They do not expire its credentials. */
const AUTH_CALL = /\/(login|logout|refresh|whoami|csrf)$/;

export interface NetworkHandlerOptions {
  /** Makes the server refuse its current credentials. Called once, by `expired`. */
  expire?: (() => void) | undefined;
  /** Ends the effect, because msw cannot remove a single handler. @default none: it lasts until `worker.resetHandlers()` */
  signal?: AbortSignal | undefined;
}

/**
 * Creates an msw handler that applies a network to all requests but those of the page itself. Add it last, with `worker.use`: the
 * handlers before it answer the requests that it does not answer. A slow answer takes 1.5 seconds.
 *
 * @example
 * worker.use(...server.handlers, ...articles.handlers);
 * worker.use(networkHandler('offline'));
 */
export function networkHandler(network: MockNetwork, { expire, signal }: NetworkHandlerOptions = {}): RequestHandler {
  let hasExpired = false;
  return http.all('*', async ({ request }) => {
    if (signal?.aborted || isPageAsset(request)) return undefined;
    if (network === 'offline') return HttpResponse.error();
    if (network === 'slow') await new Promise(resolve => setTimeout(resolve, SLOW_MS));
    if (network === 'expired' && !hasExpired && !AUTH_CALL.test(new URL(request.url).pathname)) {
      hasExpired = true;
      expire?.();
    }
    return undefined;
  });
}

/** How a mock server fails: `true` with 503, a number with that status, `'network'` with a network error, `false` not at all. */
export type Outage = boolean | number | 'network';

/** Creates the answer of a failing server. */
export function outageResponse(outage: Exclude<Outage, false>): Response {
  if (outage === 'network') return HttpResponse.error();
  const status = outage === true ? 503 : outage;
  return HttpResponse.json({ status }, { status });
}
