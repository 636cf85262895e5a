// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import {
  createTokenSession,
  Entity,
  hookifyResource,
  resource,
  ResourceList,
  TokenAuthProvider,
} from '../../src/index.js';
import { createGate } from '../../src/testing/createGate.js';

class Article extends Entity {
  id = '';
  title = '';
}

const api = 'https://api.example.com';
const Articles = hookifyResource(resource({ urlPrefix: api, path: '/article/:id', schema: Article }));
const answers = createGate();
let deletions = 0;
const server = setupServer(
  http.get(`${api}/article`, ({ request }) =>
    HttpResponse.json([{ id: new URL(request.url).searchParams.get('topic') ?? '1', title: 'An article' }]),
  ),
  http.delete(`${api}/article/:id`, async () => {
    deletions++;
    await answers.pass();
    return new HttpResponse(null, { status: 204 });
  }),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(cleanup);
afterAll(() => server.close());

test('a row that leaves the screen and returns while its deletion is pending: another call of `remove` joins it', async () => {
  const session = createTokenSession({
    login: async () => ({ accessToken: 'ada-1', user: { id: 'ada' } }),
    trustedOrigins: [api],
  });
  await session.login();
  const removals: (() => Promise<boolean>)[] = [];
  const app = (topic: string) => (
    <TokenAuthProvider session={session}>
      <ResourceList
        resource={Articles}
        params={{ topic }}
        renderItem={({ id }, { remove }) => {
          removals.push(remove);
          return `Article ${id}`;
        }}
      />
    </TokenAuthProvider>
  );
  const { rerender } = render(app('1'));
  await screen.findByText('Article 1');
  const release = answers.hold();
  let first!: Promise<boolean>;
  act(() => void (first = removals.at(-1)!()));
  await release.reached;
  rerender(app('2'));
  await screen.findByText('Article 2');
  rerender(app('1'));
  await screen.findByText('Article 1');
  let second!: Promise<boolean>;
  act(() => void (second = removals.at(-1)!()));
  expect(second).toBe(first);
  release();
  expect(await first).toBe(true);
  await vi.waitFor(() => expect(deletions).toBe(1));
});
