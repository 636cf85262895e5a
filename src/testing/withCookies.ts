/**
 * Sets cookies with an answer; `undefined` expires one. On a page they are written to `document.cookie`, elsewhere they are
 * `Set-Cookie` headers of the response that is returned.
 *
 * The headers are not left to msw: it keeps what a mocked response sets in a jar of its own, of several cookies only the first,
 * and shows the jar before `document.cookie` from then on, to all handlers, for every credentials mode, across reloads.
 */
export function withCookies(response: Response, cookies: Readonly<Record<string, string | undefined>>): Response {
  const lines = Object.entries(cookies).map(([name, value]) =>
    value === undefined ? `${name}=; Path=/; Max-Age=0` : `${name}=${value}; Path=/; SameSite=Lax`,
  );
  if (typeof document === 'undefined') {
    const headers = new Headers(response.headers);
    for (const line of lines) headers.append('Set-Cookie', line);
    return lines.length === 0 ? response : new Response(response.body, { status: response.status, headers });
  }
  for (const line of lines) document.cookie = line;
  return response;
}
