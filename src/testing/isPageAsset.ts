const ASSET = /\.(m?[jt]sx?|css|map|html|svg|png|jpe?g|gif|webp|ico|json|woff2?|ttf|mdx)$/i;
const DEVELOPMENT = /^\/(sb-|@|virtual:|__|node_modules\/|assets\/|src\/|stories\/|\.storybook\/)/;

/**
 * Tells whether a request is the page's own: its scripts, styles, pictures and what a development server adds.
 * Only GET and HEAD of the page's origin can be, so no call to an API on another origin is ever overlooked.
 */
export function isPageAsset(request: Request, page: string | undefined = globalThis.location?.href): boolean {
  const url = new URL(request.url);
  if (!/^https?:$/.test(url.protocol)) return true;
  if (!page || url.origin !== new URL(page).origin) return false;
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  // A Storybook that is published under a folder asks for its files below that folder.
  const folder = new URL('.', page).pathname;
  const path = url.pathname.startsWith(folder) ? url.pathname.slice(folder.length - 1) : url.pathname;
  return ASSET.test(path) || DEVELOPMENT.test(path) || url.searchParams.has('import');
}
