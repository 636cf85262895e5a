import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { expect, waitFor, within } from 'storybook/test';
import { ContextTokenProvider, useAuth } from '../../../src/index.js';
import { setupContextApp } from '../../support/setupContextApp.js';
import { ArticlesDemo, AuthStatus } from '../../support/ArticlesDemo.js';
import { RequestLog } from '../../support/RequestLog.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const app = setupContextApp();
const { sent } = app;

/** A reader whose SDK returns this value as the token. */
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

/** Grace, with a usable token. */
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

/** An SDK may return no token, or one that no header can carry. The session checks the token right before it sends a request. */
const meta = {
  title: 'Proofs/Requests',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: app.start(),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const UNAVAILABLE =
  'The server that issues the credentials could not be reached. This signs no user out: try again when the network is back.';

const UNUSABLE = {
  'a line break': 'ada-1\r\nX-Role: admin',
  'a NUL': 'ada-1\0',
  'an emoji': 'ada-🗝',
  'a number': 5 as unknown as string,
  'an object': { accessToken: 'ada-1' } as unknown as string,
};

const NONE = { nothing: undefined, null: null, 'an empty text': '' };

/**
 * `getToken` returns a token that no header can carry: an error message names the remedy. It returns none while `subject` names a user: the user
 * stays signed in and may try again. Either way nothing is sent.
 */
export const NoSdkToken: Story = {
  parameters: { expectedConsoleErrors: [/^InvalidCredentialError: The access token/, /^RefreshUnavailableError: /] },
  render: (_, { journal }) => (
    <>
      <RequestLog journal={journal} />
      {Object.entries({ ...UNUSABLE, ...NONE }).map(([label, token]) => (
        <Reader key={label} label={label} token={token} />
      ))}
      <GraceBeside />
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    const reader = (label: string) => within(canvas.getByRole('region', { name: label }));
    await step('a line break, a NUL, an emoji, a number, an object: the error message is shown', async () => {
      for (const label of Object.keys(UNUSABLE))
        await expect(await reader(label).findByRole('alert')).toHaveTextContent(
          /^The access token .* so no request can carry it\. Give the access token as the server issued it\.$/,
        );
    });
    await step('no token: the reader may try again, and stays signed in', async () => {
      for (const label of Object.keys(NONE)) {
        await expect(await reader(label).findByRole('alert')).toHaveTextContent(UNAVAILABLE);
        await expect(reader(label).getByRole('status')).toHaveTextContent(/^authenticated$/);
      }
    });
    await step('one GET, with Grace’s token', async () => {
      await canvas.findByText('A compiler for everyone');
      await expect(journal).toHaveSent([sent.get('/article').as('grace')]);
    });
  },
};

/** A reader whose SDK rejects with this error instead of a token. */
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

/** An SDK error that only a new sign-in can fix ends the session. Any other error keeps it: the user stays signed in, and nothing is sent. */
export const SdkNeedsASignIn: Story = {
  parameters: { expectedConsoleErrors: [/^NetworkError: (\S+: )?Unauthorized/, /^RefreshUnavailableError: /] },
  render: (_, { journal }) => (
    <>
      <RequestLog journal={journal} />
      {[...SIGN_IN, 'timeout'].map(code => (
        <Failing key={code} code={code} />
      ))}
    </>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('the session ends, and the page is signed out', async () => {
      for (const code of SIGN_IN) {
        const reader = within(canvas.getByRole('region', { name: code }));
        await waitFor(() => expect(reader.getByRole('status')).toHaveTextContent('anonymous: expired'));
        await reader.findByText('Refused: 401');
      }
    });
    await step('a timeout: the reader sees that they may try again, and stays signed in', async () => {
      const reader = within(canvas.getByRole('region', { name: 'timeout' }));
      await expect(await reader.findByRole('alert')).toHaveTextContent(UNAVAILABLE);
      await expect(reader.getByRole('status')).toHaveTextContent(/^authenticated$/);
    });
    await hasSent(
      'one GET without a token for each of the three',
      SIGN_IN.map(() => sent.get('/article')),
    );
  },
};

/** The error of the session. */
function Complaint() {
  return <p role="alert">{useAuth().error?.message}</p>;
}

/**
 * The token does not say whose it is, and there is no `subject`: the error names the remedy, the page stays signed
 * out, and the token is not sent.
 */
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
  play: async ({ canvas, step, hasSent }) => {
    await step('the reader sees the error, and Grace, who has a subject, sees her articles', async () => {
      await canvas.findByText(
        'getToken gave a token that does not name its user, so the session could not tell two users apart. Pass ContextTokenProvider the `subject`: the user id that the SDK knows, or null while no user is signed in.',
      );
      await expect(canvas.getByText('anonymous')).toBeInTheDocument();
      await canvas.findByText('A compiler for everyone');
    });
    await hasSent('one GET, with Grace’s token', [sent.get('/article').as('grace')]);
  },
};
