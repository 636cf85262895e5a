import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { Component, createContext, useContext, useRef, useState, type ReactNode } from 'react';
import { expect, fn, spyOn, userEvent, waitFor } from 'storybook/test';
import {
  authEndpoint,
  Authenticated,
  ContextTokenProvider,
  createTokenSession,
  hookifyResource,
  IdentityChangedError,
  resource,
  RestEndpoint,
  SessionExpiredError,
  SignedOutError,
  TokenAuthProvider,
  useAuth,
  useAuthInit,
  useEndpoint,
} from '../../../src/index.js';
import type { MockTokens } from '../../../src/testing/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { ada, api, Article, articleHooks, articleResource, grace } from '../../support/articles.js';
import { ArticlesDemo, AuthStatus, SignInButtons } from '../../support/ArticlesDemo.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { useRenderCount } from '../../support/useRenderCount.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { OutcomeLog, useOutcomeLog } from '../../support/OutcomeLog.js';
import { AsyncBoundary, useController, useSuspense } from '@data-client/react';
import { inCases } from '../../support/inCases.js';

const app = setupTokenApp();
const { sent } = app;

/** Shows who is signed in, and how often this was rendered. */
function Greeting() {
  const { status, reason, user, logout } = useAuth<typeof app.session>();
  const renders = useRenderCount();
  return (
    <section aria-label="Greeting">
      <p role="status">{[status, reason, user?.name].filter(Boolean).join(', ')}</p>
      <p>{`Rendered ${renders} times`}</p>
      <button type="button" onClick={() => void logout()}>
        Sign out
      </button>
    </section>
  );
}

/** Refreshes through the session object, which any code may hold. */
function Refresh() {
  const [refreshes, setRefreshes] = useState(0);
  const refresh = async () => {
    await app.session.refresh();
    setRefreshes(count => count + 1);
  };
  return (
    <p>
      <button type="button" onClick={() => void refresh()}>
        Refresh
      </button>
      {`Refreshed ${refreshes} times`}
    </p>
  );
}

/** Signs in with a password that may be wrong. */
function Login() {
  const { login, error } = useAuth<typeof app.session>();
  const submit = (password: string) => void login({ username: 'ada', password }).catch(() => {});
  return (
    <section aria-label="Login">
      <button type="button" onClick={() => submit('guess')}>
        Guess
      </button>
      <button type="button" onClick={() => submit('lovelace')}>
        Sign in
      </button>
      {error && <p role="alert">{error.message}</p>}
    </section>
  );
}

/** Proves that `useAuth()` re-renders for a change of the status, and never for a refresh. */
const meta = {
  title: 'Proofs/Hooks',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  render: () => (
    <app.Provider>
      <Greeting />
      <Refresh />
    </app.Provider>
  ),
  beforeEach: app.start('ada'),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Signing out changes the status, and names the reason. */
export const ReturnsTheUser: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada is signed in', async () => {
      await canvas.findByText('authenticated, Ada Lovelace');
    });
    await step('she signs out, and the page names the reason', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText('anonymous, signed-out');
    });
    await step('the server gets the logout', () => waitFor(() => expect(app.server.counts.logouts).toBe(1)));
    await hasSent('one logout, with her token', [sent.post('/logout').as('ada')]);
  },
};

/** A refresh gives a new token, and no component that uses the hook renders again. */
export const DoesNotRenderOnARefresh: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada is signed in; the hook has rendered for “restoring” and for her', async () => {
      await canvas.findByText('authenticated, Ada Lovelace');
      await expect(canvas.getByText('Rendered 2 times')).toBeInTheDocument();
    });
    await step('two refreshes later, it has not rendered again', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Refresh' }));
      await canvas.findByText('Refreshed 1 times');
      await userEvent.click(canvas.getByRole('button', { name: 'Refresh' }));
      await canvas.findByText('Refreshed 2 times');
      await expect(canvas.getByText('Rendered 2 times')).toBeInTheDocument();
    });
    await hasSent('each refresh uses the refresh token of the one before', [
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-2' }),
    ]);
  },
};

/** A login that fails changes no status: `error` has the reason until a login succeeds. */
export const SaysWhyALoginFailed: Story = {
  beforeEach: app.start(),
  render: () => (
    <app.Provider>
      <Greeting />
      <Login />
    </app.Provider>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('a wrong password is refused', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Guess' }));
      await expect(await canvas.findByRole('alert')).toHaveTextContent('Unauthorized');
      await expect(canvas.getByRole('status')).toHaveTextContent(/^anonymous$/);
    });
    await step('the right one signs in, and the error is gone', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
      await canvas.findByText('authenticated, Ada Lovelace');
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    await hasSent('two logins, and no refresh for the 401 of the first', [
      sent.post('/login').json({ username: 'ada', password: 'guess' }),
      sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
    ]);
  },
};

const register = new RestEndpoint({ urlPrefix: api, path: '/register', method: 'POST', public: true });
const enters = new Set<unknown>();

/** Registers Ada, and signs her in with the answer. */
function Registration() {
  const { status, enter } = useAuth<typeof app.session>();
  enters.add(enter);
  const signUp = async () => `Welcome, ${(await enter((await register({ username: 'ada' })) as MockTokens))?.name}`;
  return (
    <>
      <p role="status">{status}</p>
      <ActionButton label="Register" act={signUp} />
    </>
  );
}

/** `enter` signs in with the answer of a registration, and no login is sent. It is the same function at every render. */
export const EntersAfterARegistration: Story = {
  beforeEach: [
    app.start(),
    ({ msw }) => {
      enters.clear();
      msw.use(http.post(`${api}/register`, () => HttpResponse.json(app.server.signIn('ada'), { status: 201 })));
    },
  ],
  render: () => (
    <app.Provider>
      <Registration />
      <Authenticated>
        <ArticlesDemo articles={app.Articles} />
      </Authenticated>
    </app.Provider>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada registers, and sees her articles', async () => {
      await canvas.findByText('anonymous');
      await userEvent.click(canvas.getByRole('button', { name: 'Register' }));
      await canvas.findByText('Welcome, Ada Lovelace');
      await canvas.findByText('authenticated');
      await canvas.findByText('On signing in');
    });
    await step('`enter` was the same function before and after', () => expect(enters.size).toBe(1));
    await hasSent('the registration without a token, and the list with hers', [
      sent.post('/register').json({ username: 'ada' }),
      sent.get('/article').as('ada'),
    ]);
  },
};

/** Calls `login` twice at once, as two presses in two places of a page do. */
function TwoLogins() {
  const { login } = useAuth<typeof app.session>();
  const signIn = ({ id, name, password }: typeof ada) => login({ username: id, password }).then(() => name);
  const both = async () => {
    const outcomes = await Promise.allSettled([signIn(ada), signIn(grace)]);
    return outcomes.map(outcome => (outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason))).join(' ');
  };
  return <ActionButton label="Both at once" act={both} />;
}

/** Of two logins the last call wins. The first is never sent, and rejects with an `AbortError`. */
export const TheLastLoginWins: Story = {
  beforeEach: app.start(),
  render: () => (
    <app.Provider>
      <Greeting />
      <TwoLogins />
    </app.Provider>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada and Grace sign in at once: Grace is signed in', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Both at once' }));
      await canvas.findByText(
        'AbortError: Another login or logout was started after this one, and it wins. Grace Hopper',
      );
      await canvas.findByText('authenticated, Grace Hopper');
    });
    await hasSent('one login', [sent.post('/login').json({ username: 'grace', password: 'hopper' })]);
  },
};

/** Signs out, and shows the outcome above the provider, since the tree below is unmounted. */
function WayOut() {
  const { logout } = useAuth();
  const tell = useOutcomeLog();
  const leave = () =>
    logout().then(
      () => tell('The server has confirmed it.'),
      (error: Error) => tell(`The server has not confirmed it: ${error.message}`),
    );
  return (
    <button type="button" onClick={() => void leave()}>
      Leave
    </button>
  );
}

/** The server is down at the sign-out: this page is signed out, `logout` rejects with the reason, and `error` has it too. */
export const SignsOutWithoutTheServer: Story = {
  beforeEach: [
    app.start('ada'),
    ({ msw }) => {
      msw.use(http.post(`${api}/logout`, () => HttpResponse.error()));
    },
  ],
  render: () => (
    <OutcomeLog>
      <app.Provider>
        <AuthStatus />
        <SignInButtons />
        <Authenticated fallback={<p>No user is signed in.</p>}>
          <WayOut />
          <ArticlesDemo articles={app.Articles} />
        </Authenticated>
      </app.Provider>
    </OutcomeLog>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step(
      'she signs out while the server is down: her articles are gone, and the page says that the server did not confirm it',
      async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Leave' }));
        await canvas.findByText('The server has not confirmed it: Failed to fetch');
        await expect(await canvas.findByRole('alert')).toHaveTextContent(
          /^You are signed out on this page, but the server has not confirmed it/,
        );
        await expect(canvas.getByRole('status')).toHaveTextContent('anonymous: signed-out');
        await expect(canvas.getByText('No user is signed in.')).toBeInTheDocument();
        await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
      },
    );
    await step('Grace signs in, and the error is gone', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    await hasSent('one logout, and nothing as Ada afterwards', [
      sent.get('/article').as('ada'),
      sent.post('/logout').as('ada'),
      sent.post('/login').json({ username: 'grace', password: 'hopper' }),
      sent.get('/article').as('grace'),
    ]);
  },
};

/** Calls the kit's sign-in under an SDK, which has its own. */
function SdkHasTheLogin() {
  const { login, enter } = useAuth();
  return (
    <>
      <ActionButton label="Sign in without the SDK" act={() => login().then(() => 'Signed in')} />
      <ActionButton label="Enter without the SDK" act={() => enter({ accessToken: 'a' }).then(() => 'Signed in')} />
    </>
  );
}

/** A method that the session was not made for rejects at once with the remedy. Nothing is sent. */
export const MistakesNameTheirRemedy: Story = {
  render: () => (
    <>
      <ActionButton
        label="Trust an origin without a scheme"
        act={async () => createTokenSession({ login: fn(), trustedOrigins: ['api.example.com'] }).getSnapshot().status}
      />
      <ContextTokenProvider token={null}>
        <SdkHasTheLogin />
      </ContextTokenProvider>
    </>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('three mistakes, each with its error message', async () => {
      for (const button of canvas.getAllByRole('button')) await userEvent.click(button);
      await canvas.findByText(/^TypeError: trustedOrigins: "api\.example\.com" is not an origin\./);
      const noLogin = 'TypeError: This session has no login of its own: sign in with the SDK that gives it its token.';
      await waitFor(() => expect(canvas.getAllByText(noLogin)).toHaveLength(2));
    });
    await hasSent('nothing was sent', []);
  },
};

const denied = () => Promise.reject(new Error('Storage is denied here.'));
const homeless = setupTokenApp({
  session: { storage: { in: { get: denied, set: denied, remove: denied }, tabs: false } },
});
let visit = homeless.session;
const warn = fn();

/** A storage that fails costs one warning in the console: the session works without it, and ends with the page. */
export const SignsInWithoutItsStorage: Story = {
  beforeEach: [
    homeless.start(),
    () => {
      // A session warns once, and a story may be played again.
      visit.dispose();
      visit = homeless.anotherSession();
      warn.mockClear();
      const spy = spyOn(console, 'warn').mockImplementation(warn);
      return () => spy.mockRestore();
    },
  ],
  render: () => (
    <TokenAuthProvider session={visit}>
      <AuthStatus />
      <SignInButtons />
      <Authenticated>
        <ArticlesDemo articles={homeless.Articles} />
      </Authenticated>
    </TokenAuthProvider>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada signs in and sees her articles, although nothing can be stored', async () => {
      await canvas.findByText('anonymous');
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await canvas.findByText('On signing in');
    });
    await step('at most one warning in the console: only the development build has it', async () => {
      const warning =
        'data-client-auth: the token storage failed, so this sign-in will not outlive the page. Check that storage is allowed and not full.';
      await expect([[], [[warning]]]).toContainEqual(warn.mock.calls);
    });
    await hasSent('one login, one list', [
      sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
      sent.get('/article').as('ada'),
    ]);
  },
};

const TenantContext = createContext('north');

/** The credentials of the session, and a header of the app. */
const Articles = hookifyResource(articleResource(), () => ({
  ...useAuthInit(),
  headers: { 'X-Tenant': useContext(TenantContext) },
}));

/** Reads the list, writes into it, and says whether its endpoint is still that of its first render. */
function TenantDemo() {
  const renders = useRenderCount();
  const controller = useController();
  const getList = Articles.useGetList();
  const list = useSuspense(getList);
  const firstEndpoint = useRef(getList);
  return (
    <section aria-label="Articles">
      <p>{list.map(article => article.title).join(', ')}</p>
      <p>{`Rendered ${renders} times, ${firstEndpoint.current === getList ? 'the same endpoint' : 'another endpoint'}`}</p>
      <button type="button" onClick={() => void controller.fetch(getList.push, { title: 'On writing' })}>
        Write
      </button>
    </section>
  );
}

function Tenants() {
  const [tenant, setTenant] = useState('north');
  const [, setTicks] = useState(0);
  return (
    <TenantContext.Provider value={tenant}>
      <button type="button" onClick={() => setTenant('south')}>
        Go south
      </button>
      <button type="button" onClick={() => setTicks(count => count + 1)}>
        Render again
      </button>
      <AsyncBoundary fallback={<p>Fetching…</p>}>
        <TenantDemo />
      </AsyncBoundary>
    </TenantContext.Provider>
  );
}

const tenants: Story['render'] = () => (
  <app.Provider>
    <Tenants />
  </app.Provider>
);

/** The app's headers and the credential are sent together; a changed header is sent from the next request on. */
export const MergesOwnHeaders: Story = {
  render: tenants,
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in, On signing out');
    });
    await step('she chooses the tenant in the south, and writes an article', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Go south' }));
      await canvas.findByText(/another endpoint/);
      await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
      await canvas.findByText('On signing in, On signing out, On writing');
    });
    await hasSent(
      'both requests carry her token, and the tenant of that moment',
      [
        sent.get('/article').as('ada').headers({ 'x-tenant': 'north' }),
        sent.post('/article').as('ada').headers({ 'x-tenant': 'south' }).json({ title: 'On writing' }),
      ],
      { headers: ['x-tenant'] },
    );
  },
};

const ArticleResource = articleResource();

/** One article, read and changed with endpoints of a resource without hooks of its own. */
function OneArticle({ id }: { id: string }) {
  const controller = useController();
  const article = useSuspense(useEndpoint(ArticleResource.get), { id });
  const partialUpdate = useEndpoint(ArticleResource.partialUpdate);
  return (
    <article>
      <p>{article.title}</p>
      <button type="button" onClick={() => void controller.fetch(partialUpdate, { id }, { title: 'On knocking' })}>
        Rename
      </button>
    </article>
  );
}

const oneArticle: Story['render'] = () => (
  <app.Provider>
    <AsyncBoundary fallback={<p>Fetching…</p>}>
      <OneArticle id="1" />
    </AsyncBoundary>
  </app.Provider>
);

/** A read and a write carry the token, and the write survives its expiry. */
export const CarriesTheToken: Story = {
  render: oneArticle,
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her article', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her token expires, and she renames it', async () => {
      app.server.expire();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename' }));
      await canvas.findByText('On knocking');
    });
    await hasSent('one refresh, and the PATCH again', [
      sent.get('/article/1').as('ada'),
      sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
    ]);
  },
};

const Optimistic = resource({ urlPrefix: api, path: '/article/:id', schema: Article, optimistic: true });
const removeWhenAnswered = Optimistic.delete.extend({ getOptimisticResponse: undefined });

/** A list of an optimistic resource, and a deletion of the app that waits for the server. */
function OwnDeletion() {
  const controller = useController();
  const articles = useSuspense(useEndpoint(Optimistic.getList));
  const remove = useEndpoint(removeWhenAnswered);
  return (
    <>
      <ul>
        {articles.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      <ActionButton label="Delete the first" act={() => controller.fetch(remove, { id: '1' }).then(() => 'Deleted')} />
    </>
  );
}

/**
 * A deletion of the app on an optimistic resource, without a widget: `getOptimisticResponse: undefined` waits for the
 * server's answer, and a failed deletion leaves the row in place.
 */
export const DeletesWhenAnswered: Story = {
  render: () => (
    <app.Provider>
      <AsyncBoundary fallback={<p>Fetching…</p>}>
        <OwnDeletion />
      </AsyncBoundary>
    </app.Provider>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the server fails to delete Ada’s article: it stays in the list all the time', async () => {
      await canvas.findByText('On signing in');
      app.articles.failNext(503);
      const release = app.articles.hold();
      await userEvent.click(canvas.getByRole('button', { name: 'Delete the first' }));
      await waitFor(() => expect(app.articles.held).toBe(1));
      await expect(canvas.getByText('On signing in')).toBeInTheDocument();
      release();
      await canvas.findByText(/^NetworkError: /);
      await expect(canvas.getByText('On signing in')).toBeInTheDocument();
    });
    await step('the next try succeeds, and the row goes', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete the first' }));
      await canvas.findByText('Deleted');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('one list, two deletions', () => {
      const DELETE = sent.delete('/article/1').as('ada');
      return expect(journal).toHaveSent([sent.get('/article').as('ada'), DELETE, DELETE]);
    });
  },
};

const SessionArticles = resource({
  urlPrefix: api,
  path: '/article/:id',
  schema: Article,
  Endpoint: authEndpoint(app.session),
});

/** Code without React: it awaits endpoints like any other function. */
async function renameAll(title: string): Promise<number> {
  const articles = await SessionArticles.getList();
  for (const { id } of articles) await SessionArticles.partialUpdate({ id }, { title });
  return articles.length;
}

/** A button outside every provider. */
function Batch() {
  const [outcomes, setOutcomes] = useState<readonly string[]>([]);
  const add = (outcome: string) => setOutcomes(before => [...before, outcome]);
  const run = () =>
    renameAll('On knocking').then(
      count => add(`renamed ${count}`),
      (error: Error) => add(error.message),
    );
  return (
    <p>
      <button type="button" onClick={() => void run()}>
        Rename all
      </button>
      {outcomes.join(', then ')}
    </p>
  );
}

const outsideReact: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('a function renames Ada’s two articles', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename all' }));
      await canvas.findByText('renamed 2');
    });
    await step('her token expires, and the function renames them again', async () => {
      app.server.expire();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename all' }));
      await canvas.findByText('renamed 2, then renamed 2');
    });
    await hasSent('the list and two renames each time; the refused list is sent again after one refresh', [
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
      sent.patch('/article/2').as('ada').json({ title: 'On knocking' }),
      sent.get('/article').as('ada'),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      sent.get('/article').as('ada', 2),
      sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
      sent.patch('/article/2').as('ada', 2).json({ title: 'On knocking' }),
    ]);
  },
};

const signedOut: Story = {
  beforeEach: app.start(),
  play: async ({ canvas, step, hasSent }) => {
    await step('the server refuses the request', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename all' }));
      await canvas.findByText(/^(\S+: )?Unauthorized$/);
    });
    await hasSent('one GET, without a token', [sent.get('/article')]);
  },
};

/** No provider and no hook: the session sends the token, and none when the user is signed out. */
export const OutsideReact: Story = {
  render: () => <Batch />,
  ...inCases({
    'it refreshes the token when it expires': outsideReact,
    'the server refuses the request, and the caller gets the status': signedOut,
  }),
};

const ADA_SIGNS_IN = sent.post('/login').json({ username: 'ada', password: 'lovelace' });

/** The class of a read's error. */
const kindOf = (error: unknown) =>
  Object.entries({ IdentityChangedError, SignedOutError, SessionExpiredError })
    .filter(([, kind]) => error instanceof kind)
    .map(([name]) => name)
    .join(', ');

/** However an identity ends, all waiting calls reject with one class of errors: one `catch` is enough. */
export const OneCatchForAll: Story = {
  beforeEach: app.start(),
  render: () => (
    <ActionButton
      label="Read the first"
      act={() =>
        SessionArticles.get({ id: '1' }).then(
          ({ title }) => title,
          (error: Error) => `${kindOf(error)}, an ${error.name}`,
        )
      }
    />
  ),
  play: async ({ canvas, step, journal, hasSent }) => {
    const { session, server, articles } = app;
    const expire = async () => {
      server.revoke('grace');
      await session.refresh().catch(() => undefined);
    };
    const ends = {
      'Ada signs out': [() => session.logout(), 'IdentityChangedError, SignedOutError, an AbortError'],
      'another person signs in': [
        () => session.login({ username: 'grace', password: 'hopper' }),
        'IdentityChangedError, an AbortError',
      ],
      'the session expires': [expire, 'IdentityChangedError, SessionExpiredError, an AbortError'],
      'the session is disposed of': [() => session.dispose(), 'IdentityChangedError, an AbortError'],
    } as const;
    for (const [what, [end, told]] of Object.entries(ends)) {
      await step(`${what} while an article is under way`, async () => {
        if (session.getSnapshot().status !== 'authenticated')
          await session.login({ username: 'ada', password: 'lovelace' });
        const release = articles.hold();
        await userEvent.click(canvas.getByRole('button', { name: 'Read the first' }));
        await waitFor(() => expect(articles.held).toBe(1));
        await end();
        await canvas.findByText(told);
        release();
        await journal.settled();
      });
    }
    await hasSent('a GET between the sign-in and the end of the identity', [
      ADA_SIGNS_IN,
      sent.get('/article/1').as('ada'),
      sent.post('/logout').as('ada'),
      ADA_SIGNS_IN,
      sent.get('/article/1').as('ada', 2),
      sent.post('/login').json({ username: 'grace', password: 'hopper' }),
      sent.get('/article/1').as('grace'),
      sent.post('/refresh').json({ refreshToken: 'grace-refresh-1' }),
      ADA_SIGNS_IN,
      sent.get('/article/1').as('ada', 3),
    ]);
  },
};

const PlainArticles = articleHooks();

/** Shows the message of an error that was thrown below it. */
class Sentence extends Component<{ children: ReactNode }> {
  override state: { error?: Error } = {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    return error ? <p role="alert">{error.message}</p> : this.props.children;
  }
}

const uses: Record<string, () => unknown> = {
  useAuth: () => useAuth(),
  useAuthInit: () => useAuthInit(),
  useEndpoint: () => useEndpoint(ArticleResource.get),
  hookified: () => PlainArticles.useGetList(),
};

function Using({ use }: { use: () => unknown }) {
  use();
  return <p>Rendered.</p>;
}

const withoutProvider: Story['render'] = () => (
  <>
    {Object.entries(uses).map(([name, use]) => (
      <Sentence key={name}>
        <Using use={use} />
      </Sentence>
    ))}
  </>
);

/** Each error message is shown, and nothing is sent. */
export const MissingProviderNamesTheRemedy: Story = {
  render: withoutProvider,
  parameters: {
    ...requestsOnly,
    expectedConsoleErrors: [
      /MissingProviderError: use(Auth|AuthInit|Endpoint|GetList)\(\) found no auth provider above it/,
    ],
  },
  play: async ({ canvas, step, hasSent }) => {
    const remedy =
      'found no auth provider above it. Put the component below a <TokenAuthProvider>, <CookieAuthProvider> or <ContextTokenProvider>.';
    await step('four uses, four error messages', async () => {
      const sentences = (await canvas.findAllByRole('alert')).map(({ textContent }) => textContent);
      await expect(sentences).toEqual([
        `useAuth() ${remedy}`,
        `useAuthInit() ${remedy}`,
        `useEndpoint() ${remedy}`,
        `useGetList() ${remedy}`,
      ]);
    });
    await hasSent('nothing was sent', []);
  },
};
