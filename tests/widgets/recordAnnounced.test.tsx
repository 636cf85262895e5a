// @vitest-environment jsdom
// A status region that comes together with its text is not announced reliably, so each test first finds the region empty.
import { act, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { ResourceDetail, ResourceForm, type DetailActions } from '../../src/entries/widgets.js';
import { api, Articles, serve, showToAda, type Article } from './support/articles.js';

let answer: () => void = () => {};
let answered: Promise<void> = Promise.resolve();
const hold = () => void (answered = new Promise(resolve => (answer = resolve)));
serve(
  http.get(`${api}/article/:id`, async ({ params }) => {
    await answered;
    return HttpResponse.json({ id: params.id, title: `Article ${String(params.id)}` });
  }),
  http.delete(`${api}/article/:id`, () => new HttpResponse(null, { status: 204 })),
);

beforeEach(() => (answered = Promise.resolve()));

function emptyRegion(): HTMLElement {
  const region = screen.getByRole('status');
  expect(region.textContent).toBe('');
  return region;
}

const announced = (region: HTMLElement, text: string) =>
  waitFor(() => expect(region.textContent).toBe(text), { timeout: 5_000 });

let actions!: DetailActions<typeof Articles>;
const detail = (id: string, getItemLabel?: (article: Article) => string) => (
  <ResourceDetail
    resource={Articles}
    params={{ id }}
    deleteMode="undo"
    getItemLabel={getItemLabel}
    renderItem={(article, given) => {
      actions = given;
      return <h2>{article.title}</h2>;
    }}
  />
);
const title = (article: Article) => article.title;

test('a slow record is announced: that it loads, and its name when it is there', async () => {
  const show = await showToAda(null);
  hold();
  show(detail('1', title));
  const region = emptyRegion();
  await announced(region, 'Loading…');
  answer();
  await screen.findByRole('heading');
  await announced(region, 'Article 1');
});

test('a fast record is read with its page; another one in its place is announced', async () => {
  const show = await showToAda(null);
  show(detail('1', title));
  const region = emptyRegion();
  const texts: (string | null)[] = [];
  new MutationObserver(() => texts.push(region.textContent)).observe(region, { childList: true });
  await screen.findByRole('heading', { name: 'Article 1' });
  show(detail('2', title));
  await announced(region, 'Article 2');
  // On a slow machine, the first record is announced too: it loads for more than 300 ms.
  expect(texts.filter(text => text !== 'Loading…')).toEqual(['Article 2']);
});

test('a record without a name is not announced, and that the next one loads is', async () => {
  const show = await showToAda(null);
  hold();
  show(detail('1'));
  const region = emptyRegion();
  await announced(region, 'Loading…');
  answer();
  await screen.findByRole('heading');
  hold();
  show(detail('2'));
  await announced(region, 'Loading…\u00a0');
});

test('a deletion and its undo are announced', async () => {
  const show = await showToAda(null);
  show(detail('1', title));
  const region = emptyRegion();
  await screen.findByRole('heading');
  await act(async () => void actions.remove());
  await announced(region, '“Article 1” is deleted.');
  screen.getByRole('button', { name: 'Undo' }).click();
  await announced(region, '“Article 1” is not deleted.');
});

test('an edit form announces that its record loads', async () => {
  const show = await showToAda(null);
  hold();
  show(
    <ResourceForm
      resource={Articles}
      action="partialUpdate"
      params={{ id: '1' }}
      fields={[{ name: 'title', label: 'Title' }]}
    />,
  );
  const region = emptyRegion();
  await announced(region, 'Loading…');
  answer();
  await screen.findByRole('textbox', { name: 'Title' });
});
