import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import {
  authEndpoint,
  IdentityChangedError,
  resource,
  SessionExpiredError,
  SignedOutError,
} from '../../../src/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api, Article } from '../../support/articles.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const app = setupTokenApp();
const { sent } = app;

const ArticleResource = resource({
  urlPrefix: api,
  path: '/article/:id',
  schema: Article,
  Endpoint: authEndpoint(app.session),
});

/** Code without React: it awaits endpoints like any other function. */
async function renameAll(title: string): Promise<number> {
  const articles = await ArticleResource.getList();
  for (const { id } of articles) await ArticleResource.partialUpdate({ id }, { title });
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

/** Proves that a resource of `authEndpoint(session)` needs no React, and rejects with one class of errors when the identity ends. */
const meta = {
  title: 'Proofs/Hooks',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  render: () => <Batch />,
  beforeEach: app.start('ada'),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** No provider and no hook: the session sends the token, and refreshes it when it expires. */
export const OutsideReact: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('a function renames Ada’s two articles', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename all' }));
      await canvas.findByText('renamed 2');
    });
    await step('her token expires, and the function renames them again', async () => {
      app.server.expire();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename all' }));
      await canvas.findByText('renamed 2, then renamed 2');
    });
    await step('the list and two renames each time; the refused list is sent again after one refresh', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        sent.patch('/article/2').as('ada').json({ title: 'On knocking' }),
        sent.get('/article').as('ada'),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.get('/article').as('ada', 2),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
        sent.patch('/article/2').as('ada', 2).json({ title: 'On knocking' }),
      ]),
    );
  },
};

/** Signed out, the same function sends no token: the server refuses it, and the caller gets the status. */
export const SignedOut: Story = {
  beforeEach: app.start(),
  play: async ({ canvas, step, journal }) => {
    await step('the server refuses the request', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename all' }));
      await canvas.findByText(/^(\S+: )?Unauthorized$/);
    });
    await step('one GET, without a token', () => expect(journal).toHaveSent([sent.get('/article')]));
  },
};

/** The session is disposed of, as by a module that is replaced: its requests under way are called off. */
export const DisposedOf: Story = {
  parameters: { unanswered: true },
  play: async ({ canvas, step, journal }) => {
    app.articles.hold();
    await step('a function waits for Ada’s articles', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename all' }));
      await waitFor(() => expect(app.articles.held).toBe(1));
    });
    await step('the session is disposed of, and the call rejects at once', async () => {
      app.session.dispose();
      await canvas.findByText('The session was disposed of, so this request was aborted.');
    });
    await step('one GET', () => expect(journal).toHaveSent([sent.get('/article').as('ada')]));
  },
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
        ArticleResource.get({ id: '1' }).then(
          ({ title }) => title,
          (error: Error) => `${kindOf(error)}, an ${error.name}`,
        )
      }
    />
  ),
  play: async ({ canvas, step, journal }) => {
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
    await step('a GET between the sign-in and the end of the identity', () =>
      expect(journal).toHaveSent([
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
      ]),
    );
  },
};
