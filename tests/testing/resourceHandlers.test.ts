import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { Entity, resource } from '../../src/index.js';
import {
  resourceHandlers,
  tokenAuthHandlers,
  type MockResourceSource,
  type ResourceHandlersOptions,
} from '../../src/testing/index.js';
import { people } from './people.js';
import { send } from './send.js';

interface Article {
  id: string;
  title: string;
  author?: string;
}

const url = 'https://api.example.com';
const msw = setupServer();
const auth = tokenAuthHandlers({ url, people });
const source = (path: string, list: string): MockResourceSource => ({
  get: { path, urlPrefix: url },
  getList: { path: list, urlPrefix: url },
});
const article = source('/article/:id', '/article');
const three: Article[] = [
  { id: '1', title: 'One', author: 'ada' },
  { id: '2', title: 'Two', author: 'grace' },
  { id: '3', title: 'Three', author: 'ada' },
];

beforeAll(() => msw.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  auth.reset();
  msw.resetHandlers();
});
afterAll(() => msw.close());

function start<Row extends object>(rows: Row[], options: ResourceHandlersOptions<Row> = {}, resource = article) {
  const server = resourceHandlers(resource, rows, options);
  msw.use(...server.handlers);
  return server;
}
const call = (method: string, path: string, body?: unknown, personId?: string) =>
  send(method, `${url}${path}`, {
    body,
    headers: personId ? { 'Access-Token': auth.signIn(personId).accessToken } : {},
  });
const ids = (answer: { body: unknown }) => (answer.body as Article[]).map(({ id }) => id);
const pages = (style: 'page' | 'cursor' | 'next-link' | 'link-header', rest = {}) =>
  start(three, { pagination: { style, size: 2, ...rest } });

describe('rows in a field, as the resource has it', () => {
  class Row extends Entity {
    id = '';
    title = '';
  }
  const withRows = <Rows extends string>(rows: Rows) =>
    resource({ urlPrefix: url, path: '/article/:id', schema: Row, paginationField: 'page', rows });

  test('a whole list, and pages that are bare arrays otherwise', async () => {
    start(three, {}, withRows('results'));
    expect((await call('GET', '/article')).body).toEqual({ results: three });
    start(three, { pagination: { style: 'page', size: 2 } }, withRows('data.items'));
    expect((await call('GET', '/article?page=2')).body).toEqual({ data: { items: [three[2]] } });
    start(three, { pagination: { style: 'link-header', size: 2 } }, withRows('results'));
    const page = await call('GET', '/article');
    expect(page.body).toEqual({ results: three.slice(0, 2) });
    expect(page.headers.get('Link')).toContain('rel="next"');
  });

  test('pages with facts beside the rows', async () => {
    start(three, { pagination: { style: 'next-link', size: 2 } }, withRows('data.items'));
    const next = `${url}/article?page=2`;
    const first = { count: 3, next, previous: null, data: { items: three.slice(0, 2) } };
    expect((await call('GET', '/article')).body).toEqual(first);
    start(three, { pagination: { style: 'cursor', size: 2 } }, withRows('items'));
    expect((await call('GET', '/article')).body).toEqual({ cursor: '2', items: three.slice(0, 2) });
  });

  test('the endpoints of the resource read what the mock answers', async () => {
    const articles = withRows('results');
    start(three, {}, articles);
    expect(await articles.getList()).toMatchObject({ results: [{ id: '1' }, { id: '2' }, { id: '3' }] });
    expect(await articles.getList.push({ title: 'Four' })).toMatchObject({ title: 'Four' });
  });
});

describe('the five methods', () => {
  test('read', async () => {
    start(three);
    expect(ids(await call('GET', '/article'))).toEqual(['1', '2', '3']);
    expect(await call('GET', '/article/2')).toMatchObject({ status: 200, body: three[1] });
    expect(await call('GET', '/article/9')).toMatchObject({ status: 404, body: { message: 'Not found.' } });
  });

  test('create gives a new id, never the one that was sent nor one that was used', async () => {
    const server = start(three);
    expect(await call('POST', '/article', { id: 'x', title: 'Four' })).toMatchObject({
      status: 201,
      body: { id: '4', title: 'Four' },
    });
    await call('DELETE', '/article/4');
    expect((await call('POST', '/article', { title: 'Five' })).body.id).toBe('5');
    expect(server.rows().map(({ id }) => id)).toEqual(['1', '2', '3', '5']);
  });

  test('create takes an array, all of it or nothing', async () => {
    const server = start(three, { validate: ({ title }) => (title ? undefined : { title: ['A title is needed.'] }) });
    expect((await call('POST', '/article', [{ title: 'Four' }, {}])).status).toBe(422);
    expect(server.rows()).toHaveLength(3);
    expect(ids(await call('POST', '/article', [{ title: 'Four' }, { title: 'Five' }]))).toEqual(['4', '5']);
  });

  test('ids are numbers where the rows have numbers', async () => {
    start([{ id: 7, title: 'Seven' }]);
    expect((await call('POST', '/article', {})).body.id).toBe(8);
    expect((await call('PATCH', '/article/7', { title: 'x' })).body).toEqual({ id: 7, title: 'x' });
  });

  test('PUT replaces, PATCH merges, and neither changes the id', async () => {
    start(three);
    expect((await call('PATCH', '/article/1', { id: '9', title: 'New' })).body).toEqual({
      id: '1',
      title: 'New',
      author: 'ada',
    });
    expect((await call('PUT', '/article/1', { id: '9', title: 'Newer' })).body).toEqual({ id: '1', title: 'Newer' });
    expect((await call('GET', '/article/1')).body).toEqual({ id: '1', title: 'Newer' });
    expect((await call('PATCH', '/article/9', {})).status).toBe(404);
  });

  test('delete answers nothing, or the id', async () => {
    const server = start(three);
    expect(await call('DELETE', '/article/1')).toMatchObject({ status: 204, body: undefined });
    expect((await call('DELETE', '/article/1')).status).toBe(404);
    expect(server.rows()).toHaveLength(2);
    start(three, { deleteAnswers: 'id' });
    expect(await call('DELETE', '/article/1')).toMatchObject({ status: 200, body: { id: '1' } });
  });

  test('what cannot be saved is refused with its errors', async () => {
    start(three, { validate: ({ title }) => (title ? undefined : { title: ['A title is needed.'] }) });
    const refused = { status: 422, body: { errors: { title: ['A title is needed.'] } } };
    expect(await call('POST', '/article', {})).toMatchObject(refused);
    expect(await call('PUT', '/article/1', {})).toMatchObject(refused);
    expect(await call('PATCH', '/article/1', { title: '' })).toMatchObject(refused);
    expect((await call('PATCH', '/article/1', { author: 'ada' })).status).toBe(200);
    for (const body of ['no json', '3']) expect((await call('POST', '/article', body)).status).toBe(400);
  });
});

test('multipart/form-data is saved as text, with the names of files', async () => {
  const server = start(three);
  const post = async (...entries: [string, string | File][]) => {
    const form = new FormData();
    for (const [name, value] of entries) form.append(name, value);
    return (await fetch(`${url}/article`, { method: 'POST', body: form })).status;
  };
  const file = new File(['x'], 'x.png');
  expect(await post(['title', 'Four'], ['cover', file], ['photos', file], ['photos', file])).toBe(201);
  expect(server.rows().at(-1)).toEqual({ id: '4', title: 'Four', cover: 'x.png', photos: ['x.png', 'x.png'] });
  const broken = { method: 'POST', body: 'x', headers: { 'content-type': 'multipart/form-data; boundary=y' } };
  expect((await fetch(`${url}/article`, broken)).status).toBe(400);
});

describe('finding rows', () => {
  test('search parameters filter by fields, and others are ignored', async () => {
    start(three);
    expect(ids(await call('GET', '/article?author=ada'))).toEqual(['1', '3']);
    expect(ids(await call('GET', '/article?author=ada&title=Three'))).toEqual(['3']);
    expect(ids(await call('GET', '/article?id=1&id=2'))).toEqual(['1', '2']);
    expect(ids(await call('GET', '/article?author=eve'))).toEqual([]);
    expect(ids(await call('GET', '/article?color=red&limit=2'))).toEqual(['1', '2']);
  });

  test('a path may have two tokens', async () => {
    start(
      [
        { id: '1', owner: 'ada' },
        { id: '2', owner: 'grace' },
      ],
      {},
      source('/:owner/:id', '/:owner'),
    );
    expect(ids(await call('GET', '/ada'))).toEqual(['1']);
    expect((await call('GET', '/ada/1')).status).toBe(200);
    expect((await call('GET', '/ada/2')).status).toBe(404);
    expect((await call('POST', '/grace', {})).body).toEqual({ owner: 'grace', id: '3' });
  });

  test('a path may end in a wildcard', async () => {
    start(
      [
        { path: 'a', owner: 'ada' },
        { path: 'a/b', owner: 'ada' },
      ],
      {},
      source('/:owner/*path', '/:owner'),
    );
    expect((await call('GET', '/ada/a/b')).body).toEqual({ path: 'a/b', owner: 'ada' });
    expect((await call('GET', '/ada')).body).toHaveLength(2);
    expect((await call('GET', '/ada/c')).status).toBe(404);
  });

  test('a list may be the root', async () => {
    start(three, {}, source('/:id', '/'));
    expect(ids(await call('GET', '/'))).toHaveLength(3);
    expect((await call('GET', '/2')).body.title).toBe('Two');
  });

  test('rows are found by the field that the path names, also where none has it', async () => {
    start([{ name: 'x' }], {}, source('/tag/:slug', '/tag'));
    expect((await call('GET', '/tag/x')).status).toBe(404);
  });
});

describe('pagination', () => {
  test('by page', async () => {
    pages('page');
    expect(ids(await call('GET', '/article'))).toEqual(['1', '2']);
    expect(ids(await call('GET', '/article?page=2'))).toEqual(['3']);
    expect(ids(await call('GET', '/article?page=3'))).toEqual([]);
    expect(ids(await call('GET', '/article?page=2&limit=1'))).toEqual(['2']);
  });

  test('by cursor, with filters', async () => {
    pages('cursor');
    expect((await call('GET', '/article')).body).toEqual({ results: [three[0], three[1]], cursor: '2' });
    expect((await call('GET', '/article?cursor=2')).body).toEqual({ results: [three[2]], cursor: null });
    expect((await call('GET', '/article?author=ada')).body.cursor).toBeNull();
    expect((await call('GET', '/article?cursor=9')).status).toBe(404);
  });

  test('by next link, absolute and with the other parameters', async () => {
    pages('next-link');
    expect((await call('GET', '/article?color=red')).body).toEqual({
      count: 3,
      next: `${url}/article?color=red&page=2`,
      previous: null,
      results: [three[0], three[1]],
    });
    expect((await call('GET', '/article?page=2')).body).toMatchObject({
      next: null,
      previous: `${url}/article?page=1`,
    });
    expect(await call('GET', '/article?page=3')).toMatchObject({ status: 404, body: { detail: 'Invalid page.' } });
    expect((await call('GET', '/article?page=x')).status).toBe(404);
  });

  test('by link header', async () => {
    pages('link-header');
    const first = await call('GET', '/article');
    expect(ids(first)).toEqual(['1', '2']);
    expect(first.headers.get('Link')).toBe(`<${url}/article?page=2>; rel="next", <${url}/article?page=2>; rel="last"`);
    const last = await call('GET', '/article?page=2');
    expect(last.headers.get('Link')).toBe(`<${url}/article?page=1>; rel="prev", <${url}/article?page=1>; rel="first"`);
    expect(last.headers.has('X-Total-Count')).toBe(false);
  });

  test('with the number of all rows in a header', async () => {
    pages('link-header', { totalHeader: 'X-Total-Count' });
    expect((await call('GET', '/article?page=2')).headers.get('X-Total-Count')).toBe('3');
  });

  test('with another parameter, and links to another origin', async () => {
    pages('next-link', { param: 'p', linkOrigin: 'https://evil.test' });
    expect((await call('GET', '/article')).body.next).toBe('https://evil.test/article?p=2');
    expect((await call('GET', '/article?p=2')).body.results).toEqual([three[2]]);
  });
});

describe('authorization', () => {
  const options = { auth, owner: (row: Article) => row.author };

  test('every method answers 401 without a credential, before anything else', async () => {
    const server = start(three, options);
    for (const [method, path] of [
      ['GET', '/article'],
      ['POST', '/article'],
      ['GET', '/article/9'],
      ['PUT', '/article/1'],
      ['PATCH', '/article/1'],
      ['DELETE', '/article/1'],
    ] as const) {
      expect((await call(method, path, method === 'GET' ? undefined : {})).status).toBe(401);
    }
    expect(server.rows()).toEqual(three);
    expect(auth.counts.unauthorized).toBe(6);
  });

  test('one row is 403 for the wrong person, and stays as it is', async () => {
    const server = start(three, options);
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      expect((await call(method, '/article/1', method === 'GET' ? undefined : { title: 'x' }, 'grace')).status).toBe(
        403,
      );
    }
    expect(server.rows()).toEqual(three);
    expect((await call('GET', '/article/1', undefined, 'ada')).status).toBe(200);
    expect((await call('GET', '/article/9', undefined, 'ada')).status).toBe(404);
  });

  test("nobody makes a row somebody else's", async () => {
    start(three, options);
    expect((await call('POST', '/article', { author: 'grace' }, 'ada')).status).toBe(403);
    expect((await call('PATCH', '/article/1', { author: 'grace' }, 'ada')).status).toBe(403);
  });

  test("lists show all rows, or their reader's only", async () => {
    start(three, options);
    expect(ids(await call('GET', '/article', undefined, 'grace'))).toEqual(['1', '2', '3']);
    start(three, { ...options, private: true });
    expect(ids(await call('GET', '/article', undefined, 'grace'))).toEqual(['2']);
  });

  test('the server stamps new and replaced rows', async () => {
    start(three, { ...options, stamp: (row, personId) => ({ ...row, author: personId }) });
    expect((await call('POST', '/article', { title: 'x' }, 'grace')).body).toEqual({
      id: '4',
      title: 'x',
      author: 'grace',
    });
    expect((await call('PUT', '/article/1', { title: 'y' }, 'ada')).body).toEqual({
      id: '1',
      title: 'y',
      author: 'ada',
    });
  });
});

describe('controls', () => {
  test('hold checks on arrival and answers when released', async () => {
    const server = start(three, { auth });
    const release = server.hold();
    const before = call('GET', '/article/1', undefined, 'ada');
    await vi.waitFor(() => expect(server.held).toBe(1));
    auth.expire();
    release();
    expect((await before).status).toBe(200);
    expect((await call('GET', '/article/1', undefined, 'ada')).status).toBe(200);
  });

  test('failNext fails so many times, and saves nothing', async () => {
    const server = start(three);
    server.failNext(500);
    expect((await call('DELETE', '/article/1')).status).toBe(500);
    expect(server.rows()).toHaveLength(3);
    expect((await call('GET', '/article')).status).toBe(200);
    server.failNext('network', 2);
    await expect(call('GET', '/article')).rejects.toThrow();
    await expect(call('GET', '/article')).rejects.toThrow();
    expect((await call('GET', '/article')).status).toBe(200);
  });

  test('a delay may depend on the place of the request', async () => {
    const seen: number[] = [];
    start(three, { delay: (_, index) => (seen.push(index), index === 1 ? 30 : 0) });
    await call('GET', '/article');
    const before = performance.now();
    await call('GET', '/article');
    expect(performance.now() - before).toBeGreaterThanOrEqual(28);
    expect(seen).toEqual([0, 1]);
  });

  test('rows that change outside change nothing inside', () => {
    const rows = structuredClone(three);
    const server = start(rows);
    Object.assign(rows[0] ?? {}, { title: 'x' });
    expect(server.rows()).toEqual(three);
    server.reset();
    expect(server.rows()).toEqual(three);
  });

  test('reset brings the rows back, and the ones it was given never change', async () => {
    const rows = structuredClone(three);
    const server = start(rows);
    await call('PATCH', '/article/1', { title: 'x' });
    await call('DELETE', '/article/2');
    server.failNext(500, Infinity);
    expect(rows).toEqual(three);
    server.reset();
    expect(server.rows()).toEqual(three);
    expect((await call('GET', '/article')).status).toBe(200);
  });
});
