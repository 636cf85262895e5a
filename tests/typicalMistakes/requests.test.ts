import { composeStory } from '@storybook/react-vite';
import { setupServer } from 'msw/node';
import { createElement } from 'react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { warnOfLostParams } from '../../src/endpoints/addressMistakes.js';
import {
  authEndpoint,
  createCookieSession,
  createTokenSession,
  Entity,
  resource,
  RestEndpoint,
} from '../../src/index.js';
import * as addon from '../../src/storybook/preview.js';
import { createRequestJournal, journalMatchers, tokenAuthHandlers } from '../../src/testing/index.js';
import { json } from '../session/support/answers.js';
import { mockServer, type Route } from '../session/support/mockServer.js';
import { testMistakes, testMistakesElsewhere } from './support/mistakes.js';
import { login, render } from './support/render.js';

class Article extends Entity {
  id = '';
  title = '';
}

const path = '/article/:id';
const noBody = () => new Response(null, { status: 204 });

/** Articles of a signed-in user, and the server that answers so. */
async function articles(answer: Route, options: object = {}, { rows }: { rows?: string } = {}) {
  mockServer({ '*': answer });
  const session = createTokenSession({ server: true, login, ...options });
  await session.login();
  const Endpoint = authEndpoint(session);
  return resource({ urlPrefix: 'https://api.example.com', path, schema: Article, Endpoint, rows });
}

const djangoPage = () => json({ count: 1, next: null, previous: null, results: [{ id: '1' }] });

// Addresses.
testMistakes([
  {
    mistake: 'an API on an origin that the session does not trust',
    make: async () => (await articles(noBody, { trustedOrigins: ['https://app.example.com'] })).get({ id: '1' }),
    where: 'thrown',
    says: "Credentials are not sent to https://api.example.com. If its server takes the credentials of this session, add it to the session's `trustedOrigins`. If it is another API with a session of its own, put the component below a provider of that session. Or mark the endpoint `public: true`, or use plain `fetch`, to call it without credentials.",
  },
  {
    mistake: 'an API that redirects: a slash too few, or a login page in place of 401',
    make: async () => {
      const redirect = () => new Response(null, { status: 302, headers: { Location: '/login' } });
      await (await articles(redirect)).get({ id: '1' });
    },
    where: 'thrown',
    says: "https://api.example.com/article/1 redirected, and this request follows no redirect: its credentials would go to an unknown address. Let the endpoint's `urlPrefix` and `path` name the final address; where no user is signed in, let the server answer 401 instead of redirecting to its login page.",
  },
  {
    mistake: 'a mode against an error of CORS',
    make: async () => (await articles(noBody)).get.extend({ requestInit: { mode: 'no-cors' } })({ id: '1' }),
    where: 'thrown',
    says: "A request with `mode: 'no-cors'` cannot carry Access-Token, so it was not sent: browsers remove the header. Leave out `mode`, or set it to 'cors', and let the API allow the page's origin and this header by CORS.",
  },
  {
    mistake: 'an id that is not known yet',
    make: () => resource({ path, schema: Article }).get({ id: undefined as never }),
    where: 'thrown',
    says: 'GET /article/:id needs a value for `id`, but got undefined. Pass { id: … }, or null to wait until it is known.',
  },
  {
    mistake: 'an id that leads to another path',
    make: () => resource({ path, schema: Article }).get({ id: '..' }),
    where: 'thrown',
    says: 'GET /article/:id needs a value for `id`, but got "..". Pass { id: … }, or null to wait until it is known.',
  },
  {
    mistake: 'a resource with the path of its list',
    make: () => resource({ path: '/article', schema: Article }),
    where: 'thrown',
    says: `The path "/article" names no record. End it with a token, as in '/article/:id'.`,
  },
]);

// Answers and bodies.
testMistakes([
  {
    mistake: 'the list of another address',
    make: async () => (await articles(() => json({}, 404))).getList(),
    where: 'console.warn',
    says: 'The list GET /article was answered with 404. Check its address: `urlPrefix`, `path`, a slash at its end, and the proxy of the dev server. A list without rows is answered with 200 and an empty list.',
  },
  {
    mistake: 'rows whose key has another name than `id`',
    make: async () => (await articles(() => json([{ uuid: 'a', title: 'One' }]))).getList(),
    where: 'thrown',
    says: 'GET /article answered rows without a primary key of Article: an object with uuid, title. Return the field that identifies a row: class Article extends Entity { pk() { return this.… } }.',
  },
  {
    mistake: 'a list in a field of the answer, as Django REST framework has it',
    make: async () => (await articles(djangoPage)).getList(),
    where: 'thrown',
    says: "GET /article expected a list, but the server answered an object with count, next, previous, results. Name the field that holds the rows: resource({ …, rows: 'results' }).",
  },
  {
    mistake: 'the same, where a widget shows users another sentence',
    make: async () => {
      const { getList } = await articles(djangoPage);
      await getList.extend({ path: '/note' })();
    },
    where: 'console.error',
    says: "GET /note expected a list, but the server answered an object with count, next, previous, results. Name the field that holds the rows: resource({ …, rows: 'results' }).",
  },
  {
    mistake: 'a bare list, where the resource has `rows`',
    make: async () => {
      const { getList } = await articles(() => json([{ id: '1' }]), {}, { rows: 'data.items' });
      await getList();
    },
    where: 'thrown',
    says: 'GET /article expected a list in `data.items`, but the server answered a bare list. Leave out `rows`, or let the server answer `{ data: { items: […] } }`.',
  },
  {
    mistake: 'a stream as a body, when the token has expired',
    make: async () => {
      const isOld = ({ headers }: { headers: Headers }) => headers.get('access-token') === 'ada-1';
      mockServer({ '*': seen => json({ id: '1' }, isOld(seen) ? 401 : 200) });
      const refresh = async () => ({ accessToken: 'ada-2', user: { id: 'ada' } });
      const session = createTokenSession({ server: true, login, refresh });
      await session.login();
      const Upload = authEndpoint(session);
      const upload = new Upload({ urlPrefix: 'https://api.example.com', path: '/file', method: 'POST' });
      const body = new Blob(['a file']).stream();
      await upload.extend({ getRequestInit: () => ({ method: 'POST', body }) })();
    },
    where: 'thrown',
    says: 'The credentials had expired and the body is a stream, which cannot be sent twice. Start the request again, or send a Blob.',
  },
]);

// What resource() gets, and what the server answers to it.
testMistakes([
  {
    mistake: 'a class of another file that is not there yet: two files import each other',
    make: () => resource({ path, schema: undefined as never }),
    where: 'thrown',
    says: 'resource() for /article/:id needs the class of a record as `schema`, but got undefined. If the class is in another file, two files import each other.',
  },
  {
    mistake: 'a class that is no entity',
    make: () => {
      class Plain {
        id = '';
      }
      return resource({ path, schema: Plain as never });
    },
    where: 'thrown',
    says: 'resource() for /article/:id needs the class of a record as `schema`, but Plain is no entity. Write class Plain extends Entity.',
  },
  {
    mistake: 'a list as the schema of a record',
    make: () => resource({ path, schema: [Article] }),
    where: 'thrown',
    says: 'resource() for /article/:id needs the class of a record as `schema`, but got a list. Leave out the brackets: getList makes its list of it.',
  },
  {
    mistake: 'a list of ids in place of records',
    make: async () => (await articles(() => json([1, 2]))).getList(),
    where: 'console.warn',
    says: 'GET /article answered a list of numbers, where objects were expected, so the list shows only those whose record the store has. Make objects of them in the `process` of the endpoint: value.map(id => ({ id })).',
  },
]);

describe('addresses', () => {
  // In a file of its own, because a page says each sentence once.

  class Article extends Entity {
    id = '';
  }

  const urlPrefix = 'https://api.example.com';
  const made = (options: { urlPrefix?: string; path: string }) => () => void new RestEndpoint(options);

  /** Articles of a signed-in user. */
  async function articles() {
    mockServer({ '*': () => json([]) });
    const session = createTokenSession({ server: true, login });
    await session.login();
    return resource({ urlPrefix, path: '/article/:id', schema: Article, Endpoint: authEndpoint(session) });
  }

  testMistakes([
    {
      mistake: 'a path without a slash, which becomes a part of the host',
      make: made({ urlPrefix, path: 'article/:id' }),
      where: 'console.warn',
      says: 'The urlPrefix "https://api.example.com" and the path "article/:id" have no slash between them. Let the path begin with one: "/article/:id".',
    },
    {
      mistake: 'the same, of a signed-in user',
      make: async () => {
        const { get } = await articles();
        await get.extend({ path: 'article/:id' })({ id: '1' });
      },
      where: 'thrown',
      says: 'Credentials are not sent to https://api.example.comarticle: the urlPrefix "https://api.example.com" and the path of the endpoint have no slash between them. Let the path begin with one.',
    },
    {
      mistake: 'a slash too many',
      make: made({ urlPrefix: `${urlPrefix}/`, path: '/article/:id' }),
      where: 'console.warn',
      says: 'The urlPrefix "https://api.example.com/" ends in a slash, and its paths begin with one. Leave out the one at the end of the urlPrefix.',
    },
    {
      mistake: 'a host without a scheme',
      make: made({ urlPrefix: 'localhost:4000', path: '/article/:id' }),
      where: 'console.warn',
      says: `The urlPrefix "localhost:4000" has no scheme, so it is not the address of a server. Write 'https://…' or 'http://…' before it.`,
    },
    {
      mistake: 'a variable of the build without a value',
      make: made({ urlPrefix: 'undefined/api', path: '/article/:id' }),
      where: 'console.warn',
      says: 'The urlPrefix "undefined/api" has a variable without a value. Look at the configuration of the build: Vite, for example, reads only variables whose names begin with VITE_.',
    },
    {
      mistake: 'search params in the path',
      make: made({ urlPrefix, path: '/article/:id?expand=author' }),
      where: 'console.warn',
      says: 'The path "/article/:id?expand=author" has search params, and its `?` makes the param before it optional. Leave them out of the path, and pass { expand: … } with the other params.',
    },
    {
      mistake: 'an origin in the path',
      make: made({ path: 'http://localhost:4000/article/:id' }),
      where: 'console.warn',
      says: `The path "http://localhost:4000/article/:id" has an origin. Write it as urlPrefix: 'http://localhost:4000', path: '/article/:id'.`,
    },
    {
      mistake: 'an object as a search param',
      make: async () => (await articles()).getList({ filter: { author: 'ada' } } as never),
      where: 'console.warn',
      says: 'The search param `filter` of /article is an object, so its address has the text “[object Object]”. Pass texts or numbers, each under the name that the server reads, or JSON.stringify() the object.',
    },
    {
      mistake: 'a search param that is no number',
      make: async () => (await articles()).getList({ author: Number('one') }),
      where: 'console.warn',
      says: 'The search param `author` of /article is NaN, and is sent as that text. Where the value is not known, leave the param out, or make it undefined.',
    },
    {
      mistake: 'an id that is no number',
      make: async () => (await articles()).get({ id: Number('one') }),
      where: 'thrown',
      says: 'GET /article/:id needs a value for `id`, but got NaN. Pass { id: … }, or null to wait until it is known.',
    },
  ]);

  test('addresses that an app may mean are no mistakes', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    for (const [prefix, path] of [
      ['', '/article/:id'],
      ['', 'article/:id'],
      ['/api', '/article/:id'],
      ['./api', '/article/:id'],
      ['api', '/article/:id'],
      ['api/v1.2', '/article/:id'],
      [`${urlPrefix}/`, 'article/:id'],
      [`${urlPrefix}/v1/article`, '.json'],
      ['/undefined-terms', '/:id'],
      [urlPrefix, '/article/:id?'],
      [urlPrefix, '/:owner?/article'],
      ['', 'https\\://api.example.com/article/:id'],
    ] as const)
      made({ urlPrefix: prefix, path })();
    await (await articles()).getList({ tags: ['a', 'b'], author: 'ada', page: 2 } as never);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  test('params without a limit, with a date or without a value are no mistake', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    warnOfLostParams({ max: Infinity, since: new Date(0), author: undefined });
    expect(warn).not.toHaveBeenCalled();
  });
});

describe('cookies', () => {
  // In a file of its own, because a page says each sentence once.

  const urlPrefix = 'https://api.example.com';
  const post = (path: string) => new RestEndpoint({ urlPrefix, path, method: 'POST', body: undefined });

  /** A cookie session whose server has these routes. */
  function cookieSession(routes: Record<string, Route>, options: object = {}) {
    mockServer(routes);
    const whoami = new RestEndpoint({ urlPrefix, path: '/whoami' });
    return createCookieSession({ server: true, login: post('/login'), whoami, ...options });
  }

  testMistakes([
    {
      mistake: 'the login with a cookie has another address',
      make: () => cookieSession({ 'POST /login': () => json({}, 404), 'GET /whoami': () => json(null, 401) }).login(),
      where: 'console.warn',
      says: 'login() was answered with 404, so no user is signed in. Check its address: `urlPrefix`, `path` and the proxy of the dev server. For a wrong name or password, let the server answer 401.',
    },
    {
      mistake: 'the logout with a cookie has another address',
      make: async () => {
        const routes = { 'POST /login': () => json({ id: 'ada' }), 'POST /logout': () => json({}, 404) };
        const session = cookieSession(routes, { logout: post('/logout') });
        await session.login();
        await session.logout();
      },
      where: 'console.warn',
      says: 'logout() was answered with 404, so the server may not have ended the session. Check its address: `urlPrefix`, `path` and the proxy of the dev server. While no user is signed in, let the server answer 401.',
    },
    {
      mistake: 'a login with a cookie without `method`, which is a GET',
      make: () => {
        const routes = { 'GET /login': () => json({ id: 'ada' }) };
        const login = new RestEndpoint({ urlPrefix, path: '/login' });
        return cookieSession(routes, { login }).login({ password: 'secret' });
      },
      where: 'console.warn',
      says: "login() sends `password` in the address of a GET, which servers and proxies write into their logs. Give the endpoint `method: 'POST'`.",
    },
  ]);
});

describe('testing', () => {
  expect.extend(journalMatchers);

  const signedIn = { auth: { session: () => createTokenSession({ login, server: true }), as: 'ada' } };
  const Story = composeStory({ render: () => createElement('p'), parameters: signedIn }, { title: 'Articles' }, addon);

  const people = [{ id: 'ada', name: 'ada', password: 'lovelace' }];

  testMistakes([
    {
      mistake: 'the worker was not started',
      make: () => expect(createRequestJournal(setupServer())).toHaveSent(['GET /article  same-origin']),
      where: 'thrown',
      says: 'The worker has not been started: msw has reported no request to this journal. Await worker.start() in the `beforeAll` of the preview, or call server.listen() in Node. If you do, make the journal of the same worker. Where a story imports the preview, two copies of it are loaded after an edit: import the worker and the journal from a module of its own.',
    },
    {
      mistake: 'the worker in place of its journal',
      make: () => expect(setupServer()).toHaveSent([]),
      where: 'thrown',
      says: 'toHaveSent compares a request journal: pass what createRequestJournal(worker) returned to expect().',
    },
    {
      mistake: 'a user whom the mock server does not know',
      make: () => tokenAuthHandlers({ url: 'https://api.example.com', people }).signIn('grace'),
      where: 'thrown',
      says: 'No mock person has the id "grace": add it to `people` of tokenAuthHandlers.',
    },
    {
      mistake: 'a composed story that is rendered, and not run',
      make: () => render(createElement(Story)),
      where: 'thrown',
      says: 'No user is signed in for this story, because its loaders have not run. Call await Story.run() of the composed story, and do not render <Story />.',
    },
  ]);
});

describe('elsewhere', () => {
  // Mistakes that take a store, a browser or a compiler: which test makes each of them.

  testMistakesElsewhere([
    {
      mistake: 'an API on another origin that allows no page of this one',
      provenBy: 'tests/browser/typicalMistakes.test.ts',
      says: 'got no answer. If that server is running, it does not allow this page to send the request (CORS).',
    },
    {
      mistake: 'a plain endpoint where nothing above has a <Suspense>',
      provenBy: 'tests/browser/typicalMistakes.test.ts',
      says: 'Its endpoint has no session, so it was sent without credentials. Read it by the hook of hookifyResource(resource)',
    },
    {
      mistake: 'a plain endpoint below a provider: useSuspense(ArticleResource.get, …)',
      provenBy: 'tests/dataClient/storeManagers.test.ts',
      says: 'Its endpoint has no session, so it was sent without credentials. Read it by the hook of hookifyResource(resource)',
    },
    {
      mistake: 'an endpoint of data-client itself below a provider: createResource, RestEndpoint of @data-client/rest',
      provenBy: 'tests/dataClient/storeManagers.test.ts',
      says: 'was answered with 401, which ends the session. Its endpoint is not of the kit, so the session has attached no credentials. Make it with resource() or RestEndpoint of data-client-auth',
    },
    {
      mistake: 'React 19 with a data-client that is too old',
      provenBy: 'tests/dataClient/assertElementsFit.test.ts',
      says: 'The installed @data-client/react creates elements that the installed React refuses. React 19 needs @data-client/react and @data-client/rest 0.18: update them, or install React 18.',
    },
    {
      mistake: 'a class without a `key` in a question about permissions',
      provenBy: 'tests/permissions/permissions.test.ts',
      says: 'whose name a production build may shorten, so the server would not know it.',
    },
    {
      mistake: '`managers` that throw',
      provenBy: 'tests/dataClient/hostedManagers.test.ts',
      says: 'The `managers` of a provider have thrown an error, so they do not run for this user.',
    },
    {
      mistake: '`managers` as data-client takes them: an array',
      provenBy: 'tests/providers/props.test.tsx',
      says: '`managers` has to be a function that returns an array, in managers() of data-client-auth/managers: managers={managers(() => [new YourManager()])}.',
    },
    {
      mistake: 'a session that a component makes at each render',
      provenBy: 'tests/browser/typicalMistakes.test.ts',
      says: 'A provider has got another session, as when a component makes one at each render, or hot updates load its module again: tokens in memory are lost, and everything below is mounted again. Make the session once, outside of components. If you change sessions on purpose, give the provider a `key`.',
    },
    {
      mistake: 'a PaginatedList whose server does not say how to get the next page',
      provenBy: 'tests/browser/typicalMistakes.test.ts',
      says: 'answered an object with results, total, which does not say whether there are more rows, or how to get them. Tell PaginatedList by its `next` prop: nextPageNumber(), nextCursor(), nextLink(), or a function of your own.',
    },
    {
      mistake: 'a ResourceList of a server that sends pages',
      provenBy: 'tests/browser/typicalMistakes.test.ts',
      says: 'ResourceList shows the first page of GET /memo: the response says that there are more rows. Use PaginatedList, or ask for the number of rows that you want to show.',
    },
    {
      mistake: 'a detail of a record that a list has brought in part',
      provenBy: 'tests/browser/partialRecords.test.ts',
      says: '<ResourceDetail> shows a record that another response has brought',
    },
    {
      mistake: 'a wrong password',
      provenBy: 'stories/proofs/LoginForm.stories.tsx',
      says: 'The user name or the password is wrong.',
      inReference: false,
    },
    {
      mistake: 'a name in `renderItem` that the entity does not have',
      provenBy: 'tests/types/widgets.test-d.tsx',
      says: '@ts-expect-error no such field of the row',
      inReference: false,
    },
    {
      mistake: 'a field of a form that the entity does not have',
      provenBy: 'tests/types/widgets.test-d.tsx',
      says: '@ts-expect-error no such field to create with',
      inReference: false,
    },
    {
      mistake: '`fields` outside of the JSX without `as const`',
      provenBy: 'tests/types/widgets.test-d.tsx',
      says: '@ts-expect-error names that are any text: `as const` keeps them',
      inReference: false,
    },
    {
      mistake: 'a param of the path is missing',
      provenBy: 'tests/types/widgets.test-d.tsx',
      says: '@ts-expect-error a path param is missing',
      inReference: false,
    },
    {
      mistake: 'a login whose answer has no token',
      provenBy: 'tests/types/session.test-d.ts',
      says: '@ts-expect-error The result of this endpoint is a user, without a token.',
      inReference: false,
    },
  ]);
});
