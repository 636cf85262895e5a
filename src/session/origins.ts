import { UntrustedOriginError } from '../errors.js';
import type { Outgoing } from './types.js';

/** The page's own address; undefined on a server. */
function pageAddress(): string | undefined {
  return typeof location === 'undefined' ? undefined : location.href;
}

function originOf(address: string): string | undefined {
  const base = pageAddress();
  if (!URL.canParse(address, base)) return undefined;
  return new URL(address, base).origin;
}

/**
 * Holds a request to the origins that may see its credentials.
 *
 * Compares parsed origins, never strings: `https://api.example.com.evil.test` and `https://api.example.com@evil.test` are
 * other origins, and so are another port and plain http. An address that only a page could complete is left to `fetch`.
 *
 * @throws UntrustedOriginError
 */
export function assertTrusted(request: Outgoing, trusted: readonly string[] | undefined): void {
  const origin = originOf(request.url);
  const allowed = trusted ?? [originOf(''), originOf(request.urlPrefix)];
  if (origin !== undefined && !allowed.includes(origin)) throw new UntrustedOriginError(origin);
}

/**
 * The option `origins` as parsed origins.
 *
 * @throws TypeError when an entry is not an absolute address.
 */
export function parseOrigins(origins: readonly string[] | undefined): readonly string[] | undefined {
  return origins?.map(origin => {
    if (!URL.canParse(origin)) throw new TypeError(`origins: ${JSON.stringify(origin)} is not an origin. Write it as 'https://api.example.com'.`);
    return new URL(origin).origin;
  });
}
