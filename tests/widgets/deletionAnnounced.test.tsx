// @vitest-environment jsdom
import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { hookifyResource, resource } from '../../src/index.js';
import { ResourceList, type ResourceListProps } from '../../src/entries/widgets.js';
import { api, Article, Articles, serve, showToAda } from './support/articles.js';

const Optimistic = hookifyResource(
  resource({ urlPrefix: api, path: '/article/:id', schema: Article, optimistic: true }),
);
let status = 204;
let deletions = 0;
serve(
  http.get(`${api}/article`, () => HttpResponse.json([{ id: '1', title: 'An article' }])),
  http.delete(`${api}/article/:id`, () => {
    deletions++;
    return new HttpResponse(null, { status });
  }),
);

type Options = Pick<ResourceListProps<typeof Articles>, 'getItemLabel'>;

async function deleteArticle(Resource: typeof Articles, answer: number, options: Options) {
  status = answer;
  deletions = 0;
  let remove!: () => Promise<boolean>;
  await showToAda(
    <ResourceList
      resource={Resource}
      renderItem={({ title }, actions) => {
        remove = actions.remove;
        return title;
      }}
      {...options}
    />,
  );
  await screen.findByText('An article');
  await act(() => remove().catch(() => undefined));
}

const named: Options = { getItemLabel: ({ title }) => title };

test('an optimistic deletion that the server refuses is taken back in the announcement too', async () => {
  await deleteArticle(Optimistic, 500, named);
  await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/“An article” is not deleted\.$/));
});

test('a deletion that the server refuses is not announced', async () => {
  await deleteArticle(Articles, 500, named);
  await screen.findByRole('alert');
  await new Promise(resolve => setTimeout(resolve, 200));
  expect(screen.getByRole('status').textContent).toBe('');
});

test('a `getItemLabel` that throws stops no deletion, and is reported as uncaught', async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.on('uncaughtException', note);
  const others = process.listeners('uncaughtException').filter(listener => listener !== note);
  for (const listener of others) process.off('uncaughtException', listener);
  try {
    await deleteArticle(Articles, 204, {
      getItemLabel: () => {
        throw new Error('a record without a title');
      },
    });
    await waitFor(() => expect(screen.queryByText('An article')).toBeNull());
    await waitFor(() => expect(uncaught).toHaveLength(1));
    expect(deletions).toBe(1);
  } finally {
    process.off('uncaughtException', note);
    for (const listener of others) process.on('uncaughtException', listener);
  }
});
