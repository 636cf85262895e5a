// Tells requests for the page's own files from the requests of a story. It compares addresses, because a service worker does not know
// what a request is for.

/** Folders with the page's own code, in the static build and in `storybook dev`. */
const ASSET_FOLDERS = /^(assets|sb-[\w-]+|@[\w-]+|node_modules|\.storybook|stories|src|virtual:[^/]*)\//;
const ASSET_FILES =
  /^((@|virtual:|__vite|__storybook|vite-inject)\S*|(index|project|stories)\.json|iframe\.html|index\.html|favicon\.\w+|mockServiceWorker\.js)?$/;
const ASSET_ENDINGS = /\.(m?js|css|map|tsx?|mdx|svg|png|ico|woff2?)$/;

/** The folder that the page was loaded from. A story may change the address later. */
const BASE = new URL('.', location.href).pathname;

/** Returns true for requests of the page itself and of browser extensions. */
export function isPageAsset(request: Request): boolean {
  const url = new URL(request.url);
  if (/^(chrome|moz|safari-web|webkit)-extension:|^(data|blob):/.test(url.protocol)) return true;
  if (url.origin !== location.origin || request.method !== 'GET') return false;
  if (!url.pathname.startsWith(BASE)) return false;
  const path = url.pathname.slice(BASE.length);
  return ASSET_FOLDERS.test(path) || ASSET_FILES.test(path) || ASSET_ENDINGS.test(path);
}
