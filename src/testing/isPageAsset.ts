/** What the page loads at an address, as msw's worker tells the page: `new Request()`, with which msw repeats it, takes no destination. */
const destinations = new Map<string, RequestDestination>();

// During capture, so that it hears of a request before msw does.
globalThis.navigator?.serviceWorker?.addEventListener('message', rememberDestination, { capture: true });

function rememberDestination({ data }: MessageEvent<{ type?: unknown; payload?: Request } | undefined>): void {
  if (data?.type === 'REQUEST' && data.payload) destinations.set(data.payload.url, data.payload.destination);
}

/**
 * Returns true for a request of the page itself: what it loads from its own origin, such as scripts, styles and pictures, and
 * the list of stories that a Storybook fetches. What code requests with `fetch` or an XMLHttpRequest is a request of the app, whatever
 * its address. So is every request to another origin.
 *
 * @param page The address of the page. @default `location.href`; without a page, no request over HTTP is its own
 * @example
 * createRequestJournal(worker, { ignore: request => isPageAsset(request) || request.url.endsWith('/beacon') });
 */
export function isPageAsset(request: Request, page: string | undefined = globalThis.location?.href): boolean {
  const url = new URL(request.url);
  if (!/^https?:$/.test(url.protocol)) return true;
  if (!page || url.origin !== new URL(page).origin) return false;
  if (/\/iframe\.html$/.test(new URL(page).pathname) && url.href === new URL('index.json', page).href) return true;
  return Boolean(request.destination || destinations.get(request.url));
}
