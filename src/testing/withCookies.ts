/**
 * Sets cookies with an answer, percent-encoded. The value `undefined` deletes a cookie. On a page it writes them to
 * `document.cookie`; elsewhere it adds `Set-Cookie` headers to the returned response.
 *
 * On a page, `Set-Cookie` headers would not work. msw stores the cookies of mocked responses in its own jar, but only the first
 * of several. Its handlers then see the jar's cookies before `document.cookie`, for every credentials mode and after reloads.
 */
export function withCookies(response: Response, cookies: Readonly<Record<string, string | undefined>>): Response {
  const lines = Object.entries(cookies).map(([name, value]) =>
    value === undefined ? `${name}=; Path=/; Max-Age=0` : `${name}=${encodeURIComponent(value)}; Path=/; SameSite=Lax`,
  );
  if (typeof document === 'undefined') {
    const headers = new Headers(response.headers);
    for (const line of lines) headers.append('Set-Cookie', line);
    return lines.length === 0 ? response : new Response(response.body, { status: response.status, headers });
  }
  for (const line of lines) document.cookie = line;
  return response;
}
