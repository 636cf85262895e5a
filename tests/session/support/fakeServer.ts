import { EventEmitter } from 'node:events';
import { afterEach, vi } from 'vitest';

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

type Answer = Response | Promise<Response>;
export type Route = (seen: Seen) => Answer;

export const json = (data: unknown, status = 200) => Response.json(data, { status });
export const never = (): Promise<Response> => new Promise(() => {});
export const networkError = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'));

/** A promise that is settled from outside. */
export function gate<T = void>() {
  let open!: (value: T) => void;
  let fail!: (error: unknown) => void;
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { promise, open, fail };
}

/**
 * Takes the place of `fetch`: routes are `'METHOD /path'`, or `'/path'` for every method, or `'*'`. An aborted request
 * rejects at once like a browser's, yet the server goes on with it.
 */
export function fakeServer(routes: Record<string, Route>) {
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
    return route(entry);
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
    fetch,
    seen,
    to,
    /** How many requests went to a path, or to `'METHOD /path'`, or to anything that starts so. */
    count: (start: string) => to(start).length,
    routes,
  };
}

const unhandled: unknown[] = [];
process.on('unhandledRejection', error => unhandled.push(error));

afterEach(async () => {
  vi.unstubAllGlobals();
  await new Promise(resolve => setImmediate(resolve));
  const caught = unhandled.splice(0);
  if (caught.length > 0) throw new Error('A promise was rejected and nobody listened.', { cause: caught[0] });
});

/** What became of promises: how many resolved, and the reasons of those that did not. */
export async function outcomes(promises: readonly Promise<unknown>[]) {
  const settled = await Promise.allSettled(promises);
  const reasons = settled.flatMap(result => (result.status === 'rejected' ? [result.reason as unknown] : []));
  return { resolved: settled.length - reasons.length, reasons };
}

/** The error a promise rejects with. */
export function errorOf(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => {
      throw new Error('The promise was expected to reject.');
    },
    (error: unknown) => error as Error,
  );
}

/** Whether a promise is still pending after everything that can happen now has happened. */
export async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  const done = () => void (pending = false);
  promise.then(done, done);
  for (let turn = 0; turn < 8; turn++) await new Promise(resolve => setImmediate(resolve));
  return pending;
}

// Node warns of more than ten listeners on one signal; here hundreds of requests share an epoch on purpose.
EventEmitter.defaultMaxListeners = 1_000;
