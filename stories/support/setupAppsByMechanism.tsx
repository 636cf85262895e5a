import type { Extension, SdkSessionOptions, UserOption } from '../../src/index.js';
import type { MockPerson } from '../../src/testing/index.js';
import { SdkSignInButtons, SignInButtons } from './ArticlesDemo.js';
import { linesUnder, type Mechanism } from './linesUnder.js';
import { setupContextApp } from './setupContextApp.js';
import { ownApi, setupCookieApp } from './setupCookieApp.js';
import { setupTokenApp, type TokenAppOptions } from './setupTokenApp.js';

export interface AppsByMechanismOptions extends Omit<TokenAppOptions, 'url'> {
  /** The class of the user's record, under each mechanism. @default the user is no record */
  user?: UserOption<unknown>['user'];
  /** Asks who the user is, where the mechanism has no `whoami`. */
  profile?: SdkSessionOptions['profile'];
  /** Under each mechanism. @default a refusal that asks for more is an error */
  extensions?: readonly Extension[];
  /** @default Ada and Grace */
  people?: readonly MockPerson[];
  /** How long the login of a cookie session waits for requests under way, in milliseconds. */
  loginTimeout?: number;
}

export type MechanismApp = ReturnType<typeof setupAppsByMechanism>[Mechanism];

/**
 * The same app under each mechanism, for proofs that do the same under each: `switches(apps.token)`. The API is on the page's own origin,
 * to which browsers send cookies.
 */
export function setupAppsByMechanism({
  server,
  session,
  user,
  profile,
  extensions,
  people,
  loginTimeout,
  ...options
}: AppsByMechanismOptions = {}) {
  const withPeople = people && { people };
  // Typed as an object, so that the sessions keep the user type of their answers.
  const record: object = { ...(user && { user }), ...(extensions && { extensions }) };
  const token = setupTokenApp({
    ...options,
    url: ownApi,
    server: { ...server, ...withPeople },
    session: { ...session, ...record, ...(profile && { profile }) },
  });
  const cookie = setupCookieApp({
    ...options,
    server: { ...withPeople },
    session: { ...record, ...(loginTimeout !== undefined && { timeout: loginTimeout }) },
  });
  const context = setupContextApp({
    ...options,
    url: ownApi,
    server: { ...withPeople },
    ...record,
    ...(profile && { profile }),
  });

  return {
    token: {
      ...token,
      ...linesUnder.token,
      SignInButtons,
      cookies: [],
      /** The server refuses the credential of the page from now on; the session gets another one. */
      expire: token.server.expire,
    },
    cookie: { ...cookie, ...linesUnder.cookie, SignInButtons, expire: cookie.server.expireCsrf },
    context: {
      ...context,
      ...linesUnder.context,
      SignInButtons: SdkSignInButtons,
      cookies: [],
      expire: context.server.expire,
    },
  };
}
