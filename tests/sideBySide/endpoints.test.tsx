// @vitest-environment jsdom
import { useSuspense } from '@data-client/react';
import * as rest from '@data-client/rest';
import { articlesOf } from './support/articles.js';
import { articleServer } from './support/articleServer.js';
import { API, testSideBySide, toText, type Server } from './support/sideBySide.js';

/** Answers the change that waits. */
let answerChange: () => void;

/** Changes wait for `answerChange`, so that the optimistic state is seen, and are refused with this status. */
const waitingServer =
  (status?: number): (() => Server) =>
  () => {
    const serve = articleServer();
    return async (request, body) => {
      if (request.startsWith('GET')) return serve(request, body);
      await new Promise<void>(resolve => (answerChange = resolve));
      return status ? Response.json({}, { status }) : serve(request, body);
    };
  };

for (const status of [undefined, 422, 500])
  testSideBySide(
    `optimistic changes that are answered with ${status ?? 'success'}`,
    async ({ library, controller, showResult, settled }) => {
      const { useGetList, usePartialUpdate, useUpdate, useDelete } = articlesOf(library, { optimistic: true });
      const useEndpoints = () => [useGetList(), usePartialUpdate(), useUpdate(), useDelete()] as const;
      let endpoints: ReturnType<typeof useEndpoints>;
      showResult(() => {
        endpoints = useEndpoints();
        return useSuspense(endpoints[0]).map(({ title }) => title);
      });
      await settled();
      const [getList, partialUpdate, update, remove] = endpoints!;
      const c = controller();
      const changes = [
        () => c.fetch(partialUpdate, { id: '1' }, { title: 'Changed' }),
        () => c.fetch(update, { id: '3' }, { title: 'Replaced' }),
        () => c.fetch(getList.push, { id: '9', title: 'Last' }),
        () => c.fetch(remove, { id: '2' }),
      ];
      const results: string[] = [];
      for (const change of changes) {
        const outcome = change().then(toText, toText);
        await settled();
        answerChange();
        results.push(await outcome);
        await settled();
      }
      return results;
    },
    waitingServer(status),
  );

testSideBySide(
  'update, key, sideEffect and an aborted optimistic response',
  async ({ library, controller, showResult, settled }) => {
    const { Article } = articlesOf(library);
    const { RestEndpoint, useEndpoint } = library;
    const titles = new RestEndpoint({ urlPrefix: API, path: '/article', schema: [Article], key: () => 'titles' });
    const create = new RestEndpoint({
      urlPrefix: API,
      path: '/article',
      method: 'POST',
      schema: Article,
      update: (id: string, ..._args: unknown[]) => ({ titles: (ids: string[] = []) => [...ids, id] }),
      getOptimisticResponse() {
        throw new (rest as unknown as { AbortOptimistic: new () => Error }).AbortOptimistic();
      },
    });
    const search = create.extend({ sideEffect: undefined, body: undefined });
    let endpoint: typeof create;
    showResult(() => {
      endpoint = useEndpoint(create);
      return useSuspense(useEndpoint(titles)).map(({ title }) => title);
    });
    await settled();
    await controller().fetch(endpoint!, { title: 'Last' });
    await settled();
    return [titles, create, search].map(({ key, testKey, sideEffect, name, method }) => [
      key.length,
      testKey.length,
      sideEffect,
      name,
      method,
    ]);
  },
);

testSideBySide(
  'a subclass that overrides every step of a request',
  async ({ library, controller, showResult, settled }) => {
    const steps: unknown[] = [];
    class LoggedEndpoint extends (library.RestEndpoint as unknown as new (options: object) => EndpointSteps) {
      override getHeaders(headers: HeadersInit) {
        steps.push('getHeaders');
        return { ...headers, 'X-Steps': 'yes' };
      }
      override async getRequestInit(body: unknown) {
        steps.push(['getRequestInit', body]);
        return { ...(await super.getRequestInit(body)), mode: 'cors' as const };
      }
      override key(...args: unknown[]) {
        return `own ${super.key(...args)}`;
      }
      override fetchResponse(url: string, init: RequestInit) {
        steps.push(['fetchResponse', url, init.method, init.mode, new Headers(init.headers).get('X-Steps')]);
        return super.fetchResponse(url, init);
      }
      override async parseResponse(response: Response) {
        steps.push(['parseResponse', response.status]);
        return super.parseResponse(response);
      }
      override process(value: unknown, ...args: unknown[]) {
        steps.push(['process', args]);
        return value;
      }
    }
    const { useGet, useGetList, usePartialUpdate, useDelete } = articlesOf(library, { Endpoint: LoggedEndpoint });
    const useEndpoints = () => [useGet(), useGetList(), usePartialUpdate(), useDelete()] as const;
    let endpoints: ReturnType<typeof useEndpoints>;
    showResult(() => {
      endpoints = useEndpoints();
      return useSuspense(endpoints[0], { id: '1' });
    });
    await settled();
    const [get, getList, partialUpdate, remove] = endpoints!;
    await controller().fetch(partialUpdate, { id: '1' }, { title: 'Changed' });
    await controller().fetch(getList.push, { title: 'Last' });
    await controller().fetch(remove, { id: '1' });
    steps.push(
      await controller()
        .fetch(get, { id: 'unknown' })
        .catch((error: unknown) => toText(error)),
    );
    await settled();
    return [steps, Object.keys(controller().getState().meta)];
  },
);

interface EndpointSteps {
  getHeaders(headers: HeadersInit): HeadersInit;
  getRequestInit(body: unknown): Promise<RequestInit>;
  key(...args: unknown[]): string;
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  parseResponse(response: Response): Promise<unknown>;
  process(value: unknown, ...args: unknown[]): unknown;
}

testSideBySide('what `extend` and `paginated` derive', async ({ library, controller, showResult, settled }) => {
  const { base, useGet } = articlesOf(library, { dataExpiryLength: 99, pollFrequency: 77 });
  let get: typeof base.get;
  showResult(() => useSuspense((get = useGet()), { id: '1' }));
  await settled();
  await controller()
    .fetch(get!.extend({ path: '/article/:id/draft' }), { id: '2' })
    .catch(() => {});
  const all = base
    .extend('publish', { path: '/article/:id/publish', method: 'POST', body: undefined })
    .extend('getList', { dataExpiryLength: 3 })
    .extend(({ getList }) => ({ search: getList.extend({ path: '/search', urlPrefix: 'https://search.example' }) }));
  const other = base.get.extend({ path: '/other/:a/:b?', method: 'POST', schema: undefined });
  const { getList, publish, search } = all;
  const described = [base.get, getList, publish, search, other].map(
    ({ name, method, path, urlPrefix, sideEffect, dataExpiryLength, pollFrequency }) => [
      [name, method, path, urlPrefix],
      [sideEffect, dataExpiryLength, pollFrequency],
    ],
  );
  const addresses = [
    getList.url({ b: 1, a: 'ä &', f: false, g: 0 }),
    base.get.url({ id: 'a/b c' }),
    (other as unknown as { url(params: object, body: object): string }).url({ a: 1, b: '2' }, {}),
    base.getList.getPage.key({ cursor: 1, author: 'ada' }),
    base.get.testKey(`GET ${API}/article/5`),
    base.getList.testKey(`GET ${API}/article/5`),
  ];
  return [described, addresses];
});
