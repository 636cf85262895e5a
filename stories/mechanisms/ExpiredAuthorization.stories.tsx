import { AsyncBoundary, useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState, useSyncExternalStore } from 'react';
import { expect, userEvent } from 'storybook/test';
import { resource } from '../../src/index.js';
import { Act } from '../support/Act.js';
import { api, Article, articleResource, rows } from '../support/articles.js';
import { PlainStore } from '../support/PlainStore.js';
import { restWorld } from '../support/restWorld.js';
import { shownCode } from '../support/shownCode.js';
import { getAuthToken, setAuthToken, subscribeToAuthToken } from './shown/authToken.js';
import authTokenCode from './shown/authToken.ts?raw';
import { createManagers } from './shown/createManagers.js';
import createManagersCode from './shown/createManagers.ts?raw';
import { FunctionTokenEndpoint } from './shown/FunctionTokenEndpoint.js';
import { login } from './shown/login.js';

const ArticleResource = resource({ urlPrefix: api, path: '/article/:id', schema: Article, Endpoint: FunctionTokenEndpoint });
const world = restWorld(articleResource(), rows);

function Articles() {
  const controller = useController();
  const [search, setSearch] = useState({});
  const articles = useSuspense(ArticleResource.getList, search);
  return (
    <>
      <ul>
        {articles.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      <button type="button" onClick={() => setSearch({ author: 'grace' })}>
        Only Grace’s
      </button>
      <Act label="Rename the first" act={async () => (await controller.fetch(ArticleResource.partialUpdate, { id: '1' }, { title: 'On knocking' })).title} />
    </>
  );
}

function Page() {
  const accessToken = useSyncExternalStore(subscribeToAuthToken, getAuthToken);
  // The boundary goes with the data: it would keep showing the error to whoever signs in next.
  if (accessToken) {
    return (
      <AsyncBoundary fallback={<p>Fetching…</p>}>
        <Articles />
      </AsyncBoundary>
    );
  }
  return (
    <Act
      label="Sign in again"
      act={async () => {
        setAuthToken((await login({ username: 'ada', password: 'lovelace' })).accessToken);
        return 'Signed in';
      }}
    />
  );
}

function App() {
  const [managers] = useState(createManagers);
  return (
    <PlainStore managers={managers}>
      <Page />
    </PlainStore>
  );
}

/**
 * “A server normally answers with status 401 when authorization has expired. `LogoutManager` triggers de-authorization cleanup
 * on such an answer.” It is a manager of the store; this application's cleanup forgets the token and the data.
 */
const meta = {
  title: 'Mechanisms/Expired authorization',
  parameters: shownCode(createManagersCode, authTokenCode),
  beforeEach: context => {
    const stop = world.start(context);
    setAuthToken('ada-1');
    return stop;
  },
  render: () => <App />,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** A write is answered 401: the cleanup runs, the screen with the data is left, and the next sign-in reads everything anew. */
export const AWriteMeetsA401: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees the list', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her authorization expires; her next write brings her back to the door', async () => {
      world.server.expireAccessTokens();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByRole('button', { name: 'Sign in again' });
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('she signs in again, and sees the list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in again' }));
      await canvas.findByText('On signing in');
    });
    await step('one write that was refused; the list is read again with the new token only', () =>
      expect(journal).toHaveSent([
        'GET https://api.example.com/article  same-origin  access-token: ada-1',
        'PATCH https://api.example.com/article/1  same-origin  access-token: ada-1  {"title":"On knocking"}',
        'POST https://api.example.com/login  same-origin  {"username":"ada","password":"lovelace"}',
        'GET https://api.example.com/article  same-origin  access-token: ada-2',
      ]));
  },
};

/** A read is answered 401: the same cleanup, once, and no second try with what was refused. */
export const AReadMeetsA401: Story = {
  parameters: { expectedConsoleErrors: [/^NetworkError: Unauthorized/] },
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees the list', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her authorization expires; her next search brings her back to the door', async () => {
      world.server.expireAccessTokens();
      await userEvent.click(canvas.getByRole('button', { name: 'Only Grace’s' }));
      await canvas.findByRole('button', { name: 'Sign in again' });
    });
    await step('one GET that was refused, and nothing after it', () =>
      expect(journal).toHaveSent([
        'GET https://api.example.com/article  same-origin  access-token: ada-1',
        'GET https://api.example.com/article?author=grace  same-origin  access-token: ada-1',
      ]));
  },
};

/** Any other refusal (here a 404) is no matter of authorization: the token and the screen stay. */
export const ANotFoundIsNoLogout: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees the list', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her write fails for another reason; she stays where she is', async () => {
      world.records.failNext(404);
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('NetworkError: Not Found');
      await expect(canvas.getByText('On signing in')).toBeInTheDocument();
    });
    await step('two requests, and her token is kept', async () => {
      await expect(journal).toHaveSent([
        'GET https://api.example.com/article  same-origin  access-token: ada-1',
        'PATCH https://api.example.com/article/1  same-origin  access-token: ada-1  {"title":"On knocking"}',
      ]);
      await expect(getAuthToken()).toBe('ada-1');
    });
  },
};
