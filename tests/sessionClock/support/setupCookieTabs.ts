import { createCookieSession, RestEndpoint, type Session } from '../../../src/index.js';
import { json } from '../../session/support/answers.js';
import { API } from '../../session/support/article.js';
import type { BrowserOptions } from '../../session/support/fakeBrowser.js';
import { setupTabs } from '../../session/support/setupTabs.js';
import { startClock } from './startClock.js';

/** A user whose server says when the session ends. */
export interface EndingUser {
  readonly id: string;
  readonly endsAt?: number;
}

type ClockOptions = Parameters<typeof startClock>[2];

/**
 * Tabs with one cookie, each with a clock.
 *
 * @param lastsMs The server's session slides: each `whoami` extends it to this time from then. Absent: no answer names an end.
 */
export function setupCookieTabs(clockOptions?: ClockOptions, lastsMs?: number, browserOptions?: BrowserOptions) {
  const { browser, server } = setupTabs(browserOptions);
  const cookie = { person: undefined as string | undefined };
  const whoami = () => {
    if (cookie.person === undefined) return json(null);
    return json({ id: cookie.person, ...(lastsMs && { endsAt: browser.clock.now() + lastsMs }) });
  };
  Object.assign(server.routes, {
    'GET /whoami': whoami,
    'POST /logout': () => ((cookie.person = undefined), new Response(null, { status: 204 })),
  });
  const own = (path: string, method: string) => new RestEndpoint({ urlPrefix: API, path, method }) as never;
  const open = () => {
    const tab = browser.openTab();
    const session: Session<EndingUser> = createCookieSession({
      server: true,
      login: own('/login', 'POST'),
      logout: own('/logout', 'POST'),
      whoami: own('/whoami', 'GET'),
      clock: tab.clock,
    });
    // Like a provider: first the clock, then the subscription.
    const started = tab.run(() => startClock(session, tab.clock, clockOptions));
    tab.run(() => session.subscribe(() => {}));
    return { tab, session, ...started, now: () => session.getSnapshot() };
  };
  return { browser, server, cookie, open };
}
