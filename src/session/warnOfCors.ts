import { warnOnce } from '../warnOnce.js';

/** Headers that a page may send to any origin without asking. @see https://fetch.spec.whatwg.org/#cors-safelisted-request-header */
const SAFELISTED = new Set(['accept', 'accept-language', 'content-language']);
const SIMPLE_METHODS = new Set(['GET', 'HEAD', 'POST']);
const SIMPLE_TYPES = /^(text\/plain|multipart\/form-data|application\/x-www-form-urlencoded)/i;

/**
 * Warns of a request to another origin that got no answer while the page is online: mostly the server does not allow the page to send it.
 * The browser tells the page nothing of that, so a user reads “Check the connection”. Once for each method of an origin. Call it in
 * development only.
 */
export function warnOfCors(url: string, init: RequestInit, error: unknown): void {
  const isOnline = typeof location === 'object' && globalThis.navigator?.onLine !== false;
  if (!(error instanceof TypeError) || !isOnline || init.signal?.aborted) return;
  const { origin } = new URL(url, location.href);
  if (origin === location.origin) return;
  const { method = 'GET', credentials } = init;
  const headers = [...new Headers(init.headers)].filter(
    ([name, value]) => !SAFELISTED.has(name) && !(name === 'content-type' && SIMPLE_TYPES.test(value)),
  );
  const allow = [
    `Access-Control-Allow-Origin: ${location.origin}`,
    !SIMPLE_METHODS.has(method) && `Access-Control-Allow-Methods: ${method}`,
    headers.length > 0 && `Access-Control-Allow-Headers: ${headers.map(([name]) => name).join(', ')}`,
    credentials === 'include' && 'Access-Control-Allow-Credentials: true',
  ].filter(Boolean);
  warnOnce(
    `${method} to ${origin} got no answer. If that server is running, it does not allow this page to send the request (CORS). Let it answer with ${allow.join('; ')}${allow.length > 1 ? `, also to the OPTIONS request that the browser sends before` : ''}.`,
  );
}
