/**
 * Converts headers to a plain object. data-client spreads headers, and spreading a `Headers` instance or tuples would lose every
 * entry. `Content-Type` has the same spelling as data-client's default, so that a request never has both.
 */
export function plainHeaders(headers: HeadersInit | undefined): Record<string, string> {
  const listed =
    headers instanceof Headers || Array.isArray(headers) ? [...new Headers(headers)] : Object.entries(headers ?? {});
  return Object.fromEntries(
    listed.map(([name, value]) => [name.toLowerCase() === 'content-type' ? 'Content-Type' : name, value]),
  );
}

/** Merges two inits. The second wins, header by header. Header names are case-insensitive. */
export function mergeInit(first: RequestInit = {}, second: RequestInit = {}): RequestInit {
  const headers = plainHeaders(first.headers);
  const winners = plainHeaders(second.headers);
  const won = new Set(Object.keys(winners).map(name => name.toLowerCase()));
  for (const name of Object.keys(headers)) if (won.has(name.toLowerCase())) delete headers[name];
  return { ...first, ...second, headers: { ...headers, ...winners } };
}
