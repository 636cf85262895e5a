// @vitest-environment jsdom
// A status region that comes together with its text is not announced reliably, so each test first finds the region empty.
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import type { ReactNode } from 'react';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createTokenSession,
  Entity,
  hookifyResource,
  resource,
  ResourceDetail,
  ResourceForm,
  TokenAuthProvider,
  type DetailActions,
} from '../../src/index.js';

class Article extends Entity {
  id = '';
  title = '';
}

const api = 'https://api.example.com';
const Articles = hookifyResource(resource({ urlPrefix: api, path: '/article/:id', schema: Article }));

let answer: () => void = () => {};
let answered: Promise<void> = Promise.resolve();
const hold = () => void (answered = new Promise(resolve => (answer = resolve)));
const server = setupServer(
  http.get(`${api}/article/:id`, async ({ params }) => {
    await answered;
    return HttpResponse.json({ id: params.id, title: `Article ${String(params.id)}` });
  }),
  http.delete(`${api}/article/:id`, () => new HttpResponse(null, { status: 204 })),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => (answered = Promise.resolve()));
afterEach(cleanup);
afterAll(() => server.close());

async function setup() {
  const session = createTokenSession({
    login: async () => ({ accessToken: 'ada-1', user: { id: 'ada' } }),
    trustedOrigins: [api],
  });
  await session.login();
  const below = (content: ReactNode) => <TokenAuthProvider session={session}>{content}</TokenAuthProvider>;
  const { rerender } = render(below(null));
  return (content: ReactNode) => rerender(below(content));
}

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
  const show = await setup();
  hold();
  show(detail('1', title));
  const region = emptyRegion();
  await announced(region, 'Loading…');
  answer();
  await screen.findByRole('heading');
  await announced(region, 'Article 1');
});

test('a fast record is read with its page; another one in its place is announced', async () => {
  const show = await setup();
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
  const show = await setup();
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
  const show = await setup();
  show(detail('1', title));
  const region = emptyRegion();
  await screen.findByRole('heading');
  await act(async () => void actions.remove());
  await announced(region, '“Article 1” is deleted.');
  screen.getByRole('button', { name: 'Undo' }).click();
  await announced(region, '“Article 1” is not deleted.');
});

test('an edit form announces that its record loads', async () => {
  const show = await setup();
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
