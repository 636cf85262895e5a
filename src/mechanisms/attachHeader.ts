import { withoutRedirect } from '../session/withoutRedirect.js';
import { assertHeaderSafe } from './assertHeaderSafe.js';

/**
 * The init with a credential in a header. The request follows no redirect then: browsers pass headers on to wherever one leads.
 * For the `attachCredential` of a mechanism. The init that is given stays as it is.
 *
 * @param header The header's name. A value that is there already is replaced.
 * @throws InvalidCredentialError when no header can carry the value. The message does not quote it.
 * @example
 * attachCredential: ({ init }, apiKey) => (apiKey === undefined ? init : attachHeader(init, 'X-API-Key', apiKey)),
 * @see https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
export function attachHeader(init: RequestInit, header: string, value: string): RequestInit {
  return attachCheckedHeader(init, header, assertHeaderSafe(value, `value of ${header}`));
}

/** The same for a value that was checked before. */
export function attachCheckedHeader(init: RequestInit, header: string, value: string): RequestInit {
  return withoutRedirect({ ...init, headers: withHeader(init.headers, header, value) });
}

/** A plain object stays one: making a `Headers` of it takes as long as the rest of the session's work on a request. */
function withHeader(given: HeadersInit | undefined, header: string, value: string): HeadersInit {
  if (given instanceof Headers || Array.isArray(given)) {
    const headers = new Headers(given);
    headers.set(header, value);
    return headers;
  }
  const name = header.toLowerCase();
  const others = Object.entries(given ?? {}).filter(([other]) => other.toLowerCase() !== name);
  return { ...Object.fromEntries(others), [header]: value };
}
