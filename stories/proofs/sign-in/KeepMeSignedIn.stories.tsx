import type { Meta, StoryObj } from '@storybook/react-vite';
import { useEffect, useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated, TokenAuthProvider } from '../../../src/index.js';
import { LoginForm } from '../../../src/entries/widgets.js';
import { ArticlesDemo, AuthStatus, SignInButtons } from '../../support/ArticlesDemo.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';

/** A storage key of this story: two stories must not share one. */
const storageKey = `keep-me-signed-in-${crypto.randomUUID()}`;
const app = setupTokenApp({
  session: { storage: { remembered: 'local', otherwise: 'session', key: storageKey } },
});
const { sent } = app;

/** The app's page; a reload leaves only what the browser stores. */
function Page() {
  const [session, setSession] = useState(() => app.anotherSession());
  useEffect(() => () => session.dispose(), [session]);
  return (
    <>
      <button type="button" onClick={() => setSession(app.anotherSession())}>
        Reload
      </button>
      <TokenAuthProvider session={session}>
        <AuthStatus />
        <Authenticated fallback={<LoginForm remember />}>
          <SignInButtons />
          <ArticlesDemo articles={app.Articles} />
        </Authenticated>
      </TokenAuthProvider>
    </>
  );
}

/** Proves where the checkbox "Keep me signed in" stores the tokens, and that a login leaves nothing in the other storage. */
const meta = {
  title: 'Proofs/Sign-in',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: app.start(),
  render: () => <Page />,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** The user whose tokens each storage has. */
const stored = () =>
  [localStorage, sessionStorage].map(storage => {
    const text = storage.getItem(storageKey);
    return text === null ? undefined : (JSON.parse(text) as { subject: string }).subject;
  });

/** Ada leaves the checkbox alone, Grace checks it, and Ada comes back. */
export const KeepMeSignedIn: Story = {
  play: async ({ canvas, step, hasSent }) => {
    const signIn = async (name: string, password: string, isChecked: boolean) => {
      await userEvent.type(await canvas.findByLabelText('User name'), name);
      await userEvent.type(canvas.getByLabelText('Password'), password);
      if (isChecked) await userEvent.click(canvas.getByRole('checkbox', { name: 'Keep me signed in' }));
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
      await canvas.findByText('authenticated');
    };
    const signOut = async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText('anonymous: signed-out');
    };
    await step('Ada signs in without it: only this tab has her tokens', async () => {
      await signIn('ada', 'lovelace', false);
      await waitFor(() => expect(stored()).toEqual([undefined, 'ada']));
    });
    await step('after a reload she is still signed in', async () => {
      const before = await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Reload' }));
      await waitFor(() => expect(canvas.getByText('On signing in')).not.toBe(before));
    });
    await step('she signs out: neither storage has anything', async () => {
      await signOut();
      await waitFor(() => expect(stored()).toEqual([undefined, undefined]));
    });
    await step('Grace checks it: her tokens outlive the tab', async () => {
      await signIn('grace', 'hopper', true);
      await waitFor(() => expect(stored()).toEqual(['grace', undefined]));
      await canvas.findByText('A compiler for everyone');
    });
    await step('Ada signs in on her screen, without it: nothing of Grace is left', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await canvas.findByText('On signing in');
      await waitFor(() => expect(stored()).toEqual([undefined, 'ada']));
      await expect(canvas.queryByText('A compiler for everyone')).not.toBeInTheDocument();
    });
    await hasSent('the logins carry the choice, and each list its own token', [
      sent.post('/login').json({ username: 'ada', password: 'lovelace', remember: false }),
      sent.get('/article').as('ada'),
      sent.get('/article').as('ada'),
      sent.post('/logout').as('ada'),
      sent.post('/login').json({ username: 'grace', password: 'hopper', remember: true }),
      sent.get('/article').as('grace'),
      sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
      sent.get('/article').as('ada', 2),
    ]);
  },
};
