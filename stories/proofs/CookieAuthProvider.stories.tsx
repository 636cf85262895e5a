import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { CookieAuthProvider } from '../../src/index.js';
import { csrf, setupCookieApp } from '../support/setupCookieApp.js';
import { ArticlesDemo, SignInButtons, AuthStatus } from '../support/ArticlesDemo.js';
import { requestsOnly } from '../support/requestsOnly.js';

const app = setupCookieApp({ articles: { pagination: { style: 'page', size: 2 } } });
const { sent } = app;

/** Proves which requests carry the cookie and the CSRF token, and what a 401, a 403 and a switch of users change. */
const meta = {
  title: 'Proofs/CookieAuthProvider',
  tags: ['proof', '!autodocs'],
  component: CookieAuthProvider,
  parameters: { ...requestsOnly, cookies: app.cookies },
  args: {
    session: app.session,
    children: (
      <>
        <AuthStatus />
        <SignInButtons />
        <ArticlesDemo articles={app.Articles} />
      </>
    ),
  },
  beforeEach: app.start('ada'),
} satisfies Meta<typeof CookieAuthProvider>;

export default meta;
type Story = StoryObj<typeof meta>;

/** Renames an article of Grace's. */
function RenameForeign() {
  const controller = useController();
  const partialUpdate = app.Articles.usePartialUpdate();
  const [outcome, setOutcome] = useState('');
  const rename = () =>
    controller.fetch(partialUpdate, { id: '3' }, { title: 'Mine now' }).then(
      () => setOutcome('Renamed'),
      (error: { status?: number }) => setOutcome(`Forbidden: ${error.status}`),
    );
  return (
    <p>
      <button type="button" onClick={() => void rename()}>
        Rename Grace’s
      </button>
      {outcome}
    </p>
  );
}

/** A 403 without a CSRF reason is final: the request is not sent again, and the user stays signed in. */
export const DoesNotRetryAnOrdinary403: Story = {
  args: {
    children: (
      <>
        <AuthStatus />
        <RenameForeign />
        <ArticlesDemo articles={app.Articles} />
      </>
    ),
  },
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('she may not rename an article of Grace’s, and stays signed in', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename Grace’s' }));
      await canvas.findByText('Forbidden: 403');
      await expect(canvas.getByRole('status')).toHaveTextContent(/^authenticated$/);
      await expect(canvas.getByText('On signing in')).toBeInTheDocument();
    });
    await hasSent('one PATCH', [
      sent.get('/whoami'),
      sent.get('/article'),
      sent.patch('/article/3').headers(csrf(1)).json({ title: 'Mine now' }),
    ]);
  },
};

/** The logout carries the CSRF token; after it, requests go with `omit`. */
export const SignsOut: Story = {
  parameters: { expectedConsoleErrors: [/^NetworkError: (\S+: )?Unauthorized/] },
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('she signs out, and nothing of hers is left', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText('anonymous: signed-out');
      await canvas.findByText('Refused: 401');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('the server gets the logout', () => waitFor(() => expect(app.server.counts.logouts).toBe(1)));
    await hasSent(
      'the logout carries the cookie and the CSRF token, the next read neither',
      [
        sent.get('/whoami'),
        sent.get('/article'),
        sent.post('/logout').headers(csrf(1)),
        sent.get('/article').credentials('omit'),
      ],
      { anyOrder: true },
    );
  },
};
