import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { ResourceForm, ResourceList } from '../../../src/entries/widgets.js';
import { setupOptimisticList } from '../../support/setupOptimisticList.js';

const { app, Articles, listMeta, titles, arrived } = setupOptimisticList();
const { sent } = app;

/** Proves that the widgets take back an optimistic change that the server refuses, and say why. */
const meta = {
  title: 'Proofs/ResourceList',
  tags: ['proof', '!autodocs'],
  ...listMeta,
} satisfies Meta<typeof listMeta.component>;

export default meta;
type Story = StoryObj<typeof meta>;

/** A new row is shown at once. It has no key yet, so it has no actions until the server has answered. */
export const Creates: Story = {
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    const release = app.articles.hold();
    await step('Ada writes an article: it is shown before the answer arrives', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing{Enter}');
      await arrived();
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out', 'On writing']);
      const row = canvas.getByText('On writing').closest('li');
      await expect(row).toHaveAttribute('aria-busy', 'true');
      await expect(row).toHaveAttribute('inert');
    });
    await step('the answer arrives: the row has its actions', async () => {
      release();
      await waitFor(() => expect(canvas.getByText('On writing').closest('li')).not.toHaveAttribute('inert'));
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out', 'On writing']);
      const releaseDeletion = app.articles.hold();
      await userEvent.click(canvas.getByRole('button', { name: 'Delete On writing' }));
      await arrived();
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out']);
      releaseDeletion();
      await journal.settled();
    });
    await step('one POST and one DELETE', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing' }),
        sent.delete('/article/5').as('ada'),
      ]),
    );
  },
};

/** A row without a key is never taken for another row by its position: the article with the id 2 is deleted, and the new one at position 2 stays. */
export const CreatesBesideADeletion: Story = {
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    const release = app.articles.hold();
    await step('Ada writes an article, and deletes the second before the answer arrives', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing{Enter}');
      await arrived();
      await userEvent.click(canvas.getByRole('button', { name: 'Delete On signing out' }));
      await waitFor(() => expect(app.articles.held).toBe(2));
      await expect(titles(canvas)).toEqual(['On signing in', 'On writing']);
    });
    await step('both answers arrive: the rows stay as they are', async () => {
      release();
      await journal.settled();
      await waitFor(() => expect(canvas.getByText('On writing').closest('li')).not.toHaveAttribute('inert'));
      await expect(titles(canvas)).toEqual(['On signing in', 'On writing']);
    });
    await step('one POST and one DELETE', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing' }),
        sent.delete('/article/2').as('ada'),
      ]),
    );
  },
};

/** The server refuses the new row: it is removed, and the form has the text and the reason. */
export const CreationRefused: Story = {
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    const release = app.articles.hold();
    await step('Ada writes an article, and sees it in the list', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), 'On{Enter}');
      await arrived();
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out', 'On']);
    });
    await step('the server refuses it: it is gone, and the form says why', async () => {
      release();
      await waitFor(() =>
        expect(canvas.getByLabelText('Title')).toHaveAccessibleDescription('A longer title is needed.'),
      );
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out']);
      await expect(canvas.getByLabelText('Title')).toHaveValue('On');
      await expect(canvas.getByLabelText('Title')).toHaveFocus();
    });
    await step('she adds to the title, and it is accepted', async () => {
      await userEvent.keyboard(' writing{Enter}');
      await canvas.findByRole('button', { name: 'Delete On writing' });
      await waitFor(() => expect(canvas.getByLabelText('Title')).toHaveValue(''));
    });
    await step('two POSTs', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On' }),
        sent.post('/article').as('ada').json({ title: 'On writing' }),
      ]),
    );
  },
};

/** The same, with a form outside the list. */
export const CreationOffline: Story = {
  render: args => (
    <>
      <ResourceForm resource={Articles} action="unshift" fields={[{ name: 'title', label: 'Title' }]} />
      <ResourceList {...args} create={undefined} />
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    const release = app.articles.hold();
    await step('Ada writes an article: it is the first of the list', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing{Enter}');
      await arrived();
      await expect(titles(canvas)).toEqual(['On writing', 'On signing in', 'On signing out']);
    });
    await step('the connection fails: the article is gone, and the form has its text', async () => {
      release('lost');
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        'The server could not be reached. Check the connection.',
      );
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out']);
      await expect(canvas.getByLabelText('Title')).toHaveValue('On writing');
    });
    await step('one POST', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing' }),
      ]),
    );
  },
};

/** A change is shown at once, by PATCH and by PUT. */
export const Changes: Story = {
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    for (const [button, title] of [
      ['Revise On signing in', 'On signing in!'],
      ['Rewrite On signing in!', 'On signing in!, again'],
    ] as const) {
      const release = app.articles.hold();
      await step(
        `Ada presses “${button}”: the new title is shown before the answer arrives, in a busy row`,
        async () => {
          await userEvent.click(canvas.getByRole('button', { name: button }));
          await arrived();
          await expect(canvas.getByText(title).closest('li')).toHaveAttribute('aria-busy', 'true');
        },
      );
      await step('the answer arrives, and the title stays', async () => {
        release();
        await waitFor(() => expect(canvas.getByText(title).closest('li')).toHaveAttribute('aria-busy', 'false'));
      });
    }
    await step('one PATCH and one PUT', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On signing in!' }),
        sent
          .put('/article/1')
          .as('ada')
          .json({ id: '1', title: 'On signing in!, again', content: 'Rewritten.', author: 'ada' }),
      ]),
    );
  },
};

/** The server fails to change the row: the old title is back, and the row says why. */
export const ChangeRefused: Story = {
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    app.articles.failNext(500);
    const release = app.articles.hold();
    await step('Ada changes a title, and sees it', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Revise On signing in' }));
      await arrived();
      await expect(titles(canvas)).toEqual(['On signing in!', 'On signing out']);
    });
    await step(
      'the server refuses it: the old title is back, the row says why, and the focus has not moved',
      async () => {
        release();
        await expect(await canvas.findByRole('alert')).toHaveTextContent(
          'The server has a problem. Try again in a while.',
        );
        await expect(titles(canvas)).toEqual(['On signing in', 'On signing out']);
        await expect(canvas.getAllByRole('listitem')[0]).toContainElement(canvas.getByRole('alert'));
        await expect(canvas.getByRole('button', { name: 'Revise On signing in' })).toHaveFocus();
      },
    );
    await step('one PATCH', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On signing in!' }),
      ]),
    );
  },
};

/** A form that edits: after a refusal, the list shows the old text, and the form keeps the new one. */
export const EditRefused: Story = {
  render: args => (
    <>
      <ResourceForm
        resource={Articles}
        action="partialUpdate"
        params={{ id: '1' }}
        initial={{ title: 'On signing in' }}
        fields={[{ name: 'title', label: 'Title' }]}
      />
      <ResourceList {...args} create={undefined} />
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    const release = app.articles.hold();
    await step('Ada saves a title, and the list shows it', async () => {
      await userEvent.clear(canvas.getByLabelText('Title'));
      await userEvent.type(canvas.getByLabelText('Title'), 'On{Enter}');
      await arrived();
      await expect(titles(canvas)).toEqual(['On', 'On signing out']);
    });
    await step('the server refuses it: the list has the old title, the form has hers and the reason', async () => {
      release();
      await waitFor(() =>
        expect(canvas.getByLabelText('Title')).toHaveAccessibleDescription('A longer title is needed.'),
      );
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out']);
      await expect(canvas.getByLabelText('Title')).toHaveValue('On');
    });
    await step('one PATCH', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On' }),
      ]),
    );
  },
};
