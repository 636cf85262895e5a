import { schema } from '@data-client/rest';
import { beforeEach, expect, test, vi } from 'vitest';
import { Collection, Entity, resource } from '../../src/index.js';
import { NotAListError } from '../../src/errors.js';
import { describeError } from '../../src/widgets/labels/englishLabels.js';
import { json } from '../session/support/answers.js';
import { mockServer } from '../session/support/mockServer.js';
import { errorOf } from '../session/support/promises.js';

const API = 'https://api.example.com';

class Article extends Entity {
  id = '';
  title = '';
}
const options = { urlPrefix: API, schema: Article, paginationField: 'page' } as const;
const rows = [{ id: '1', title: 'On slashes' }];

/** Django's `APPEND_SLASH`: a path without a slash at the end is redirected to the one with it. */
const withSlashes = (answer: () => Response) =>
  mockServer({
    '*': ({ path }) => {
      const { pathname } = new URL(path, API);
      return pathname.endsWith('/')
        ? answer()
        : new Response(null, { status: 301, headers: { location: `${pathname}/` } });
    },
  });

let errors: unknown[];
beforeEach(() => {
  errors = [];
  const spy = vi.spyOn(console, 'error').mockImplementation((...parts: unknown[]) => void errors.push(...parts));
  return () => spy.mockRestore();
});

test('a path that ends in a slash keeps it everywhere, so nothing is redirected', async () => {
  const Articles = resource({ ...options, path: '/api/articles/:id/', rows: 'results' });
  let answer: unknown = { results: rows, next: null };
  const server = withSlashes(() => json(answer));
  await Articles.getList();
  await Articles.getList.getPage({ page: 2 });
  answer = rows[0];
  await Articles.get({ id: '1' });
  await Articles.getList.push({ title: 'On slashes' });
  await Articles.getList.unshift({ title: 'On slashes' });
  await Articles.partialUpdate({ id: '1' }, { title: 'On paths' });
  await Articles.delete({ id: '1' });
  expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/articles/',
    'GET /api/articles/?page=2',
    'GET /api/articles/1/',
    'POST /api/articles/',
    'POST /api/articles/',
    'PATCH /api/articles/1/',
    'DELETE /api/articles/1/',
  ]);
});

test('`rows` names the field of the rows, also in an object; the other fields stay', async () => {
  const answer = { data: { items: rows, total: 1 }, ok: true };
  mockServer({ '/articles': () => json(answer) });
  const { getList } = resource({ ...options, path: '/articles/:id', rows: 'data.items' });
  expect(getList.schema).toEqual({ data: { items: expect.any(Collection) as unknown } });
  expect(await getList()).toEqual(answer);
});

test('a row that is created is the whole answer, and not in the field', async () => {
  mockServer({ '/articles': () => json(rows[0]) });
  const { getList } = resource({ ...options, path: '/articles/:id', rows: 'results' });
  expect(await getList.push({ title: 'On slashes' })).toEqual(rows[0]);
  expect(errors).toEqual([]);
});

test.each<[string, object, unknown, string]>([
  [
    'an object in place of the list',
    {},
    { count: 1, next: null, results: rows },
    "GET /articles expected a list, but the server answered an object with count, next, results. Name the field that holds the rows: resource({ …, rows: 'results' }).",
  ],
  [
    'the rows two levels deep',
    {},
    { ok: true, data: { items: rows } },
    "GET /articles expected a list, but the server answered an object with ok, data. Name the field that holds the rows: resource({ …, rows: 'data.items' }).",
  ],
  [
    'another field than the named one',
    { rows: 'results' },
    { data: rows },
    "GET /articles expected a list in `results`, but the server answered an object with data. Name the field that holds the rows: resource({ …, rows: 'data' }).",
  ],
  [
    'a bare list where a field was named',
    { rows: 'items' },
    rows,
    'GET /articles expected a list in `items`, but the server answered a bare list. Leave out `rows`, or let the server answer `{ items: […] }`.',
  ],
])('%s is an error that names the remedy, once in the console', async (_, more, answer, message) => {
  mockServer({ '/articles': () => json(answer) });
  const { getList } = resource({ ...options, path: '/articles/:id', ...more }) as { getList: () => Promise<unknown> };
  const error = await errorOf(getList());
  await errorOf(getList());
  expect(error).toBeInstanceOf(NotAListError);
  expect(error).toMatchObject({ message, status: 502 });
  expect(errors).toEqual([error]);
  expect(describeError(error)).toBe('The server sent something that this page cannot show.');
});

test('the error names some fields only: the rows may be a map, whose names are data', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `user-${index}@a-long-name.example.com`);
  mockServer({ 'GET /articles': () => json(Object.fromEntries(names.map(name => [name, rows[0]]))) });
  const { message } = await errorOf(resource({ ...options, path: '/articles/:id' }).getList());
  expect(message).toContain('an object with user-0@a-long-name.examp…, user-1@');
  expect(message).toContain('user-9@a-long-name.examp… and 990 more.');
});

test.each([() => json(null), () => new Response(null, { status: 204 })])(
  'a response that is null, or none, is an empty list',
  async answer => {
    mockServer({ '/articles': answer });
    const { getList } = resource({ ...options, path: '/articles/:id' });
    expect(await getList()).toEqual([]);
    expect(await getList.getPage({ page: 2 })).toEqual([]);
    const nested = resource({ ...options, path: '/articles/:id', rows: 'data.items' });
    expect(await nested.getList()).toEqual({ data: { items: [] } });
    expect(errors).toEqual([]);
  },
);

test('null in a field is an empty list, and a schema of the app’s own is checked as it says', async () => {
  mockServer({ '/articles': () => json({ items: null }) });
  const base = resource({ ...options, path: '/articles/:id' });
  const nested = base.extend('getList', { schema: { items: new Collection([Article]) } });
  expect(await nested.getList()).toEqual({ items: null });
  const processed = base.extend('getList', { process: (value: { items: unknown }) => value.items ?? [] });
  expect(await processed.getList()).toEqual([]);
  expect(errors).toEqual([]);
});

test('`schema.Object` is an object with fields, and a Collection may be a map', async () => {
  const answers: Record<string, unknown> = { '/articles': { results: rows, total: 1 }, '/by-author': { ada: rows[0] } };
  mockServer({ '*': ({ path }) => json(answers[path]) });
  const base = resource({ ...options, path: '/articles/:id' });
  const results = new schema.Object({ results: new Collection([Article]) });
  expect(await base.extend('getList', { schema: results }).getList()).toEqual(answers['/articles']);
  const byAuthor = new Collection(new schema.Values(Article));
  expect(await base.extend('getList', { path: '/by-author', schema: byAuthor }).getList()).toEqual(
    answers['/by-author'],
  );
  expect(errors).toEqual([]);
});

test('lists of one Entity are one list, as in data-client; a subclass has lists of its own', () => {
  class OwnArticle extends Article {}
  const keyAt = (path: string, schema: typeof Article) => resource({ ...options, path, schema }).getList.schema.key;
  const all = keyAt('/article/:id', Article);
  expect(keyAt('/me/article/:id', Article)).toBe(all);
  expect(keyAt('/me/article/:id', OwnArticle)).not.toBe(all);
});
