// Runs the recipes of the SDKs as they stand on their page, with the real SDKs. `oidc-provider` stands in for the servers of Auth0 and OpenID
// Connect; for Microsoft and Firebase, the test answers the browser's requests.
import type { RequestHandler } from 'express';
import type { BrowserContext, Page } from 'playwright';
import { describe, expect } from 'vitest';
import { buildRecipe } from '../browser/recipes/buildRecipe.js';
import { eventually, press } from '../browser/support/test.js';
import { sdkApp, sdkProvider } from './support/sdkServer.js';
import { entraId, firebaseAuth } from './support/sdkVendors.js';
import { test } from './support/test.js';

/** Who gives the tokens. */
interface Vendor {
  /** Each answer to a call for tokens: `authorization_code ada`, `refresh_token ada`, `invalid_grant`. */
  readonly events: readonly string[];
  readonly ownerOf: (token: string) => string | undefined;
  readonly revokeAccessTokens: () => void;
  /** All tokens, also those that refresh. */
  readonly revokeAll: () => unknown;
  readonly close?: () => Promise<void>;
}

interface Recipe {
  readonly sdk: string;
  /** The file of the recipe. */
  readonly file: string;
  /** What a reader of the recipe adds. @default renders the app */
  readonly main?: string;
  readonly start: (
    context: BrowserContext,
    page: string,
  ) => Promise<{ vendor: Vendor; replaced?: Record<string, string> }>;
  /** Signs in, from the page with the button. */
  readonly enter: (page: Page, person: string) => Promise<unknown>;
  /** Signs out, and comes back to the page. @default goes to the vendor's page, which leads back */
  readonly leave?: (page: Page, url: string) => Promise<unknown>;
}

const render = (app: string, imports: string) =>
  `${imports}
  import { createRoot } from 'react-dom/client';
  createRoot(document.getElementById('root')).render(${app});`;

/** The app with a session that was made outside React, and the SDK's own buttons. */
const renderSession = (file: string, sdk: string, signIn: string, signOut: string) =>
  render(
    `<TokenAuthProvider session={session}>
      <Authenticated fallback={<button onClick={() => void ${signIn}}>Sign in</button>}>
        <button onClick={() => void ${signOut}}>Sign out</button>
        <MyApp />
      </Authenticated>
    </TokenAuthProvider>`,
    `import { Authenticated, TokenAuthProvider } from 'data-client-auth';
    import { MyApp } from './MyApp';
    import { ${sdk} } from './${file}';`,
  );

/** The pages of `oidc-provider`. */
async function enterAtProvider(page: Page, person: string): Promise<void> {
  await press(page, 'Sign in');
  await page.getByPlaceholder('Enter any login').fill(person);
  await page.getByPlaceholder('and password').fill('secret');
  await press(page, 'Sign-in');
  await press(page, 'Continue');
}

/** The page may say that nobody is signed in before it is left. */
async function leaveByVendor(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('load'), press(page, 'Sign out')]);
}

/** Auth0's way out: ends the provider's session, and goes back to the page. */
const auth0Logout: RequestHandler = (request, response, next) => {
  if (request.path !== '/v2/logout') return next();
  for (const name of ['_session', '_session.sig', '_session.legacy', '_session.legacy.sig']) response.clearCookie(name);
  response.redirect(request.query.returnTo as string);
};

/** `oidc-provider`, with Auth0's paths. */
async function startAuth0(_context: BrowserContext, page: string) {
  const routes = { authorization: '/authorize', token: '/oauth/token' };
  const vendor = await sdkProvider({ page, routes, issuerEnd: '/', before: auth0Logout });
  return { vendor, replaced: { "'my-tenant.auth0.com'": `'${vendor.url}'` } };
}

const RECIPES: readonly Recipe[] = [
  {
    sdk: '@auth0/auth0-react',
    file: 'Auth0',
    main: render(
      `<Auth0Provider
        domain={'my-tenant.auth0.com'}
        clientId="my-app"
        useRefreshTokens
        authorizationParams={{ audience: 'my-api', redirect_uri: location.origin }}
      >
        <App />
      </Auth0Provider>`,
      `import { Auth0Provider } from '@auth0/auth0-react';
      import { App } from './Auth0';`,
    ),
    start: startAuth0,
    enter: enterAtProvider,
  },
  {
    sdk: '@auth0/auth0-spa-js',
    file: 'auth0Session',
    main: renderSession(
      'auth0Session',
      'auth0, session',
      'auth0.loginWithRedirect()',
      'auth0.logout({ logoutParams: { returnTo: location.origin } })',
    ),
    start: startAuth0,
    enter: enterAtProvider,
  },
  {
    sdk: 'oidc-client-ts with react-oidc-context',
    file: 'OpenIdConnect',
    start: async (_context, page) => {
      const vendor = await sdkProvider({ page });
      return { vendor, replaced: { "'https://id.example.com'": `'${vendor.url}'` } };
    },
    enter: enterAtProvider,
    leave: async (page, url) => {
      await press(page, 'Sign out');
      await press(page, 'Yes, sign me out');
      await page.getByText('Sign-out Success').waitFor();
      await page.goto(url);
    },
  },
  {
    sdk: '@azure/msal-browser',
    file: 'msalSession',
    main: renderSession(
      'msalSession',
      'msal, scopes, session',
      'msal.loginRedirect({ scopes })',
      'msal.logoutRedirect()',
    ),
    start: async context => ({ vendor: await entraId(context) }),
    enter: async (page, person) => {
      await press(page, 'Sign in');
      await page.getByRole('link', { name: person }).click();
    },
  },
  {
    sdk: '@firebase/auth',
    file: 'Firebase',
    // The recipe's button opens Google's window. The SDK is the same after a sign-in with a token of the app's own server.
    main: render(
      '<App />',
      `import { getAuth, signInWithCustomToken } from 'firebase/auth';
      import { App } from './Firebase';
      window.signIn = person => void signInWithCustomToken(getAuth(), person);`,
    ),
    start: async context => ({ vendor: await firebaseAuth(context) }),
    leave: page => press(page, 'Sign out'),
    enter: (page, person) =>
      page.evaluate(person => (window as unknown as Record<string, (person: string) => void>).signIn?.(person), person),
  },
];

describe.each(RECIPES)('$sdk', ({ file, main, start, enter, leave = leaveByVendor }) => {
  test('signs in, refreshes once, signs out, and the next user sees their own rows', async ({ context }) => {
    let ownerOf: Vendor['ownerOf'] = () => undefined;
    const app = await sdkApp(token => ownerOf(token));
    const { vendor, replaced } = await start(context, app.url);
    ({ ownerOf } = vendor);
    const page = await context.newPage();
    const isSignedOut = () => page.getByRole('button', { name: 'Sign in' }).waitFor();
    const signIn = async (person: string) => {
      await isSignedOut();
      await enter(page, person);
      await eventually(() => rows(page), titled(person, 3));
    };
    try {
      app.serve(await buildRecipe('recipes/Sdk', file, 'reads', { main, replaced }));
      await page.goto(app.url);
      await signIn('ada');
      expect(app.log.lines()).toEqual(['GET /article  ada  200']);

      const before = vendor.events.length;
      vendor.revokeAccessTokens();
      await press(page, 'Load more');
      await eventually(() => rows(page), titled('ada', 6));
      expect(app.log.lines().slice(1)).toEqual(['GET /article?page=2  nobody  401', 'GET /article?page=2  ada  200']);
      expect(vendor.events.slice(before)).toEqual(['refresh_token ada']);

      await leave(page, app.url);
      await isSignedOut();
      expect(await page.content()).not.toContain('ada’s');
      app.log.clear();
      await signIn('grace');
      expect(app.log.lines()).toEqual(['GET /article  grace  200']);

      await vendor.revokeAll();
      app.log.clear();
      await press(page, 'Load more');
      await isSignedOut();
      expect(app.log.lines()).toEqual(['GET /article?page=2  nobody  401']);
      expect(vendor.events.at(-1)).toBe('invalid_grant');
    } finally {
      await Promise.all([app.close(), vendor.close?.()]);
    }
  });
});

const rows = (page: Page) => page.getByRole('listitem').allTextContents();
const titled = (person: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${person}’s row ${index + 1}`);
