import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { expect, waitFor, within } from 'storybook/test';
import { ContextTokenProvider, useAuth } from '../../src/index.js';
import { setupContextApp } from '../support/setupContextApp.js';
import { ArticlesDemo, AuthStatus } from '../support/ArticlesDemo.js';
import { RequestLog } from '../support/RequestLog.js';
import { requestsOnly } from '../support/requestsOnly.js';

const app = setupContextApp();
const { sent } = app;

/** A reader whose SDK gives this for a token. */
function Reader({ label, token }: { label: string; token: string | null | undefined }) {
  return (
    <section aria-label={label}>
      <ContextTokenProvider subject="ada" getToken={async () => token}>
        <AuthStatus />
        <ArticlesDemo articles={app.Articles} />
      </ContextTokenProvider>
    </section>
  );
}

/** Grace, with a token that is good. */
function GraceBeside() {
  const [token] = useState(() => app.server.signIn('grace').accessToken);
  return (
    <section aria-label="Grace">
      <ContextTokenProvider subject="grace" getToken={async () => token}>
        <AuthStatus />
        <ArticlesDemo articles={app.Articles} />
      </ContextTokenProvider>
    </section>
  );
}

/** What an SDK gives may be no token at all, or one that no header can carry. It is judged when a request is about to be sent. */
const meta = {
  title: 'Proofs/Requests',
  tags: ['proof', '!autodocs'],
  parameters: requestsOnly,
  beforeEach: app.start(),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const UNUSABLE = {
  'a line break': 'ada-1\r\nX-Role: admin',
  'a NUL': 'ada-1\0',
  'an emoji': 'ada-🗝',
  'a number': 5 as unknown as string,
  'an object': { accessToken: 'ada-1' } as unknown as string,
};

/** A line break, a NUL, an emoji, no text at all: a sentence that names the remedy, before any request. Nothing is sent, with it or without. */
export const UnusableSdkToken: Story = {
  parameters: { expectedConsoleErrors: [/^InvalidCredentialError: The access token/] },
  render: (_, { journal }) => (
    <>
      <RequestLog journal={journal} />
      {Object.entries(UNUSABLE).map(([label, token]) => (
        <Reader key={label} label={label} token={token} />
      ))}
      <GraceBeside />
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('each reader is told, and Grace reads hers', async () => {
      for (const label of Object.keys(UNUSABLE)) {
        const reader = within(canvas.getByRole('region', { name: label }));
        await expect(await reader.findByRole('alert')).toHaveTextContent(
          /^The access token .* so no request can carry it\. Give the access token as the server issued it\.$/,
        );
      }
      await canvas.findByText('A compiler for everyone');
    });
    await step('one GET, which is Grace’s', () => expect(journal).toHaveSent([sent.get('/article').as('grace')]));
  },
};

const NONE = { nothing: undefined, null: null, 'an empty text': '' };

/** Nothing, null, an empty text, while `subject` names a user: “not now”. The request is not sent, the user stays signed in, and may try again. */
export const NoSdkToken: Story = {
  parameters: { expectedConsoleErrors: [/^RefreshUnavailableError: /] },
  render: (_, { journal }) => (
    <>
      <RequestLog journal={journal} />
      {Object.entries(NONE).map(([label, token]) => (
        <Reader key={label} label={label} token={token} />
      ))}
      <GraceBeside />
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('each reader is told to try again, and still signed in; Grace reads hers', async () => {
      for (const label of Object.keys(NONE)) {
        const reader = within(canvas.getByRole('region', { name: label }));
        await expect(await reader.findByRole('alert')).toHaveTextContent(
          'The server that issues the credentials could not be reached. This signs no user out: try again when the network is back.',
        );
        await expect(reader.getByRole('status')).toHaveTextContent(/^authenticated$/);
      }
      await canvas.findByText('A compiler for everyone');
    });
    await step('one GET, which is Grace’s', () => expect(journal).toHaveSent([sent.get('/article').as('grace')]));
  },
};

/** A reader whose SDK has no token to give, and says why by this error. */
function Failing({ code }: { code: string }) {
  const getToken = () => Promise.reject(Object.assign(new Error('No token.'), { error: code }));
  return (
    <section aria-label={code}>
      <ContextTokenProvider subject="ada" getToken={getToken}>
        <AuthStatus />
        <ArticlesDemo articles={app.Articles} />
      </ContextTokenProvider>
    </section>
  );
}

const SIGN_IN = ['login_required', 'invalid_grant', 'missing_refresh_token'];

/** Errors of an SDK that only a new sign-in can mend end the session; any other means “not now”: nobody is signed out, and nothing is sent. */
export const SdkNeedsASignIn: Story = {
  parameters: { expectedConsoleErrors: [/^NetworkError: Unauthorized/, /^RefreshUnavailableError: /] },
  render: (_, { journal }) => (
    <>
      <RequestLog journal={journal} />
      {[...SIGN_IN, 'timeout'].map(code => (
        <Failing key={code} code={code} />
      ))}
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the sign-in is over, and the page is nobody’s', async () => {
      for (const code of SIGN_IN) {
        const reader = within(canvas.getByRole('region', { name: code }));
        await waitFor(() => expect(reader.getByRole('status')).toHaveTextContent('anonymous: expired'));
        await reader.findByText('Refused: 401');
      }
    });
    await step('a timeout is “not now”: the reader is told so, and still signed in', async () => {
      const reader = within(canvas.getByRole('region', { name: 'timeout' }));
      await expect(await reader.findByRole('alert')).toHaveTextContent(
        'The server that issues the credentials could not be reached. This signs no user out: try again when the network is back.',
      );
      await expect(reader.getByRole('status')).toHaveTextContent(/^authenticated$/);
    });
    await step('one GET without a header for each of the three', () =>
      expect(journal).toHaveSent(SIGN_IN.map(() => sent.get('/article'))),
    );
  },
};

/** What the session has to complain of. */
function Complaint() {
  return <p role="alert">{useAuth().error?.message}</p>;
}

/** A token that does not tell whose it is, and no `subject` either: the remedy is named, nobody is signed in, and the token is not sent. */
export const SdkTokenWithoutAUser: Story = {
  render: () => (
    <>
      <ContextTokenProvider getToken={async () => 'opaque'}>
        <AuthStatus />
        <Complaint />
      </ContextTokenProvider>
      <GraceBeside />
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the reader is told, and Grace, who has a subject, reads hers', async () => {
      await canvas.findByText(
        'getToken gave a token that does not tell whose it is, so the session could not tell two users apart. Give ContextTokenProvider the `subject`: the user id that the SDK knows, or null while no user is signed in.',
      );
      await expect(canvas.getByText('anonymous')).toBeInTheDocument();
      await canvas.findByText('A compiler for everyone');
    });
    await step('one GET, which is Grace’s', () => expect(journal).toHaveSent([sent.get('/article').as('grace')]));
  },
};
