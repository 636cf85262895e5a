import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Entity, resource, RestEndpoint } from '../../../src/index.js';
import { AsyncTokenEndpoint } from '../../mechanisms/shown/AsyncTokenEndpoint.js';
import { setAuthToken } from '../../mechanisms/shown/authToken.js';
import { FunctionTokenEndpoint } from '../../mechanisms/shown/FunctionTokenEndpoint.js';
import { StaticTokenEndpoint } from '../../mechanisms/shown/StaticTokenEndpoint.js';
import { vault } from '../../mechanisms/shown/vault.js';
import { ActionButton } from '../../support/ActionButton.js';
import { articlesBy, RenameFirst, Titles } from '../../support/PlainArticles.js';
import { inPlainStore, PlainStore } from '../../support/PlainStore.js';
import { journalMatchers, requestLines, resourceHandlers, tokenAuthHandlers } from '../../../src/testing/index.js';
import { useSuspense } from '@data-client/react';
import { TracedTokenEndpoint } from '../../mechanisms/shown/TracedTokenEndpoint.js';
import { api, articleResource, people, rows } from '../../support/articles.js';
import { titlesOf } from '../../support/titlesOf.js';
import { useState, type ReactNode } from 'react';
import { login } from '../../mechanisms/shown/login.js';
import { requestsOnly } from '../../support/requestsOnly.js';

/** A server with a login, an app that keeps no token yet, and the settings of stories about them. */
function setupTokenLogin() {
  const server = tokenAuthHandlers({ url: api, people });
  const articles = resourceHandlers(articleResource(), rows, { auth: server });
  const meta = {
    parameters: { ...requestsOnly },
    decorators: inPlainStore,
    beforeEach: ({ msw }) => {
      server.reset();
      articles.reset();
      StaticTokenEndpoint.accessToken = undefined;
      setAuthToken(undefined);
      vault.lock();
      msw.use(...server.handlers, ...articles.handlers);
    },
  } satisfies Meta;
  const sent = requestLines({ prefix: api });
  return { server, sent, meta, adaSignsIn: sent.post('/login').json({ username: 'ada', password: 'lovelace' }) };
}

interface SignInProps {
  /** Where the application keeps the token. */
  store: (accessToken: string) => void;
  password?: string;
  children: ReactNode;
}

/** Exchanges a password for a token, and then shows what needs it. */
function SignIn({ store, password = 'lovelace', children }: SignInProps) {
  const [isSignedIn, setIsSignedIn] = useState(false);
  if (isSignedIn) return children;
  return (
    <ActionButton
      label="Sign in"
      act={async () => {
        const { accessToken } = await login({ username: 'ada', password });
        store(accessToken);
        setIsSignedIn(true);
        return 'Signed in';
      }}
    />
  );
}

/** Keeps the token in the class of the endpoints. */
const keepInClass = (accessToken: string) => void (StaticTokenEndpoint.accessToken = accessToken);

const { adaSignsIn, meta: loginMeta, sent, server } = setupTokenLogin();

/** Proves the second mechanism of data-client's guide: `getHeaders` returns the given headers plus the `Access-Token` of a login, from three sources. */
const meta = {
  title: 'Proofs/Mechanisms',
  tags: ['proof', '!autodocs'],
  ...loginMeta,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const staticArticles = articlesBy(StaticTokenEndpoint);

const functionArticles = articlesBy(FunctionTokenEndpoint);

/** The second source: `getAuthToken()`, a synchronous function that each request calls. */
export const SynchronousFunction: Story = {
  render: () => (
    <SignIn store={setAuthToken}>
      <Titles by={functionArticles.getList} />
      <ActionButton
        label="Another token"
        act={async () => {
          setAuthToken(server.signIn('ada').accessToken);
          return 'Stored';
        }}
      />
      <RenameFirst by={functionArticles.partialUpdate} />
    </SignIn>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada signs in, and sees the list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
      await canvas.findByText('On signing in');
    });
    await step('the app stores another token, and she renames an article', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Another token' }));
      await canvas.findByText('Stored');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('Now called On knocking');
    });
    await hasSent('each request carries the token that the function returned at that moment', [
      adaSignsIn,
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
    ]);
  },
};

const asyncArticles = articlesBy(AsyncTokenEndpoint);

function Vault() {
  return (
    <button type="button" onClick={() => vault.unlock(server.signIn('ada').accessToken)}>
      Unlock
    </button>
  );
}

/** The third source: an asynchronous function, awaited in an async `getHeaders`. The request is sent after it has resolved. */
export const AsynchronousFunction: Story = {
  render: () => (
    <>
      <Vault />
      <PlainStore>
        <Titles by={asyncArticles.getList} />
      </PlainStore>
    </>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('the screen waits for the vault', async () => {
      await canvas.findByText('Fetching…');
    });
    await step('the owner unlocks the vault, and sees the list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Unlock' }));
      await canvas.findByText('On signing in');
    });
    await hasSent('one GET, with the token of the vault', [sent.get('/article').as('ada')]);
  },
};

const stockArticles = articlesBy(RestEndpoint);

/** “When no token is set, the headers are returned unchanged”: the request is the one that a plain `RestEndpoint` sends. */
export const NoToken: Story = {
  parameters: { expectedConsoleErrors: [/^NetworkError: (\S+: )?Unauthorized/] },
  render: () => (
    <>
      <PlainStore>
        <Titles by={staticArticles.getList} />
      </PlainStore>
      <PlainStore>
        <Titles by={stockArticles.getList} />
      </PlainStore>
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the server refuses both requests', async () => {
      await waitFor(() => expect(canvas.getAllByText(/^401: (\S+: )?Unauthorized$/)).toHaveLength(2));
    });
    await step('both requests have the same headers, and no token', async () => {
      await expect(journal).toHaveSent(
        [
          sent.get('/article').headers({ 'content-type': 'application/json' }),
          sent.get('/article').headers({ 'content-type': 'application/json' }),
        ],
        { headers: ['content-type'] },
      );
      const [first, second] = journal.entries;
      await expect(first?.headers).toEqual(second?.headers);
    });
  },
};

/** “The request carries the headers `Access-Token` and `Content-Type: application/json`”, a read as well as a write. */
export const BesideTheContentType: Story = {
  render: () => (
    <SignIn store={keepInClass}>
      <Titles by={staticArticles.getList} />
      <RenameFirst by={staticArticles.partialUpdate} />
    </SignIn>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada signs in, sees the list, and renames an article', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('Now called On knocking');
    });
    await hasSent(
      'both headers, on both requests',
      [
        sent
          .post('/login')
          .headers({ 'content-type': 'application/json' })
          .json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada').headers({ 'content-type': 'application/json' }),
        sent
          .patch('/article/1')
          .as('ada')
          .headers({ 'content-type': 'application/json' })
          .json({ title: 'On knocking' }),
      ],
      { headers: ['content-type'] },
    );
  },
};

/** A refused login stores no token, so no further request is sent. */
export const LoginRefused: Story = {
  render: () => (
    <SignIn store={keepInClass} password="byron">
      <Titles by={staticArticles.getList} />
    </SignIn>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('a user types a wrong password, and sees the refusal', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Sign in' }));
      await canvas.findByText(/^NetworkError: (\S+: )?Unauthorized$/);
      await expect(StaticTokenEndpoint.accessToken).toBeUndefined();
    });
    await hasSent('one login, and nothing after it', [
      sent.post('/login').json({ username: 'ada', password: 'byron' }),
    ]);
  },
};

/**
 * The journal of requests compares real secrets and prints none: in its lines, and in a difference, each is a short hash. A token that a
 * mock server has issued is no secret.
 */
export const NoSecretIsPrinted: Story = {
  render: (_, { journal }) => (
    <SignIn store={keepInClass}>
      <Titles by={staticArticles.getList} />
      <div style={{ whiteSpace: 'pre-wrap' }}>
        <ActionButton label="Print" act={async () => journal.lines().join('\n')} />
        <ActionButton
          label="Compare"
          act={async () => {
            const { message } = await journalMatchers.toHaveSent(journal, [
              sent.get('/article').headers({ 'access-token': 'of-a-real-server' }),
            ]);
            return message();
          }}
        />
      </div>
    </SignIn>
  ),
  play: async ({ canvas, canvasElement, step, hasSent }) => {
    const login = 'POST https://api.example.com/login same-origin {"username":"ada","password":"‹rsvm›"}';
    const get = 'GET https://api.example.com/article same-origin access-token:';
    await step('Ada signs in, and sees the list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
      await canvas.findByText('On signing in');
    });
    await step('the page shows what was sent, without her password', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Print' }));
      await canvas.findByText(`${login} ${get} ada-1`);
    });
    await step('the difference to another list: the token of another server cannot be read', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Compare' }));
      await canvas.findByText(
        `Requests differ: 1 missing, 2 unexpected, 0 as expected (- expected but not sent, + sent but not expected): - ${get} ‹fj2j› + ${login} + ${get} ada-1`,
      );
      await expect(canvasElement).not.toHaveTextContent(/of-a-real-server|lovelace/);
    });
    await hasSent('what was sent', [adaSignsIn, sent.get('/article').as('ada')]);
  },
};

class Note extends Entity {
  id = '';
  text = '';
}

const NoteResource = resource({ urlPrefix: api, path: '/note/:id', schema: Note, Endpoint: TracedTokenEndpoint });
const notes = resourceHandlers(NoteResource, [{ id: '1', text: 'Buy cards' }], { auth: server });

function Notes() {
  return <p>{useSuspense(NoteResource.getList).map(({ text }) => text)}</p>;
}

/**
 * “Organization”: resources that share a mechanism extend one base class. One login serves all of them, and a
 * subclass adds its own headers by `super`.
 */
export const OneBaseClass: Story = {
  beforeEach: ({ msw }) => {
    notes.reset();
    msw.use(...notes.handlers);
  },
  render: () => (
    <SignIn store={keepInClass}>
      <Titles by={staticArticles.getList} />
      <Notes />
    </SignIn>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada signs in once, and sees articles and notes', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
      await canvas.findByText('Buy cards');
      await expect(titlesOf(canvas)).toHaveLength(4);
    });
    await hasSent(
      'both resources carry her token',
      [adaSignsIn, sent.get('/article').as('ada'), sent.get('/note').as('ada').headers({ 'x-trace': 'notes' })],
      { headers: ['x-trace'] },
    );
  },
};
