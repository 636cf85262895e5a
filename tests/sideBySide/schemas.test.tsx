// @vitest-environment jsdom
import { useCache, useSuspense } from '@data-client/react';
import { Query, schema } from '@data-client/rest';
import { articleServer } from './support/articleServer.js';
import { API, testSideBySide, type Library } from './support/sideBySide.js';

/** Entities of the library. */
function entitiesOf({ Entity }: Library) {
  class Item extends Entity {
    static override key = 'Item';
    id = '';
    title = '';
    type = '';
  }
  class Post extends Item {
    static override key = 'Post';
  }
  class Photo extends Item {
    static override key = 'Photo';
  }
  return { Item, union: new schema.Union({ post: Post, photo: Photo }, 'type') };
}

const rows = [
  { id: '1', title: 'On writing', type: 'post' },
  { id: '2', title: 'A harbour', type: 'photo' },
];
const byName = { first: rows[0], second: rows[1] };

type Entities = ReturnType<typeof entitiesOf>;
const lists: Record<string, [make: (entities: Entities, library: Library) => unknown, answer: unknown]> = {
  'an array': [({ Item }) => [Item], rows],
  'schema.Array': [({ Item }) => new schema.Array(Item), rows],
  'schema.All': [({ Item }) => new schema.All(Item), rows],
  'a Query of schema.All': [({ Item }) => new Query(new schema.All(Item), items => items.length).schema, rows],
  'schema.Values': [({ Item }) => new schema.Values(Item), byName],
  'an array of a union': [({ union }) => [union], rows],
  'a Collection of a union': [({ union }, { Collection }) => new Collection([union] as never), rows],
  'a Collection of schema.Values': [({ Item }, { Collection }) => new Collection(new schema.Values(Item)), byName],
  'schema.Object': [
    ({ Item }, { Collection }) => new schema.Object({ results: new Collection([Item]), total: 0 } as never),
    { results: rows, total: 2 },
  ],
  'an object in an object': [
    ({ Item }, { Collection }) => ({ data: { items: new Collection([Item]) } }),
    { data: { items: rows }, next: '' },
  ],
  'no schema': [() => undefined, rows],
};

for (const [name, [make, answer]] of Object.entries(lists))
  testSideBySide(
    `a list of ${name}`,
    async ({ library, showResult, settled }) => {
      const entities = entitiesOf(library);
      const base = library.resource({ urlPrefix: API, path: '/item/:id', schema: entities.Item });
      const { useGetList } = library.hookifyResource(
        base.extend('getList', { schema: make(entities, library) as schema.All }),
      );
      showResult(() => useSuspense(useGetList()));
      await settled();
    },
    () => () => answer,
  );

const options: Record<string, object | undefined> = {
  'without options': undefined,
  argsKey: { argsKey: (params?: { author?: string }) => ({ author: params?.author }) },
  nonFilterArgumentKeys: { nonFilterArgumentKeys: ['sort'] },
  createCollectionFilter: {
    createCollectionFilter: () => (key: { author?: string }) => key.author === undefined || key.author === 'grace',
  },
};

for (const [name, option] of Object.entries(options))
  testSideBySide(`a Collection ${name}`, async ({ library, controller, show, settled }) => {
    const { Item } = entitiesOf(library);
    const base = library.resource({ urlPrefix: API, path: '/article/:id', schema: Item, paginationField: 'cursor' });
    const getList = base.getList.extend({ schema: new library.Collection([Item], option as never) });
    let list: typeof base.getList;
    const params = [{}, { author: 'ada' }, { author: 'grace' }, { sort: 'title' }, { author: 'ada', sort: 'title' }];
    function List({ of }: { of: object }) {
      list = library.useEndpoint(getList) as unknown as typeof list;
      return (
        <>{`[${useSuspense(list, of as { author?: string })
          .map(({ id }) => id)
          .join()}]`}</>
      );
    }
    show(params.map((of, index) => <List key={index} of={of} />));
    await settled();
    const c = controller();
    const created = { title: 'Last' };
    for (const add of [
      () => c.fetch(list.push, created),
      () => c.fetch(list.push, { author: 'grace' }, created),
      () => c.fetch(list.unshift, { author: 'ada', sort: 'title' }, created),
      () => c.fetch(list.getPage, { cursor: '1', author: 'ada' }),
    ]) {
      await add();
      await settled();
    }
  });

testSideBySide(
  'nested entities, and a list that a record nests',
  async ({ library, controller, showResult, settled }) => {
    const { Item, union } = entitiesOf(library);
    const { Collection, resource, useEndpoint } = library;
    class User extends library.Entity {
      static override key = 'User';
      id = '';
      items: object[] = [];
      feed: object[] = [];
      byName: object = {};
      since = new Date(0);
      static override schema = {
        items: new Collection([Item], { nestKey: (user: { id: string }) => ({ owner: user.id }) }),
        feed: [union],
        byName: new schema.Values(Item),
        since: (iso: string) => new Date(iso),
      };
    }
    const users = resource({ urlPrefix: API, path: '/user/:id', schema: User });
    const items = resource({ urlPrefix: API, path: '/item/:id', schema: Item }).getList.extend({
      schema: new Collection([Item], { argsKey: ({ owner }: { owner?: string }) => ({ owner }) }),
    });
    let list: typeof items;
    showResult(() => {
      list = useEndpoint(items);
      return [useSuspense(useEndpoint(users.get), { id: '1' }), useCache(list, { owner: '1' })];
    });
    await settled();
    await controller().fetch(list!.push, { owner: '1' }, { title: 'Last' });
    await settled();
  },
  () => request =>
    request.startsWith('GET')
      ? { id: '1', items: rows, feed: rows, byName, since: '2020-06-01' }
      : { id: '3', title: 'Last' },
);

testSideBySide(
  'the lifecycle of an Entity',
  async ({ library, controller, showResult, settled }) => {
    const steps: unknown[] = [];
    interface Versioned {
      version: number;
    }
    class Item extends library.Entity {
      static override key = 'Item';
      static override indexes = ['title'] as const;
      id = '';
      title = '';
      version = 0;

      static override process(input: object, _parent: unknown, key: string | undefined, args: unknown[]) {
        steps.push(['process', key, args]);
        return { version: 5, ...input };
      }
      static override validate(item: { title: string }) {
        return item.title === 'invalid' ? 'It is invalid.' : undefined;
      }
      // data-client 0.18 has no such member.
      static {
        Object.assign(this, {
          useIncoming(_was: object, _now: object, existing: Versioned, incoming: Versioned) {
            steps.push(['useIncoming', existing.version, incoming.version]);
            return incoming.version >= existing.version;
          },
        });
      }
      static override shouldReorder(_was: object, _now: object, existing: Versioned, incoming: Versioned) {
        return incoming.version < existing.version;
      }
      static override merge(existing: Versioned, incoming: Versioned) {
        steps.push(['merge', existing.version, incoming.version]);
        return { ...existing, ...incoming };
      }
    }
    const { useGet } = library.hookifyResource(
      library.resource({ urlPrefix: API, path: '/article/:id', schema: Item }),
    );
    let get: ReturnType<typeof useGet>;
    showResult(() => useSuspense((get = useGet()), { id: '1' }));
    await settled();
    const set = (title: string, version: number) =>
      controller().setResponse(get, { id: '1' }, { id: '1', title, version });
    for (const version of [1, 9]) {
      await set(`Version ${version}`, version);
      await settled();
    }
    await controller().setResponse(get!, { id: '2' }, { id: '2', title: 'invalid' });
    await settled();
    return [steps, controller().getError(get!, { id: '2' }, controller().getState())?.message];
  },
  articleServer,
);
