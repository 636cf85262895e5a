import type { ProfileOption, StepUp, UserClass } from '../../src/index.js';
import type { MockAuth, MockPerson } from '../../src/testing/index.js';
import { articleHandlers, articleHooks } from './articles.js';
import { setupContextApp } from './setupContextApp.js';
import { setupCookieApp, ownApi } from './setupCookieApp.js';
import { SdkSignInButtons } from './ArticlesDemo.js';
import type { StoryStart } from './StoryStart.js';
import { setupTokenApp, type StoreProviderProps, type TokenAppOptions } from './setupTokenApp.js';

export type Mechanism = 'token' | 'cookie' | 'context';

interface WidgetAppOptions extends Omit<TokenAppOptions, 'url'> {
  /** The class of the user's record, under each mechanism. @default the user is no record */
  user?: UserClass;
  /** Asks who the user is, where the mechanism has no `whoami`. */
  profile?: ProfileOption['profile'];
  /** Under each mechanism. @default a refusal that asks for more is an error */
  challenge?: StepUp;
  /** @default Ada and Grace */
  people?: readonly MockPerson[];
}

/**
 * The app around a widget, with the mechanism of the toolbar. All mechanisms have the same resource and the same elements. The API is on
 * the page's own origin, to which browsers send cookies.
 *
 * `server` and `session` are those of the token mechanism, the default of a play.
 */
export function setupWidgetApp({
  server,
  session,
  user,
  profile,
  challenge,
  people,
  ...options
}: WidgetAppOptions = {}) {
  // All three mechanisms share the articles below. The apps have none of their own.
  const rowless = { rows: [] };
  const withPeople = people && { people };
  // Typed as an object, so that the sessions keep the user type of their answers.
  const record: object = { ...(user && { user }), ...(challenge && { challenge }) };
  const tokens = setupTokenApp({
    url: ownApi,
    ...rowless,
    server: { ...server, ...withPeople },
    session: { ...session, ...record, ...(profile && { profile }) },
  });
  const apps = {
    token: tokens,
    cookie: setupCookieApp({ ...rowless, server: { ...withPeople }, session: { ...record } }),
    context: setupContextApp({
      url: ownApi,
      ...rowless,
      server: { ...withPeople },
      ...record,
      ...(profile && { profile }),
    }),
  };
  let current: (typeof apps)[Mechanism] = apps.token;

  /** Checks credentials as the server of the mechanism does, for more resources of the same story. */
  const auth: MockAuth = {
    authorize: incoming => current.server.authorize(incoming),
    personOf: incoming => current.server.personOf(incoming),
  };
  const articles = articleHandlers(auth, { url: ownApi, rows: options.rows, ...options.articles });

  return {
    server: tokens.server,
    session: tokens.session,
    /** Controls the SDK of the context mechanism. */
    sdk: apps.context.sdk,
    /** Builds the lines of this app's requests; `as` is the token mechanism's. */
    sent: tokens.sent,
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
