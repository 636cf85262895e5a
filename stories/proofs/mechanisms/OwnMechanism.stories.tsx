import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated, TokenAuthProvider, useAuth } from '../../../src/index.js';
import { requestLines } from '../../../src/testing/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api, articleHooks } from '../../support/articles.js';
import { ArticlesDemo, AuthStatus } from '../../support/ArticlesDemo.js';
import { apiKeyHandlers, signatureHandlers } from '../../support/keyServers.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { session as apiKeySession } from '../../mechanisms/shown/apiKeySession.js';
import { session as hmacSession } from '../../mechanisms/shown/hmacSession.js';
import { inCases } from '../../support/inCases.js';

const sent = requestLines({ prefix: api });

const Articles = articleHooks();

/** Proves that a session of `createSession` signs each request, and ends when the server refuses the credential. */
const meta = {
  title: 'Proofs/Mechanisms',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: () => {
    hmacSession.dispose();
    apiKeySession.dispose();
  },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Signs in with a key that the app has. */
function UseKey({ secret }: { secret: string }) {
  const { login } = useAuth<typeof hmacSession>();
  return (
    <ActionButton label="Sign in" act={async () => `Signed in as ${(await login({ keyId: 'ada', secret }))?.id}`} />
  );
}

function SignedArticles({ secret }: { secret: string }) {
  return (
    <TokenAuthProvider session={hmacSession}>
      <AuthStatus />
      <Authenticated fallback={<UseKey secret={secret} />}>
        <ArticlesDemo articles={Articles} />
      </Authenticated>
    </TokenAuthProvider>
  );
}

/** Each request is signed: its method, its path, the time and its body. The server computes the signature too, and refuses a different one. */
export const SignedRequests: Story = {
  beforeEach: ({ msw }) => msw.use(...signatureHandlers()),
  render: () => <SignedArticles secret="lovelace" />,
  play: async ({ canvas, step, journal, hasSent }) => {
    await step('Ada signs in, and sees her list', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Sign in' }));
      await canvas.findByText('On signing in');
    });
    await step('she renames an article', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('Renamed');
    });
    await hasSent(
      'two requests, both signed with her key',
      [
        sent.get('/article').headers({ 'x-key-id': 'ada' }),
        sent.patch('/article/1').headers({ 'x-key-id': 'ada' }).json({ title: 'On knocking' }),
      ],
      { headers: ['x-key-id'] },
    );
    await step('each has its own signature, which the server accepts', async () => {
      await waitFor(() => expect(journal.entries.map(({ status }) => status)).toEqual([200, 200]));
      const signatures = journal.entries.map(({ headers }) => headers['x-signature']);
      await expect(new Set(signatures).size).toBe(2);
    });
  },
};

const wrongSecret: Story = {
  beforeEach: ({ msw }) => msw.use(...signatureHandlers()),
  render: () => <SignedArticles secret="byron" />,
  play: async ({ canvas, step, journal }) => {
    await step('a user signs in with a wrong secret, and is signed out a second later', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Sign in' }));
      await canvas.findByText('anonymous: expired');
      await canvas.findByRole('button', { name: 'Sign in' });
    });
    await step('one request, and once more: another machine of a server may not know the key yet', () => {
      const read = sent.get('/article').headers({ 'x-key-id': 'ada' });
      return expect(journal).toHaveSent([read, read], { headers: ['x-key-id'] });
    });
  },
};

/** A form with one field, whose value is the credential. */
function KeyForm() {
  const { login, error } = useAuth<typeof apiKeySession>();
  const [apiKey, setApiKey] = useState('');
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        login(apiKey).catch(() => {});
      }}
    >
      <label>
        API key{' '}
        <input type="password" autoComplete="off" value={apiKey} onChange={event => setApiKey(event.target.value)} />
      </label>{' '}
      <button type="submit">Sign in</button>
      {error && <p role="alert">{error.message}</p>}
    </form>
  );
}

const keyArticles = (
  <TokenAuthProvider session={apiKeySession}>
    <AuthStatus />
    <Authenticated fallback={<KeyForm />}>
      <ArticlesDemo articles={Articles} />
    </Authenticated>
  </TokenAuthProvider>
);

/** The user types an API key. The login asks the server whose it is; then each request carries it. */
export const ApiKey: Story = {
  beforeEach: ({ msw }) => msw.use(...apiKeyHandlers()),
  render: () => keyArticles,
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada types her key, and sees her list', async () => {
      await userEvent.type(await canvas.findByLabelText('API key'), 'key-lovelace{Enter}');
      await canvas.findByText('On signing in');
    });
    await step('she renames an article', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('Renamed');
    });
    await hasSent(
      'three requests, all with her key',
      [
        sent.get('/whoami').headers({ 'x-api-key': 'key-lovelace' }),
        sent.get('/article').headers({ 'x-api-key': 'key-lovelace' }),
        sent.patch('/article/1').headers({ 'x-api-key': 'key-lovelace' }).json({ title: 'On knocking' }),
      ],
      { headers: ['x-api-key'] },
    );
  },
};

const wrongApiKey: Story = {
  beforeEach: ({ msw }) => msw.use(...apiKeyHandlers()),
  render: () => keyArticles,
  play: async ({ canvas, canvasElement, step, hasSent }) => {
    await step('a user types another key, and stays signed out', async () => {
      await userEvent.type(await canvas.findByLabelText('API key'), 'key-byron{Enter}');
      await canvas.findByRole('alert');
      await canvas.findByText('anonymous');
      await expect(canvasElement).not.toHaveTextContent('key-byron');
    });
    await hasSent('one request', [sent.get('/whoami').headers({ 'x-api-key': 'key-byron' })], {
      headers: ['x-api-key'],
    });
  },
};

/** The server refuses the credential: nothing is sent again with it, and nothing without. */
export const WrongKey: Story = inCases({
  'a signature with another secret: the session ends': wrongSecret,
  'an API key that the server does not know: the login rejects, and the form says why': wrongApiKey,
});
