import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeEach, describe, expect } from 'vitest';
import type { Call } from './app/callThrough.js';
import { apiServer, type ApiServer, type Arrived } from './support/apiServer.js';
import { recordMessages } from './support/recordMessages.js';
import { eventually, newContext, openApp, press, signIn, test } from './support/test.js';

const METHODS = ['GET', 'POST', 'PATCH'] as const;
const REDIRECTS = [301, 302, 303, 307, 308];

const SESSIONS: { name: string; search: Record<string, string> }[] = [
  { name: 'a token in Access-Token', search: { session: 'token' } },
  { name: 'a token in Authorization', search: { session: 'token', header: 'Authorization' } },
  { name: 'a cookie and a CSRF token', search: { session: 'cookie' } },
  { name: 'a cookie of an API elsewhere', search: { session: 'cookie', credentials: 'include' } },
];

/** The credentials in a request, as they arrived. */
function credentialsOf({ headers }: Arrived): string[] {
  const names = ['access-token', 'authorization', 'x-csrftoken', 'cookie'];
  return names.filter(name => headers[name] !== undefined).map(name => `${name}: ${headers[name]?.toString()}`);
}

/** What a request of a signed-in person carries, and nothing else: the values stand for one of each. */
function expected(search: Record<string, string>, method: string): RegExp[] {
  if (search.session === 'token')
    return [search.header ? /^authorization: Bearer secret-access-ada-\d+$/ : /^access-token: secret-access-ada-\d+$/];
  const cookie = /^cookie: stray=1; sid=secret-sid-ada-\d+; csrftoken=secret-csrf-\d+$/;
  return method === 'GET' ? [cookie] : [/^x-csrftoken: secret-csrf-\d+$/, cookie];
}

/** Requests that carry what they should: one credential of each kind, none twice. */
function expectCredentials(requests: readonly Arrived[], search: Record<string, string>): void {
  for (const request of requests) {
    const carried = credentialsOf(request).filter(line => search.session === 'cookie' || !line.startsWith('cookie'));
    expect(carried).toEqual(expected(search, request.method).map(pattern => expect.stringMatching(pattern) as unknown));
  }
}

/** A cookie for both hosts, of the kind that a browser attaches wherever it is let: cookies know no ports. */
async function strayCookies(context: BrowserContext, ...servers: ApiServer[]): Promise<void> {
  const urls = servers.flatMap(({ url, port }) => [url, `http://localhost:${port}`]);
  await context.addCookies(urls.map(url => ({ name: 'stray', value: '1', url })));
}

/** Makes the calls one after the other; resolves with what came of each. */
const callAll = (page: Page, calls: Call[]) =>
  page.evaluate(async given => {
    const outcomes: string[] = [];
    for (const one of given) outcomes.push(await window.app.call(one));
    return outcomes;
  }, calls);

const withEachMethod = (address: string, urlPrefix?: string): Call[] =>
  METHODS.map(method => ({ method, address, ...(urlPrefix && { urlPrefix }) }));

/** The names of the errors, or `answered`. */
const names = (outcomes: string[]) => outcomes.map(outcome => outcome.split(':')[0]);

describe.each(SESSIONS)('$name', ({ search }) => {
  let context: BrowserContext;
  let trusted: ApiServer;
  let other: ApiServer;
  let page: Page;
  let heard: ReturnType<typeof recordMessages>;
  let next: string;

  // One sign-in for all: what the tests ask of it leaves nothing behind.
  test.beforeAll(async ({ browser }) => {
    [trusted, other, context] = await Promise.all([apiServer(), apiServer(), newContext(browser)]);
    await strayCookies(context, trusted, other);
    next = `${other.url}/article?page=2`;
    page = await openApp(context, trusted, { ...search, next });
    heard = recordMessages(page);
    await signIn(page, 'ada');
  });

  beforeEach(() => {
    trusted.requests.length = other.requests.length = 0;
  });

  afterAll(async () => {
    await Promise.all([context.close(), trusted.close(), other.close()]);
  });

  test('another origin gets nothing, however its address is written', async () => {
    const host = `127.0.0.1:${other.port}`;
    const addresses = [
      `http://${host}/article/1`,
      `//${host}/article/1`,
      String.raw`\\${host}/article/1`,
      `http://127.0.0.1:${trusted.port}@${host}/article/1`,
      `http://localhost:${other.port}/article/1`,
      `//localhost:${other.port}/article/1`,
      `http://localhost:${trusted.port}/article/1`,
    ];
    const outcomes = await callAll(
      page,
      addresses.flatMap(address => [...withEachMethod(address), ...withEachMethod(address, trusted.url)]),
    );
    expect(names(outcomes)).toEqual(outcomes.map(() => 'UntrustedOriginError'));
    expect(other.requests).toEqual([]);
    expect(trusted.requests).toEqual([]);
    expect(`${outcomes.join()}${await heard.everything()}`).not.toContain('secret-');
  });

  test('the trusted origin gets one credential of each kind, once', async () => {
    expect(await callAll(page, withEachMethod('/article/1'))).toEqual(METHODS.map(() => 'answered'));
    expect(trusted.requests.map(({ method }) => method)).toEqual([...METHODS]);
    expectCredentials(trusted.requests, search);
  });

  test('a redirect to another origin takes no credential along', async () => {
    const targets = [`http://127.0.0.1:${other.port}/welcome`, `http://localhost:${other.port}/welcome`];
    const addresses = targets.flatMap(to =>
      REDIRECTS.map(status => `/redirect/${status}?to=${encodeURIComponent(to)}`),
    );
    const outcomes = await callAll(
      page,
      addresses.flatMap(address => withEachMethod(address)),
    );
    expect(trusted.requests).toHaveLength(outcomes.length);
    expectCredentials(trusted.requests, search);
    expect(other.requests.flatMap(credentialsOf)).toEqual([]);
    expect(`${outcomes.join()}${await heard.everything()}`).not.toContain('secret-');
  });

  test('a next-page link to another origin leads to the next page of this one', async () => {
    await press(page, 'More');
    await eventually(() => trusted.requests.length, 1);
    expect(trusted.requests.map(({ path }) => path)).toEqual([expect.stringMatching(/^\/article\?.*page=2/)]);
    expectCredentials(trusted.requests, search);
    expect(names(await callAll(page, withEachMethod(next)))).toEqual(METHODS.map(() => 'UntrustedOriginError'));
    expect(other.requests).toEqual([]);
    expect(await heard.everything()).not.toContain('secret-');
  });
});

// There, the cookie is always one of an API elsewhere.
describe.each(SESSIONS.filter(({ search }) => search.session === 'token' || search.credentials === 'include'))(
  '$name, of an API on a listed origin',
  ({ search }) => {
    test('goes to that origin, and not even to the page’s own', async ({ context, startServer, open }) => {
      const [api, host] = [await startServer(), await startServer()];
      await strayCookies(context, api, host);
      const page = await open(host, { ...search, api: api.url, origin: api.url });
      const heard = recordMessages(page);
      await signIn(page, 'ada');
      api.requests.length = 0;
      expect(await callAll(page, withEachMethod(`${api.url}/article/1`))).toEqual(METHODS.map(() => 'answered'));
      expect(api.requests.map(({ method }) => method)).toEqual([...METHODS]);
      expectCredentials(api.requests, search);
      const outcomes = await callAll(page, withEachMethod('/article/1'));
      expect(names(outcomes)).toEqual(METHODS.map(() => 'UntrustedOriginError'));
      expect(host.requests).toEqual([]);
      expect(`${outcomes.join()}${await heard.everything()}`).not.toContain('secret-');
    });
  },
);
