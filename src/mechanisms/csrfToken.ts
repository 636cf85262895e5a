import { assertHeaderSafe } from './assertHeaderSafe.js';
import { attachHeader } from './attachHeader.js';

/** Where the token against cross-site request forgery is read, and how it is sent. */
export interface CsrfOptions {
  /** The cookie that the server put it in, e.g. `csrftoken` (Django) or `XSRF-TOKEN` (Laravel, Angular). */
  cookie?: string;
  /** Reads it from elsewhere, e.g. a `<meta>` tag (Rails). Called when a request is sent. */
  read?: () => string | undefined;
  /** The header that sends it back. @default 'X-CSRF-Token' */
  header?: string;
  /** Fetches a fresh one, which `cookie` or `read` then finds. Absent: a refused token surfaces as the server's error. */
  fetch?: () => Promise<unknown>;
  /** Tells a refused CSRF token from any other refusal. @default status 419, or 403 with “csrf” in its body */
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

/** Laravel answers 419; Django, Express and Spring answer 403 and say “CSRF” in the body. */
async function saysCsrf(response: Response): Promise<boolean> {
  if (response.status === 419) return true;
  return response.status === 403 && !response.bodyUsed && /csrf/i.test(await response.clone().text());
}

/**
 * The CSRF token of the page: read at send time, since the server may rotate it at any answer.
 *
 * An empty one counts as missing, so that no empty header is ever sent.
 */
export function csrfToken(options: CsrfOptions | undefined) {
  if (!options) return undefined;
  const { cookie, read, header = 'X-CSRF-Token', fetch, isRefused = saysCsrf } = options;
  return {
    fetch,
    read: (): string | undefined => (read ? read() : cookie === undefined ? undefined : readCookie(cookie)) || undefined,
    isRefused: async (response: Response): Promise<boolean> => isRefused(response),
    attach: (init: RequestInit, token: string): RequestInit => attachHeader(init, header, assertHeaderSafe(token, 'CSRF token')),
  };
}
