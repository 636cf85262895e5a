import { withTimeout, type Clock } from '../clock.js';
import { isDevelopment } from '../isDevelopment.js';
import { isSafeMethod } from '../session/isSafeMethod.js';
import { warnOnce } from '../warnOnce.js';
import { assertHeaderSafe } from './assertHeaderSafe.js';
import { attachCheckedHeader } from './attachHeader.js';
import { isCsrfRefusal } from './csrfRefusal.js';

/** Where the session reads the CSRF token (against cross-site request forgery), and how it sends the token. */
export interface CsrfOptions {
  /** The cookie that contains the CSRF token, e.g. `csrftoken` (Django) or `XSRF-TOKEN` (Laravel, Angular). */
  cookie?: string;
  /**
   * Returns the CSRF token, if it is not in a cookie, e.g. from a `<meta>` tag (Rails). Called when a request is sent.
   */
  read?: () => string | undefined;
  /** The header that carries the CSRF token. @default 'X-CSRF-Token' */
  header?: string;
  /**
   * The requests that carry the CSRF token: those that change something, or all. Duende BFF demands its header
   * `X-CSRF: 1` on every request to an API, and answers 401 to a GET without it:
   * `{ on: 'all', header: 'X-CSRF', read: () => '1' }`.
   *
   * @default 'unsafe'
   * @see https://docs.duendesoftware.com/bff/troubleshooting/
   * @see https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1
   */
  on?: 'unsafe' | 'all';
  /**
   * Makes the server set a new CSRF token; then `cookie` or `read` returns it. The new token counts, not the status: a
   * response with 401 or 403 may set the cookie too. Aborted after the session's `timeout`. Absent: when the server
   * refuses a CSRF token, the caller gets the server's error.
   */
  fetch?: () => Promise<unknown>;
  /**
   * Returns true if a refusal is about the CSRF token. Called with a copy of the response. If it takes longer than the
   * session's `timeout`, the refusal is not about the CSRF token. @default status 419, and 400, 403 or 422 with the
   * words of a framework: Django, Laravel, Rails, Spring, Express, Symfony, Phoenix, Flask and others
   */
  isRefused?: (response: Response) => boolean | Promise<boolean>;
}

type RunFetch = (fetch: () => Promise<unknown>, signal: AbortSignal) => Promise<unknown>;

/**
 * Reads the cookie with the CSRF token. Where two cookies have its name (of the host and of a parent domain), a page cannot tell which
 * one the server reads: after a refusal it is the other one.
 */
function createCsrfCookie(name: string) {
  let refused: string | undefined;

  function values(): readonly string[] {
    if (typeof document === 'undefined') return [];
    const pairs = readCookies()
      .split('; ')
      .filter(text => text.startsWith(`${name}=`));
    return pairs.map(pair => decoded(pair.slice(name.length + 1)));
  }

  return {
    read(): string | undefined {
      const all = values();
      return all.find(value => value !== refused) ?? all[0];
    },
    /** The server has refused this token. */
    refuse(token: string | undefined): void {
      refused = token;
      if (!isDevelopment) return;
      const { size } = new Set(values());
      if (size === 0) warnOfMissingCookie(name);
      if (size > 1)
        warnOnce(
          `the browser has two cookies with the name \`${name}\`, as after a change of the cookie's Domain. Delete one of them: the server refuses the CSRF token of the other.`,
        );
    },
  };
}

/** @throws TypeError */
function readCookies(): string {
  try {
    return document.cookie;
  } catch (error) {
    throw new TypeError(
      'This page may not read its cookies, as in a sandboxed frame. Give the frame `sandbox="allow-same-origin"`, or read the CSRF token elsewhere with `csrf.read`.',
      { cause: error },
    );
  }
}

function decoded(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/** Names the cookies that the page can read, never their values. */
function warnOfMissingCookie(name: string): void {
  if (typeof document === 'undefined') return;
  const others = document.cookie.split('; ').flatMap(pair => (pair === '' ? [] : `\`${pair.split('=', 1)[0]}\``));
  warnOnce(
    `The server refused a request because of its CSRF token, and the page has no cookie \`${name}\` to read it from. ${others.length === 0 ? 'It can read no cookie' : `It has ${others.join(', ')}`}. Check \`csrf.cookie\`; the cookie must not be HttpOnly, and must be of the page's own host or a parent domain.`,
  );
}

/**
 * Returns a copy, so that the caller can read the response too. Objects that are not a `Response`, and responses that
 * were already read, are returned unchanged.
 */
function copyOf(response: Response): Response {
  return response instanceof Response && !response.bodyUsed ? response.clone() : response;
}

/**
 * Reads, attaches and fetches the CSRF token of the page. Reads it when a request is sent, because the server may
 * replace it with any response. An empty token counts as missing, so that no empty header is ever sent.
 */
export function csrfToken(options: CsrfOptions | undefined, clock: Clock, timeoutMs: number) {
  if (!options) return undefined;
  const { cookie, read, header = 'X-CSRF-Token', on = 'unsafe', fetch, isRefused } = options;
  const ownCookie = cookie !== undefined && !read ? createCsrfCookie(cookie) : undefined;
  const readToken = (): string | undefined => (read ?? ownCookie?.read)?.() || undefined;
  /** Returns true if a request of this method carries the token. */
  const appliesTo = (method = 'GET'): boolean => on === 'all' || !isSafeMethod(method);
  return {
    read: readToken,
    appliesTo,
    /** The server has refused this token. */
    refuse: (token: string | undefined): void => ownCookie?.refuse(token),
    /**
     * Fetches another token than the refused one. The cookie decides, not the status: Django sets it in the 401
     * response of a whoami. A fetch is aborted after the timeout. Unlike a refresh token, a CSRF token can safely be fetched again.
     *
     * @param run Calls the `fetch` option as an auth call of the session. The signal aborts its requests.
     */
    fetch:
      fetch &&
      (async (refused: string | undefined, run: RunFetch): Promise<void> => {
        const overdue = new AbortController();
        const callOff = () => {
          const error = new DOMException(`No CSRF token was fetched within ${timeoutMs} ms.`, 'TimeoutError');
          overdue.abort(error);
          return error;
        };
        try {
          await withTimeout(clock, timeoutMs, run(fetch, overdue.signal), callOff);
        } catch (error) {
          const token = readToken();
          if (token === undefined || token === refused) throw error;
        }
      }),
    /**
     * Resolves with true if the server refused the CSRF token. Settles within the timeout, even if the body never ends.
     */
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
    /** Returns the init with the token in its header, if there is a token and requests of this method carry it. */
    attach: (init: RequestInit, token: string | undefined): RequestInit =>
      token !== undefined && appliesTo(init.method)
        ? attachCheckedHeader(init, header, assertHeaderSafe(token, 'CSRF token'))
        : init,
  };
}
