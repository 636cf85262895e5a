import type { functionServer } from './functionServer.js';
import {
  authEndpoint,
  createTokenSession,
  resource,
  RestEndpoint,
  type TokenSessionOptions,
} from '../../../src/entries/core.js';
import { sessionCore } from '../../../src/endpoints/sessionCore.js';
import { lock } from '../../../src/lock/lock.js';
import { fakeBrowser, type BrowserOptions, type Tab } from './fakeBrowser.js';
import { API, Article, type Tokens } from './article.js';
import { LoginEndpoint } from './people.js';
import { deferred } from './promises.js';
import { refreshOf, setupTokenSession } from './setupTokenSession.js';

type Options = Partial<TokenSessionOptions<[{ name: string }], Tokens>>;

/** The name under which sessions with the default key meet: of their channel, and of their news in the storage. */
export const ADDRESS = 'data-client-auth:data-client-auth';

/** One server, one browser and as many tabs as are opened, each with a session of its own that keeps its tokens in `localStorage`. */
export function setupTabs(browserOptions: BrowserOptions = {}, options: Options = {}, serve?: typeof functionServer) {
  const browser = fakeBrowser(browserOptions);
  const { server, issue, expire, refreshRoute } = setupTokenSession(
    {},
    // A sign-out revokes no token here: each refusal is then of a refresh token that was sent twice, or that was never issued.
    { 'POST /logout': () => new Response(null, { status: 204 }) },
    serve,
  );
  let refused = 0;
  const countingRefresh = async (...args: Parameters<typeof refreshRoute>) => {
    const answer = await refreshRoute(...args);
    if (answer.status === 401) refused++;
    return answer;
  };
  server.routes['POST /refresh'] = countingRefresh;
  browser.cutGoneTabsOff();
  const post = (path: string) => new RestEndpoint({ urlPrefix: API, path, method: 'POST' });

  const open = (more: Options = {}, tab: Tab = browser.openTab()) => {
    const session = createTokenSession<[{ name: string }], Tokens>({
      login: new LoginEndpoint({ urlPrefix: API, path: '/login', method: 'POST' }) as never,
      logout: post('/logout') as never,
      storage: 'local',
      server: true,
      clock: tab.clock,
      ...options,
      ...more,
      refresh: refreshOf({ ...options, ...more }, post('/refresh')),
    });
    const articles = resource({
      urlPrefix: API,
      path: '/article/:id',
      schema: Article,
      Endpoint: authEndpoint(session),
    });
    const seen: string[] = [];
    const look = () => {
      const { status, user } = session.getSnapshot();
      const now = `${status} ${user?.id ?? 'nobody'}`;
      if (seen.at(-1) !== now) seen.push(now);
    };
    return {
      tab,
      session,
      /** What a mounted page has shown so far: `authenticated ada`. */
      seen,
      mount: () => {
        const stop = tab.run(() => session.subscribe(look));
        look();
        return () => tab.run(stop);
      },
      login: (name: string, choice?: { remember: boolean }) => tab.run(() => session.login({ name, ...choice })),
      logout: () => browser.until(tab.run(() => session.logout())),
      refresh: () => tab.run(() => session.refresh()),
      dispose: () => tab.run(() => session.dispose()),
      /** As a provider with `onExpiry={lock()}` does. */
      lockOnExpiry: () => lock({ clock: tab.clock }).attach(sessionCore(session)),
      get: (id = '1') => tab.run(() => articles.get({ id })),
      burst: (count: number) =>
        tab.run(() => Array.from({ length: count }, (_, id) => articles.get({ id: String(id) }))),
      now: () => session.getSnapshot(),
    };
  };

  /** Two mounted tabs in which Ada is signed in, all news told. */
  const openTwo = async (more: Options = {}) => {
    const first = open(more);
    first.mount();
    await browser.pass(10);
    await browser.until(first.login('ada'));
    await browser.pass(200);
    const second = open(more);
    second.mount();
    await browser.pass(10);
    browser.messages.length = 0;
    server.clear();
    return [first, second] as const;
  };

  return {
    browser,
    server,
    issue,
    expire,
    refreshRoute: countingRefresh,
    /** From now on, a refresh is answered when the promise resolves. */
    holdRefresh(answer: typeof countingRefresh = countingRefresh) {
      const held = deferred();
      server.routes['POST /refresh'] = seen => held.promise.then(() => answer(seen));
      return held;
    },
    refused: () => refused,
    open,
    openTwo,
  };
}
