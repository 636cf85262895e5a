import { useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState, type ReactNode } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Entity, resource, RestEndpoint } from '../../../src/index.js';
import { journalMatchers, requestLines, resourceHandlers, tokenAuthHandlers } from '../../../src/testing/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api, Article, people, rows } from '../../support/articles.js';
import { inPlainStore, PlainStore } from '../../support/PlainStore.js';
import { titlesOf } from '../../support/titlesOf.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { AsyncTokenEndpoint } from '../../mechanisms/shown/AsyncTokenEndpoint.js';
import { setAuthToken } from '../../mechanisms/shown/authToken.js';
import { FunctionTokenEndpoint } from '../../mechanisms/shown/FunctionTokenEndpoint.js';
import { login } from '../../mechanisms/shown/login.js';
import { StaticTokenEndpoint } from '../../mechanisms/shown/StaticTokenEndpoint.js';
import { TracedTokenEndpoint } from '../../mechanisms/shown/TracedTokenEndpoint.js';
import { vault } from '../../mechanisms/shown/vault.js';

const sent = requestLines({ prefix: api });

function articlesOf(Endpoint: unknown) {
  return resource({ urlPrefix: api, path: '/article/:id', schema: Article, Endpoint });
}

class Note extends Entity {
  id = '';
  text = '';
}

const NoteResource = resource({ urlPrefix: api, path: '/note/:id', schema: Note, Endpoint: TracedTokenEndpoint });

const server = tokenAuthHandlers({ url: api, people });
const articles = resourceHandlers(articlesOf(RestEndpoint), rows, { auth: server });
const notes = resourceHandlers(NoteResource, [{ id: '1', text: 'Buy cards' }], { auth: server });

/** Proves the second mechanism of data-client's guide: `getHeaders` returns the given headers plus `Access-Token`, from three sources. */
const meta = {
  title: 'Proofs/Mechanisms',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  decorators: inPlainStore,
  beforeEach: ({ msw }) => {
    server.reset();
    articles.reset();
    notes.reset();
    StaticTokenEndpoint.accessToken = undefined;
    setAuthToken(undefined);
    vault.lock();
    msw.use(...server.handlers, ...articles.handlers, ...notes.handlers);
  },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

type Articles = ReturnType<typeof articlesOf>;

function List({ articles }: { articles: Articles }) {
  return (
    <ul>
      {useSuspense(articles.getList).map(({ id, title }) => (
        <li key={id}>{title}</li>
      ))}
    </ul>
  );
}

function Rename({ articles }: { articles: Articles }) {
  const controller = useController();
  return (
    <ActionButton
      label="Rename"
      act={async () =>
        `Now called ${(await controller.fetch(articles.partialUpdate, { id: '1' }, { title: 'On knocking' })).title}`
      }
    />
  );
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

const staticArticles = articlesOf(StaticTokenEndpoint);
const keepInClass = (accessToken: string) => {
  StaticTokenEndpoint.accessToken = accessToken;
};

/** The first source: a static member of the endpoint class, set after login. */
export const StaticMember: Story = {
  render: () => (
    <SignIn store={keepInClass}>
      <List articles={staticArticles} />
    </SignIn>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada signs in, and sees the list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
      await canvas.findByText('On signing in');
    });
    await step('the login without a token, the list with it', () =>
      expect(journal).toHaveSent([
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada'),
      ]),
    );
  },
};

const functionArticles = articlesOf(FunctionTokenEndpoint);

/** The second source: `getAuthToken()`, a synchronous function that each request calls. */
export const SynchronousFunction: Story = {
  render: () => (
    <SignIn store={setAuthToken}>
      <List articles={functionArticles} />
      <ActionButton
        label="Another token"
        act={async () => {
          setAuthToken(server.signIn('ada').accessToken);
          return 'Stored';
        }}
      />
      <Rename articles={functionArticles} />
    </SignIn>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada signs in, and sees the list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
      await canvas.findByText('On signing in');
    });
    await step('the app stores another token, and she renames an article', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Another token' }));
      await canvas.findByText('Stored');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename' }));
      await canvas.findByText('Now called On knocking');
    });
    await step('each request carries the token that the function returned at that moment', () =>
      expect(journal).toHaveSent([
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
      ]),
    );
  },
};

const asyncArticles = articlesOf(AsyncTokenEndpoint);

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
        <List articles={asyncArticles} />
      </PlainStore>
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the screen waits for the vault', async () => {
      await canvas.findByText('Fetching…');
    });
    await step('the owner unlocks the vault, and sees the list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Unlock' }));
      await canvas.findByText('On signing in');
    });
    await step('one GET, with the token of the vault', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada')]),
    );
  },
};

const stockArticles = articlesOf(RestEndpoint);

/** “When no token is set, the headers are returned unchanged”: the request is the one that a plain `RestEndpoint` sends. */
export const NoToken: Story = {
  parameters: { expectedConsoleErrors: [/^NetworkError: (\S+: )?Unauthorized/] },
  render: () => (
    <>
      <PlainStore>
        <List articles={staticArticles} />
      </PlainStore>
      <PlainStore>
        <List articles={stockArticles} />
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
      <List articles={staticArticles} />
      <Rename articles={staticArticles} />
    </SignIn>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada signs in, sees the list, and renames an article', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename' }));
      await canvas.findByText('Now called On knocking');
    });
    await step('both headers, on both requests', () =>
      expect(journal).toHaveSent(
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
      ),
    );
  },
};

/** “The login step returns an object with an `accessToken` field”: a plain endpoint, called directly, whose answer the application stores. */
export const LoginStep: Story = {
  render: () => (
    <ActionButton
      label="Sign in"
      act={async () => {
        const answer = await login({ username: 'ada', password: 'lovelace' });
        return `The answer has the fields ${Object.keys(answer).join(', ')}`;
      }}
    />
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada signs in, and the answer has the field', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Sign in' }));
      await canvas.findByText(/^The answer has the fields accessToken\b/);
    });
    await step('one POST, without a token', () =>
      expect(journal).toHaveSent([sent.post('/login').json({ username: 'ada', password: 'lovelace' })]),
    );
  },
};

/** A refused login stores no token, so no further request is sent. */
export const LoginRefused: Story = {
  render: () => (
    <SignIn store={keepInClass} password="byron">
      <List articles={staticArticles} />
    </SignIn>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('a user types a wrong password, and sees the refusal', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Sign in' }));
      await canvas.findByText(/^NetworkError: (\S+: )?Unauthorized$/);
      await expect(StaticTokenEndpoint.accessToken).toBeUndefined();
    });
    await step('one login, and nothing after it', () =>
      expect(journal).toHaveSent([sent.post('/login').json({ username: 'ada', password: 'byron' })]),
    );
  },
};

function Notes() {
  return <p>{useSuspense(NoteResource.getList).map(({ text }) => text)}</p>;
}

/**
 * “Organization”: resources that share a mechanism extend one base class. One login serves all of them, and a
 * subclass adds its own headers by `super`.
 */
export const OneBaseClass: Story = {
  render: () => (
    <SignIn store={keepInClass}>
      <List articles={staticArticles} />
      <Notes />
    </SignIn>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada signs in once, and sees articles and notes', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
      await canvas.findByText('Buy cards');
      await expect(titlesOf(canvas)).toHaveLength(4);
    });
    await step('both resources carry her token', () =>
      expect(journal).toHaveSent(
        [
          sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
          sent.get('/article').as('ada'),
          sent.get('/note').as('ada').headers({ 'x-trace': 'notes' }),
        ],
        { headers: ['x-trace'] },
      ),
    );
  },
};

/**
 * The journal of requests compares real tokens and prints none: in its lines, and in a difference that has one request too many and one
 * with another token, each secret is a short hash.
 */
export const NoTokenIsPrinted: Story = {
  render: (_, { journal }) => (
    <SignIn store={keepInClass}>
      <List articles={staticArticles} />
      <div style={{ whiteSpace: 'pre-wrap' }}>
        <ActionButton label="Print" act={async () => journal.lines().join('\n')} />
        <ActionButton
          label="Compare"
          act={async () => {
            const { message } = await journalMatchers.toHaveSent(journal, [sent.get('/article').as('ada', 2)]);
            return message();
          }}
        />
      </div>
    </SignIn>
  ),
  play: async ({ canvas, canvasElement, step, journal }) => {
    const login = 'POST https://api.example.com/login same-origin {"username":"ada","password":"‹rsvm›"}';
    const get = 'GET https://api.example.com/article same-origin access-token:';
    await step('Ada signs in, and sees the list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
      await canvas.findByText('On signing in');
    });
    await step('the page shows what was sent, without her password and her token', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Print' }));
      await canvas.findByText(`${login} ${get} ‹uc4p›`);
    });
    await step('the difference to another list: the two tokens look different, and neither can be read', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Compare' }));
      await canvas.findByText(
        `Requests differ: 1 missing, 2 unexpected, 0 as expected (- expected but not sent, + sent but not expected): - ${get} ‹vj1s› + ${login} + ${get} ‹uc4p›`,
      );
      await expect(canvasElement).not.toHaveTextContent(/ada-\d|lovelace/);
    });
    await step('what was sent', () =>
      expect(journal).toHaveSent([
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada'),
      ]),
    );
  },
};
