import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { expect, userEvent } from 'storybook/test';
import { Authenticated, ContextTokenProvider } from '../../../src/index.js';
import { api } from '../../support/articles.js';
import { ArticlesDemo, SignInButtons, AuthStatus } from '../../support/ArticlesDemo.js';
import type { StoryStart } from '../../support/StoryStart.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const app = setupTokenApp();
const { sent } = app;

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
    'The server answered a page and not JSON, so another server than the API seems to have answered. Check the address: `urlPrefix`, `path` and the proxy of the dev server.',
  ),
};

/** The server answers the login with a token under another name: the error names the keys that it found. */
export const TokenUnderAnotherName: Story = {
  beforeEach: firstLoginAnswers(() => HttpResponse.json({ token: 'ada-1', user: { id: 'ada' } })),
  play: badThenGood(
    "The server answered an object with the keys `token`, `user`, where an object with the string `accessToken` (or `access_token`) was expected. If the token has another name, read it with the session's `parseTokens` option.",
  ),
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
