// @vitest-environment jsdom
import { act, cleanup, screen } from '@testing-library/react';
import fc from 'fast-check';
import { delay, http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { ResourceDetail, ResourceList } from '../../src/entries/widgets.js';
import { api, Articles, serve, showToAda, type Article } from './support/articles.js';

const STEP_MS = 4;
const wait = (steps: number) => delay(steps * STEP_MS);

interface Timing {
  /** When the edit is sent, how long the server takes to write it, and then to answer. */
  readonly start: number;
  readonly write: number;
  readonly answer: number;
}

let article: { id: string; title: string };
let reads: string[];
let timings: readonly Timing[];
let readTime: number;

serve(
  http.get(`${api}/article`, () => {
    reads.push('list');
    return HttpResponse.json([article]);
  }),
  http.get(`${api}/article/1`, async () => {
    reads.push('record');
    const read = article;
    await wait(readTime);
    return HttpResponse.json(read);
  }),
  http.all(`${api}/article/1`, async ({ request }) => {
    const sent = (await request.json()) as { title: string };
    const { write, answer } = timings[Number(sent.title.slice(-1)) - 1]!;
    await wait(write);
    const written = (article = { ...article, ...sent });
    await wait(answer);
    return HttpResponse.json(written);
  }),
);

type Edit = (body: { title: string }) => Promise<unknown>;
const shownTitle = () => screen.getByTestId('title').textContent;

/** Shows the article in a list or alone, and sends its edits: PUT and PATCH by turns. Resolves with both actions. */
async function edit(as: 'row' | 'detail', edits: readonly Timing[], readFor = 0): Promise<readonly [Edit, Edit]> {
  [article, reads, timings, readTime] = [{ id: '1', title: 'As it was' }, [], edits, readFor];
  let actions!: readonly [Edit, Edit];
  const renderItem = ({ title }: Article, { update, partialUpdate }: { update: Edit; partialUpdate: Edit }) => {
    actions = [update, partialUpdate];
    return <b data-testid="title">{title}</b>;
  };
  await showToAda(
    as === 'row' ? (
      <ResourceList resource={Articles} renderItem={renderItem} />
    ) : (
      <ResourceDetail resource={Articles} params={{ id: '1' }} renderItem={renderItem} />
    ),
  );
  await screen.findByText('As it was');
  reads = [];
  await act(() =>
    Promise.all(
      edits.map(async ({ start }, index) => {
        await wait(start);
        await actions[index % 2]!({ title: `Edit ${index + 1}` });
      }),
    ),
  );
  return actions;
}

test(
  'edits of one record, sent, written and answered in any order: the screen ends as the server',
  () =>
    fc.assert(
      fc
        .asyncProperty(
          fc.constantFrom('row' as const, 'detail' as const),
          fc.array(fc.record({ start: fc.nat(3), write: fc.nat(3), answer: fc.nat(3) }), {
            minLength: 2,
            maxLength: 4,
          }),
          fc.nat(3),
          async (as, edits, readFor) => {
            await edit(as, edits, readFor);
            await expect.poll(shownTitle, { interval: STEP_MS }).toBe(article.title);
            // No answer that comes later changes it.
            await act(() => wait(10));
            expect(shownTitle()).toBe(article.title);
            expect(reads.length).toBeLessThan(edits.length);
          },
        )
        .afterEach(cleanup),
      { numRuns: 40 },
    ),
  60_000,
);

const FIRST_WRITTEN_LAST: readonly Timing[] = [
  { start: 0, write: 40, answer: 0 },
  { start: 0, write: 1, answer: 0 },
];

test('the record is read once after them, and not after edits that follow each other', async () => {
  await edit('row', FIRST_WRITTEN_LAST);
  await expect.poll(shownTitle).toBe('Edit 1');
  expect(reads).toEqual(['record']);
  cleanup();
  const [, partialUpdate] = await edit('row', [{ start: 0, write: 0, answer: 0 }]);
  await act(() => partialUpdate({ title: 'Edit 1' }));
  await act(() => wait(10));
  expect(reads).toEqual([]);
});
