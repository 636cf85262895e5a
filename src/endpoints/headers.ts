/**
 * Headers as a plain object, the one form that data-client keeps: spreading a `Headers` instance or tuples, as it does,
 * loses every entry. `Content-Type` is spelled the way data-client spells its default, so that the two never add up.
 */
export function plainHeaders(headers: HeadersInit | undefined): Record<string, string> {
  const listed = headers instanceof Headers || Array.isArray(headers) ? [...new Headers(headers)] : Object.entries(headers ?? {});
  return Object.fromEntries(listed.map(([name, value]) => [name.toLowerCase() === 'content-type' ? 'Content-Type' : name, value]));
}

/** Both inits as one; the second wins, header by header, whatever the case of their names. */
export function mergeInit(first: RequestInit = {}, second: RequestInit = {}): RequestInit {
  const headers = plainHeaders(first.headers);
  const winners = plainHeaders(second.headers);
  const won = new Set(Object.keys(winners).map(name => name.toLowerCase()));
  for (const name of Object.keys(headers)) if (won.has(name.toLowerCase())) delete headers[name];
  return { ...first, ...second, headers: { ...headers, ...winners } };
}
