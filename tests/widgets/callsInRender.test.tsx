// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import { Component, type ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { createTokenSession, Entity, hookifyResource, resource, TokenAuthProvider } from '../../src/index.js';
import { ResourceDetail, ResourceList } from '../../src/entries/widgets.js';
import { json } from '../session/support/answers.js';
import { mockServer } from '../session/support/mockServer.js';

afterEach(cleanup);

class Article extends Entity {
  id = '';
  title = '';
}

const Articles = hookifyResource(
  resource({ urlPrefix: 'https://api.example.com', path: '/article/:id', schema: Article }),
);

class Boundary extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};
  static getDerivedStateFromError(error: Error) {
    return { error };
  }
  override render() {
    return this.state.error?.message ?? this.props.children;
  }
}

/** Without the check, each call renders the widget again, without end. This ends it, so that the test fails and does not hang. */
function createRenderLimit() {
  let renders = 0;
  return () => {
    if (++renders > 50) throw new Error('The calls in a render have rendered the widget again and again.');
  };
}

/** Shows the children to a signed-in user. Returns what the server has seen. */
async function show(children: ReactNode) {
  const article = { id: '1', title: 'On engines' };
  const server = mockServer({
    'GET /article': () => json([article]),
    'GET /article/1': () => json(article),
    '*': () => json({}),
  });
  const session = createTokenSession({
    login: async () => ({ accessToken: 'ada-1', user: { id: 'ada' } }),
  });
  await session.login();
  await act(async () => {
    render(
      <TokenAuthProvider session={session}>
        <Boundary>{children}</Boundary>
      </TokenAuthProvider>,
    );
  });
  return server;
}

const limitOfList = createRenderLimit();
const limitOfDetail = createRenderLimit();

test.each([
  [
    'remove',
    <ResourceList
      key=""
      resource={Articles}
      renderItem={(_, { remove }) => {
        limitOfList();
        void remove();
        return 'An article';
      }}
    />,
  ],
  [
    'partialUpdate',
    <ResourceDetail
      key=""
      resource={Articles}
      params={{ id: '1' }}
      renderItem={(_, { partialUpdate }) => {
        limitOfDetail();
        void partialUpdate({ title: '' });
        return 'An article';
      }}
    />,
  ],
])('an action that renderItem calls, as onClick={%s()} does, sends nothing', async (action, widget) => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const server = await show(widget);
  const sentence = `${action}() was called while renderItem renders, so nothing was sent. Pass a function that the press calls: onClick={() => ${action}(…)}.`;
  expect(await screen.findByText(sentence)).toBeDefined();
  expect(server.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  vi.restoreAllMocks();
});

test('a handler of a row may call its action', async () => {
  const server = await show(
    <ResourceList
      resource={Articles}
      renderItem={({ title }, { remove }) => <button onClick={remove}>{title}</button>}
    />,
  );
  const button = await screen.findByRole('button');
  await act(async () => button.click());
  expect(server.count('DELETE')).toBe(1);
});
