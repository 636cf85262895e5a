import { AsyncBoundary, useController, useSuspense } from '@data-client/react';
import { createResource, Endpoint, RestEndpoint, type RestGenerics } from '@data-client/rest';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState, useSyncExternalStore } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated, resource } from '../../../src/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api, Article, articleResource, rows } from '../../support/articles.js';
import { ArticlesDemo, SignInButtons, AuthStatus } from '../../support/ArticlesDemo.js';
import { PlainStore } from '../../support/PlainStore.js';
import { setupRestApi } from '../../support/setupRestApi.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { useOutcomeLog, OutcomeLog } from '../../support/OutcomeLog.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { getAuthToken, setAuthToken, subscribeToAuthToken } from '../../mechanisms/shown/authToken.js';
import { createManagers } from '../../mechanisms/shown/createManagers.js';
import { FunctionTokenEndpoint } from '../../mechanisms/shown/FunctionTokenEndpoint.js';
import { login } from '../../mechanisms/shown/login.js';

const ArticleResource = resource({
  urlPrefix: api,
  path: '/article/:id',
  schema: Article,
  Endpoint: FunctionTokenEndpoint,
});
const app = setupRestApi(articleResource(), rows);
const { sent } = app;

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
      <ActionButton
        label="Rename the first"
        act={async () =>
          (await controller.fetch(ArticleResource.partialUpdate, { id: '1' }, { title: 'On knocking' })).title
        }
      />
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
    <ActionButton
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

/** Proves what `LogoutManager` does after a 401, with the stock library and below a provider of the kit. */
const meta = {
  title: 'Proofs/Requests',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: context => {
    const stop = app.start(context);
    setAuthToken('ada-1');
    return stop;
  },
  render: () => <App />,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** A write is answered 401: the cleanup runs, the screen with the data is left, and the next sign-in reads everything again. */
export const AWriteMeetsA401: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees the list', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her authorization expires; her next write shows the login screen', async () => {
      app.server.expireAccessTokens();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByRole('button', { name: 'Sign in again' });
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('she signs in again, and sees the list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in again' }));
      await canvas.findByText('On signing in');
    });
    await step('one write that is refused; the list is read again with the new token only', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada', 2),
      ]),
    );
  },
};

/** A read is answered 401: the same cleanup runs once, and the old token is not sent again. */
export const AReadMeetsA401: Story = {
  parameters: { expectedConsoleErrors: [/^NetworkError: (\S+: )?Unauthorized/] },
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees the list', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her authorization expires; her next search shows the login screen', async () => {
      app.server.expireAccessTokens();
      await userEvent.click(canvas.getByRole('button', { name: 'Only Grace’s' }));
      await canvas.findByRole('button', { name: 'Sign in again' });
    });
    await step('one GET that is refused, and nothing after it', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.get('/article?author=grace').as('ada')]),
    );
  },
};

/** Any other refusal, here a 404, keeps the token and the screen. */
export const ANotFoundIsNoLogout: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees the list', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her write fails for another reason; she stays on the screen', async () => {
      app.records.failNext(404);
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText(/^NetworkError: (\S+: )?Not Found$/);
      await expect(canvas.getByText('On signing in')).toBeInTheDocument();
    });
    await step('two requests, both with her token', async () => {
      await expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
      ]);
      await expect(getAuthToken()).toBe('ada-1');
    });
  },
};

const kit = setupTokenApp();

/** A class that existed before the kit: data-client's own. */
class OldEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override getHeaders(headers: HeadersInit): HeadersInit {
    return { ...headers, 'Access-Token': getAuthToken() ?? '' };
  }
}
const OldArticles = createResource({ urlPrefix: api, path: '/article/:id', schema: Article, Endpoint: OldEndpoint });

/** The error of a request by another library. */
const otherLibrary = new Endpoint(
  () => Promise.reject(Object.assign(new Error('Another library was refused.'), { status: 401 })),
  {
    name: 'otherLibrary',
    sideEffect: true,
  },
);

/** Sends requests by endpoints that are not the kit's, and shows the outcome of each. */
function OldScreen() {
  const controller = useController();
  const tell = useOutcomeLog();
  const settle = (act: Promise<unknown>) =>
    void act.then(
      () => tell('Done'),
      (error: Error) => tell(error.message),
    );
  const rename = (id: string) => controller.fetch(OldArticles.partialUpdate, { id }, { title: `Renamed ${id}` });
  return (
    <p>
      <button type="button" onClick={() => ['1', '2'].forEach(id => settle(rename(id)))}>
        Rename two by the old class
      </button>
      <button type="button" onClick={() => settle(controller.fetch(otherLibrary))}>
        Ask by another library
      </button>
    </p>
  );
}

const UnderTheKit = () => (
  <OutcomeLog>
    <kit.Provider>
      <AuthStatus />
      <SignInButtons />
      <Authenticated>
        <OldScreen />
        <ArticlesDemo articles={kit.Articles} />
      </Authenticated>
    </kit.Provider>
  </OutcomeLog>
);
const GRACE_SIGNS_IN = sent.post('/login').json({ username: 'grace', password: 'hopper' });
const oldRename = (id: string) =>
  sent
    .patch(`/article/${id}`)
    .as('ada')
    .json({ title: `Renamed ${id}` });

/** Under a provider of the kit, a 401 of another endpoint ends the session too: nothing is refreshed, and nothing is sent again. */
export const OfAnotherClassUnderTheKit: Story = {
  beforeEach: kit.start('ada'),
  render: () => <UnderTheKit />,
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step(
      'her token expires; two renames by an old class are refused, the session ends, and both calls reject',
      async () => {
        kit.server.expireAccessTokens();
        await userEvent.click(canvas.getByRole('button', { name: 'Rename two by the old class' }));
        await canvas.findByText('anonymous: expired');
        // The first refusal ends the screen, and with it what else the screen has under way.
        await waitFor(() =>
          expect(canvas.getAllByText(/^((\S+: )?Unauthorized|The session has expired: .*)$/)).toHaveLength(2),
        );
        await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
      },
    );
    await step('Grace signs in; a request of another library fails with the status 401', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await userEvent.click(canvas.getByRole('button', { name: 'Ask by another library' }));
      await canvas.findByText('Another library was refused.');
      await canvas.findByText('anonymous: expired');
    });
    await step('two renames that are refused, and no refresh', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        oldRename('1'),
        oldRename('2'),
        GRACE_SIGNS_IN,
        sent.get('/article').as('grace'),
      ]),
    );
  },
};

/** A 401 for a request of the user before does not end the session of the next one: the call was rejected at the switch. */
export const OfAnotherClassTooLate: Story = {
  beforeEach: kit.start('ada'),
  render: () => <UnderTheKit />,
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    kit.server.expireAccessTokens();
    const release = kit.articles.hold();
    await step('her token has expired; two renames by an old class are under way', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename two by the old class' }));
      await waitFor(() => expect(kit.articles.held).toBe(2));
    });
    await step('Grace signs in: Ada’s renames reject at once, and their 401s arrive with Grace’s list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await waitFor(() => expect(kit.articles.held).toBe(3));
      await waitFor(() =>
        expect(canvas.getAllByText(/^The identity changed while this request was under way/)).toHaveLength(2),
      );
      release();
      await canvas.findByText('A compiler for everyone');
    });
    await step('Grace is still signed in, and renames an article of hers', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await step('Ada’s requests carry Ada’s token, Grace’s requests carry Grace’s', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        oldRename('1'),
        oldRename('2'),
        GRACE_SIGNS_IN,
        sent.get('/article').as('grace'),
        sent.patch('/article/3').as('grace').json({ title: 'On knocking' }),
      ]),
    );
  },
};
