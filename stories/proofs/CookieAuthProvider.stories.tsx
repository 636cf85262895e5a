import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { useEffect, useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { CookieAuthProvider } from '../../src/index.js';
import { csrf, setupCookieApp } from '../support/setupCookieApp.js';
import { ArticlesDemo, SignInButtons, AuthStatus } from '../support/ArticlesDemo.js';
import {
  articlesPage,
  gatedPage,
  offline,
  readsTheList,
  refusedInConsole,
  refusedWhileSignedOut,
  renamesAfter,
  signedOutBehindAGate,
  switchesTheUser,
} from '../support/providerFlows.js';
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
    children: articlesPage(app, SignInButtons),
  },
  beforeEach: app.start('ada'),
} satisfies Meta<typeof CookieAuthProvider>;

export default meta;
type Story = StoryObj<typeof meta>;

/** The page asks `whoami` once; then the browser sends the cookie with every request. */
export const Basic: Story = readsTheList({
  title: 'one whoami, and one GET with her cookie',
  lines: [sent.get('/whoami'), sent.get('/article')],
});

/** The user is signed out, and the list is behind a gate: nothing is fetched. */
export const Empty: Story = signedOutBehindAGate(app, SignInButtons, {
  title: 'one whoami, and nothing after it',
  lines: [sent.get('/whoami')],
});

let answer = () => {};

/** The session is restoring: a request waits until `whoami` has found the user, and is then sent as that user. */
export const Loading: Story = {
  beforeEach: () => void (answer = app.server.hold()),
  play: async ({ canvas, step, journal }) => {
    await step('the page waits for whoami', async () => {
      await canvas.findByText('restoring');
      await canvas.findByText('Fetching…');
      await waitFor(() => expect(app.server.held).toBe(1));
      await expect(journal).toHaveSent([sent.get('/whoami')]);
    });
    await step('the cookie is Ada’s, and her articles are shown', async () => {
      answer();
      await canvas.findByText('On signing in');
      await expect(canvas.getByRole('status')).toHaveTextContent(/^authenticated$/);
    });
    await step('one GET, with her cookie', () =>
      expect(journal).toHaveSent([sent.get('/whoami'), sent.get('/article')]),
    );
  },
};

/** The user is signed out: requests go with `omit`, so that no cookie is sent, not even an old one. */
export const Refused: Story = refusedWhileSignedOut(app, {
  title: 'one whoami, and one GET without cookies',
  lines: [sent.get('/whoami'), sent.get('/article').credentials('omit')],
});

/** A login without a CSRF cookie fetches one first, for servers that protect their login. */
export const SignsIn: Story = {
  beforeEach: app.start(),
  args: {
    children: gatedPage(app, SignInButtons),
  },
  play: async ({ canvas, step, journal }) => {
    await step('the user is signed out', async () => {
      await canvas.findByText('anonymous');
    });
    await step('Ada signs in and sees her articles', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await canvas.findByText('On signing in');
    });
    await step('the CSRF token is fetched before the login', () =>
      expect(journal).toHaveSent([
        sent.get('/whoami'),
        sent.get('/csrf'),
        sent.post('/login').headers(csrf(1)).json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article'),
      ]),
    );
  },
};

/** Another user signs in: the tree below the provider is mounted again, and no data of Ada's is on the screen. */
export const SwitchesTheUser: Story = switchesTheUser({
  title: 'the list is read again, with the cookie of the login',
  lines: [
    sent.get('/whoami'),
    sent.get('/article'),
    sent.post('/login').headers(csrf(1)).json({ username: 'grace', password: 'hopper' }),
    sent.get('/article'),
  ],
});

/** Counts the sessions that the server has ended. It is above the provider, so it stays mounted. */
function Endings() {
  const [endings, setEndings] = useState(0);
  useEffect(() => {
    let { epoch } = app.session.getSnapshot();
    return app.session.subscribe(() => {
      const now = app.session.getSnapshot();
      if (now.epoch !== epoch && now.reason === 'expired') setEndings(count => count + 1);
      ({ epoch } = now);
    });
  }, []);
  return <p>{`Ended ${endings} times`}</p>;
}

/** Renames two articles at once. */
function RenameBoth() {
  const controller = useController();
  const partialUpdate = app.Articles.usePartialUpdate();
  const rename = (id: string) => controller.fetch(partialUpdate, { id }, { title: `Article ${id}` }).catch(() => {});
  return (
    <button type="button" onClick={() => void Promise.all([rename('1'), rename('2')])}>
      Rename both
    </button>
  );
}

/** The server has forgotten the session: the 401s of two requests end it once, nothing is sent again, and the reader sees the reason. */
export const Expired: Story = {
  parameters: { expectedConsoleErrors: [refusedInConsole] },
  args: {
    children: (
      <>
        <AuthStatus />
        <RenameBoth />
        <ArticlesDemo articles={app.Articles} />
      </>
    ),
  },
  render: args => (
    <>
      <Endings />
      <CookieAuthProvider {...args} />
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step(
      'her session expires on the server; both renames are answered 401, and the session ends once',
      async () => {
        app.server.expire();
        await userEvent.click(canvas.getByRole('button', { name: 'Rename both' }));
        await canvas.findByText('anonymous: expired');
        await canvas.findByText('Refused: 401');
        await expect(canvas.getByText('Ended 1 times')).toBeInTheDocument();
        await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
      },
    );
    await step('each rename is sent once, one whoami for both, and the list again without cookies', () =>
      expect(journal).toHaveSent([
        sent.get('/whoami'),
        sent.get('/article'),
        sent.patch('/article/1').headers(csrf(1)).json({ title: 'Article 1' }),
        sent.patch('/article/2').headers(csrf(1)).json({ title: 'Article 2' }),
        sent.get('/whoami'),
        sent.get('/article').credentials('omit'),
      ]),
    );
  },
};

/** No connection: the rename fails with a message, the session and the screen stay, and the next try succeeds. */
export const Offline: Story = offline(app, {
  title: 'the PATCH twice, and nothing else',
  lines: [
    sent.get('/whoami'),
    sent.get('/article'),
    sent.patch('/article/1').headers(csrf(1)).json({ title: 'On knocking' }),
    sent.patch('/article/1').headers(csrf(1)).json({ title: 'On knocking' }),
  ],
});

/** Writes carry the CSRF token. Reads carry the cookie alone, the second page too. */
export const MutationAndSecondPageCarryIt: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('she writes a third article, and renames the first', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
      await canvas.findByText('On writing');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await step('she loads the second page', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'More' }));
      await canvas.findByText('Second page read');
    });
    await step('the CSRF header is on POST and PATCH, and on no GET', () =>
      expect(journal).toHaveSent([
        sent.get('/whoami'),
        sent.get('/article'),
        sent.post('/article').headers(csrf(1)).json({ title: 'On writing' }),
        sent.patch('/article/1').headers(csrf(1)).json({ title: 'On knocking' }),
        sent.get('/article?page=2'),
      ]),
    );
  },
};

/** The server has rotated the CSRF token, for example in another tab: the cookie is read when a request is sent. */
export const ReadsTheRotatedCsrfToken: Story = renamesAfter(
  { title: 'another tab changes the cookie', act: app.server.rotateCsrf },
  {
    title: 'whoami confirms that the cookie is still hers, then one PATCH with the new token',
    lines: [
      sent.get('/whoami'),
      sent.get('/article'),
      sent.get('/whoami'),
      sent.patch('/article/1').headers(csrf(2)).json({ title: 'On knocking' }),
    ],
  },
);

/** The CSRF token of the page is stale: it is fetched once, and the write is sent again, unchanged. */
export const FetchesAStaleCsrfTokenOnce: Story = renamesAfter(
  { title: 'the server expects another CSRF token', act: app.server.expireCsrf },
  {
    title:
      'one fetch of the token, one whoami, because the cookie may be another user’s, and the PATCH again with the new token',
    lines: [
      sent.get('/whoami'),
      sent.get('/article'),
      sent.patch('/article/1').headers(csrf(1)).json({ title: 'On knocking' }),
      sent.get('/csrf'),
      sent.get('/whoami'),
      sent.patch('/article/1').headers(csrf(2)).json({ title: 'On knocking' }),
    ],
  },
);

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
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('she may not rename an article of Grace’s, and stays signed in', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename Grace’s' }));
      await canvas.findByText('Forbidden: 403');
      await expect(canvas.getByRole('status')).toHaveTextContent(/^authenticated$/);
      await expect(canvas.getByText('On signing in')).toBeInTheDocument();
    });
    await step('one PATCH', () =>
      expect(journal).toHaveSent([
        sent.get('/whoami'),
        sent.get('/article'),
        sent.patch('/article/3').headers(csrf(1)).json({ title: 'Mine now' }),
      ]),
    );
  },
};

/** The logout carries the CSRF token; after it, requests go with `omit`. */
export const SignsOut: Story = {
  parameters: { expectedConsoleErrors: [refusedInConsole] },
  play: async ({ canvas, step, journal }) => {
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
    await step('the logout carries the cookie and the CSRF token, the next read neither', () =>
      expect(journal).toHaveSent(
        [
          sent.get('/whoami'),
          sent.get('/article'),
          sent.post('/logout').headers(csrf(1)),
          sent.get('/article').credentials('omit'),
        ],
        { anyOrder: true },
      ),
    );
  },
};
