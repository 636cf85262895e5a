// Clears the state that a story could leave in the browser: cookies, web storage, and msw's own cookie jar.
import { handleRequest, http, HttpResponse } from 'msw';

const MSW_COOKIE_STORE = '__msw-cookie-store__';

/** The names of the cookies that the page can see. */
export function cookieNames(): string[] {
  return document.cookie
    .split('; ')
    .map(pair => pair.split('=')[0] ?? '')
    .filter(Boolean);
}

/** Restores the state of a first visit. */
export async function clearBrowserState(): Promise<void> {
  await emptyMswCookieJar();
  cookieNames().forEach(expire);
  localStorage.clear();
  sessionStorage.clear();
}

function expire(name: string) {
  const folders = location.pathname.split('/').map((_, index, all) => all.slice(0, index).join('/') || '/');
  for (const path of new Set([...folders, location.pathname])) document.cookie = `${name}=; Max-Age=0; Path=${path}`;
}

interface StoredCookie {
  key: string;
  domain: string;
  path: string;
  hostOnly?: boolean;
}

/**
 * msw 2 stores the cookies of mocks in its own jar in memory. It does not export the jar, and reads localStorage only at start.
 * So this function deletes each cookie with a mocked answer, like a server. The first answer makes msw write its jar to localStorage.
 */
async function emptyMswCookieJar() {
  await answerWithCookie(location.href, 'msw-jar=; Max-Age=0');
  const stored = JSON.parse(localStorage.getItem(MSW_COOKIE_STORE) ?? '[]') as StoredCookie[];
  for (const { key, domain, path, hostOnly } of stored)
    await answerWithCookie(
      `https://${domain}${path}`,
      `${key}=; Max-Age=0; Path=${path}${hostOnly === false ? `; Domain=${domain}` : ''}`,
    );
}

async function answerWithCookie(url: string, cookie: string) {
  const handlers = [http.all('*', () => new HttpResponse(null, { headers: { 'Set-Cookie': cookie } }))];
  const silentEmitter = { emit: () => true } as unknown as Parameters<typeof handleRequest>[4];
  await handleRequest(new Request(url), 'expire', handlers, { onUnhandledRequest: 'bypass' }, silentEmitter);
}
