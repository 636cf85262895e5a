import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { useRef, useState, type ReactNode } from 'react';
import { expect, fn, userEvent, waitFor } from 'storybook/test';
import { Authenticated, ContextTokenProvider, useAuth } from '../../src/index.js';
import { setupContextApp } from '../support/setupContextApp.js';
import { ArticlesDemo, SdkSignInButtons, AuthStatus } from '../support/ArticlesDemo.js';
import { useMockSdk } from '../support/MockSdk.js';
import { useRenderCount } from '../support/useRenderCount.js';
import { requestsOnly } from '../support/requestsOnly.js';

const onExpired = fn();
const app = setupContextApp({ onExpired, articles: { pagination: { style: 'page', size: 2 } } });
const { sent } = app;

/** React writes what an error boundary shows to the console as well. */
const refused = /^NetworkError: Unauthorized/;

/** Proves when the SDK is asked for a token, and that no token reaches another user, another header or another origin. */
const meta = {
  title: 'Proofs/ContextTokenProvider',
  tags: ['proof', '!autodocs'],
  parameters: requestsOnly,
  component: ContextTokenProvider,
  args: {
    children: (
      <>
        <AuthStatus />
        <SdkSignInButtons />
        <ArticlesDemo articles={app.Articles} />
      </>
    ),
  },
  render: ({ children }) => <app.Provider>{children}</app.Provider>,
  beforeEach: [app.start('ada'), () => onExpired.mockClear()],
} satisfies Meta<typeof ContextTokenProvider>;

export default meta;
type Story = StoryObj<typeof meta>;

/** The SDK is asked for the token when a request is sent, and the request carries it. */
export const Basic: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('one GET, with her token', () => expect(journal).toHaveSent([sent.get('/article').as('ada')]));
  },
};

/** Nobody is signed in, and all that could be fetched stands behind a gate: nothing is asked for. */
export const Empty: Story = {
  beforeEach: app.start(),
  args: {
    children: (
      <>
        <AuthStatus />
        <SdkSignInButtons />
        <Authenticated fallback={<p>Nobody is here.</p>}>
          <ArticlesDemo articles={app.Articles} />
        </Authenticated>
      </>
    ),
  },
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees that nobody is here', async () => {
      await canvas.findByText('Nobody is here.');
      await expect(canvas.getByRole('status')).toHaveTextContent(/^anonymous$/);
    });
    await step('nothing was sent', () => expect(journal).toHaveSent([]));
  },
};

/** The SDK takes its time for a token: the request waits for it, and goes with it. */
export const Loading: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles; her token expires, and the SDK is slow with a fresh one', async () => {
      await canvas.findByText('On signing in');
      app.server.expireAccessTokens();
      const release = app.sdk.hold();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await waitFor(() => expect(app.sdk.held).toBe(1));
      await expect(canvas.getByText('On signing in')).toBeInTheDocument();
      release();
      await canvas.findByText('On knocking');
    });
    await step('the PATCH again, once the fresh token was there', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
      ]),
    );
  },
};

/** Nobody is signed in at the SDK: the request goes without the header, and the server's 401 ends nothing. */
export const Refused: Story = {
  parameters: { expectedConsoleErrors: [refused] },
  beforeEach: app.start(),
  play: async ({ canvas, step, journal }) => {
    await step('the server refuses a reader it does not know', async () => {
      await canvas.findByText('Refused: 401');
      await expect(canvas.getByRole('status')).toHaveTextContent(/^anonymous$/);
      await expect(onExpired).not.toHaveBeenCalled();
    });
    await step('one GET, without a token', () => expect(journal).toHaveSent([sent.get('/article')]));
  },
};

/** The SDK says that somebody else is there: the store is thrown away, and everything below starts anew. */
export const SwitchesTheUser: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('Grace signs in at the SDK and sees hers, and none of Ada’s', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('the list was fetched again with hers', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.get('/article').as('grace')]),
    );
  },
};

/** The token has expired: the SDK is asked for a fresh one, past its cache, and the request is sent once more. */
export const Expired: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her token expires, and she renames an article all the same', async () => {
      app.server.expireAccessTokens();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
      await expect(onExpired).not.toHaveBeenCalled();
    });
    await step('the PATCH again, with the fresh token', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
      ]),
    );
  },
};

/** No connection: the act fails and says so, the session and the screen stay, and the next try succeeds. */
export const Offline: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles; then the network goes', async () => {
      await canvas.findByText('On signing in');
      app.articles.failNext('network');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText(/^Renamed: /);
      await expect(canvas.getByText('On signing in')).toBeInTheDocument();
      await expect(canvas.getByRole('status')).toHaveTextContent(/^authenticated$/);
    });
    await step('it is back, and she tries again', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await step('the PATCH twice, and nothing else', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
      ]),
    );
  },
};

/** The fresh token is refused as well: the session ends once, and `onExpired` may ask the SDK for a new sign-in. */
export const ExpiredForGood: Story = {
  parameters: { expectedConsoleErrors: [refused] },
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('the server accepts no token any more; her next act ends the session', async () => {
      app.server.refuseEverything();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('anonymous: expired');
      await canvas.findByText('Refused: 401');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
      await expect(onExpired).toHaveBeenCalledTimes(1);
    });
    await step('one replay, and nothing as Ada afterwards', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
        sent.get('/article'),
      ]),
    );
  },
};

/** The SDK signs the same person in again when it is asked to: `getToken` is asked once more, and her articles are back. */
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
  play: async ({ canvas, step, journal }) => {
    let signedIn = () => {};
    onExpired.mockImplementationOnce(() => new Promise<void>(resolve => (signedIn = resolve)));
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('the server accepts no token any more; her next act ends the session', async () => {
      app.server.refuseEverything();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('anonymous: expired');
    });
    await step('she signs in again at the SDK, and her articles are back', async () => {
      app.server.refuseEverything(false);
      signedIn();
      await canvas.findByText('On signing in');
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await step('one replay, and her list again with a third token', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
        sent.get('/article').as('ada', 3),
      ]),
    );
  },
};

/** Mutations and further pages carry the token like the first read. */
export const MutationAndSecondPageCarryIt: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('she writes a third, and asks for the second page', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
      await canvas.findByText('On writing');
      await userEvent.click(canvas.getByRole('button', { name: 'More' }));
      await canvas.findByText('Second page read');
      await expect(canvas.getAllByRole('listitem')).toHaveLength(3);
    });
    await step('three requests, each with her token', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing' }),
        sent.get('/article?page=2').as('ada'),
      ]),
    );
  },
};

/** A context of one's own that holds the token as a value, and gets a new one now and then. */
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

/** Renames with the very function that its first render made. */
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

/** With `token` as a value: a new token of the same subject re-renders nothing below, and reaches a callback made before. */
export const TakesANewTokenSilently: Story = {
  args: {
    children: (
      <>
        <OldCallback />
        <ArticlesDemo articles={app.Articles} />
      </>
    ),
  },
  render: ({ children }) => <OwnContext>{children}</OwnContext>,
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
      await expect(canvas.getByText('Rendered 1 times')).toBeInTheDocument();
    });
    await step('the token changes, and a callback of the first render renames', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'New token' }));
      await userEvent.click(canvas.getByRole('button', { name: 'Rename as captured' }));
      await canvas.findByText('On knocking');
      await expect(canvas.getByText('Rendered 1 times')).toBeInTheDocument();
    });
    await step('nothing was fetched again, and the PATCH carried the new token', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
      ]),
    );
  },
};

/** A note that only the component knows. */
function Note() {
  return (
    <label>
      Note <input defaultValue="" />
    </label>
  );
}

/** With `token` as a value: another subject throws away the store and everything that is mounted on it, typed text as well. */
export const ThrowsTheStoreAwayWithTheSubject: Story = {
  args: {
    children: (
      <>
        <Note />
        <ArticlesDemo articles={app.Articles} />
      </>
    ),
  },
  render: ({ children }) => <OwnContext>{children}</OwnContext>,
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles, and types a note', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByLabelText('Note'), 'for my eyes');
    });
    await step('the subject changes: Grace’s articles, and an empty note', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Become Grace' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
      await expect(canvas.getByLabelText('Note')).toHaveValue('');
    });
    await step('the list was fetched again as Grace', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.get('/article').as('grace')]),
    );
  },
};

/** `header` and `scheme` say how the server wants the token, `Bearer` being the word in `Authorization` unless another is given. */
export const InAuthorization: Story = {
  parameters: { expectedConsoleErrors: [refused] },
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
  play: async ({ canvas, step, journal }) => {
    await step('this server reads another header, and refuses', async () => {
      await canvas.findByText('anonymous: expired');
      await canvas.findByText('Refused: 401');
    });
    await step('the token was in Authorization, after the word Bearer', () =>
      expect(journal).toHaveSent([
        sent.get('/article').headers({ authorization: 'Bearer ada-1' }),
        sent.get('/article'),
      ]),
    );
  },
};

/** The kit's way out, whom the SDK knows, and the way back, by which the SDK is asked. */
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

/** The `logout` of `useAuth` ends the session of this page only: the SDK goes on knowing the person, and brings her back without a password. */
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
  play: async ({ canvas, step, journal }) => {
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
    await step('the SDK is asked, and she is back', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Come back' }));
      await canvas.findByText('On signing in');
    });
    await step('her list twice, and nothing between', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.get('/article').as('ada', 2)]),
    );
  },
};

/** `trustedOrigins` are the only addresses that get the token: a request for another one is refused by its name, and not sent. */
export const GoesNowhereElse: Story = {
  parameters: { expectedConsoleErrors: [/^UntrustedOriginError: /] },
  args: { ...InAuthorization.args, trustedOrigins: ['https://api.example.org'] },
  render: args => <ContextTokenProvider {...args} />,
  play: async ({ canvas, step, journal }) => {
    await step('the API that is not listed is named', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        "Credentials are not sent to https://api.example.com. Add it to the session's `trustedOrigins`, or mark the endpoint `public: true` to call it without credentials.",
      );
      await expect(canvas.getByRole('status')).toHaveTextContent(/^authenticated$/);
    });
    await step('nothing was sent', () => expect(journal).toHaveSent([]));
  },
};
