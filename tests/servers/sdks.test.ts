// Runs the recipes of the SDKs as they stand on their page, with the real SDKs. `oidc-provider` stands in for the servers of Auth0 and OpenID
// Connect; for Clerk, Microsoft and Firebase, the test answers the browser's requests.
import type { RequestHandler } from 'express';
import type { BrowserContext, Page } from 'playwright';
import { describe, expect } from 'vitest';
import { buildRecipe } from '../browser/recipes/buildRecipe.js';
import { isDrivenByBidi } from '../browser/support/browserUnderTest.js';
import { eventually, press } from '../browser/support/test.js';
import { clerkInstance, PUBLISHABLE_KEY } from './support/clerk.js';
import { sdkApp, sdkProvider, type SdkApp } from './support/sdkServer.js';
import { entraId, firebaseAuth } from './support/sdkVendors.js';
import { test } from './support/test.js';

/** Who gives the tokens. */
interface Vendor {
  /** Each answer to a call for tokens: `authorization_code ada`, `refresh_token ada`, `invalid_grant`. Clerk's session is what refreshes. */
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

/** @param ended The status of Clerk's answers for a session that has ended. */
const clerkRecipes = (ended: 404 | 401): Recipe[] => {
  const start: Recipe['start'] = async context => ({
    vendor: await clerkInstance(context, ended),
    replaced: { "'pk_…'": `'${PUBLISHABLE_KEY}'` },
  });
  const enter: Recipe['enter'] = async (page, person) => {
    await press(page, 'Sign in');
    await press(page, person);
  };
  return [
    {
      sdk: '@clerk/react',
      file: 'Clerk',
      main: render(
        `<ClerkProvider Clerk={Clerk} publishableKey="${PUBLISHABLE_KEY}" telemetry={false}>
          <App />
        </ClerkProvider>`,
        `import { Clerk } from '@clerk/clerk-js';
        import { ClerkProvider } from '@clerk/react';
        import { App } from './Clerk';`,
      ),
      start,
      enter,
    },
    {
      sdk: '@clerk/clerk-js',
      file: 'session',
      main: renderSession('session', 'clerk, session', 'clerk.redirectToSignIn()', 'clerk.signOut()'),
      start,
      enter,
    },
  ];
};

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
  ...clerkRecipes(404),
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

/** Serves the page of a recipe until the test ends. */
const recipeTest = test.extend<{ serveRecipe: (recipe: Recipe) => Promise<{ app: SdkApp; vendor: Vendor }> }>({
  serveRecipe: async ({ context, skip }, give) => {
    const servers: Pick<Vendor, 'close'>[] = [];
    await give(async ({ sdk, file, main, start }) => {
      const isAnsweredHere = /clerk|msal|firebase/.test(sdk);
      skip(
        isDrivenByBidi && isAnsweredHere,
        'answers requests by their bodies, which Playwright does not get over BiDi',
      );
      let ownerOf: Vendor['ownerOf'] = () => undefined;
      const app = await sdkApp(token => ownerOf(token));
      servers.push(app);
      const { vendor, replaced } = await start(context, app.url);
      servers.push(vendor);
      ({ ownerOf } = vendor);
      app.serve(await buildRecipe('recipes/Sdk', file, 'reads', { main, replaced }));
      return { app, vendor };
    });
    for (const server of servers) await server.close?.();
  },
});

describe.each(RECIPES)('$sdk', recipe => {
  const { enter, leave = leaveByVendor } = recipe;

  recipeTest(
    'signs in, refreshes once, signs out, and the next user sees their own rows',
    async ({ context, serveRecipe }) => {
      const { app, vendor } = await serveRecipe(recipe);
      const page = await context.newPage();
      const signIn = async (person: string) => {
        await isSignedOut(page);
        await enter(page, person);
        await eventually(() => rows(page), titled(person, 3));
      };
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
      await isSignedOut(page);
      expect(await page.content()).not.toContain('ada’s');
      app.log.clear();
      await signIn('grace');
      expect(app.log.lines()).toEqual(['GET /article  grace  200']);

      await vendor.revokeAll();
      app.log.clear();
      await press(page, 'Load more');
      await isSignedOut(page);
      expect(app.log.lines()).toEqual(['GET /article?page=2  nobody  401']);
      expect(vendor.events.at(-1)).toBe('invalid_grant');
    },
  );
});

describe.each(clerkRecipes(404))('two tabs with $sdk', recipe => {
  recipeTest('share a fresh token, and a sign-out in one ends both', async ({ context, serveRecipe }) => {
    const { app, vendor } = await serveRecipe(recipe);
    const [first, second] = [await context.newPage(), await context.newPage()];
    await first.goto(app.url);
    await isSignedOut(first);
    await recipe.enter(first, 'ada');
    await eventually(() => rows(first), titled('ada', 3));
    await second.goto(app.url);
    await eventually(() => rows(second), titled('ada', 3));

    const before = vendor.events.length;
    vendor.revokeAccessTokens();
    await press(first, 'Load more');
    await eventually(() => rows(first), titled('ada', 6));
    // Clerk sends the other tab the token.
    await press(second, 'Load more');
    await eventually(() => rows(second), titled('ada', 6));
    expect(vendor.events.slice(before).filter(event => event === 'refresh_token ada')).toHaveLength(1);

    await press(first, 'Sign out');
    for (const page of [first, second]) {
      await isSignedOut(page);
      expect(await page.content()).not.toContain('ada’s');
    }
    app.log.clear();
    await recipe.enter(second, 'grace');
    await eventually(() => rows(second), titled('grace', 3));
    expect(app.log.lines()).toEqual(['GET /article  grace  200']);
    expect(await first.content()).not.toContain('ada’s');
  });
});

describe.each([404, 401] as const)('Clerk answers %s for a session that has ended', ended => {
  recipeTest.for(clerkRecipes(ended))('$sdk: the user signs in again', async (recipe, { context, serveRecipe }) => {
    const { app, vendor } = await serveRecipe(recipe);
    const page = await context.newPage();
    await page.goto(app.url);
    await isSignedOut(page);
    await recipe.enter(page, 'ada');
    await eventually(() => rows(page), titled('ada', 3));
    await vendor.revokeAll();
    await press(page, 'Load more');
    await isSignedOut(page);
    // Clerk still names ada until its next page.
    await recipe.enter(page, 'grace');
    await eventually(() => rows(page), titled('grace', 3));
    expect(await page.content()).not.toContain('ada’s');
  });
});

recipeTest('with `key={orgId}`, each organization of Clerk has rows of its own', async ({ context, serveRecipe }) => {
  const [recipe] = clerkRecipes(404) as [Recipe];
  const { app } = await serveRecipe({
    ...recipe,
    start: async (...given) => {
      const { vendor, replaced } = await recipe.start(...given);
      const key = { 'userId, getToken': 'userId, orgId, getToken', 'subject=': 'key={orgId} subject=' };
      return { vendor, replaced: { ...replaced, ...key } };
    },
  });
  const page = await context.newPage();
  await page.goto(app.url);
  await recipe.enter(page, 'ada');
  await eventually(() => rows(page), titled('ada', 3));
  for (const organization of ['org_1', 'org_2']) {
    await page.evaluate(`Clerk.setActive({ organization: '${organization}' })`);
    await eventually(() => rows(page), titled(`ada of ${organization}`, 3));
  }
  expect(app.log.lines()).toEqual([
    'GET /article  ada  200',
    'GET /article  ada of org_1  200',
    'GET /article  ada of org_2  200',
  ]);
});

const isSignedOut = (page: Page) => page.getByRole('button', { name: 'Sign in' }).waitFor();
const rows = (page: Page) => page.getByRole('listitem').allTextContents();
const titled = (person: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${person}’s row ${index + 1}`);
