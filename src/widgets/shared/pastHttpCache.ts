import type { LooseEndpoint } from './resourceTypes.js';

const revalidating = new WeakMap<LooseEndpoint, LooseEndpoint>();

/**
 * The endpoint, so that its requests reach the server although the HTTP cache has an answer. The same endpoint for the same one.
 *
 * Requests of a session use no HTTP cache anyway, unless the endpoint sets `cache`.
 */
export function pastHttpCache(endpoint: LooseEndpoint): LooseEndpoint {
  const cache = endpoint.requestInit?.cache ?? (endpoint.session ? 'no-store' : 'default');
  if (cache === 'no-store' || cache === 'no-cache' || cache === 'reload') return endpoint;
  const cached = revalidating.get(endpoint);
  if (cached) return cached;
  const past = endpoint.extend({ requestInit: { ...endpoint.requestInit, cache: 'no-cache' } });
  revalidating.set(endpoint, past);
  return past;
}
