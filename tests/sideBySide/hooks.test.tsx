// @vitest-environment jsdom
import { useCache, useDLE, useError, useFetch, useLive, useSubscription, useSuspense } from '@data-client/react';
import { Query, schema } from '@data-client/rest';
import { expect } from 'vitest';
import { articlesOf } from './support/articles.js';
import { testSideBySide, type Server } from './support/sideBySide.js';

testSideBySide('useDLE, useCache, useFetch and useError', async ({ library, showResult, settled }) => {
  const { useGet } = articlesOf(library);
  showResult(() => {
    const get = useGet();
    void useFetch(get, { id: '2' });
    return [
      useDLE(get, { id: '1' }),
      useDLE(get, { id: 'unknown' }),
      useDLE(get, null),
      useCache(get, { id: '2' }),
      useError(get, { id: 'unknown' }),
    ];
  });
  await settled();
});

testSideBySide('queries of schema.All and of a Collection', async ({ library, controller, showResult, settled }) => {
  const { Article, base, useGetList } = articlesOf(library);
  const titles = new Query(new schema.All(Article), (articles, { by }: { by: string }) =>
    articles.filter(({ author }) => author === by).map(({ title }) => title),
  );
  const count = new Query(base.getList.schema, articles => articles.length);
  let push: typeof base.getList.push;
  showResult(() => {
    ({ push } = useGetList());
    useSuspense(useGetList());
    return [useCache(titles as any, { by: 'ada' }), useCache(count as any, {})];
  });
  await settled();
  await controller().fetch(push!, { title: 'Last' });
  await settled();
});

testSideBySide(
  'useLive and useSubscription poll, and stop',
  async ({ library, requests, show, showResult, settled }) => {
    const { useGet } = articlesOf(library, { pollFrequency: 20 });
    showResult(() => {
      useSubscription(useGet(), { id: '2' });
      return useLive(useGet(), { id: '1' });
    });
    await expect.poll(() => requests.length).toBeGreaterThan(6);
    show('nothing');
    await settled();
    const before = requests.length;
    await settled();
    const stopped = requests.length === before;
    // How often they have polled depends on the time.
    (requests as string[]).splice(2);
    return stopped;
  },
);

/** The first answer, and what comes after it. */
const answersOf =
  (...answers: unknown[]): (() => Server) =>
  () => {
    let count = 0;
    return () => answers[Math.min(count++, answers.length - 1)];
  };
const notFound = Response.json({}, { status: 404 });

for (const errorPolicy of ['hard', 'soft', undefined] as const)
  testSideBySide(
    `errorPolicy ${errorPolicy}`,
    async ({ library, controller, showResult, settled }) => {
      const { base, useGet } = articlesOf(library, { errorPolicy: () => errorPolicy });
      showResult(() => useSuspense(useGet(), { id: '1' }));
      await settled();
      await controller().expireAll(base.get);
      await settled();
    },
    answersOf({ id: '1', title: 'Before' }, notFound),
  );

for (const invalidIfStale of [true, false])
  testSideBySide(
    `invalidIfStale ${invalidIfStale}`,
    async ({ library, controller, show, showResult, settled, text }) => {
      const { base, useGet } = articlesOf(library, { invalidIfStale });
      const showAgain = () => showResult(() => useSuspense(useGet(), { id: '1' }));
      showAgain();
      await settled();
      show('nothing');
      await controller().expireAll(base.get);
      showAgain();
      const atOnce = text();
      await settled();
      return atOnce;
    },
    answersOf({ id: '1', title: 'Before' }, { id: '1', title: 'After' }),
  );

testSideBySide('dataExpiryLength and errorExpiryLength', async ({ library, controller, showResult, settled }) => {
  const { useGet } = articlesOf(library, { dataExpiryLength: 100_000, errorExpiryLength: 200_000 });
  showResult(() => [useDLE(useGet(), { id: '1' }), useDLE(useGet(), { id: 'unknown' })]);
  await settled();
  return Object.values(controller().getState().meta).map(({ date, expiresAt }) => expiresAt - date);
});
