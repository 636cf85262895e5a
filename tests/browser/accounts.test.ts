import type { BrowserContext, Page } from 'playwright';
import { describe, expect } from 'vitest';
import { createGate } from '../../src/testing/createGate.js';
import type { ApiServer, ApiServerOptions, Arrived } from './support/apiServer.js';
import { eventually, openApp, press, says, signIn, test, titles } from './support/test.js';
import { call, carrierOf, IDENTITY_CHANGED, linesOf, marker } from './support/wire.js';

declare global {
  interface Window {
    texts: string[];
    outcome?: Promise<string>;
  }
}

const actor = (page: Page, who: string) => eventually(() => page.locator('#actor').textContent(), who);

/** The text of the page after each change of it, as a user would read it. */
const recordTexts = (page: Page) =>
  page.evaluate(() => {
    window.texts = [];
    new MutationObserver(() => window.texts.push(document.body.textContent)).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
/** How often the page showed rows of one user under another one's name. */
const mixed = (page: Page) =>
  page.evaluate(
    () =>
      window.texts.filter(text => {
        const [, name] = /authenticated (ada|bob|grace)/.exec(text) ?? [];
        return ['ada', 'bob', 'grace'].some(person => person !== name && text.includes(`On ${person} `));
      }).length,
  );

/** Whose token a request carries. */
const tokenOf = ({ headers }: Arrived) => /secret-access-([a-z]+)-/.exec(String(headers['access-token']))?.[1];
const tokenLines = ({ requests }: ApiServer) =>
  requests.map(arrived => `${arrived.method} ${arrived.path} as ${tokenOf(arrived) ?? 'nobody'}`);

describe('acting with a cookie', () => {
  /** A server that answers the act-as 400 ms after its headers, and whose `whoami` names the actor. */
  async function openCookie(context: BrowserContext, startServer: (options?: ApiServerOptions) => Promise<ApiServer>) {
    const asBob = { id: 'bob', actor: { id: 'ada' } };
    const server = await startServer({
      answers: {
        'POST /cookie/login?act': usual => ({ ...usual, body: { user: asBob }, bodyAfterMs: 400 }),
        'GET /cookie/whoami': (usual, arrived) => (carrierOf(arrived) === 'bob' ? { ...usual, body: asBob } : usual),
      },
    });
    const open = () => openApp(context, server, { session: 'cookie', accounts: '' });
    const page = await open();
    await signIn(page, 'ada');
    server.requests.length = 0;
    return { server, page, open };
  }

  test('between Set-Cookie and the answer, nothing is sent with the other user’s cookie, and none of their rows are shown', async ({
    context,
    startServer,
  }) => {
    const { server, page } = await openCookie(context, startServer);
    await recordTexts(page);
    await press(page, 'Act as bob');
    await eventually(
      async () => (await context.cookies()).some(({ value }) => value.startsWith('secret-sid-bob')),
      true,
    );
    const late = call(page, { method: 'PATCH', address: '/article/of-ada' });
    await press(page, 'Fire');
    await marker(page);
    expect(await page.locator('#who').textContent()).toBe('authenticated ada');
    expect(linesOf(server)).toEqual(['POST /cookie/login?act as ada']);
    await says(page, 'authenticated bob');
    await actor(page, 'ada');
    await page.getByText('On bob 10').waitFor();
    expect(await late).toMatch(IDENTITY_CHANGED);
    expect(await mixed(page)).toBe(0);
    expect(linesOf(server)).toEqual(['POST /cookie/login?act as ada', 'GET /article as bob']);
    await press(page, 'Stop acting');
    await says(page, 'authenticated ada');
    await page.getByText('On ada 10').waitFor();
    await actor(page, '');
    expect(await mixed(page)).toBe(0);
  });

  test('the other tab follows, there and back', async ({ context, startServer }) => {
    const { server, page, open } = await openCookie(context, startServer);
    const other = await open();
    await says(other, 'authenticated ada');
    expect(await titles(other)).toHaveLength(10);
    for (const tab of [page, other]) await recordTexts(tab);
    await press(page, 'Act as bob');
    for (const tab of [page, other]) {
      await says(tab, 'authenticated bob');
      await actor(tab, 'ada');
      await tab.getByText('On bob 10').waitFor();
    }
    await press(other, 'Stop acting');
    for (const tab of [page, other]) {
      await says(tab, 'authenticated ada');
      await tab.getByText('On ada 10').waitFor();
      expect(await mixed(tab)).toBe(0);
    }
    expect(server.requests.filter(({ path }) => path.startsWith('/cookie/login'))).toHaveLength(2);
  });
});

describe('accounts with tokens', () => {
  /** A server that answers a PATCH when the gate says so. */
  async function startGated(startServer: (options?: ApiServerOptions) => Promise<ApiServer>) {
    const patches = createGate();
    const answer = { 'PATCH /article/1': <T>(usual: T) => patches.pass().then(() => usual) };
    return { server: await startServer({ answers: answer }), patches };
  }

  const open = (context: BrowserContext, server: ApiServer) =>
    openApp(context, server, { session: 'token', accounts: '' });

  test('acting outlives a reload, and the other tab follows; when one stops, what the other tab has in flight rejects', async ({
    context,
    startServer,
  }) => {
    const { server, patches } = await startGated(startServer);
    const page = await open(context, server);
    const other = await open(context, server);
    await signIn(page, 'ada');
    await says(other, 'authenticated ada');
    await press(page, 'Act as bob');
    for (const tab of [page, other]) {
      await says(tab, 'authenticated bob');
      await actor(tab, 'ada');
    }
    await page.reload();
    await says(page, 'authenticated bob');
    await actor(page, 'ada');
    const release = patches.hold();
    await other.evaluate(() => void (window.outcome = window.app.call({ method: 'PATCH', address: '/article/1' })));
    await release.reached;
    await recordTexts(other);
    server.requests.length = 0;
    await press(page, 'Stop acting');
    for (const tab of [page, other]) {
      await says(tab, 'authenticated ada');
      await tab.getByText('On ada 10').waitFor();
    }
    expect(await other.evaluate(() => window.outcome)).toMatch(IDENTITY_CHANGED);
    release();
    expect(await mixed(other)).toBe(0);
    await eventually(
      () => tokenLines(server).sort(),
      ['GET /article as ada', 'GET /article as ada', 'POST /token/logout as bob'],
    );
  });

  test('a sign-out of one account leaves the other one’s requests alone, in both tabs', async ({
    context,
    startServer,
  }) => {
    const { server, patches } = await startGated(startServer);
    const page = await open(context, server);
    await signIn(page, 'grace');
    const other = await open(context, server);
    const release = patches.hold();
    await page.evaluate(() => void (window.outcome = window.app.call({ method: 'PATCH', address: '/article/1' })));
    await release.reached;
    await press(page, 'Add');
    await says(page, 'anonymous');
    await signIn(page, 'ada');
    await says(other, 'authenticated ada');
    await press(page, 'Sign out');
    for (const tab of [page, other]) await says(tab, 'authenticated grace');
    release();
    expect(await page.evaluate(() => window.outcome)).toBe('answered');
    await page.reload();
    await says(page, 'authenticated grace');
    expect(await page.getByRole('button', { name: /^Show/ }).count()).toBe(1);
    const sent = tokenLines(server).filter(line => !line.includes('/article as'));
    expect(sent).toEqual([
      'POST /token/login as nobody',
      'PATCH /article/1 as grace',
      'POST /token/login as nobody',
      'POST /token/logout as ada',
    ]);
  });
});
