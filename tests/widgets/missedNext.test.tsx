// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createTokenSession, Entity, hookifyResource, resource, TokenAuthProvider } from '../../src/index.js';
import { nextCursor, PaginatedList } from '../../src/entries/widgets.js';
import { json } from '../session/support/answers.js';
import { mockServer } from '../session/support/mockServer.js';

afterEach(cleanup);

class Article extends Entity {
  id = '';
}

/** Shows the list of an answer whose next page `next` does not find. Returns what the console says. */
async function warningsAbout(path: '/a' | '/b', facts: object) {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  mockServer({ '*': () => json({ results: [{ id: '1' }], ...facts }) });
  const options = {
    urlPrefix: 'https://api.example.com',
    path: `${path}/:id`,
    schema: Article,
    rows: 'results',
  } as const;
  const Articles = hookifyResource(resource(options));
  const session = createTokenSession({ login: async () => ({ accessToken: 'a', user: { id: 'ada' } }) });
  await session.login();
  render(
    <TokenAuthProvider session={session}>
      <PaginatedList
        resource={Articles}
        next={nextCursor({ field: 'after' })}
        renderItem={({ id }) => `Article ${id}`}
      />
    </TokenAuthProvider>,
  );
  await screen.findByText('Article 1');
  await act(async () => {}); // The effect that warns may come after the paint.
  const texts = warn.mock.calls.flat().map(String);
  warn.mockRestore();
  return texts;
}

test('a `next` that misses the cursor of the first response has its warning', async () => {
  expect(await warningsAbout('/a', { nextCursor: 'abc' })).toEqual([
    expect.stringContaining(
      'It says that there are more rows, but the `next` prop of PaginatedList found no further page.',
    ),
  ]);
});

test('a `next` that finds no further page has none, where the response names none', async () => {
  expect(await warningsAbout('/b', { nextCursor: null })).toEqual([]);
});
