// @vitest-environment jsdom
import { useSuspense } from '@data-client/react';
import { API, testSideBySide, toText, type Library, type Side } from './support/sideBySide.js';

function articlesOf({ resource, Entity, hookifyResource }: Library) {
  class Article extends Entity {
    static override key = 'Article';
    id = '';
    title = '';
    author = '';
  }
  const base = resource({ urlPrefix: API, path: '/article/:id', schema: Article, paginationField: 'cursor' });
  return hookifyResource(base);
}

/** A screen of the list and of its first article, with the endpoints that it has got. */
async function showScreen({ library, showResult, settled }: Side) {
  const Articles = articlesOf(library);
  const useEndpoints = () => ({
    getList: Articles.useGetList(),
    get: Articles.useGet(),
    update: Articles.useUpdate(),
    partialUpdate: Articles.usePartialUpdate(),
    remove: Articles.useDelete(),
  });
  let endpoints: ReturnType<typeof useEndpoints>;
  showResult(() => {
    endpoints = useEndpoints();
    const first = useSuspense(endpoints.get, { id: '1' });
    return [useSuspense(endpoints.getList).map(({ title }) => title), first.title];
  });
  await settled();
  return endpoints!;
}

testSideBySide('each method of the controller', async side => {
  const { getList, get, update, partialUpdate, remove } = await showScreen(side);
  const c = side.controller();
  const steps: (() => unknown)[] = [
    () => c.fetch(get, { id: '2' }),
    () => Promise.all([c.fetch(get, { id: '1' }), c.fetch(get, { id: '1' })]),
    () => c.fetchIfStale(get, { id: '1' }),
    () => c.fetch(partialUpdate, { id: '1' }, { title: 'Changed' }),
    () => c.fetch(update, { id: '1' }, { title: 'Replaced' }),
    () => c.fetch(getList.push, { title: 'Last' }),
    () => c.fetch(getList.unshift, { title: 'First' }),
    () => c.fetch(getList.getPage, { cursor: '9' }),
    () => c.fetch(remove, { id: '2' }),
    () => c.setResponse(get, { id: '1' }, { id: '1', title: 'Set' }),
    () => c.expireAll(get),
    () => c.invalidate(get, { id: '1' }),
    () => c.invalidateAll(getList),
    () => c.setError(get, { id: '7' }, Object.assign(new Error('broken'), { status: 500 })),
    () => c.getError(get, { id: '7' }, c.getState()),
    () => c.getResponse(get, { id: '1' }, c.getState()).data,
    () => c.snapshot(c.getState()).getResponse(get, { id: '3' }).data,
    () => c.resolve(get, { args: [{ id: '3' }], response: { id: '3', title: 'Resolved' }, fetchedAt: Date.now() }),
    () => c.subscribe(get.extend({ pollFrequency: 60_000 }), { id: '1' }),
    () => c.unsubscribe(get.extend({ pollFrequency: 60_000 }), { id: '1' }),
    () => c.fetch(get, { id: 'unknown' }),
    () => c.resetEntireStore(),
  ];
  const results: string[] = [];
  for (const step of steps) {
    results.push(await Promise.resolve(step()).then(toText, toText));
    await side.settled();
  }
  return [results, side.renders()];
});
