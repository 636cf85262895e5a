import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState, type ComponentProps } from 'react';
import { expect, userEvent } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import { LoginForm, ResourceForm } from '../../../src/entries/widgets.js';
import { rows } from '../../support/articles.js';
import { SignInButtons } from '../../support/ArticlesDemo.js';
import { setupFormApp } from '../../support/setupFormApp.js';
import { inCases } from '../../support/inCases.js';

const { app, formMeta } = setupFormApp();
const { sent } = app;

/** What becomes of unsaved text when the session expires. */
const meta = {
  title: 'Proofs/ResourceForm',
  tags: ['proof', '!autodocs'],
  ...formMeta,
  decorators: [
    Story => (
      <>
        <SignInButtons />
        <Authenticated fallback={<LoginForm />}>
          <Story />
        </Authenticated>
      </>
    ),
    ...formMeta.decorators,
  ],
} satisfies Meta<typeof formMeta.component>;

export default meta;
type Story = StoryObj<typeof meta>;

/** The form of one of two articles, and a button for each. */
function Chosen(args: ComponentProps<typeof meta.component>) {
  const [id, setId] = useState('1');
  return (
    <>
      {['1', '2'].map(other => (
        <button key={other} type="button" onClick={() => setId(other)}>
          Article {other}
        </button>
      ))}
      <ResourceForm {...args} action="partialUpdate" params={{ id }} initial={rows.find(row => row.id === id)} />
    </>
  );
}

const expired: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('the server revokes Ada’s login while she types; saving shows the login form', async () => {
      await canvas.findByText('On signing in');
      app.server.revoke('ada');
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await canvas.findByText('Your session has ended. Sign in to continue.', { selector: '[role="status"]' });
    });
    await step('Grace signs in, and gets an empty form', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.getByLabelText('Title')).toHaveValue('');
    });
    await step('Ada signs in, and gets her text; now it is accepted', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await canvas.findByText('On signing in');
      await expect(canvas.getByLabelText('Title')).toHaveValue('On writing');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await canvas.findByText('On writing', { selector: 'span' });
    });
    await hasSent('one article was written, by Ada', [
      sent.get('/article').as('ada'),
      sent.post('/article').as('ada').json({ title: 'On writing', content: '' }),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      sent.post('/login').json({ username: 'grace', password: 'hopper' }),
      sent.get('/article').as('grace'),
      sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
      sent.get('/article').as('ada', 2),
      sent.post('/article').as('ada', 2).json({ title: 'On writing', content: '' }),
    ]);
  },
};

const expiredOnOneRecord: Story = {
  render: args => <Chosen {...args} />,
  play: async ({ canvas, step, journal }) => {
    await step('the server revokes Ada’s login while she types into the second article', async () => {
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Article 2' }));
      app.server.revoke('ada');
      await userEvent.type(canvas.getByLabelText('Title'), ' again{Enter}');
      await canvas.findByText('Your session has ended. Sign in to continue.', { selector: '[role="status"]' });
    });
    await step(
      'she signs in: the first article has its own text, the second has hers, and it is accepted',
      async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
        await canvas.findByText('On signing in');
        await expect(canvas.getByLabelText('Title')).toHaveValue('On signing in');
        await userEvent.click(canvas.getByRole('button', { name: 'Article 2' }));
        await expect(canvas.getByLabelText('Title')).toHaveValue('On signing out again');
        await userEvent.click(canvas.getByRole('button', { name: 'Save' }));
        await canvas.findByText('On signing out again');
      },
    );
    await step('one article is changed, the second', () => {
      return expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/2').as('ada').json({ title: 'On signing out again' }),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada', 2),
        sent.patch('/article/2').as('ada', 2).json({ title: 'On signing out again' }),
      ]);
    });
  },
};

/** The form, behind a button. */
function Opened(args: ComponentProps<typeof meta.component>) {
  const [isOpen, setOpen] = useState(false);
  return isOpen ? (
    <ResourceForm {...args} />
  ) : (
    <button type="button" onClick={() => setOpen(true)}>
      Write
    </button>
  );
}

const signedOutAfterAnExpiry: Story = {
  render: args => <Opened {...args} />,
  play: async ({ canvas, step, hasSent }) => {
    await step('the server revokes Ada’s login while she types', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Write' }));
      await canvas.findByText('On signing in');
      app.server.revoke('ada');
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing{Enter}');
      await canvas.findByText('Your session has ended. Sign in to continue.', { selector: '[role="status"]' });
    });
    await step('she signs in, and signs out without opening the form', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByLabelText('User name');
      // The list beside the form asks as nobody, and is refused.
      await canvas.findByRole('alert');
    });
    await step('she signs in again, and gets an empty form', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
      await expect(canvas.getByLabelText('Title')).toHaveValue('');
    });
    await hasSent(
      'the article is refused, and she signs in twice',
      [
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing', content: '' }),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada', 2),
        sent.post('/logout').as('ada', 2),
        sent.get('/article'),
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada', 3),
      ],
      { anyOrder: true },
    );
  },
};

/** Unsaved text comes back to its own user and record only, and no longer after a sign-out. */
export const Expired: Story = inCases({
  'the session ends as she saves: her text comes back when she signs in again, and no other user sees it': expired,
  'the text comes back to its own record only': expiredOnOneRecord,
  'the text is dropped when its writer signs out, on any screen': signedOutAfterAnExpiry,
});
