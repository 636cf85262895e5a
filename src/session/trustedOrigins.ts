import { UntrustedOriginError } from '../errors.js';
import type { RequestToAttach } from './mechanism.js';

/** Stands for the page's origin in Node. */
const NO_PAGE = 'http://no-page.invalid';

function pageAddress(): string {
  return typeof location === 'undefined' ? NO_PAGE : location.href;
}

/** The origin of an address; undefined for an invalid address, `'null'` for a scheme without origins. */
function originOf(address: string, base?: string): string | undefined {
  try {
    return new URL(address, base).origin;
  } catch {
    return undefined;
  }
}

/** Creates an `originOf` that parses an address again only when it changes. Nearly all requests have the same one. */
function rememberingOriginOf(): typeof originOf {
  let last:
    { readonly address: string; readonly base: string | undefined; readonly origin: string | undefined } | undefined;
  return (address, base) => {
    if (last?.address !== address || last.base !== base) last = { address, base, origin: originOf(address, base) };
    return last.origin;
  };
}

const originOfPage = /* @__PURE__ */ rememberingOriginOf();
const originOfPrefix = /* @__PURE__ */ rememberingOriginOf();
const originOfAbsolutePrefix = /* @__PURE__ */ rememberingOriginOf();

/**
 * Checks that a request goes to an origin that may see the session's credentials: one of the list, or without a list the
 * page's own and the endpoint's `urlPrefix`.
 *
 * Compares parsed origins, never strings: `https://api.example.com.evil.test` and `https://api.example.com@evil.test` are
 * other origins, and so are another port and plain http. In Node, a relative URL is not checked; `fetch` rejects it.
 *
 * @throws UntrustedOriginError
 */
export function assertTrusted({ url, urlPrefix }: RequestToAttach, trusted: readonly string[] | undefined): void {
  if ((trusted ?? [originOfAbsolutePrefix(urlPrefix)]).some(origin => startsWithOrigin(url, origin))) return;
  const page = pageAddress();
  const allowed = trusted ?? [originOfPrefix(urlPrefix, page), originOfPage('', page)];
  // A page with a <base> sends relative addresses there.
  const origin = originOf(url, typeof document === 'undefined' ? page : (document.baseURI ?? page));
  if (origin === undefined || origin === NO_PAGE || allowed.includes(origin)) return;
  throw new UntrustedOriginError(origin, isJoined(url, urlPrefix) ? urlPrefix : undefined);
}

/** Returns true if the path has become a part of the host: `https://api.example.com` and `article` without a slash between them. */
function isJoined(url: string, urlPrefix: string): boolean {
  return (
    /^[a-z][a-z\d+.-]*:\/\/[^/?#]*\w$/i.test(urlPrefix) &&
    url.startsWith(urlPrefix) &&
    /^\w/.test(url.slice(urlPrefix.length))
  );
}

/**
 * Returns true if an address starts with an origin and a slash. The rest cannot change the origin, so there is no need
 * to parse it.
 */
function startsWithOrigin(url: string, origin: string | undefined): boolean {
  return origin !== undefined && url.startsWith(origin) && url[origin.length] === '/';
}

/**
 * Returns true if a redirect led to another origin than the page's: a response from there says nothing about the
 * session.
 */
export function isFromOtherOrigin({ redirected, url }: Response): boolean {
  return redirected && originOf(url, NO_PAGE) !== originOf('', pageAddress());
}

/**
 * Reads a list of trusted origins. An entry may be any address of the origin.
 *
 * @throws TypeError when an entry is not an absolute address with an origin: `localhost:4000` has the scheme `localhost:`. Also
 * for a pattern, such as `https://*.example.com`.
 */
export function parseOrigins(origins: readonly string[] | undefined): readonly string[] | undefined {
  return origins?.map(origin => {
    const parsed = originOf(origin);
    // URL parsers accept a host with a `*`.
    if (parsed === undefined || parsed === 'null' || parsed.includes('*'))
      throw new TypeError(
        `trustedOrigins: ${JSON.stringify(origin)} is not an origin. Write it as 'https://api.example.com'.`,
      );
    return parsed;
  });
}
