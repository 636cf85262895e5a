import type { Page } from 'playwright';
import { beforeAll, expect } from 'vitest';
import { createGate } from '../../src/testing/createGate.js';
import { buildRecipe } from './recipes/buildRecipe.js';
import type { ApiServer, ApiServerOptions, Arrived } from './support/apiServer.js';
import { eventually, test } from './support/test.js';

const HTML = '<!doctype html><div id="root"></div><script type="module" src="/app.js"></script>';
/** The app, and at `/switch` a form in which another user signs in although one is signed in. */
const MAIN = `
import { createRoot } from 'react-dom/client';
import { TokenAuthProvider } from 'data-client-auth';
import { LoginForm } from 'data-client-auth/widgets';
import { App } from './ReportApp';
import { session } from './session';
createRoot(document.getElementById('root')).render(
  location.pathname === '/switch' ? <TokenAuthProvider session={session}><LoginForm /></TokenAuthProvider> : <App />,
);`;
let script: string;

beforeAll(async () => {
  script = await buildRecipe('guides/Routers', '', 'reads', { main: MAIN });
}, 60_000);

/** The app of the guide “Routers”, and a server that can hold the report back. */
async function setup(startServer: (options: ApiServerOptions) => Promise<ApiServer>) {
  const reports = createGate();
  const report = async ({ headers }: Arrived) => {
    const person = /^secret-access-([a-z]+)-/.exec(headers['access-token']?.toString() ?? '')?.[1];
    await reports.pass();
    return person ? { body: { title: `The report of ${person}` } } : { status: 401, body: {} };
  };
  const server: ApiServer = await startServer({
    pages: { '/reports': HTML, '/login': HTML, '/switch': HTML },
    otherwise(arrived) {
      if (arrived.path === '/app.js') return { headers: { 'Content-Type': 'text/javascript' }, body: script };
      if (arrived.path === '/api/report') return report(arrived);
      return { body: server.signIn((JSON.parse(arrived.body) as { username: string }).username) };
    },
  });
  return { server, reports };
}

async function signIn(page: Page, person: string): Promise<void> {
  await page.getByLabel('User name').fill(person);
  await page.getByLabel('Password').fill('secret');
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const heading = (page: Page, title: string) => page.getByRole('heading', { name: title }).waitFor();

/** Opens the report in a new tab, as Ada; notes from then on each text that the page shows. */
async function openAsAda(server: ApiServer, page: Page): Promise<void> {
  await page.goto(`${server.url}/reports`);
  await signIn(page, 'ada');
  await heading(page, 'The report of ada');
  await page.evaluate(() => {
    window.texts = [];
    const note = () => window.texts.push(document.body.textContent ?? '');
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}

/** Signs Grace in, in another tab. */
async function switchToGrace(server: ApiServer, page: Page): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto(`${server.url}/switch`);
  await signIn(other, 'grace');
  return other;
}

const textsWithAda = (page: Page) => page.evaluate(() => window.texts.filter(text => text.includes('report of ada')));

test('another user does not see what a loader has read for the user before', async ({ context, startServer }) => {
  const { server, reports } = await setup(startServer);
  const page = await context.newPage();
  await openAsAda(server, page);
  const release = reports.hold();
  await switchToGrace(server, page);
  await page.getByText('Loading…').waitFor();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  release();
  await heading(page, 'The report of grace');
  // The first text is that of the commit which hides the report.
  expect(await textsWithAda(page)).toEqual([]);
});

test('after a sign-out the page asks for the next user, and shows nothing of the user before', async ({
  context,
  startServer,
}) => {
  const { server } = await setup(startServer);
  const page = await context.newPage();
  await openAsAda(server, page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await eventually(() => new URL(page.url()).pathname, '/login');
  await signIn(page, 'grace');
  await heading(page, 'The report of grace');
  expect(await textsWithAda(page)).toEqual([]);
});

test('a loader that waits while the user changes loads again as the next user, and shows no error', async ({
  context,
  startServer,
}) => {
  const { server, reports } = await setup(startServer);
  const page = await context.newPage();
  await openAsAda(server, page);
  const release = reports.hold();
  await page.reload();
  await release.reached;
  await switchToGrace(server, page);
  await eventually(() => server.requests.filter(({ path }) => path === '/api/report').length, 3);
  release();
  await heading(page, 'The report of grace');
});

declare global {
  interface Window {
    /** What the page has shown. */
    texts: string[];
  }
}
