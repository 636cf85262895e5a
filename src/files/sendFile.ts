import type { BoundSession } from '../endpoints/boundSession.js';
import { RedirectRefusedError, screenEndedError } from '../errors.js';
import type { Transport } from '../session/extension.js';
import { readCall } from '../session/readCall.js';

/** A server has answered with a status that is no success. */
export class FileRequestError extends Error {
  override readonly name = 'FileRequestError';
  readonly status: number;
  /** What the API answered. Undefined for an answer of another origin, to which the API has redirected. */
  readonly response: Response | undefined;

  constructor(address: string, { status }: Response, response?: Response) {
    super(`${withoutSearch(address)} answered with status ${status}.`);
    this.status = status;
    this.response = response;
  }
}

/** A signed address has its secret in its search. */
const withoutSearch = (address: string) => address.replace(/[?#].*$/s, '');

/**
 * Sends a request for a file, or with one, as the identity of a screen.
 *
 * @throws FileRequestError for a status that is no success, and what `session.fetch` throws
 */
export async function sendFile(
  { session, end }: BoundSession,
  address: string | URL,
  given: RequestInit,
  transport: Transport,
): Promise<Response> {
  if (end.aborted) throw screenEndedError();
  const { init, ...call } = readCall(address, given);
  const request = init.then(built => ({ ...call, urlPrefix: '', init: built }));
  request.catch(() => {});
  const response = await session.send(session.open(call.signal), request, transport);
  if (!response.ok) throw new FileRequestError(call.url, response, response);
  return response;
}

/** No credential, and `Authorization`, which browsers remove on the way to another origin. */
const REDIRECTED_SAFELY = /^(authorization|accept(-language)?|content-(language|type))$/;

/**
 * True if a redirect to another origin takes no credential along. Of all headers, browsers remove `Authorization` only: Chromium since 119,
 * Firefox since 111, Safari since 16.1.
 *
 * @see https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
export function isRedirectedSafely({ headers, credentials }: RequestInit): boolean {
  return credentials !== 'include' && [...new Headers(headers)].every(([name]) => REDIRECTED_SAFELY.test(name));
}

/** Fetches a file. Follows redirects, as to a signed address of a file store, where the credential stays behind. */
export const fetchFile: Transport = async (url, init) => {
  const isFollowed = isRedirectedSafely(init);
  const response = await fetch(
    url,
    init.redirect === 'error' ? init : { ...init, redirect: isFollowed ? 'follow' : 'manual' },
  );
  if (response.type === 'opaqueredirect')
    throw new RedirectRefusedError(
      url,
      "Set the session's `header: 'Authorization'`, if the server reads that: browsers remove it on the way. Or let the server answer with the address, for `readAddress` of `download`.",
    );
  if (!response.redirected) return response;
  const isElsewhere = new URL(response.url).origin !== new URL(url, document.baseURI).origin;
  // A file store's 401 says nothing about the session.
  if (isElsewhere && !response.ok) throw new FileRequestError(response.url, response);
  // A login page is no file.
  if (!isElsewhere && /^text\/html/i.test(response.headers.get('Content-Type') ?? ''))
    throw new RedirectRefusedError(url);
  return response;
};
