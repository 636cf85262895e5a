// Tells the page's own files from the requests of a story, by their address: a service worker does not pass on what
// a request is for.

/** Folders that Storybook and Vite serve the page's own code from, on the static build and on `storybook dev`. */
const ASSET_FOLDERS = /^(assets|sb-[\w-]+|@[\w-]+|node_modules|\.storybook|stories|src|virtual:[^/]*)\//;
const ASSET_FILES =
  /^((@|virtual:|__vite|__storybook|vite-inject)\S*|(index|project|stories)\.json|iframe\.html|index\.html|favicon\.\w+|mockServiceWorker\.js)?$/;
const ASSET_ENDINGS = /\.(m?js|css|map|tsx?|mdx|svg|png|ico|woff2?)$/;

/** The folder that the page came from; a story may change the address later. */
const BASE = new URL('.', location.href).pathname;

/** True for what the page loads for itself, or a browser extension into it. */
export function isPageAsset(request: Request): boolean {
  const url = new URL(request.url);
  if (/^(chrome|moz|safari-web|webkit)-extension:|^(data|blob):/.test(url.protocol)) return true;
  if (url.origin !== location.origin || request.method !== 'GET') return false;
  if (!url.pathname.startsWith(BASE)) return false;
  const path = url.pathname.slice(BASE.length);
  return ASSET_FOLDERS.test(path) || ASSET_FILES.test(path) || ASSET_ENDINGS.test(path);
}
