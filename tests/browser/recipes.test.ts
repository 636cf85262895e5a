import type { Page } from 'playwright';
import { expect, vi } from 'vitest';
import { buildRecipe } from './recipes/buildRecipe.js';
import {
  aspNet,
  django,
  expressCookie,
  expressJwt,
  fastApi,
  jwtApi,
  laravel,
  rails,
  RAILS_HEAD,
  RAILS_OWN_REFUSAL,
  springJwt,
  springSession,
  type Framework,
} from './recipes/frameworks.js';
import { recipeServer } from './recipes/recipeServer.js';
import { isFirefox } from './support/browserUnderTest.js';
import { eventually, newContext, press, test } from './support/test.js';

interface Recipe {
  readonly page: string;
  /** The file of its component, where the page has more than one. @default 'App' */
  readonly app?: string;
  readonly framework: () => Framework | Promise<Framework>;
  /** What the framework puts in the head of the page. */
  readonly head?: string;
  /** The label of the login form's first field, and what the user types there. */
  readonly login: readonly [label: string, text: string];
  /** The requests of a user who signs in and reads all pages. */
  readonly log: readonly string[];
  /** The framework's sentence about a row without a title. */
  readonly invalid: string;
  /** The buttons that the server has a method for. @default both */
  readonly edits?: readonly Edit[];
  /** The requests of the user's changes: a row without a title, the row with one, each edit, a deletion. */
  readonly writes: readonly string[];
  /** The requests of an edit whose credential the server refuses. */
  readonly stale: readonly string[];
  /** The cookie of the CSRF token, and the requests of an edit when it is gone. */
  readonly csrfCookie?: { readonly name: string; readonly lost: readonly string[] };
  /** The page's button to sign out, with the name of the user. */
  readonly signOut?: string;
  /** Nothing refreshes the credential: the user signs in, and sends the edit again. */
  readonly endsSession?: true;
}

/** PATCH, or PUT. */
type Edit = 'Change' | 'Replace';

const BY_NAME = ['User name', 'ada'] as const;

const RECIPES: readonly Recipe[] = [
  {
    page: 'Django',
    framework: django,
    login: BY_NAME,
    log: [
      'GET /api/whoami/ 200',
      'POST /api/login/ 200',
      'GET /api/articles/ 200',
      'GET /api/articles/?page=2 200',
      'GET /api/articles/?page=3 200',
      'POST /api/logout/ 200',
    ],
    signOut: 'Sign out ada',
    invalid: 'This field may not be blank.',
    writes: [
      'POST /api/articles/ 400',
      'POST /api/articles/ 201',
      'PATCH /api/articles/2/ 200',
      'GET /api/articles/3/ 200',
      'PUT /api/articles/3/ 200',
      'DELETE /api/articles/4/ 204',
    ],
    // The new token is in the cookie already. Whose it is, whoami knows.
    stale: ['PATCH /api/articles/5/ 403', 'GET /api/whoami/ 200', 'PATCH /api/articles/5/ 200'],
    csrfCookie: {
      name: 'csrftoken', // One sets the token, and the next one says whose it is.
      lost: ['GET /api/whoami/ 200', 'GET /api/whoami/ 200', 'PATCH /api/articles/6/ 200'],
    },
  },
  {
    page: 'LaravelSanctum',
    framework: laravel,
    login: ['E-mail', 'ada@example.com'],
    log: [
      'GET /api/user 401',
      // The refusal has set the cookie XSRF-TOKEN.
      'POST /login 200',
      'GET /api/user 200',
      'GET /api/posts 200',
      // The answer has changed the cookie: the page asks once whether that was another user's sign-in.
      'GET /api/user 200',
      'GET /api/posts?page=2 200',
      'GET /api/posts?page=3 200',
    ],
    invalid: 'The title field is required.',
    writes: [
      'GET /api/user 200',
      'POST /api/posts 422',
      'POST /api/posts 201',
      'PATCH /api/posts/2 200',
      'GET /api/posts/3 200',
      'PUT /api/posts/3 200',
      'DELETE /api/posts/4 204',
    ],
    stale: ['PATCH /api/posts/5 419', 'GET /sanctum/csrf-cookie 204', 'GET /api/user 200', 'PATCH /api/posts/5 200'],
    csrfCookie: {
      name: 'XSRF-TOKEN',
      lost: ['GET /sanctum/csrf-cookie 204', 'GET /api/user 200', 'PATCH /api/posts/6 200'],
    },
  },
  {
    page: 'Rails',
    framework: rails,
    head: RAILS_HEAD,
    login: BY_NAME,
    log: [
      'GET /api/me 401',
      'POST /api/session 200',
      'GET /api/posts 200',
      'GET /api/posts?page=2 200',
      'GET /api/posts?page=3 200',
    ],
    invalid: "can't be blank",
    writes: [
      // `reset_session` made the token of the page stale.
      'POST /api/posts 403',
      'GET /api/csrf 200',
      'GET /api/me 200',
      'POST /api/posts 422',
      'POST /api/posts 201',
      'PATCH /api/posts/2 200',
      'GET /api/posts/3 200',
      'PUT /api/posts/3 200',
      'DELETE /api/posts/4 204',
    ],
    stale: ['PATCH /api/posts/5 403', 'GET /api/csrf 200', 'GET /api/me 200', 'PATCH /api/posts/5 200'],
  },
  {
    page: 'Spring',
    framework: springSession,
    login: BY_NAME,
    log: [
      'GET /api/me 401',
      'POST /api/login 200',
      'GET /api/articles 200',
      'GET /api/articles?page=1 200',
      'GET /api/articles?page=2 200',
    ],
    invalid: 'must not be blank',
    edits: ['Replace'],
    writes: [
      'POST /api/articles 400',
      'POST /api/articles 200',
      'GET /api/articles/3 200',
      'PUT /api/articles/3 200',
      'DELETE /api/articles/4 200',
    ],
    // The new token is in the cookie already.
    stale: ['GET /api/articles/5 200', 'PUT /api/articles/5 403', 'GET /api/me 200', 'PUT /api/articles/5 200'],
    csrfCookie: {
      name: 'XSRF-TOKEN',
      lost: ['GET /api/articles/6 200', 'GET /api/me 200', 'GET /api/me 200', 'PUT /api/articles/6 200'],
    },
  },
  {
    page: 'Spring',
    app: 'JwtApp',
    framework: springJwt,
    login: BY_NAME,
    log: [
      'POST /api/token 200',
      'GET /api/articles 200',
      'GET /api/articles?page=1 200',
      'GET /api/articles?page=2 200',
    ],
    invalid: 'must not be blank',
    edits: ['Replace'],
    writes: [
      'POST /api/articles 400',
      'POST /api/articles 200',
      'GET /api/articles/3 200',
      'PUT /api/articles/3 200',
      'DELETE /api/articles/4 200',
    ],
    stale: [
      'GET /api/articles/5 200',
      'PUT /api/articles/5 401',
      'POST /api/token 200',
      'GET /api/articles 200',
      'GET /api/articles/5 200',
      'PUT /api/articles/5 200',
    ],
    endsSession: true,
  },
  {
    page: 'JwtApi',
    framework: jwtApi,
    login: BY_NAME,
    // A bare list ends with an empty page.
    log: [
      'POST /auth/refresh 401',
      'POST /auth/login 200',
      'GET /article 200',
      'GET /article?page=2 200',
      'GET /article?page=3 200',
      'GET /article?page=4 200',
    ],
    invalid: 'A title is needed.',
    writes: [
      'POST /article 422',
      'POST /article 201',
      'PATCH /article/2 200',
      'GET /article/3 200',
      'PUT /article/3 200',
      'DELETE /article/4 204',
    ],
    stale: ['PATCH /article/5 401', 'POST /auth/refresh 200', 'PATCH /article/5 200'],
  },
  {
    page: 'ExpressCookie',
    framework: expressCookie,
    login: BY_NAME,
    log: [
      'GET /api/whoami 200',
      'GET /api/csrf 204',
      'POST /api/login 200',
      'GET /api/articles 200',
      'GET /api/articles?page=2 200',
      'GET /api/articles?page=3 200',
      'GET /api/articles?page=4 200',
    ],
    invalid: 'A title is needed.',
    writes: [
      'POST /api/articles 422',
      'POST /api/articles 201',
      'PATCH /api/articles/2 200',
      'GET /api/articles/3 200',
      'PUT /api/articles/3 200',
      'DELETE /api/articles/4 204',
    ],
    // The new token is in the cookie already.
    stale: ['POST /api/login 200', 'PATCH /api/articles/5 403', 'GET /api/whoami 200', 'PATCH /api/articles/5 200'],
    csrfCookie: { name: 'csrf', lost: ['GET /api/csrf 204', 'GET /api/whoami 200', 'PATCH /api/articles/6 200'] },
  },
  {
    page: 'ExpressJwt',
    framework: expressJwt,
    login: BY_NAME,
    log: [
      'POST /login 200',
      'GET /articles 200',
      'GET /articles?page=2 200',
      'GET /articles?page=3 200',
      'GET /articles?page=4 200',
    ],
    invalid: 'A title is needed.',
    writes: [
      'POST /articles 422',
      'POST /articles 201',
      'PATCH /articles/2 200',
      'GET /articles/3 200',
      'PUT /articles/3 200',
      'DELETE /articles/4 204',
    ],
    stale: ['PATCH /articles/5 401', 'POST /refresh 200', 'PATCH /articles/5 200'],
  },
  {
    page: 'FastApi',
    framework: fastApi,
    login: BY_NAME,
    log: ['POST /login 200', 'GET /articles 200', 'GET /articles?page=2 200', 'GET /articles?page=3 200'],
    invalid: 'String should have at least 1 character',
    writes: [
      'POST /articles 422',
      'POST /articles 201',
      'PATCH /articles/2 200',
      'GET /articles/3 200',
      'PUT /articles/3 200',
      'DELETE /articles/4 204',
    ],
    stale: ['PATCH /articles/5 401', 'POST /refresh 200', 'PATCH /articles/5 200'],
  },
  {
    page: 'AspNet',
    framework: aspNet,
    login: ['E-mail', 'ada@example.com'],
    log: [
      'POST /api/login 200',
      'GET /api/articles 200',
      'GET /api/articles?page=2 200',
      'GET /api/articles?page=3 200',
      'GET /api/articles?page=4 200',
    ],
    invalid: 'The Title field is required.',
    writes: [
      'POST /api/articles 400',
      'POST /api/articles 201',
      'PATCH /api/articles/2 200',
      'GET /api/articles/3 200',
      'PUT /api/articles/3 200',
      'DELETE /api/articles/4 204',
    ],
    stale: ['PATCH /api/articles/5 401', 'POST /api/refresh 200', 'PATCH /api/articles/5 200'],
  },
];

/** Rails answers with its own page to a refused token. */
const RAILS_WITHOUT_RESCUE = RECIPES.filter(({ page }) => page === 'Rails').map(recipe => ({
  ...recipe,
  server: 'without rescue_from',
  framework: () => rails(RAILS_OWN_REFUSAL),
  writes: ['POST /api/posts 422', ...recipe.writes.slice(1)],
  stale: ['PATCH /api/posts/5 422', ...recipe.stale.slice(1)],
}));

/** Presses “Load more” until the list says that all is loaded. */
async function readAll(page: Page): Promise<void> {
  const note = (text: string | RegExp) => page.locator('.dca-note', { hasText: text });
  const end = note('All 250 loaded.');
  for (let loaded = 100; loaded < 400; loaded += 100) {
    const button = page.getByRole('button', { name: 'Load more' });
    await button.or(end).first().waitFor();
    if (await end.isVisible()) return;
    await press(page, 'Load more');
    await note(new RegExp(`${Math.min(loaded + 100, 250)} (in all|of 250)\\.|All 250 loaded\\.`)).waitFor();
  }
}

async function signIn(page: Page, [label, text]: Recipe['login']): Promise<void> {
  await page.getByLabel(label).fill(text);
  await page.getByLabel('Password', { exact: true }).fill('lovelace');
  await press(page, 'Sign in');
  await page.getByText('Row 1', { exact: true }).waitFor();
}

test.for(RECIPES.map(recipe => ({ app: 'App', ...recipe })))(
  'the recipe $page, $app, runs as it stands there, and reads all pages of its server, each once',
  { timeout: 60_000 },
  async ({ page: recipe, app, framework, head, login, log, signOut }, { browser }) => {
    const { routes } = await framework();
    const server = await recipeServer(await buildRecipe(`recipes/${recipe}`, app, 'reads'), routes, head);
    const context = await newContext(browser);
    try {
      const page = await context.newPage();
      await page.goto(server.url);
      await signIn(page, login);
      await readAll(page);
      await page.locator('.dca-note', { hasText: 'All 250 loaded.' }).waitFor();
      if (signOut) {
        await press(page, signOut);
        await page.getByLabel(login[0]).waitFor();
      }
      await eventually(() => server.log, log);
    } finally {
      await context.close();
      await server.close();
    }
  },
);

/** Presses a button of one row: “Row 2” is in the names of others. */
const pressRow = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).dispatchEvent('click');

/** Creates a row: first without a title, which the server refuses. */
async function create(page: Page, invalid: string): Promise<void> {
  const form = page.getByRole('form', { name: 'Create' });
  await form.getByLabel('Text').fill('A text without a title');
  await press(page, 'Create');
  await form.getByText(invalid).waitFor();
  expect(await form.getByLabel('Title').getAttribute('aria-invalid')).toBe('true');
  expect(await form.getByLabel('Text').inputValue()).toBe('A text without a title');
  await form.getByLabel('Title').fill('A new row');
  await press(page, 'Create');
  await page.getByText('A new row', { exact: true }).waitFor();
}

/** Opens the form of a row, and types another title. */
async function edit(page: Page, button: Edit, from: string, to: string): Promise<void> {
  await pressRow(page, `${button} ${from}`);
  const title = page.getByRole('form', { name: 'Row' }).getByLabel('Title');
  await expect.poll(() => title.inputValue()).toBe(from);
  await title.fill(to);
}

/** Saves the form, and waits for the row in the list. */
async function save(page: Page, title: string): Promise<void> {
  await press(page, 'Save');
  await page.getByRole('listitem').getByText(title, { exact: true }).waitFor();
}

test.for(
  [...RECIPES, ...RAILS_WITHOUT_RESCUE].map(recipe => ({
    app: 'App',
    server: 'as on the page',
    edits: ['Change', 'Replace'] as const,
    ...recipe,
  })),
)(
  'the recipe $page, $app, writes rows to its server ($server): each change arrives once, also after a refused credential',
  { timeout: 60_000 },
  async (
    { page: recipe, app, framework, head, login, invalid, edits, writes, stale, csrfCookie, endsSession },
    { browser, skip },
  ) => {
    const { routes, rows, makeStale } = await framework();
    skip(isFirefox && makeStale.length > 0, 'replaces headers that Firefox has sent already');
    const server = await recipeServer(await buildRecipe(`recipes/${recipe}`, app, 'writes'), routes, head);
    const context = await newContext(browser);
    try {
      const page = await context.newPage();
      await page.goto(server.url);
      await signIn(page, login);
      const expected = [...rows, { id: 251, title: 'A new row' }];
      server.log.length = 0;

      await create(page, invalid);
      for (const button of edits) {
        const index = button === 'Change' ? 1 : 2;
        const { id, title } = rows[index]!;
        await edit(page, button, title, button);
        await save(page, button);
        expected[index] = { id, title: button };
      }
      await pressRow(page, 'Delete Row 4');
      await page.getByText('Row 4', { exact: true }).waitFor({ state: 'detached' });
      expected.splice(3, 1);
      expect(server.log).toEqual(writes);
      expect(rows).toEqual(expected);

      await edit(page, edits[0]!, 'Row 5', 'Row five');
      await makeStale(context, server.url);
      if (endsSession) {
        await press(page, 'Save');
        await page.getByText('Your session has ended. Sign in to continue.').waitFor();
        expect(rows).toEqual(expected);
        await signIn(page, login);
        await pressRow(page, `${edits[0]} Row 5`);
      }
      await save(page, 'Row five');
      expected[3] = { id: 5, title: 'Row five' };
      if (csrfCookie) {
        await edit(page, edits[0]!, 'Row 6', 'Row six');
        await context.clearCookies({ name: csrfCookie.name });
        await save(page, 'Row six');
        expected[4] = { id: 6, title: 'Row six' };
      }
      // A credential of less than five seconds is tried once more, a second later.
      const isLateTry = (line: string, before: string | undefined) => line === before && line.endsWith(' 401');
      const log = server.log.slice(writes.length).filter((line, index, all) => !isLateTry(line, all[index - 1]));
      expect(log).toEqual([...stale, ...(csrfCookie?.lost ?? [])]);
      expect(rows).toEqual(expected);
    } finally {
      await context.close();
      await server.close();
    }
  },
);

test('the recipe of Express with JWTs takes a refresh token once more for ten seconds, and then ends the login', async () => {
  const { routes } = await expressJwt();
  const server = await recipeServer('', routes);
  const post = async (path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, ...((await response.json()) as { refreshToken?: string }) };
  };
  try {
    const { refreshToken } = await post('/login', { username: 'ada', password: 'lovelace' });
    const next = await post('/refresh', { refreshToken });
    expect([next.status, (await post('/refresh', { refreshToken })).status]).toEqual([200, 200]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11_000 });
    expect((await post('/refresh', { refreshToken })).status).toBe(401);
    expect((await post('/refresh', { refreshToken: next.refreshToken })).status).toBe(401);
  } finally {
    vi.useRealTimers();
    await server.close();
  }
});
