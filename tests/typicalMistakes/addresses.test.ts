// In a file of its own, because a page says each sentence once.
import { expect, onTestFinished, test, vi } from 'vitest';
import { warnOfLostParams } from '../../src/endpoints/addressMistakes.js';
import { authEndpoint, createTokenSession, Entity, resource, RestEndpoint } from '../../src/index.js';
import { json } from '../session/support/answers.js';
import { mockServer } from '../session/support/mockServer.js';
import { testMistakes } from './support/mistakes.js';
import { login } from './support/render.js';

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
