import { renderToString } from 'react-dom/server';
import { beforeEach, describe, expect, vi } from 'vitest';
import { createApp } from './app/createApp.js';
import { recordMessages } from './support/recordMessages.js';
import { says, signIn, test, titles } from './support/test.js';

/** What React says of data-client's own provider and of its button for developers, whoever uses them; neither is about a mismatch. */
const KNOWN = [
  /Support for defaultProps will be removed from function components/,
  /used \\?"renderToString\\?" which does not support Suspense/,
];

/** The app in what a server sends, without data-client's button after it. */
const appIn = (html: string) => html.split('<!--/$-->')[0];

/** Complaints of the page; the browser itself reports the 401 by which whoami says “nobody”. */
const complaints = (said: string[]) =>
  said.filter(
    line =>
      /^(error|warning|uncaught)/.test(line) && !/status of 401/.test(line) && !KNOWN.some(known => known.test(line)),
  );

/** What a server sends for an address: the app as it renders there, for the page to take over. */
function rendered(path: string): string {
  const { searchParams } = new URL(path, 'http://server');
  return searchParams.has('hydrate') ? renderToString(createApp(searchParams).element) : '';
}

describe('a page that a server rendered', () => {
  // The development build complains of more. data-client advises against its CacheProvider on servers.
  const build = 'development';

  beforeEach(() => {
    const silenced = (['warn', 'error'] as const).map(level => vi.spyOn(console, level).mockImplementation(() => {}));
    return () => silenced.forEach(spy => spy.mockRestore());
  });

  test.for(['token', 'cookie', 'context'])(
    'is taken over without a complaint, and shows the right list: %s',
    async (session, { context, startServer, open }) => {
      const server = await startServer({ build, rendered });
      const search = {
        session,
        ...(session === 'context' && { subject: 'ada', token: server.signIn('ada').accessToken }),
      };
      if (session !== 'context') await signIn(await open(server, search), 'ada');
      const page = await context.newPage();
      const { said } = recordMessages(page);
      const answer = await page.goto(
        `${server.url}/page?${new URLSearchParams({ ...search, hydrate: '' }).toString()}`,
      );
      const html = (await answer?.text()) ?? '';
      expect(html).toContain(session === 'context' ? 'authenticated ada' : 'One moment…');
      expect(appIn(html)).not.toContain('<!--$!-->');
      await says(page, 'authenticated ada');
      expect(await titles(page)).toEqual(Array.from({ length: 10 }, (_, index) => `On ada ${index + 1}`));
      expect(complaints(said)).toEqual([]);
    },
  );

  test.for(['token', 'context'])(
    'is taken over without a complaint when nobody is signed in: %s',
    async (session, { context, startServer }) => {
      const server = await startServer({ build, rendered });
      const page = await context.newPage();
      const { said } = recordMessages(page);
      await page.goto(`${server.url}/page?${new URLSearchParams({ session, hydrate: '' }).toString()}`);
      await says(page, 'anonymous');
      await page.getByText('Nobody is signed in.').waitFor();
      expect(complaints(said)).toEqual([]);
    },
  );

  test('has no inline style, and hides what it announces, where a content security policy forbids inline styles', async ({
    context,
    startServer,
  }) => {
    const server = await startServer({ build, rendered });
    const page = await context.newPage();
    const { said } = recordMessages(page);
    await page.route('**/page?*', async route => {
      const response = await route.fetch();
      const headers = { ...response.headers(), 'content-security-policy': "style-src 'self'" };
      await route.fulfill({ response, headers });
    });
    // So late that the list announces it.
    let answer!: () => void;
    const asked = new Promise<void>(resolve => (answer = resolve));
    await page.route('**/article*', async route => {
      await asked;
      await route.continue();
    });
    const search = { session: 'context', subject: 'ada', token: server.signIn('ada').accessToken, lock: '' };
    const response = await page.goto(
      `${server.url}/page?${new URLSearchParams({ ...search, hydrate: '' }).toString()}`,
    );
    const status = page.getByRole('region', { name: 'Articles' }).getByRole('status');
    await status.filter({ hasText: 'Loading…' }).waitFor({ state: 'attached' });
    expect(await status.boundingBox()).toMatchObject({ width: 1, height: 1 });
    // The element of the lock has no box.
    expect(await page.locator(':has(> .dca-list)').boundingBox()).toBeNull();
    answer();
    expect(await titles(page)).toHaveLength(10);
    expect(appIn((await response?.text()) ?? '')).not.toContain('style=');
    expect(complaints(said)).toEqual([]);
  });

  test('has a login form that sends what was typed before the page was taken over', async ({
    context,
    startServer,
  }) => {
    const server = await startServer({ build, rendered });
    const page = await context.newPage();
    let load!: () => void;
    const typed = new Promise<void>(resolve => (load = resolve));
    await page.route('**/assets/*.js', async route => {
      await typed;
      await route.continue();
    });
    await page.goto(`${server.url}/page?session=token&storage=memory&form=&hydrate=`, { waitUntil: 'commit' });
    await page.getByLabel('User name').fill('ada');
    await page.getByRole('textbox', { name: 'Password' }).fill('secret');
    load();
    // React has taken the form over.
    await page.waitForFunction(() =>
      Object.keys(document.querySelector('form')!).some(key => key.startsWith('__react')),
    );
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await says(page, 'authenticated ada');
    expect(server.requests[0]?.body).toBe('{"username":"ada","password":"secret"}');
  });

  test('has a form that sends what was chosen before the page was taken over, in a field of each kind', async ({
    context,
    startServer,
  }) => {
    const server = await startServer({ build, rendered });
    const page = await context.newPage();
    let load!: () => void;
    const chosen = new Promise<void>(resolve => (load = resolve));
    await page.route('**/assets/*.js', async route => {
      await chosen;
      await route.continue();
    });
    await page.goto(`${server.url}/page?session=token&storage=memory&form=choices&hydrate=`, { waitUntil: 'commit' });
    await page.getByLabel('Name').selectOption('ada');
    await page.getByLabel('Colours').selectOption(['red', 'blue']);
    await page.getByRole('radio', { name: 'blue' }).check();
    await page.getByLabel('Lines').fill('a\nb');
    await page.getByLabel('Agreed').check();
    load();
    await page.waitForFunction(() =>
      Object.keys(document.querySelector('form')!).some(key => key.startsWith('__react')),
    );
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await says(page, 'authenticated ada');
    expect(JSON.parse(server.requests[0]!.body)).toEqual({
      username: 'ada',
      colours: ['red', 'blue'],
      colour: 'blue',
      lines: ['a', 'b'],
      agreed: true,
    });
  });

  test('has a login form that puts no password into the address before the page was taken over', async ({
    context,
    startServer,
  }) => {
    const server = await startServer({ build, rendered });
    const page = await context.newPage();
    await page.route('**/assets/*.js', route => route.abort());
    await page.goto(`${server.url}/page?session=token&storage=memory&form=&hydrate=`);
    await page.getByLabel('User name').fill('ada');
    await page.getByRole('textbox', { name: 'Password' }).fill('secret');
    const sent = page.waitForRequest(request => request.isNavigationRequest());
    await page.getByRole('textbox', { name: 'Password' }).press('Enter');
    const request = await sent;
    expect(request.method()).toBe('POST');
    expect(request.url()).not.toContain('secret');
  });

  test('that shows something else than the server did is complained of', async ({ context, startServer }) => {
    const server = await startServer({
      build,
      rendered: path => rendered(path).replace('One moment…', 'Another moment…'),
    });
    const page = await context.newPage();
    const { said } = recordMessages(page);
    await page.goto(`${server.url}/page?session=token&hydrate=`);
    await says(page, 'anonymous');
    expect(complaints(said).join('\n')).toContain('Another moment…');
  });
});
