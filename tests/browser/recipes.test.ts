import type { Page } from 'playwright';
import { expect } from 'vitest';
import { buildRecipe } from './recipes/buildRecipe.js';
import { django, jwtApi, laravel, rails, RAILS_HEAD, springJwt, springSession } from './recipes/frameworks.js';
import { recipeServer, type Routes } from './recipes/recipeServer.js';
import { newContext, press, test } from './support/test.js';

interface Recipe {
  readonly page: string;
  /** The file of its component, where the page has more than one. @default 'App' */
  readonly app?: string;
  readonly routes: () => Routes;
  /** What the framework puts in the head of the page. */
  readonly head?: string;
  /** The label of the login form's first field, and what the user types there. */
  readonly login: readonly [label: string, text: string];
  readonly log: readonly string[];
}

const BY_NAME = ['User name', 'ada'] as const;

const RECIPES: readonly Recipe[] = [
  {
    page: 'Django',
    routes: django,
    login: BY_NAME,
    log: [
      'GET /api/whoami/ 200',
      'POST /api/login/ 200',
      'GET /api/articles/ 200',
      'GET /api/articles/?page=2 200',
      'GET /api/articles/?page=3 200',
    ],
  },
  {
    page: 'LaravelSanctum',
    routes: laravel,
    login: ['E-mail', 'ada@example.com'],
    log: [
      'GET /api/user 401',
      'GET /sanctum/csrf-cookie 204',
      'POST /login 200',
      'GET /api/user 200',
      'GET /api/posts 200',
      'GET /api/posts?page=2 200',
      'GET /api/posts?page=3 200',
    ],
  },
  {
    page: 'Rails',
    routes: rails,
    head: RAILS_HEAD,
    login: BY_NAME,
    log: [
      'GET /api/me 401',
      'POST /api/session 200',
      'GET /api/posts 200',
      'GET /api/posts?page=2 200',
      'GET /api/posts?page=3 200',
    ],
  },
  {
    page: 'Spring',
    routes: springSession,
    login: BY_NAME,
    log: [
      'GET /api/me 401',
      'POST /api/login 200',
      'GET /api/articles 200',
      'GET /api/articles?page=1 200',
      'GET /api/articles?page=2 200',
    ],
  },
  {
    page: 'Spring',
    app: 'JwtApp',
    routes: springJwt,
    login: BY_NAME,
    log: [
      'POST /api/token 200',
      'GET /api/articles 200',
      'GET /api/articles?page=1 200',
      'GET /api/articles?page=2 200',
    ],
  },
  {
    page: 'JwtApi',
    routes: jwtApi,
    login: BY_NAME,
    // A bare list ends with an empty page.
    log: [
      'POST /auth/login 200',
      'GET /article 200',
      'GET /article?page=2 200',
      'GET /article?page=3 200',
      'GET /article?page=4 200',
    ],
  },
];

/** Presses “Load more” until the list says that all is loaded. */
async function readAll(page: Page): Promise<void> {
  const end = page.getByText('All 250 loaded.');
  for (let loaded = 100; loaded < 400; loaded += 100) {
    const button = page.getByRole('button', { name: 'Load more' });
    await button.or(end).first().waitFor();
    if (await end.isVisible()) return;
    await press(page, 'Load more');
    await page.getByText(new RegExp(`${Math.min(loaded + 100, 250)} (in all|of 250)\\.|All 250 loaded\\.`)).waitFor();
  }
}

test.for(RECIPES.map(recipe => ({ app: 'App', ...recipe })))(
  'the recipe $page, $app, runs as it stands there, and reads all pages of its server, each once',
  { timeout: 60_000 },
  async ({ page: recipe, app, routes, head, login: [label, text], log }, { browser }) => {
    const server = await recipeServer(await buildRecipe(recipe, app), routes(), head);
    const context = await newContext(browser);
    try {
      const page = await context.newPage();
      await page.goto(server.url);
      await page.getByLabel(label).fill(text);
      await page.getByLabel('Password', { exact: true }).fill('lovelace');
      await press(page, 'Sign in');
      await page.getByText('Row 1', { exact: true }).waitFor();
      await readAll(page);
      await page.getByText('All 250 loaded.').waitFor();
      expect(server.log).toEqual(log);
    } finally {
      await context.close();
      await server.close();
    }
  },
);
