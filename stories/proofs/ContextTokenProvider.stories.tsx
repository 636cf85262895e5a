import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { useRef, useState, type ReactNode } from 'react';
import { expect, fn, userEvent, waitFor } from 'storybook/test';
import { Authenticated, ContextTokenProvider, useAuth } from '../../src/index.js';
import { setupContextApp } from '../support/setupContextApp.js';
import { ArticlesDemo, AuthStatus } from '../support/ArticlesDemo.js';
import { useMockSdk } from '../support/MockSdk.js';
import { useRenderCount } from '../support/useRenderCount.js';
import { requestsOnly } from '../support/requestsOnly.js';
import { inCases } from '../support/inCases.js';

const onExpired = fn();
const app = setupContextApp({ onExpired, articles: { pagination: { style: 'page', size: 2 } } });
const { sent } = app;

/** Proves when the SDK is asked for a token, and that no token reaches another user, another header or another origin. */
const meta = {
  title: 'Proofs/ContextTokenProvider',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  component: ContextTokenProvider,
  args: {
    children: (
      <>
        <AuthStatus />
        <ArticlesDemo articles={app.Articles} />
      </>
    ),
  },
  render: ({ children }) => <app.Provider>{children}</app.Provider>,
  beforeEach: [app.start('ada'), () => onExpired.mockClear()],
} satisfies Meta<typeof ContextTokenProvider>;

export default meta;
type Story = StoryObj<typeof meta>;

/** The SDK is slow: the request waits for its token. */
export const Loading: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles; her token expires, and the SDK is slow with a fresh one', async () => {
      await canvas.findByText('On signing in');
      app.server.expire();
      const release = app.sdk.hold();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await waitFor(() => expect(app.sdk.held).toBe(1));
      await expect(canvas.getByText('On signing in')).toBeInTheDocument();
      release();
      await canvas.findByText('On knocking');
    });
    await hasSent('the PATCH is sent again, with the fresh token', [
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
      sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
    ]);
  },
};

/** The SDK signs the same user in again: `getToken` is called again, and her articles are shown. */
export const TheSamePersonComesBack: Story = {
  args: {
    children: (
      <>
        <AuthStatus />
        <Authenticated>
          <ArticlesDemo articles={app.Articles} />
        </Authenticated>
      </>
    ),
  },
  play: async ({ canvas, step, hasSent }) => {
    let signedIn = () => {};
    onExpired.mockImplementationOnce(() => new Promise<void>(resolve => (signedIn = resolve)));
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('the server refuses every token; her rename ends the session', async () => {
      app.server.refuseEverything();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('anonymous: expired');
    });
    await step('she signs in again at the SDK, and sees her articles', async () => {
      app.server.refuseEverything(false);
      signedIn();
      await canvas.findByText('On signing in');
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await hasSent('the request is sent again with a fresh token, twice, and her list is read with a third one', [
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
      sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
      sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
      sent.get('/article').as('ada', 3),
    ]);
  },
};

/** A context of the app that holds the token as a value, and replaces it now and then. */
function OwnContext({ children }: { children: ReactNode }) {
  const [held, setHeld] = useState(() => ({ personId: 'ada', token: app.server.signIn('ada').accessToken }));
  const signIn = (personId: string) => setHeld({ personId, token: app.server.signIn(personId).accessToken });
  return (
    <>
      <button type="button" onClick={() => signIn(held.personId)}>
        New token
      </button>
      <button type="button" onClick={() => signIn('grace')}>
        Become Grace
      </button>
      <ContextTokenProvider token={held.token} subject={held.personId}>
        {children}
      </ContextTokenProvider>
    </>
  );
}

/** Renames with the function of its first render. */
function OldCallback() {
  const renders = useRenderCount();
  const controller = useController();
  const partialUpdate = app.Articles.usePartialUpdate();
  const rename = () => void controller.fetch(partialUpdate, { id: '1' }, { title: 'On knocking' });
  const captured = useRef(rename);
  return (
    <p>
      <button type="button" onClick={() => captured.current()}>
        Rename as captured
      </button>
      {`Rendered ${renders} times`}
    </p>
  );
}

const takesANewTokenSilently: Story = {
  args: {
    children: (
      <>
        <OldCallback />
        <ArticlesDemo articles={app.Articles} />
      </>
    ),
  },
  render: ({ children }) => <OwnContext>{children}</OwnContext>,
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
      await expect(canvas.getByText('Rendered 1 times')).toBeInTheDocument();
    });
    await step('the token changes, and a callback of the first render renames an article', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'New token' }));
      await userEvent.click(canvas.getByRole('button', { name: 'Rename as captured' }));
      await canvas.findByText('On knocking');
      await expect(canvas.getByText('Rendered 1 times')).toBeInTheDocument();
    });
    await hasSent('the list is read once, and the PATCH carries the new token', [
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
    ]);
  },
};

/** A note in the state of a component. */
function Note() {
  return (
    <label>
      Note <input defaultValue="" />
    </label>
  );
}

const throwsTheStoreAwayWithTheSubject: Story = {
  args: {
    children: (
      <>
        <Note />
        <ArticlesDemo articles={app.Articles} />
      </>
    ),
  },
  render: ({ children }) => <OwnContext>{children}</OwnContext>,
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles, and types a note', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByLabelText('Note'), 'for my eyes');
    });
    await step('the subject changes: she sees Grace’s articles and an empty note', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Become Grace' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
      await expect(canvas.getByLabelText('Note')).toHaveValue('');
    });
    await hasSent('the list is read again, with Grace’s token', [
      sent.get('/article').as('ada'),
      sent.get('/article').as('grace'),
    ]);
  },
};

/** `token` can be a value of a context of the app, which it replaces now and then. */
export const TokenAsAValue: Story = inCases({
  'a new token of the same subject renders nothing below the provider, and a callback of an earlier render sends it':
    takesANewTokenSilently,
  'another subject drops the store and the mounted tree, with the text that was typed':
    throwsTheStoreAwayWithTheSubject,
});

/** `header` sets how the token is sent. In `Authorization` it comes after the word `Bearer`. */
export const InAuthorization: Story = {
  parameters: { expectedConsoleErrors: [/^NetworkError: (\S+: )?Unauthorized/] },
  args: {
    header: 'Authorization',
    token: 'ada-1',
    subject: 'ada',
    children: (
      <>
        <AuthStatus />
        <ArticlesDemo articles={app.Articles} />
      </>
    ),
  },
  render: args => <ContextTokenProvider {...args} />,
  play: async ({ canvas, step, hasSent }) => {
    await step('this server expects another header, and refuses the request', async () => {
      await canvas.findByText('anonymous: expired');
      await canvas.findByText('Refused: 401');
    });
    await hasSent('the token is in Authorization, after the word Bearer', [
      sent.get('/article').headers({ authorization: 'Bearer ada-1' }),
      sent.get('/article'),
    ]);
  },
};

/** The kit's `logout`, which the SDK does not see, and a button that signs in at the SDK. */
function KitsWayOut() {
  const { login, logout } = useAuth();
  const { user } = useMockSdk();
  return (
    <p>
      <button type="button" onClick={() => void logout()}>
        Sign out of this page
      </button>
      <button type="button" onClick={() => void login()}>
        Come back
      </button>{' '}
      {`At the SDK: ${user?.name ?? 'nobody'}`}
    </p>
  );
}

/** The `logout` of `useAuth` ends the session of this page only: the SDK still knows the user, and signs her in again without a password. */
export const SignsOutOfThisPageOnly: Story = {
  args: {
    children: (
      <>
        <AuthStatus />
        <KitsWayOut />
        <Authenticated fallback={<p>Nobody is here.</p>}>
          <ArticlesDemo articles={app.Articles} />
        </Authenticated>
      </>
    ),
  },
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('she signs out by the kit: her articles are gone, and the SDK still knows her', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out of this page' }));
      await canvas.findByText('anonymous: signed-out');
      await canvas.findByText('Nobody is here.');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
      await expect(canvas.getByText(/At the SDK: Ada Lovelace/)).toBeInTheDocument();
    });
    await step('she signs in at the SDK, and sees her articles', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Come back' }));
      await canvas.findByText('On signing in');
    });
    await hasSent('her list twice, and nothing between', [
      sent.get('/article').as('ada'),
      sent.get('/article').as('ada', 2),
    ]);
  },
};

/** Only `trustedOrigins` get the token: a request for another origin is not sent, and the error names the origin. */
export const GoesNowhereElse: Story = {
  parameters: { expectedConsoleErrors: [/^UntrustedOriginError: /] },
  args: { ...InAuthorization.args, trustedOrigins: ['https://api.example.org'] },
  render: args => <ContextTokenProvider {...args} />,
  play: async ({ canvas, step, hasSent }) => {
    await step('the error names the API that is not listed', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        "Credentials are not sent to https://api.example.com. If its server takes the credentials of this session, add it to the session's `trustedOrigins`. If it is another API with a session of its own, put the component below a provider of that session. Or mark the endpoint `public: true`, or use plain `fetch`, to call it without credentials.",
      );
      await expect(canvas.getByRole('status')).toHaveTextContent(/^authenticated$/);
    });
    await hasSent('nothing was sent', []);
  },
};
