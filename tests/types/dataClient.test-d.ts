// What is typed by data-client has the same types below the kit. The overrides are written as in data-client's docs.
/* eslint-disable @typescript-eslint/no-explicit-any */
import { useCache, useController, useDLE, useLive, useSuspense } from '@data-client/react';
import {
  createResource,
  Query,
  RestEndpoint as StockEndpoint,
  schema,
  type Entity as StockEntity,
} from '@data-client/rest';
import { expectTypeOf, test } from 'vitest';
import type { Managers } from '../../src/entries/managers.js';
import {
  Entity,
  hookifyResource,
  resource,
  RestEndpoint,
  useEndpoint,
  type TokenAuthProviderProps,
} from '../../src/index.js';

class Article extends Entity {
  id = '';
  title = '';
  author?: string;
}

const options = {
  path: '/:group/article/:id',
  schema: Article,
  paginationField: 'cursor',
  searchParams: {} as { q?: string } | undefined,
  body: {} as { title: string },
} as const;
const kit = resource(options);
const stock = createResource(options);
const hooks = hookifyResource(kit);

interface Times {
  date: number;
  fetchedAt: number;
}

test('the endpoints of a hookified resource are those of data-client', () => {
  expectTypeOf(hooks.useGet()).toEqualTypeOf(stock.get);
  expectTypeOf(hooks.useGetList()).toEqualTypeOf(stock.getList);
  expectTypeOf(hooks.useGetList().push).toEqualTypeOf(stock.getList.push);
  expectTypeOf(hooks.useGetList().getPage).toEqualTypeOf(stock.getList.getPage);
  expectTypeOf(hooks.useUpdate()).toEqualTypeOf(stock.update);
  expectTypeOf(hooks.usePartialUpdate()).toEqualTypeOf(stock.partialUpdate);
  expectTypeOf(hooks.useDelete()).toEqualTypeOf(stock.delete);
});

test('so are those that `extend` and `paginated` derive', () => {
  const draft = { path: '/draft/:draft', method: 'POST', body: undefined } as const;
  expectTypeOf(kit.get.extend(draft)).toEqualTypeOf(stock.get.extend(draft));
  expectTypeOf(kit.getList.paginated('q')).toEqualTypeOf(stock.getList.paginated('q'));
  expectTypeOf(kit.extend('draft', draft).draft).toEqualTypeOf(stock.extend('draft', draft).draft);
  const process = (value: unknown, args: { group: string | number; id: string | number }) => ({ value, args });
  expectTypeOf(kit.get.extend({ process, schema: undefined })).toEqualTypeOf(
    stock.get.extend({ process, schema: undefined }),
  );
});

test('an endpoint takes the same arguments, and gives the same result', () => {
  const change = { path: '/a/:id', schema: Article, method: 'POST', body: {} as { title: string } } as const;
  const own = expectTypeOf(new RestEndpoint(change));
  const theirs = new StockEndpoint(change);
  own.parameters.toEqualTypeOf<Parameters<typeof theirs>>();
  own.returns.toEqualTypeOf(theirs({ id: 1 }, { title: '' }));
  const all = new RestEndpoint({ path: '/a', schema: new schema.All(Article), searchParams: {} as { q: string } });
  expectTypeOf(useSuspense(useEndpoint(all), { q: 'a' })).toEqualTypeOf<Article[]>();
});

test('hooks, queries and the controller infer the same', () => {
  const params = { group: 'a', id: 1 };
  expectTypeOf(useDLE(hooks.useGet(), params)).toEqualTypeOf(useDLE(stock.get, params));
  expectTypeOf(useLive(hooks.useGet(), params)).toEqualTypeOf<Article>();
  const titles = new Query(kit.getList.schema, (articles, { group }) => articles.map(({ title }) => title + group));
  expectTypeOf(useCache(titles, { group: 'a' })).toEqualTypeOf<string[] | undefined>();
  const controller = useController();
  expectTypeOf(controller.fetch(hooks.useGetList().push, { group: 'a' }, { title: '' })).toEqualTypeOf(
    controller.fetch(stock.getList.push, { group: 'a' }, { title: '' }),
  );
});

test('an override of an Entity calls `super` as in data-client, with the types of its docs', () => {
  class _Counted extends Entity {
    id = '';
    static override mergeWithStore(existingMeta: Times, incomingMeta: Times, existing: any, incoming: any) {
      return { ...super.mergeWithStore(existingMeta, incomingMeta, existing, incoming), merged: true };
    }
  }
  expectTypeOf<ReturnType<Entity['pk']>>().toEqualTypeOf<ReturnType<StockEntity['pk']>>();
});

test('a provider takes managers, and no state of a store', () => {
  expectTypeOf<TokenAuthProviderProps['managers']>().toEqualTypeOf<Managers | undefined>();
  expectTypeOf<TokenAuthProviderProps>().not.toHaveProperty('initialState');
});
