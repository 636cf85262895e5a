import { useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { expect, userEvent } from 'storybook/test';
import { getAuthToken, setAuthToken } from '../../mechanisms/shown/authToken.js';
import { FunctionTokenEndpoint } from '../../mechanisms/shown/FunctionTokenEndpoint.js';
import { LogoutManagerApp } from '../../support/LogoutManagerApp.js';
import { articlesBy } from '../../support/PlainArticles.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupArticleApi } from '../../support/setupRestApi.js';
import { inCases } from '../../support/inCases.js';

const app = setupArticleApi();
const { sent } = app;
const articles = articlesBy(FunctionTokenEndpoint);

function Found() {
  return <p>{`Found: ${useSuspense(articles.getList, { author: 'grace' }).length}`}</p>;
}

function Search() {
  const [isShown, show] = useState(false);
  if (isShown) return <Found />;
  return (
    <button type="button" onClick={() => show(true)}>
      Only Grace’s
    </button>
  );
}

/** Proves what `LogoutManager` does after a 401, in an app without the kit. */
const meta = {
  title: 'Proofs/Requests',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: context => {
    const stop = app.start(context);
    setAuthToken('ada-1');
    return stop;
  },
  render: () => (
    <LogoutManagerApp>
      <Search />
    </LogoutManagerApp>
  ),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const aWriteMeetsA401: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees the list', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her authorization expires; her next write shows the login screen', async () => {
      app.server.expire();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByRole('button', { name: 'Sign in again' });
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('she signs in again, and sees the list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in again' }));
      await canvas.findByText('On signing in');
    });
    await hasSent('one write that is refused; the list is read again with the new token only', [
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
      sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
      sent.get('/article').as('ada', 2),
    ]);
  },
};

const aReadMeetsA401: Story = {
  parameters: { expectedConsoleErrors: [/^NetworkError: (\S+: )?Unauthorized/] },
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees the list', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her authorization expires; her next search shows the login screen', async () => {
      app.server.expire();
      await userEvent.click(canvas.getByRole('button', { name: 'Only Grace’s' }));
      await canvas.findByRole('button', { name: 'Sign in again' });
    });
    await hasSent('one GET that is refused, and nothing after it', [
      sent.get('/article').as('ada'),
      sent.get('/article?author=grace').as('ada'),
    ]);
  },
};

const aNotFoundIsNoLogout: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees the list', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her write fails for another reason; she stays on the screen', async () => {
      app.records.failNext(404);
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText(/^NetworkError: (\S+: )?Not Found$/);
      await expect(canvas.getByText('On signing in')).toBeInTheDocument();
    });
    await step('two requests, both with her token', async () => {
      await expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
      ]);
      await expect(getAuthToken()).toBe('ada-1');
    });
  },
};

/** `LogoutManager` runs its cleanup once after a 401, and the old token is not sent again. */
export const LogoutManagerMeetsA401: Story = inCases({
  'a write: the screen with the data is left, and the next sign-in reads everything again': aWriteMeetsA401,
  'a read': aReadMeetsA401,
  'a 404 keeps the token and the screen': aNotFoundIsNoLogout,
});
