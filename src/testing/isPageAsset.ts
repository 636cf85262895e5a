const ASSET = /\.(m?[jt]sx?|css|map|html|svg|png|jpe?g|gif|webp|ico|json|woff2?|ttf|mdx)$/i;
const DEVELOPMENT = /^\/(sb-|@|virtual:|__|node_modules\/|assets\/|src\/|stories\/|\.storybook\/)/;

/**
 * Returns true for a request of the page itself: its scripts, styles, pictures and the files of a development server.
 * Over HTTP, only GET and HEAD requests to the page's own origin qualify, so the journal records every call to an API on another origin.
 *
 * @param page The address of the page. @default `location.href`; without a page, no request over HTTP is its own
 * @example
 * createRequestJournal(worker, { ignore: request => isPageAsset(request) || request.url.endsWith('/beacon') });
 */
export function isPageAsset(request: Request, page: string | undefined = globalThis.location?.href): boolean {
  const url = new URL(request.url);
  if (!/^https?:$/.test(url.protocol)) return true;
  if (!page || url.origin !== new URL(page).origin) return false;
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  // A Storybook that is published in a folder requests its files below that folder.
  const folder = new URL('.', page).pathname;
  const path = url.pathname.startsWith(folder) ? url.pathname.slice(folder.length - 1) : url.pathname;
  return ASSET.test(path) || DEVELOPMENT.test(path) || url.searchParams.has('import');
}
