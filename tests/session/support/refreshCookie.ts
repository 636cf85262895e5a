import { createTokenSession, RestEndpoint, type TokenSessionOptions } from '../../../src/entries/core.js';
import { json } from './answers.js';
import { API, tokenOf } from './article.js';
import { fakeBrowser } from './fakeBrowser.js';
import { mockServer, type Seen } from './mockServer.js';
import { deferred } from './promises.js';

type LoginAnswer = { accessToken: string; user: { id: string } };
type Options = Partial<TokenSessionOptions<[{ name: string; remember?: boolean }], LoginAnswer>>;

/** A server that keeps a session for each sign-in, and names it in a refresh cookie. A logout ends the session of its access token. */
export function refreshCookieServer() {
  const sessions = new Map<string, string>();
  const jar: { cookie?: string } = {};
  let issued = 0;
  const loggedOut: (string | null)[] = [];
  const signIn = (person: string) => {
    const token = `${person}-${++issued}`;
    sessions.set(token, person);
    jar.cookie = token;
    return json({ accessToken: token, user: { id: person } });
  };
  const nameIn = (seen: Seen) => (JSON.parse(seen.body) as { name: string }).name;
  const server = mockServer({
    'POST /login': seen => signIn(nameIn(seen)),
    'POST /restore': () =>
      sessions.has(jar.cookie ?? '')
        ? json({ accessToken: jar.cookie, user: { id: sessions.get(jar.cookie!) } })
        : json({}, 401),
    'POST /logout': seen => {
      loggedOut.push(tokenOf(seen));
      sessions.delete(tokenOf(seen) ?? '');
      return new Response(null, { status: 204 });
    },
  });
  const post = (path: string) =>
    new RestEndpoint({ urlPrefix: API, path, method: 'POST', ...(path !== '/login' && { body: undefined }) });
  const options = () => ({
    server: true,
    login: post('/login') as never,
    logout: post('/logout') as never,
    restore: post('/restore') as never,
  });
  return { server, sessions, jar, signIn, nameIn, loggedOut, options, post };
}

/** The refresh-cookie server, and a browser. `open` opens a tab with its own session object. */
export function setupRefreshCookieTabs() {
  const refreshCookie = refreshCookieServer();
  const browser = fakeBrowser();
  const open = ({ restores = true, ...more }: Options & { restores?: boolean } = {}) => {
    const tab = browser.openTab();
    const { restore, ...options } = refreshCookie.options();
    const session = createTokenSession<[{ name: string; remember?: boolean }], LoginAnswer>({
      ...options,
      ...(restores && { restore }),
      clock: tab.clock,
      ...more,
    });
    return {
      tab,
      session,
      mount: () => {
        const stop = tab.run(() => session.subscribe(() => {}));
        return () => tab.run(stop);
      },
      login: (person: string) => tab.run(() => session.login({ name: person })),
      logout: () => tab.run(() => session.logout()),
      dispose: () => tab.run(() => session.dispose()),
      now: () => session.getSnapshot(),
    };
  };
  /**
   * Holds the response to this route until the returned promise is resolved. The server handles the request at once, or later, when it
   * responds.
   */
  const hold = (route: string, handles: 'later' | 'at once' = 'later') => {
    const held = deferred();
    const answer = refreshCookie.server.routes[route]!;
    refreshCookie.server.routes[route] = seen => {
      const early = handles === 'at once' ? answer(seen) : undefined;
      return held.promise.then(() => early ?? answer(seen));
    };
    return held;
  };
  return { ...refreshCookie, browser, open, hold };
}
