import { UntrustedOriginError } from '../errors.js';
import type { OutgoingRequest } from './outgoingRequest.js';

/** The page's own origin where there is no page (Node). */
const NO_PAGE = 'http://no-page.invalid';

function pageAddress(): string {
  return typeof location === 'undefined' ? NO_PAGE : location.href;
}

/** The origin of an address; undefined for what is no address. */
function originOf(address: string, base?: string): string | undefined {
  try {
    return new URL(address, base).origin;
  } catch {
    return undefined;
  }
}

/** `originOf` for an address that nearly every request has in common: the last one is parsed once. */
function rememberingOriginOf(): typeof originOf {
  let last:
    { readonly address: string; readonly base: string | undefined; readonly origin: string | undefined } | undefined;
  return (address, base) => {
    if (last?.address !== address || last.base !== base) last = { address, base, origin: originOf(address, base) };
    return last.origin;
  };
}

const originOfPage = rememberingOriginOf();
const originOfPrefix = rememberingOriginOf();
const originOfAbsolutePrefix = rememberingOriginOf();

/**
 * Checks that a request goes to an origin that may see the session's credentials: one of the list, or without a list the
 * page's own and the endpoint's `urlPrefix`.
 *
 * Compares parsed origins, never strings: `https://api.example.com.evil.test` and `https://api.example.com@evil.test` are
 * other origins, and so are another port and plain http. An address that only a page could complete is left to `fetch`.
 *
 * @throws UntrustedOriginError
 */
export function assertTrusted({ url, urlPrefix }: OutgoingRequest, trusted: readonly string[] | undefined): void {
  if ((trusted ?? [originOfAbsolutePrefix(urlPrefix)]).some(origin => isBelow(origin, url))) return;
  const page = pageAddress();
  const allowed = trusted ?? [originOfPrefix(urlPrefix, page), originOfPage('', page)];
  // A page with a <base> sends relative addresses there.
  const origin = originOf(url, typeof document === 'undefined' ? page : (document.baseURI ?? page));
  if (origin !== undefined && origin !== NO_PAGE && !allowed.includes(origin)) throw new UntrustedOriginError(origin);
}

/** Whether an address starts with an origin and a slash. What follows cannot change the origin, so such an address is not parsed. */
function isBelow(origin: string | undefined, url: string): boolean {
  return origin !== undefined && origin !== 'null' && url.startsWith(origin) && url[origin.length] === '/';
}

/** Whether a redirect has led a request to another origin than the page's: that origin does not speak for the API. */
export function isFromOtherOrigin({ redirected, url }: Response): boolean {
  return redirected && originOf(url, NO_PAGE) !== originOf('', pageAddress());
}

/**
 * Reads a list of trusted origins. An entry may be any address of the origin.
 *
 * @throws TypeError when an entry is not an absolute address.
 */
export function parseOrigins(origins: readonly string[] | undefined): readonly string[] | undefined {
  return origins?.map(origin => {
    if (!URL.canParse(origin))
      throw new TypeError(
        `trustedOrigins: ${JSON.stringify(origin)} is not an origin. Write it as 'https://api.example.com'.`,
      );
    return new URL(origin).origin;
  });
}
