// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Collection, createTokenSession, hookifyResource, RestEndpoint, TokenAuthProvider } from '../../src/index.js';
import { ResourceList } from '../../src/entries/widgets.js';
import { json } from '../session/support/answers.js';
import { mockServer } from '../session/support/mockServer.js';
import { Article } from './support/articles.js';

afterEach(cleanup);

test.each([
  ['no schema', undefined, 2],
  ['an array', [Article], 2],
  ['a Collection', new Collection([Article]), 1],
] as const)('a new row is shown in a list whose schema is %s', async (name, schema, reads) => {
  const rows = [{ id: '1', title: 'On tokens' }];
  const server = mockServer({
    'GET /article': () => json(rows),
    'POST /article': () => json(rows[rows.push({ id: '2', title: 'On cookies' }) - 1]),
  });
  const options = { urlPrefix: 'https://api.example.com', path: '/article', body: {} as { title: string } };
  const getList = new RestEndpoint({ ...options, name, ...(schema && { schema }) } as never) as RestEndpoint;
  const session = createTokenSession({ login: async () => ({ accessToken: 'a', user: { id: 'ada' } }) });
  await session.login();
  render(
    <TokenAuthProvider session={session}>
      <ResourceList
        resource={hookifyResource({ getList }) as never}
        create={{ push: ({ create }) => <button onClick={() => void create({} as never)}>Create</button> }}
        renderItem={({ title }: Article) => title}
      />
    </TokenAuthProvider>,
  );
  await screen.findByText('On tokens');
  fireEvent.click(screen.getByRole('button', { name: 'Create' }));
  expect(await screen.findByText('On cookies')).toBeTruthy();
  expect(server.count('GET /article')).toBe(reads);
});
