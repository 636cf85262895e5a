import { withoutRedirect } from '../session/withoutRedirect.js';
import { assertHeaderSafe } from './assertHeaderSafe.js';

/**
 * Returns an init with a credential in a header, for the `attach` of a mechanism. The request then follows no
 * redirect, because browsers send the headers to the target of a redirect. Does not change the given init.
 *
 * @param header The name of the header. Replaces an existing value.
 * @throws InvalidCredentialError when no header can carry the value. The message does not quote it. TypeError for a request
 * with `mode: 'no-cors'`, from which browsers remove the header.
 * @example
 * attach: ({ init }, apiKey) => (apiKey === undefined ? init : attachHeader(init, 'X-API-Key', apiKey)),
 * @see https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
export function attachHeader(init: RequestInit, header: string, value: string): RequestInit {
  return attachCheckedHeader(init, header, assertHeaderSafe(value, `value of ${header}`));
}

/** Like `attachHeader`, for a value that was checked before. */
export function attachCheckedHeader(init: RequestInit, header: string, value: string): RequestInit {
  if (init.mode === 'no-cors')
    throw new TypeError(
      `A request with \`mode: 'no-cors'\` cannot carry ${header}, so it was not sent: browsers remove the header. Leave out \`mode\`, or set it to 'cors', and let the API allow the page's origin and this header by CORS.`,
    );
  return withoutRedirect({ ...init, headers: withHeader(init.headers, header, value) });
}

/**
 * Returns a plain object for a plain object: a `Headers` instance would take as long as the rest of the session's work
 * on a request.
 */
function withHeader(given: HeadersInit | undefined, header: string, value: string): HeadersInit {
  if (given instanceof Headers || Array.isArray(given)) {
    const headers = new Headers(given);
    headers.set(header, value);
    return headers;
  }
  const name = header.toLowerCase();
  const headers = { ...given };
  for (const other in headers) if (other.toLowerCase() === name) delete headers[other];
  headers[header] = value;
  return headers;
}
