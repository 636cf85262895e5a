import { useController, useSuspense } from '@data-client/react';
import { expectTypeOf, test } from 'vitest';
import { Entity, hookifyResource, resource, type HookResource, type Resource } from '../../src/index.js';
import type { ItemOf } from '../../src/entries/widgets.js';

class Article extends Entity {
  id = '';
  title = '';
  content = '';
}

const one = hookifyResource(resource({ path: '/article/:id', schema: Article, paginationField: 'cursor' }));
const two = hookifyResource(resource({ path: '/:group/:id', schema: Article, paginationField: 'page' }));
const wild = hookifyResource(resource({ path: '/:owner/*file', schema: Article, paginationField: 'page' }));

test('a read needs one value for each token of the path, by its name', () => {
  expectTypeOf(useSuspense(one.useGet(), { id: '5' })).toEqualTypeOf<Article>();
  expectTypeOf(useSuspense(one.useGet(), { id: 5 })).toEqualTypeOf<Article>();
  // @ts-expect-error The param is missing.
  useSuspense(one.useGet(), {});
  // @ts-expect-error The params are missing.
  useSuspense(one.useGet());
  // @ts-expect-error The param is misspelt.
  useSuspense(one.useGet(), { ids: '5' });
  // @ts-expect-error The value is neither text nor number.
  useSuspense(one.useGet(), { id: new Date() });
  // @ts-expect-error A value that may be missing is no value.
  useSuspense(one.useGet(), { id: undefined });
  // @ts-expect-error The first of two params is missing.
  useSuspense(two.useGet(), { id: '5' });
  // @ts-expect-error The second of two params is missing.
  useSuspense(two.useGet(), { group: 'engines' });
});

test('a read takes no param that its path does not name', () => {
  // @ts-expect-error No token is called so.
  void one.useGet()({ id: '5', lang: 'en' });
  // @ts-expect-error No token is called so.
  void two.useGet()({ group: 'engines', id: '5', lang: 'en' });
  // @ts-expect-error No token is called so.
  void wild.useGet()({ owner: 'ada', file: 'a', lang: 'en' });
  // @ts-expect-error No token is called so.
  void one.useDelete()({ id: '5', lang: 'en' });
  // @ts-expect-error No token is called so.
  one.useGet().url({ id: '5', lang: 'en' });
});

test('null in place of the params waits, and so there may be no record', () => {
  expectTypeOf(useSuspense(one.useGet(), null)).toEqualTypeOf<Article | undefined>();
});

test('a wildcard takes a text or a list of segments', () => {
  expectTypeOf(useSuspense(wild.useGet(), { owner: 'ada', file: 'notes/engine.md' })).toEqualTypeOf<Article>();
  expectTypeOf(useSuspense(wild.useGet(), { owner: 'ada', file: ['notes', 'engine.md'] })).toEqualTypeOf<Article>();
  useSuspense(wild.useGet(), { owner: 'ada', file: ['notes', 'engine.md'] as const });
  // @ts-expect-error The wildcard is missing.
  useSuspense(wild.useGet(), { owner: 'ada' });
  // @ts-expect-error The param before the wildcard is missing.
  useSuspense(wild.useGet(), { file: 'notes/engine.md' });
  // @ts-expect-error A segment is text or number.
  useSuspense(wild.useGet(), { owner: 'ada', file: [new Date()] });
  // @ts-expect-error The token is the wildcard's name, without the asterisk.
  useSuspense(wild.useGet(), { owner: 'ada', '*file': 'notes/engine.md' });
});

test('a list gives its records, and takes search params besides those of the shortened path', () => {
  expectTypeOf(useSuspense(one.useGetList())).toEqualTypeOf<Article[]>();
  expectTypeOf(useSuspense(one.useGetList(), { author: 'ada', limit: 5, draft: true })).toEqualTypeOf<Article[]>();
  expectTypeOf(useSuspense(two.useGetList(), { group: 'engines', author: 'ada' })).toEqualTypeOf<Article[]>();
  expectTypeOf(useSuspense(wild.useGetList(), { owner: 'ada' })).toEqualTypeOf<Article[]>();
  // @ts-expect-error The shortened path still names the group.
  useSuspense(two.useGetList(), { author: 'ada' });
  // @ts-expect-error The shortened path still names the group.
  useSuspense(two.useGetList());
  // @ts-expect-error The shortened path still names the owner.
  useSuspense(wild.useGetList(), {});
});

test('search params can be told by name, and then no others are taken', () => {
  const searched = resource({
    path: '/article/:id',
    schema: Article,
    searchParams: {} as { author?: string } | undefined,
  });
  void searched.getList({ author: 'ada' });
  void searched.getList();
  // @ts-expect-error The search param is misspelt.
  void searched.getList({ auhtor: 'ada' });
});

test('a page needs the pagination field, and the params of the shortened path', () => {
  const controller = useController();
  expectTypeOf(controller.fetch(one.useGetList().getPage, { cursor: 'abc' })).resolves.toEqualTypeOf<Article[]>();
  void controller.fetch(one.useGetList().getPage, { cursor: 5, author: 'ada' });
  void controller.fetch(two.useGetList().getPage, { group: 'engines', page: 2 });
  void controller.fetch(wild.useGetList().getPage, { owner: 'ada', page: 2 });
  // @ts-expect-error The pagination field is missing.
  void controller.fetch(one.useGetList().getPage, { author: 'ada' });
  // @ts-expect-error The pagination field is missing.
  void controller.fetch(one.useGetList().getPage, {});
  // @ts-expect-error The param of the shortened path is missing.
  void controller.fetch(two.useGetList().getPage, { page: 2 });
  // @ts-expect-error The pagination field is missing beside the path's own.
  void controller.fetch(wild.useGetList().getPage, { owner: 'ada' });
});

test('without a pagination field there is no getPage', () => {
  const unpaged = resource({ path: '/article/:id', schema: Article });
  expectTypeOf(unpaged.getList.getPage).toBeUndefined();
});

test('writes take params, then a body of the record’s fields', () => {
  const controller = useController();
  expectTypeOf(
    controller.fetch(one.useUpdate(), { id: '5' }, { title: 'On knocking' }),
  ).resolves.toEqualTypeOf<Article>();
  expectTypeOf(
    controller.fetch(one.usePartialUpdate(), { id: '5' }, { title: 'On knocking' }),
  ).resolves.toEqualTypeOf<Article>();
  void controller.fetch(one.useUpdate(), { id: '5' }, new FormData());
  void controller.fetch(wild.usePartialUpdate(), { owner: 'ada', file: ['a', 'b'] }, { title: 'On knocking' });
  // @ts-expect-error The body is missing.
  void controller.fetch(one.useUpdate(), { id: '5' });
  // @ts-expect-error The params are missing.
  void controller.fetch(one.usePartialUpdate(), { title: 'On knocking' });
  // @ts-expect-error The field is misspelt.
  void controller.fetch(one.useUpdate(), { id: '5' }, { tilte: 'On knocking' });
  // @ts-expect-error The field is of another type.
  void controller.fetch(one.usePartialUpdate(), { id: '5' }, { title: 5 });
  // @ts-expect-error The field of a record found by a wildcard is of another type.
  void controller.fetch(wild.usePartialUpdate(), { owner: 'ada', file: 'a' }, { title: 5 });
});

test('the body type of a resource can be told', () => {
  const commented = resource({
    path: '/comment/:id',
    schema: Article,
    body: {} as { text: string; anonymous: boolean },
  });
  void commented.update({ id: '5' }, { text: 'Well said', anonymous: false });
  void commented.partialUpdate({ id: '5' }, { text: 'Well said' });
  void commented.getList.push({ text: 'Well said', anonymous: true });
  // @ts-expect-error An update needs the whole body.
  void commented.update({ id: '5' }, { text: 'Well said' });
  // @ts-expect-error The record has this field, the body has not.
  void commented.getList.push({ title: 'Well said' });
});

test('push and unshift take params where the shortened path has some, then one record’s fields or several’s', () => {
  const controller = useController();
  void controller.fetch(one.useGetList().push, { title: 'On writing' });
  void controller.fetch(one.useGetList().push, { author: 'ada' }, { title: 'On writing' });
  void controller.fetch(one.useGetList().push, [{ title: 'On writing' }, { title: 'On reading' }]);
  void controller.fetch(two.useGetList().unshift, { group: 'engines' }, { title: 'On writing' });
  void controller.fetch(wild.useGetList().push, { owner: 'ada' }, { title: 'On writing' });
  // @ts-expect-error The body is missing.
  void controller.fetch(two.useGetList().push, { group: 'engines' });
  // @ts-expect-error The param of the shortened path is missing.
  void controller.fetch(two.useGetList().unshift, {}, { title: 'On writing' });
  // @ts-expect-error The field is of another type.
  void controller.fetch(two.useGetList().push, { group: 'engines' }, { title: 5 });
});

test('a deletion takes params and no body', () => {
  const controller = useController();
  void controller.fetch(one.useDelete(), { id: '5' });
  void controller.fetch(wild.useDelete(), { owner: 'ada', file: 'a/b' });
  expectTypeOf(one.useDelete()({ id: '5' })).resolves.toEqualTypeOf<Partial<{ id: string | number }>>();
  // @ts-expect-error The params are missing.
  void controller.fetch(one.useDelete());
  // @ts-expect-error A deletion has no body.
  void controller.fetch(one.useDelete(), { id: '5' }, { title: 'On knocking' });
});

test('the hooks are those of the endpoints, and no others', () => {
  expectTypeOf<keyof typeof one>().toEqualTypeOf<
    'useGet' | 'useGetList' | 'useCreate' | 'useUpdate' | 'usePartialUpdate' | 'useDelete'
  >();
  expectTypeOf(wild).toHaveProperty('useDelete');
  expectTypeOf<keyof typeof wild>().toEqualTypeOf<keyof typeof one>();
  // @ts-expect-error `extend` is no endpoint.
  void one.useExtend;
  // @ts-expect-error A hook takes no arguments.
  one.useGet({ id: '5' });
});

test('an endpoint that the resource was extended with has its hook', () => {
  const base = resource({ path: '/article/:id', schema: Article });
  // In a constant of its own: where `extend` is an argument of a call, data-client's types see the path as any string.
  const published = base.extend('publish', { path: '/article/:id/publish', method: 'POST', body: undefined });
  const extended = hookifyResource(published);
  expectTypeOf<keyof typeof extended>().toEqualTypeOf<keyof HookResource<typeof base> | 'usePublish'>();
  void extended.usePublish()({ id: '5' });
  // @ts-expect-error The param is missing.
  void extended.usePublish()();
  const searchable = hookifyResource(
    base.extend(({ getList }) => ({ search: getList.extend({ path: '/search', searchParams: {} as { q: string } }) })),
  );
  expectTypeOf(useSuspense(searchable.useSearch(), { q: 'engine' })).toEqualTypeOf<Article[]>();
  // @ts-expect-error The search param is missing.
  useSuspense(searchable.useSearch(), {});
});

test('useInit returns request settings, with headers in any form', () => {
  const base = resource({ path: '/article/:id', schema: Article });
  hookifyResource(base, () => ({ headers: { 'Access-Token': 'ada-1' }, credentials: 'same-origin' }));
  hookifyResource(base, () => ({ headers: new Headers() }));
  hookifyResource(base, () => ({ headers: [['Access-Token', 'ada-1']] }));
  // @ts-expect-error No such mode.
  hookifyResource(base, () => ({ credentials: 'sometimes' }));
  // @ts-expect-error Settings are needed at render, and a promise has none yet.
  hookifyResource(base, async () => ({ headers: {} }));
});

test('a resource fits the type that its variable declares', () => {
  const articles: Resource<{ path: '/article/:id'; schema: typeof Article }> = resource({
    path: '/article/:id',
    schema: Article,
  });
  expectTypeOf(useSuspense(articles.get, { id: '5' })).toEqualTypeOf<Article>();
});

test('options are checked where they are written', () => {
  // @ts-expect-error A resource needs a path.
  resource({ schema: Article });
  // @ts-expect-error A resource needs a schema.
  resource({ path: '/article/:id' });
  // @ts-expect-error The prefix is a text.
  resource({ path: '/article/:id', schema: Article, urlPrefix: 5 });
  // @ts-expect-error Public or not.
  resource({ path: '/article/:id', schema: Article, public: 'yes' });
});

test('`rows` names the field of the list, and the widgets’ rows stay records', () => {
  const options = { path: '/article/:id/', schema: Article, paginationField: 'page' } as const;
  const paged = hookifyResource(resource({ ...options, rows: 'results' }));
  expectTypeOf(useSuspense(paged.useGetList()).results).toEqualTypeOf<Article[]>();
  const nested = hookifyResource(resource({ ...options, rows: 'data.items' }));
  expectTypeOf(useSuspense(nested.useGetList()).data.items).toEqualTypeOf<Article[]>();
  expectTypeOf<ItemOf<typeof nested>>().toEqualTypeOf<Article>();
  expectTypeOf(useSuspense(nested.useGet(), { id: '5' })).toEqualTypeOf<Article>();
  // @ts-expect-error The rows are in a field.
  useSuspense(paged.useGetList()).map(String);
  // @ts-expect-error A field has a name.
  resource({ ...options, rows: 5 });
});

test('`Resource` without types is one with any schema, and with a path that is known as a text only', async () => {
  const articles: Resource = resource({ path: '/article/:id' as string, schema: Article });
  expectTypeOf(await articles.get({ id: 1 })).toBeAny();
});
