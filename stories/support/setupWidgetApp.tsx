import type { MockAuth } from '../../src/testing/index.js';
import { articleHandlers, articleHooks } from './articles.js';
import { SdkSignInButtons, SignInButtons } from './ArticlesDemo.js';
import type { Mechanism } from './linesUnder.js';
import { setupAppsByMechanism, type AppsByMechanismOptions, type MechanismApp } from './setupAppsByMechanism.js';
import { ownApi } from './setupCookieApp.js';
import type { StoreProviderProps } from './setupTokenApp.js';
import type { StoryStart } from './StoryStart.js';

/**
 * The app around a widget, with the mechanism of the toolbar. All mechanisms have the same resource and the same elements.
 *
 * `server` and `session` are those of the token mechanism, the default of a play.
 */
export function setupWidgetApp({ rows, articles: articleOptions, ...options }: AppsByMechanismOptions = {}) {
  // All three mechanisms share the articles below. The apps have none of their own.
  const apps = setupAppsByMechanism({ ...options, rows: [] });
  let current: MechanismApp = apps.token;

  /** Checks credentials as the server of the mechanism does, for more resources of the same story. */
  const auth: MockAuth = {
    authorize: incoming => current.server.authorize(incoming),
    personOf: incoming => current.server.personOf(incoming),
  };
  const articles = articleHandlers(auth, { url: ownApi, rows, ...articleOptions });

  return {
    server: apps.token.server,
    session: apps.token.session,
    /** Controls the SDK of the context mechanism. */
    sdk: apps.context.sdk,
    /** Builds the lines of this app's requests; `as` is the token mechanism's. */
    sent: apps.token.sent,
    auth,
    articles,
    Articles: articleHooks(ownApi),
    Provider: ({ children, ...props }: StoreProviderProps) => (
      <current.Provider {...props}>
        {/* An SDK brings a sign-in of its own. */}
        {current === apps.context && <SdkSignInButtons />}
        {children}
      </current.Provider>
    ),
    /** Those of the session. Nothing where the provider has those of an SDK. */
    SignInButtons: () => current !== apps.context && <SignInButtons />,
    /** The server refuses the credential of the page from now on; the session gets another one. */
    expire: () => current.expire(),
    /** The cookies that a story under the cookie mechanism may leave: `parameters: { cookies: app.cookies }`. */
    cookies: apps.cookie.cookies,
    /** A story's `beforeEach`: a fresh server, and this user signed in without a request; without an id, a signed-out user. */
    start:
      (personId?: string): StoryStart =>
      context => {
        if (context.auth.isRerender) return;
        current = apps[(context.auth.mechanism ?? 'token') as Mechanism];
        const stop = current.start(personId)(context);
        articles.reset();
        context.msw.use(...articles.handlers);
        return stop;
      },
  };
}
