import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated, ContextTokenProvider, useAuth } from '../../../src/index.js';
import { api } from '../../support/articles.js';
import { csrf, setupCookieApp, ownApi } from '../../support/setupCookieApp.js';
import { ArticlesDemo, SignInButtons, AuthStatus } from '../../support/ArticlesDemo.js';
import type { StoryStart } from '../../support/StoryStart.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { useOutcomeLog, OutcomeLog } from '../../support/OutcomeLog.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const app = setupTokenApp();
const { sent } = app;
const cookies = setupCookieApp();

/** The first login is answered with something that is no credential. */
function firstLoginAnswers(answer: () => Response): StoryStart {
  return ({ msw }) => {
    msw.use(http.post(`${api}/login`, answer, { once: true }));
  };
}

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

/** The server answers Ada's login with an unusable credential, which is an error. Grace's login works. Between the two, nothing is sent. */
function badThenGood(sentence: string): NonNullable<Story['play']> {
  return async ({ canvas, step, journal }) => {
    await step('Ada’s login fails with an error message, and she stays signed out', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await expect(await canvas.findByRole('alert')).toHaveTextContent(sentence);
      await expect(canvas.getByRole('status')).toHaveTextContent(/^anonymous$/);
    });
    await step('Grace signs in and sees her articles', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    await step('no request between the two logins', () =>
      expect(journal).toHaveSent([
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.post('/login').json({ username: 'grace', password: 'hopper' }),
        sent.get('/article').as('grace'),
      ]),
    );
  };
}

const issued = 'so no request can carry it. Give the access token as the server issued it.';

/** A line break in a token would be a second header. */
export const ControlCharacterInAToken: Story = {
  beforeEach: firstLoginAnswers(() => HttpResponse.json({ accessToken: 'ada-1\r\nX-Role: admin' })),
  play: badThenGood(
    `The access token contains a control character or a character outside Latin-1, or starts or ends with a space, ${issued}`,
  ),
};

/** An empty token is refused. */
export const EmptyToken: Story = {
  beforeEach: firstLoginAnswers(() => HttpResponse.json({ accessToken: '' })),
  play: badThenGood(`The access token is empty, ${issued}`),
};

/** A number is refused: a token is a text. */
export const NumberForAToken: Story = {
  beforeEach: firstLoginAnswers(() => HttpResponse.json({ accessToken: 5 })),
  play: badThenGood(`The access token is number, not a string, ${issued}`),
};

/** The server answers the login with 204, without a token. */
export const LoginWithoutContent: Story = {
  beforeEach: firstLoginAnswers(() => new HttpResponse(null, { status: 204 })),
  play: badThenGood(
    'The server answered nothing (an empty answer or 204), where an object with the string `accessToken` (or `access_token`) was expected.',
  ),
};

/** The server answers the login with a page of HTML, as a proxy in front of it might. */
export const HtmlForALogin: Story = {
  beforeEach: firstLoginAnswers(() => HttpResponse.html('<h1>Welcome</h1>')),
  play: badThenGood(
    "where an object with the string `accessToken` (or `access_token`) was expected. If the token has another name, read it with the session's `parseTokens` option.",
  ),
};

/** The server answers the login with a token under another name: the error names the keys that it found. */
export const TokenUnderAnotherName: Story = {
  beforeEach: firstLoginAnswers(() => HttpResponse.json({ token: 'ada-1', user: { id: 'ada' } })),
  play: badThenGood(
    "The server answered an object with the keys `token`, `user`, where an object with the string `accessToken` (or `access_token`) was expected. If the token has another name, read it with the session's `parseTokens` option.",
  ),
};

/** The login succeeds, but the browser keeps no cookie: `whoami` finds no user, and the error message says where to look. */
export const CookieThatWasNotKept: Story = {
  parameters: { cookies: cookies.cookies },
  beforeEach: [
    cookies.start(),
    ({ msw }) => {
      msw.use(http.post(`${ownApi}/login`, () => new HttpResponse(null, { status: 204 }), { once: true }));
    },
  ],
  render: () => (
    <cookies.Provider>
      <AuthStatus />
      <SignInButtons />
      <Authenticated>
        <ArticlesDemo articles={cookies.Articles} />
      </Authenticated>
    </cookies.Provider>
  ),
  play: async ({ canvas, step, journal }) => {
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
    await step('one whoami after Ada’s login, and no other request of hers', () =>
      expect(journal).toHaveSent([
        cookies.sent.get('/whoami'),
        cookies.sent.get('/csrf'),
        cookies.sent.post('/login').headers(csrf(1)).json({ username: 'ada', password: 'lovelace' }),
        cookies.sent.get('/whoami'),
        cookies.sent.post('/login').headers(csrf(1)).json({ username: 'grace', password: 'hopper' }),
        cookies.sent.get('/article'),
      ]),
    );
  },
};

/** Grace's half of the page, with a token that is good. */
function GraceBeside() {
  const [token] = useState(() => app.server.signIn('grace').accessToken);
  return (
    <ContextTokenProvider token={token} subject="grace">
      <ArticlesDemo articles={app.Articles} />
    </ContextTokenProvider>
  );
}

/** The token of a context is checked when a request is about to be sent. With an unusable token, nothing is sent at all. */
export const BadTokenFromAContext: Story = {
  parameters: { expectedConsoleErrors: [/^InvalidCredentialError: The access token contains a control character/] },
  render: () => (
    <>
      <ContextTokenProvider token={'ada-1\u0000'} subject="ada">
        <ArticlesDemo articles={app.Articles} />
      </ContextTokenProvider>
      <GraceBeside />
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the error message is shown above, Grace’s articles below', async () => {
      await canvas.findByText('A compiler for everyone');
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        `The access token contains a control character or a character outside Latin-1, or starts or ends with a space, ${issued}`,
      );
    });
    await step('one GET, with Grace’s token', () => expect(journal).toHaveSent([sent.get('/article').as('grace')]));
  },
};

/** `whoami` answers that a user is signed in, but not which one: the error message names the remedy, and the page stays signed out. */
export const WhoamiWithoutAnId: Story = {
  parameters: { cookies: cookies.cookies },
  beforeEach: [
    cookies.start('ada'),
    ({ msw }) => {
      msw.use(http.get(`${ownApi}/whoami`, () => HttpResponse.json({ name: 'Ada Lovelace' })));
    },
  ],
  render: CookieThatWasNotKept.render!,
  play: async ({ canvas, step, journal }) => {
    await step('the server answers, and the page stays signed out', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        "whoami() answered without telling who is signed in. Let it answer an object with `id`, `sub` or `subject`, or read it with the session's `getSubject` option; null or a 401 means signed out.",
      );
      await expect(canvas.getByRole('status')).toHaveTextContent(/^anonymous$/);
    });
    await step('one whoami, and nothing after it', () => expect(journal).toHaveSent([cookies.sent.get('/whoami')]));
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
  play: async ({ canvas, canvasElement, step, journal, msw }) => {
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
      app.server.expireAccessTokens();
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
    await step('logins, renames and refreshes, and nothing else', () =>
      expect(journal).toHaveSent([
        ...Array.from({ length: 3 }, () => sent.post('/login').json({ username: 'ada', password: 'lovelace' })),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-2' }),
      ]),
    );
  },
};
