import { expect, test } from 'vitest';
import { Entity, resource, RestEndpoint, shortenPath } from '../../src/index.js';

class Article extends Entity {
  id = '';
  title = '';
}

test.each([
  ['/:group/:id', '/:group'],
  ['/:id', '/'],
  ['/:owner/*file', '/:owner'],
  ['/article/:id', '/article'],
  ['/a/:b/c/:d', '/a/:b/c'],
  ['/a/:id/edit', '/a'],
  ['/*file', '/'],
  ['/:id?', '/'],
  [String.raw`/a\:b/:id`, String.raw`/a\:b`],
  [String.raw`/:group/:id(\d+)`, '/:group'],
])('the list of %s is at %s', (path, list) => {
  expect(shortenPath(path)).toBe(list);
});

test('a path without a token has no list, and says how to get one', () => {
  expect(() => shortenPath('/me')).toThrow('The path "/me" names no record. End it with a token, as in \'/article/:id\'.');
  expect(() => resource({ path: '/me', schema: Article })).toThrow(TypeError);
});

test('a wildcard takes a text or a list of segments, encodes them, and keeps its slashes', () => {
  const R = resource({ urlPrefix: 'https://a.test', path: '/:owner/*file', schema: Article });
  expect(R.get.url({ owner: 'o', file: 'a/b c' })).toBe('https://a.test/o/a/b%20c');
  expect(R.get.url({ owner: 'o/p', file: ['a/b', 'c?d#e'] })).toBe('https://a.test/o%2Fp/a%2Fb/c%3Fd%23e');
  expect(R.get.url({ owner: 'o', file: 'x', q: 1 } as never)).toBe('https://a.test/o/x?q=1');
  expect(R.getList.url({ owner: 'o', q: 1 })).toBe('https://a.test/o?q=1');
  expect(R.delete.url({ owner: 'o', file: 'x' })).toBe('https://a.test/o/x');
  expect((R.update.url as (params: object) => string).call(R.update, { owner: 'o', file: 'x' })).toBe('https://a.test/o/x');
});

test('params beyond the path become search params of the list', () => {
  const R = resource({ urlPrefix: 'https://a.test', path: '/:group/:id', schema: Article, paginationField: 'cursor' });
  expect(R.getList.url({ group: 'g', name: 'v w' })).toBe('https://a.test/g?name=v+w');
  expect(R.getList.getPage.url({ group: 'g', cursor: 2, name: 'v' })).toBe('https://a.test/g?cursor=2&name=v');
  const Root = resource({ path: '/:id', schema: Article });
  expect(Root.getList.url()).toBe('/');
  expect(Root.getList.url({ q: 'x' })).toBe('/?q=x');
});

test('testKey knows an endpoint’s own keys, and no others', () => {
  const R = resource({ urlPrefix: 'https://a.test', path: '/:owner/*file', schema: Article });
  expect(R.get.testKey(R.get.key({ owner: 'o', file: 'x/y' }))).toBe(true);
  expect(R.get.testKey(R.getList.key({ owner: 'o' }))).toBe(false);
  expect(R.getList.testKey(R.getList.key({ owner: 'o' }))).toBe(true);
  expect(R.update.testKey(R.get.key({ owner: 'o', file: 'x' }))).toBe(false);
  const S = resource({ path: '/article/:id', schema: Article });
  expect(S.get.testKey(S.get.key({ id: '5' }))).toBe(true);
  expect(S.get.testKey('GET /article')).toBe(false);
});

test.each([
  [{}, 'undefined'],
  [{ id: '' }, 'an empty string'],
  [{ id: null }, 'null'],
  [{ id: {} }, 'object'],
  [{ id: undefined }, 'undefined'],
  [{ id: '..' }, '".."'],
  [{ id: '.' }, '"."'],
  [{ id: NaN }, 'null'],
])('params %o are refused before any request', async (params, got) => {
  const { get, delete: remove } = resource({ path: '/article/:id', schema: Article });
  const message = `/article/:id needs a value for \`id\`, but got ${got}. Pass { id: … }, or null to wait until it is known.`;
  expect(() => get.url(params as never)).toThrow(`GET ${message}`);
  expect(() => get.key(params as never)).toThrow(`GET ${message}`);
  await expect(remove(params as never)).rejects.toMatchObject({ name: 'MissingParamError', message: `DELETE ${message}`, status: 400 });
});

test('optional tokens may be missing; zero and false are values; an empty wildcard is none', () => {
  const optional = new RestEndpoint({ path: '/a/:b?' });
  expect((optional.url).call(optional, {})).toBe('/a');
  const one = new RestEndpoint({ path: '/a/:b' });
  expect(one.url({ b: 0 })).toBe('/a/0');
  const wild = new RestEndpoint({ path: '/a/*rest' });
  for (const rest of ['', [], ['a', ''], undefined, '../../admin', ['..', 'admin'], 'a//b', '/abs']) expect(() => wild.url({ rest } as never)).toThrow('needs a value for `rest`');
});
