import { Collection, Entity } from '../../src/index.js';
import { describe, expect, test } from 'vitest';
import { isFirstPage } from '../../src/widgets/list/ResourceList.js';
import { SERVERS } from './pageServers.js';

class Row extends Entity {
  id = '';
}
const schemaAt = (path: readonly string[]) =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), new Collection([Row]));

/** These servers say nothing, or a total only, which may be older than the user's own deletions. */
const hasOnlyATotal = [
  '{ items, total } with a page number',
  '{ items, total, skip, limit }',
  'PocketBase, skipTotal',
  'Directus, with a filter',
  'Elasticsearch',
  'Contentful, by skip and limit',
];

describe.each(SERVERS)('$name', ({ name, path, answer }) => {
  const schema = schemaAt(path);
  test('the first page of several is known as such, unless its server sends only rows, or a total', () => {
    const isBare = path.length === 0;
    expect(isFirstPage(schema, {}, answer({})), name).toBe(!isBare && !hasOnlyATotal.includes(name));
  });
});

const firstOfTwo = { items: [{ id: '1' }], page: 1, pages: 2 };

test.each(['limit', '_limit', 'page[size]', 'pageSize', 'page_size', 'per_page', '$top'])(
  'a list that asks for a number of rows by %s is meant to be short',
  name => expect(isFirstPage(schemaAt(['items']), { [name]: 5 }, firstOfTwo)).toBe(false),
);

test.each(['topic', 'country', 'firstName', 'stop'])('%s asks for no number', name =>
  expect(isFirstPage(schemaAt(['items']), { [name]: 'x' }, firstOfTwo)).toBe(true),
);

test.each<[string, unknown]>([
  ['all rows', { items: [{ id: '1' }], total: 1, page: 1, pages: 1 }],
  ['no way to more rows', { items: [{ id: '1' }] }],
  ['a total from before the user’s own deletions', { items: [{ id: '1' }], total: 2 }],
])('%s are no first page', (_, body) => expect(isFirstPage(schemaAt(['items']), {}, body)).toBe(false));

test('a link that cannot be followed is a link', () =>
  expect(isFirstPage(schemaAt(['items']), {}, { items: [{ id: '1' }], next: '/article/page/2' })).toBe(true));
