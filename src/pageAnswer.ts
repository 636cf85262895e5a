/** True for a page, as a dev server, a proxy or a captive portal answers it. */
export function isPage(result: unknown): boolean {
  return typeof result === 'string' && result.trimStart().startsWith('<');
}

/** The sentence for the developer about such an answer. */
export const A_PAGE =
  'The server answered a page and not JSON, so another server than the API seems to have answered. Check the address: `urlPrefix`, `path` and the proxy of the dev server.';
