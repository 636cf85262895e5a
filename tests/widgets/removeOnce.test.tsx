// @vitest-environment jsdom
import { act, screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { ResourceList } from '../../src/entries/widgets.js';
import { createGate } from '../../src/testing/createGate.js';
import { api, Articles, serve, showToAda } from './support/articles.js';

const answers = createGate();
let deletions = 0;
serve(
  http.get(`${api}/article`, ({ request }) =>
    HttpResponse.json([{ id: new URL(request.url).searchParams.get('topic') ?? '1', title: 'An article' }]),
  ),
  http.delete(`${api}/article/:id`, async () => {
    deletions++;
    await answers.pass();
    return new HttpResponse(null, { status: 204 });
  }),
);

test('a row that leaves the screen and returns while its deletion is pending: another call of `remove` joins it', async () => {
  const removals: (() => Promise<boolean>)[] = [];
  const list = (topic: string) => (
    <ResourceList
      resource={Articles}
      params={{ topic }}
      renderItem={({ id }, { remove }) => {
        removals.push(remove);
        return `Article ${id}`;
      }}
    />
  );
  const show = await showToAda(list('1'));
  await screen.findByText('Article 1');
  const release = answers.hold();
  let first!: Promise<boolean>;
  act(() => void (first = removals.at(-1)!()));
  await release.reached;
  show(list('2'));
  await screen.findByText('Article 2');
  show(list('1'));
  await screen.findByText('Article 1');
  let second!: Promise<boolean>;
  act(() => void (second = removals.at(-1)!()));
  expect(second).toBe(first);
  release();
  expect(await first).toBe(true);
  await vi.waitFor(() => expect(deletions).toBe(1));
});
