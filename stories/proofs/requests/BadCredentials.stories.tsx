import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated, useAuth } from '../../../src/index.js';
import { api } from '../../support/articles.js';
import { ArticlesDemo, AuthStatus, SignInButtons } from '../../support/ArticlesDemo.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { csrf, ownApi, setupCookieApp } from '../../support/setupCookieApp.js';
import { useController } from '@data-client/react';
import { OutcomeLog, useOutcomeLog } from '../../support/OutcomeLog.js';

const app = setupTokenApp();
const { sent } = app;
const cookies = setupCookieApp();

/**
 * A credential that no header can carry, or an answer without one: a typed error whose sentence names the remedy, before
 * any request. Nobody is signed in by it, and the next login works.
 */
const meta = {
  title: 'Proofs/Requests',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  render: () => (
    <app.Provider>
      <AuthStatus />
      <SignInButtons />
      <Authenticated>
        <ArticlesDemo articles={app.Articles} />
      </Authenticated>
    </app.Provider>
  ),
  beforeEach: app.start(),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const NO_HEADER = 'so no request can carry it. Give the access token as the server issued it.';

/** What the server answers to a login, and what the page says. */
const ANSWERS: [answer: () => Response, sentence: string][] = [
  [
    // A line break would be a second header.
    () => HttpResponse.json({ accessToken: 'ada-1\r\nX-Role: admin' }),
    `The access token contains a control character or a character outside Latin-1, or starts or ends with a space, ${NO_HEADER}`,
  ],
  [() => HttpResponse.json({ accessToken: '' }), `The access token is empty, ${NO_HEADER}`],
  [() => HttpResponse.json({ accessToken: 5 }), `The access token is number, not a string, ${NO_HEADER}`],
  [
    () => new HttpResponse(null, { status: 204 }),
    'The server answered nothing (an empty answer or 204), where an object with the string `accessToken` (or `access_token`) was expected.',
  ],
  [
    () => HttpResponse.html('<h1>Welcome</h1>'),
    'The server answered a page and not JSON, so another server than the API seems to have answered. Check the address: `urlPrefix`, `path` and the proxy of the dev server.',
  ],
  [
    () => HttpResponse.json({ token: 'ada-1', user: { id: 'ada' } }),
    "The server answered an object with the keys `token`, `user`, where an object with the string `accessToken` (or `access_token`) was expected. If the token has another name, read it with the session's `parseTokens` option.",
  ],
];

/** The server answers a login with an unusable token, with nothing, with a page, or with a token under another name. Nothing is sent after it. */
export const UnusableLogin: Story = {
  play: async ({ canvas, step, msw, hasSent }) => {
    for (const [answer, sentence] of ANSWERS)
      await step(sentence, async () => {
        msw.use(http.post(`${api}/login`, answer, { once: true }));
        await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
        await waitFor(() => expect(canvas.getByRole('alert')).toHaveTextContent(sentence));
        await expect(canvas.getByRole('status')).toHaveTextContent(/^anonymous$/);
      });
    await step('Grace signs in and sees her articles', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    await hasSent('the logins, and Grace’s list', [
      ...ANSWERS.map(() => sent.post('/login').json({ username: 'ada', password: 'lovelace' })),
      sent.post('/login').json({ username: 'grace', password: 'hopper' }),
      sent.get('/article').as('grace'),
    ]);
  },
};

const withCookies: Story['render'] = () => (
  <cookies.Provider>
    <AuthStatus />
    <SignInButtons />
    <Authenticated>
      <ArticlesDemo articles={cookies.Articles} />
    </Authenticated>
  </cookies.Provider>
);

/** The login succeeds, but the browser keeps no cookie: `whoami` finds no user, and the error message says where to look. */
export const CookieThatWasNotKept: Story = {
  render: withCookies,
  parameters: { ...requestsOnly, cookies: cookies.cookies },
  beforeEach: [
    cookies.start(),
    ({ msw }) => {
      msw.use(http.post(`${ownApi}/login`, () => new HttpResponse(null, { status: 204 }), { once: true }));
    },
  ],
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada’s login succeeds, and she is still signed out', async () => {
      await canvas.findByText('anonymous');
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        'The login succeeded, but whoami() then found no user signed in. Check that the browser keeps the cookie',
      );
    });
    await step('Grace signs in and sees her articles', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    await hasSent('one whoami after Ada’s login, and no other request of hers', [
      cookies.sent.get('/whoami'),
      cookies.sent.get('/csrf'),
      cookies.sent.post('/login').headers(csrf(1)).json({ username: 'ada', password: 'lovelace' }),
      cookies.sent.get('/whoami'),
      cookies.sent.post('/login').headers(csrf(1)).json({ username: 'grace', password: 'hopper' }),
      cookies.sent.get('/article'),
    ]);
  },
};

/** `whoami` answers that a user is signed in, but not which one: the error message names the remedy, and the page stays signed out. */
export const WhoamiWithoutAnId: Story = {
  render: withCookies,
  parameters: { ...requestsOnly, cookies: cookies.cookies },
  beforeEach: [
    cookies.start('ada'),
    ({ msw }) => {
      msw.use(http.get(`${ownApi}/whoami`, () => HttpResponse.json({ name: 'Ada Lovelace' })));
    },
  ],
  play: async ({ canvas, step, hasSent }) => {
    await step('the server answers, and the page stays signed out', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        "whoami() answered without telling who is signed in. Let it answer an object with `id`, `sub` or `subject`, or read it with the session's `getSubject` option; null or a 401 means signed out.",
      );
      await expect(canvas.getByRole('status')).toHaveTextContent(/^anonymous$/);
    });
    await hasSent('one whoami, and nothing after it', [cookies.sent.get('/whoami')]);
  },
};

/** Everything that can be read of a value. Of an error also what JSON leaves out: the stack and the cause. */
const told = (value: unknown) =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner instanceof Error
      ? { ...inner, name: inner.name, message: inner.message, stack: inner.stack, cause: inner.cause }
      : inner,
  );

/** Shows the whole state of the session, and the outcome of Ada's rename. */
function TellsAll() {
  const auth = useAuth();
  const tell = useOutcomeLog();
  const controller = useController();
  const partialUpdate = app.Articles.usePartialUpdate();
  const rename = () =>
    controller.fetch(partialUpdate, { id: '1' }, { title: 'On knocking' }).then(
      article => tell(told(article)),
      (error: unknown) => tell(told(error)),
    );
  return (
    <>
      <button type="button" onClick={() => void rename()}>
        Rename
      </button>
      <pre aria-label="The state" tabIndex={0} style={{ whiteSpace: 'pre-wrap' }}>
        {told([auth, app.session, app.session.getSnapshot()])}
      </pre>
    </>
  );
}

/** Any token of Ada's: `ada-1`, `ada-refresh-1`. */
const TOKEN = /ada-(refresh-)?\d/;
const unreadable = () => new HttpResponse('ada-9', { headers: { 'Content-Type': 'application/json' } });

/** No message, stack, cause, state or element of the page ever contains a token, and no storage does without the `storage` option. */
export const NoErrorContainsAToken: Story = {
  render: () => (
    <OutcomeLog>
      <app.Provider>
        <AuthStatus />
        <SignInButtons />
        <TellsAll />
      </app.Provider>
    </OutcomeLog>
  ),
  play: async ({ canvas, canvasElement, step, msw, hasSent }) => {
    const shown: string[] = [];
    const look = () => shown.push(canvasElement.innerHTML);
    const observer = new MutationObserver(look);
    observer.observe(canvasElement, { subtree: true, childList: true, characterData: true, attributes: true });
    const state = () => canvas.getByLabelText('The state');
    const signIn = () => userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
    const rename = () => userEvent.click(canvas.getByRole('button', { name: 'Rename' }));
    await step(
      'the server answers one login with a token that is no JSON, the next with a token that no header can carry',
      async () => {
        msw.use(http.post(`${api}/login`, unreadable, { once: true }));
        await signIn();
        await waitFor(() => expect(state()).toHaveTextContent('The server did not answer with JSON'));
        msw.use(http.post(`${api}/login`, () => HttpResponse.json({ accessToken: 'ada-9\n' }), { once: true }));
        await signIn();
        await waitFor(() => expect(state()).toHaveTextContent('The access token contains a control character'));
      },
    );
    await step('Ada signs in, and the state names her', async () => {
      await signIn();
      await waitFor(() => expect(state()).toHaveTextContent('Ada Lovelace'));
    });
    await step('her token expires, and the refresh answers with something that is no JSON', async () => {
      app.server.expire();
      msw.use(http.post(`${api}/refresh`, unreadable, { once: true }));
      await rename();
      await expect(await canvas.findByText(/"RefreshUnavailableError"/)).toHaveTextContent('"cause":{');
    });
    await step('the next refresh works, and she renames an article; then the server revokes her login', async () => {
      await rename();
      await canvas.findByText(/"On knocking"/);
      app.server.revoke('ada');
      await rename();
      await canvas.findByText(/The session has expired/);
    });
    await step('the page has shown none of these tokens, and stores none', async () => {
      observer.disconnect();
      look();
      await expect(shown.filter(html => TOKEN.test(html))).toEqual([]);
      await expect(told([{ ...localStorage }, { ...sessionStorage }, document.cookie])).not.toMatch(TOKEN);
    });
    await hasSent('logins, renames and refreshes, and nothing else', [
      ...Array.from({ length: 3 }, () => sent.post('/login').json({ username: 'ada', password: 'lovelace' })),
      sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
      sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-2' }),
    ]);
  },
};
