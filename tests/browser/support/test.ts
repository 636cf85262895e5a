import type { Browser, BrowserContext, Frame, Page } from 'playwright';
import { test as base, expect, inject, vi } from 'vitest';
import { apiServer, type ApiServer, type ApiServerOptions } from './apiServer.js';
import { browserType } from './browserUnderTest.js';

interface Fixtures {
  browser: Browser;
  /** A browser profile of the test's own: cookies, storage and pages. */
  context: BrowserContext;
  /** Starts a server that stops with the test. */
  startServer: (options?: ApiServerOptions) => Promise<ApiServer>;
  /** A server of the test's own. */
  server: ApiServer;
  /** Opens the app: `open(server, { session: 'token' })`. */
  open: (server: ApiServer, search: Record<string, string>) => Promise<Page>;
}

/** Tests in a real browser, against real servers. */
export const test = base.extend<Fixtures>({
  browser: [
    async ({}, give) => {
      const browser = await browserType.connect(inject('browser'));
      await give(browser);
      await browser.close();
    },
    { scope: 'file' },
  ],
  context: async ({ browser }, give) => {
    const context = await newContext(browser);
    await give(context);
    await context.close();
  },
  startServer: async ({}, give) => {
    const servers: ApiServer[] = [];
    await give(async options => {
      const server = await apiServer(options);
      servers.push(server);
      return server;
    });
    await Promise.all(servers.map(server => server.close()));
  },
  server: async ({ startServer }, give) => {
    await give(await startServer());
  },
  open: async ({ context }, give) => {
    await give((server, search) => openApp(context, server, search));
  },
});

/** How long a test waits for what it expects, in milliseconds; more than a busy machine needs. */
const TIMEOUT_MS = 20_000;

/** A browser profile: cookies, storage and pages of its own. */
export async function newContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext();
  context.setDefaultTimeout(TIMEOUT_MS);
  return context;
}

/** Opens the app in a new tab of the context. */
export async function openApp(
  context: BrowserContext,
  server: ApiServer,
  search: Record<string, string>,
): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${server.url}/page?${new URLSearchParams(search).toString()}`);
  return page;
}

/** Waits until the question has this answer. @param timeout In milliseconds. */
export async function eventually<T>(
  question: () => Promise<T> | T,
  answer: T,
  timeout: number = TIMEOUT_MS,
): Promise<void> {
  await vi.waitFor(async () => expect(await question()).toEqual(answer), { timeout, interval: 20 });
}

/** Waits until the page says this of who is signed in: `authenticated ada`, `anonymous elsewhere`. */
export const says = (page: Page, who: string): Promise<void> =>
  eventually(() => page.locator('#who').textContent(), who);

/** The titles in the list of articles, once it is there. */
export async function titles(page: Page): Promise<string[]> {
  await page.getByRole('listitem').first().waitFor();
  return page.getByRole('listitem').allTextContents();
}

/** Presses a button. By an event, for a click waits for the next frame, and a tab in the background paints few. */
export const press = (page: Page | Frame, name: string): Promise<void> =>
  page.getByRole('button', { name }).dispatchEvent('click');

/** Presses the sign-in form's `Try again`, once the attempt before has failed: a press while one is under way sends nothing. */
export async function tryAgain(page: Page): Promise<void> {
  await page.locator('.dca-unconfirmed[aria-busy="false"]').waitFor();
  await press(page, 'Try again');
}

/** Signs in by the page's own button, and waits until the list is there. */
export async function signIn(page: Page, person: string): Promise<void> {
  await press(page, `Sign in as ${person}`);
  await says(page, `authenticated ${person}`);
  await page.getByText(`On ${person} 10`).waitFor();
}
