import { withTimeout, type Clock } from '../clock.js';
import { isSafeMethod } from '../session/isSafeMethod.js';
import { assertHeaderSafe } from './assertHeaderSafe.js';
import { attachCheckedHeader } from './attachHeader.js';
import { isCsrfRefusal } from './csrfRefusal.js';

/** Where the token against cross-site request forgery is read, and how it is sent. */
export interface CsrfOptions {
  /** The cookie that the server put it in, e.g. `csrftoken` (Django) or `XSRF-TOKEN` (Laravel, Angular). */
  cookie?: string;
  /** Reads it from elsewhere, e.g. a `<meta>` tag (Rails). Called when a request is sent. */
  read?: () => string | undefined;
  /** The header that sends it back. @default 'X-CSRF-Token' */
  header?: string;
  /**
   * The requests that carry it: those that change something, or all. Duende BFF demands its header `X-CSRF: 1` on every request
   * to an API, and answers 401 to a GET without it: `{ on: 'all', header: 'X-CSRF', read: () => '1' }`.
   *
   * @default 'unsafe'
   * @see https://docs.duendesoftware.com/bff/troubleshooting/
   * @see https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1
   */
  on?: 'unsafe' | 'all';
  /**
   * Fetches a fresh one, which `cookie` or `read` then finds. The new token counts, not the status: an answer of 401 or 403 may
   * set the cookie too. Absent: a refused token surfaces as the server's error.
   */
  fetch?: () => Promise<unknown>;
  /**
   * Tells a refused CSRF token from any other refusal. It gets a copy of the response, and the session's timeout to decide;
   * no decision in time means that the token was not refused. @default status 419, and 400, 403 or 422 with the words of a
   * framework: Django, Laravel, Rails, Spring, Express, Symfony, Phoenix, Flask and others
   */
  isRefused?: (response: Response) => boolean | Promise<boolean>;
}

function readCookie(name: string): string | undefined {
  if (typeof document === 'undefined') return undefined;
  const pair = document.cookie.split('; ').find(text => text.startsWith(`${name}=`));
  if (pair === undefined) return undefined;
  const raw = pair.slice(name.length + 1);
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/**
 * A copy, so that the caller can read the response too. What another HTTP client calls a response, or what was read
 * already, stays as it is.
 */
function copyOf(response: Response): Response {
  return response instanceof Response && !response.bodyUsed ? response.clone() : response;
}

/**
 * The CSRF token of the page: read at send time, since the server may rotate it at any answer.
 *
 * An empty one counts as missing, so that no empty header is ever sent.
 */
export function csrfToken(options: CsrfOptions | undefined, clock: Clock, timeoutMs: number) {
  if (!options) return undefined;
  const { cookie, read, header = 'X-CSRF-Token', on = 'unsafe', fetch, isRefused } = options;
  const readToken = (): string | undefined =>
    (read ? read() : cookie === undefined ? undefined : readCookie(cookie)) || undefined;
  /** Whether a request of this method carries the token. */
  const appliesTo = (method = 'GET'): boolean => on === 'all' || !isSafeMethod(method);
  return {
    read: readToken,
    appliesTo,
    /**
     * Fetches another token than the refused one. The cookie decides, not the status: Django sets it with a whoami that answers 401.
     *
     * @param run Calls the `fetch` option as the session's own request.
     */
    fetch:
      fetch &&
      (async (refused: string | undefined, run: (call: () => Promise<unknown>) => Promise<unknown>): Promise<void> => {
        try {
          await run(fetch);
        } catch (error) {
          const token = readToken();
          if (token === undefined || token === refused) throw error;
        }
      }),
    /** Whether the server refused the CSRF token. Settles within the timeout, even if the body never ends. */
    isRefused: async (response: Response): Promise<boolean> => {
      const reading = new AbortController();
      const timedOut = new DOMException(`The refusal was not read within ${timeoutMs} ms.`, 'TimeoutError');
      const decide = async () => (isRefused ? isRefused(copyOf(response)) : isCsrfRefusal(response, reading.signal));
      try {
        return await withTimeout(clock, timeoutMs, decide(), () => timedOut);
      } catch (error) {
        if (error !== timedOut) throw error;
        return false;
      } finally {
        reading.abort();
      }
    },
    /** The init with the token in its header, where there is a token and the method calls for it. */
    attach: (init: RequestInit, token: string | undefined): RequestInit =>
      token !== undefined && appliesTo(init.method)
        ? attachCheckedHeader(init, header, assertHeaderSafe(token, 'CSRF token'))
        : init,
  };
}
