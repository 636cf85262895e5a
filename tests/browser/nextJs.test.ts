import type { Page } from 'playwright';
import { beforeAll, expect } from 'vitest';
import { buildRecipe } from './recipes/buildRecipe.js';
import { recipeServer, type RecipeRequest } from './recipes/recipeServer.js';
import { eventually, test as base } from './support/test.js';

/** `refresh` asks the server for the page again; the router is the same object at every render. */
const NAVIGATION = `
const router = { refresh: () => window.dispatchEvent(new Event('refresh')) };
export const useRouter = () => router;`;

/** As Next.js does: the server renders the page for the user of the cookie, and the browser keeps it until it is refreshed. */
const MAIN = `
import { createRoot } from 'react-dom/client';
import { useEffect, useState } from 'react';
import { ForUser } from './ForUser';
import { Providers } from './Providers';
import { useAuth } from 'data-client-auth';

const renderOnServer = async () => (await fetch('/page')).json();
const first = await renderOnServer();

function Header() {
  const { user, logout } = useAuth();
  return <header>Signed in: {user.id} <button onClick={() => logout()}>Sign out</button></header>;
}

function App() {
  const [page, setPage] = useState(first);
  useEffect(() => {
    const refresh = async () => setPage(await renderOnServer());
    window.addEventListener('refresh', refresh);
    return () => window.removeEventListener('refresh', refresh);
  }, []);
  return (
    <Providers initial={first.user}>
      <Header />
      <button onClick={async () => setPage(await renderOnServer())}>Follow a link</button>
      <ForUser id={page.user?.id}><h1>The report of {page.user?.id ?? 'nobody'}</h1></ForUser>
    </Providers>
  );
}

window.shown = [];
const note = () => window.shown.push(document.body.innerText);
new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
createRoot(document.getElementById('root')).render(<App />);`;

const userOf = ({ cookies }: RecipeRequest) => {
  const id = cookies.get('sid');
  return id ? { id, name: id } : null;
};
const setCookie = (value: string) => ({ 'Set-Cookie': `sid=${value}; HttpOnly; Path=/; SameSite=Lax` });

let script: string;
beforeAll(async () => {
  script = await buildRecipe('recipes/NextJs', '', 'reads', { main: MAIN, modules: { 'next/navigation': NAVIGATION } });
}, 60_000);

const test = base.extend<{ next: Awaited<ReturnType<typeof recipeServer>>; page: Page }>({
  next: async ({}, give) => {
    const server = await recipeServer(script, {
      'GET /page': request => ({ body: { user: userOf(request) } }),
      'GET /api/whoami': request => (userOf(request) ? { body: userOf(request) } : { status: 401, body: {} }),
      'POST /api/login': ({ body: { username } }) => ({
        body: { id: username, name: username },
        headers: setCookie(String(username)),
      }),
      'POST /api/logout': () => ({ status: 204, headers: setCookie('; Max-Age=0') }),
    });
    await give(server);
    await server.close();
  },
  page: async ({ context, next }, give) => {
    const page = await context.newPage();
    await page.goto(next.url);
    await give(page);
  },
});

async function signIn(page: Page, person: string): Promise<void> {
  await page.getByLabel('User name').fill(person);
  await page.getByLabel('Password', { exact: true }).fill('secret');
  await page.getByRole('button', { name: 'Sign in' }).click();
}
const report = (page: Page, person: string) => page.getByText(`The report of ${person}`).waitFor();

/** What the page has shown to a user that is another's. */
const leaks = async (page: Page) => {
  const texts = await page.evaluate(() => window.shown);
  return texts.filter(text => {
    const [, of] = /The report of (\w+)/.exec(text) ?? [];
    return of !== undefined && !text.includes(`Signed in: ${of}`);
  });
};

test('the first page of a signed-in user asks for nothing more', async ({ context, next, page }) => {
  await signIn(page, 'ada');
  await report(page, 'ada');
  next.log.length = 0;
  const second = await context.newPage();
  await second.goto(next.url);
  await report(second, 'ada');
  expect(next.log).toEqual(['GET /page 200']);
});

test('after another user’s sign-in, a page that the server has rendered for the user before is hidden, and asked for again', async ({
  next,
  page,
}) => {
  await signIn(page, 'ada');
  await report(page, 'ada');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await eventually(() => next.log.at(-1), 'POST /api/logout 204');
  next.log.length = 0;
  await signIn(page, 'grace');
  await report(page, 'grace');
  expect(await leaks(page)).toEqual([]);
  expect([...next.log].sort()).toEqual(['GET /api/whoami 200', 'GET /page 200', 'POST /api/login 200']);
});

test('a switch in another tab does the same', async ({ context, next, page }) => {
  await signIn(page, 'ada');
  await report(page, 'ada');
  const other = await context.newPage();
  await other.goto(next.url);
  await other.getByRole('button', { name: 'Sign out' }).click();
  await signIn(other, 'grace');
  await report(page, 'grace');
  expect(await leaks(page)).toEqual([]);
});

test('a page that was rendered for a newer cookie is shown once the session knows its user', async ({
  context,
  next,
  page,
}) => {
  await signIn(page, 'ada');
  await report(page, 'ada');
  await context.request.post(`${next.url}/api/login`, { data: { username: 'grace' } });
  await page.getByRole('button', { name: 'Follow a link' }).click();
  await report(page, 'grace');
  expect(await leaks(page)).toEqual([]);
});

declare global {
  interface Window {
    /** The texts of the page, one for each change. */
    shown: string[];
  }
}
