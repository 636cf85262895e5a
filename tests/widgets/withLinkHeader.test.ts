import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Entity, resource } from '../../src/index.js';
import { withLinkHeader } from '../../src/entries/widgets.js';

class Article extends Entity {
  id = '';
}

const url = 'https://api.example.com';
const { getList } = withLinkHeader(resource({ urlPrefix: url, path: '/article/:id', schema: Article }));

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const read = (headers: Record<string, string>) => {
  server.use(http.get(`${url}/article`, () => HttpResponse.json([{ id: '1' }], { headers })));
  return getList();
};
const rows = [{ id: '1' }];

test('the links to the next and to the last page, in any order and among others', async () => {
  const link = `<${url}/article?page=1>; rel="prev", <${url}/article?page=9>; title="a <b>"; rel="last", <${url}/article?page=3>; rel=next`;
  expect(await read({ Link: link })).toEqual({
    results: rows,
    next: `${url}/article?page=3`,
    last: `${url}/article?page=9`,
  });
});

test('without the header there is no other page', async () => {
  expect(await read({})).toEqual({ results: rows, next: '', last: '' });
});

test('a header of 60 KB that is no list of links is read as fast as a link of this length', async () => {
  const timeOf = async (Link: string) => {
    const startedAt = performance.now();
    const response = new Response('[]', { headers: { Link, 'Content-Type': 'application/json' } });
    expect(await getList.parseResponse(response)).toMatchObject({ next: '' });
    return performance.now() - startedAt;
  };
  const link = `<${'x'.repeat(60_000)}>; rel="other"`;
  await timeOf(link);
  expect((await timeOf('<'.repeat(60_000))) / (await timeOf(link))).toBeLessThan(100);
});

test.each([
  ['X-Total-Count', 'Gitea, json-server'],
  ['Total-Count', 'pagy'],
  ['X-Total', 'GitLab'],
  ['X-WP-Total', 'WordPress'],
  ['Total', 'api-pagination'],
])('the number of all rows in %s (%s)', async header => {
  expect(await read({ [header]: '250' })).toMatchObject({ total: 250 });
  expect(await read({ [header]: '0' })).toMatchObject({ total: 0 });
});

test.each(['', 'many', '-1', '2.5'])('a header that holds no number tells no total: %j', async text => {
  expect(await read({ 'X-Total-Count': text })).not.toHaveProperty('total');
});
