import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent, waitFor } from 'storybook/test';
import { setupListApp } from '../../support/setupListApp.js';

const { app, listMeta } = setupListApp();
const { sent } = app;

/** Proves the actions of a row: what they send, what the row shows, and where the focus goes. */
const meta = {
  title: 'Proofs/ResourceList',
  tags: ['proof', '!autodocs'],
  ...listMeta,
} satisfies Meta<typeof listMeta.component>;

export default meta;
type Story = StoryObj<typeof meta>;

/** `actions.partialUpdate` sends a PATCH, and the row shows the answer. */
export const EditsByPatch: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada changes a title', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Revise On signing in' }));
      await canvas.findByText('On signing in!');
    });
    await step('one PATCH with the change only', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On signing in!' }),
      ]),
    );
  },
};

/** `actions.update` sends a PUT, and the row shows the answer. */
export const EditsByPut: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada replaces an article', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Rewrite On signing in' }));
      await canvas.findByText('On signing in, again');
    });
    await step('one PUT with the whole record', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent
          .put('/article/1')
          .as('ada')
          .json({ id: '1', title: 'On signing in, again', content: 'Rewritten.', author: 'ada' }),
      ]),
    );
  },
};

/** By keyboard alone: after a deletion the focus is on the next row, and after the last row on the list. */
export const DeletesByKeyboard: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada tabs to the first row’s Delete and presses Enter; the next row has the focus', async () => {
      await canvas.findByText('On signing in');
      await userEvent.tab();
      await userEvent.tab();
      await userEvent.tab();
      await expect(canvas.getByRole('button', { name: 'Delete On signing in' })).toHaveFocus();
      await userEvent.keyboard('{Enter}');
      await waitFor(() => expect(canvas.queryByText('On signing in')).not.toBeInTheDocument());
      await expect(canvas.getByRole('listitem')).toHaveFocus();
    });
    await step('she deletes that one too; the list has the focus, and says that it is empty', async () => {
      await userEvent.tab();
      await userEvent.tab();
      await userEvent.tab();
      await userEvent.keyboard('{Enter}');
      await canvas.findByText('Nothing here yet.');
      await expect(canvas.getByRole('region', { name: 'Articles' })).toHaveFocus();
    });
    await step('two DELETEs, and the list is not fetched again', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.delete('/article/1').as('ada'),
        sent.delete('/article/2').as('ada'),
      ]),
    );
  },
};

/** Two presses are one deletion. When the server refuses it, the row stays, with the message. */
export const KeepsTheRowOfARefusedDeletion: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada presses Delete twice while the answer is under way', async () => {
      await canvas.findByText('On signing in');
      app.articles.failNext(403);
      const release = app.articles.hold();
      await userEvent.dblClick(canvas.getByRole('button', { name: 'Delete On signing in' }));
      await waitFor(() => expect(app.articles.held).toBe(1));
      await expect(canvas.getAllByRole('listitem')[0]).toHaveAttribute('aria-busy', 'true');
      release();
    });
    await step('the row announces the refusal', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent('You do not have access to this.');
      await expect(canvas.getAllByRole('listitem')[0]).toContainElement(canvas.getByRole('alert'));
      await expect(canvas.getByText('On signing in')).toBeVisible();
    });
    await step('one DELETE', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]),
    );
  },
};

let refuse: (answer: Response) => void;

/** Two actions on one row, and the first fails last: the row shows the outcome of the newest only. */
export const ShowsTheNewestAct: Story = {
  beforeEach: ({ msw }) => {
    const refusal = new Promise<Response>(resolve => (refuse = resolve));
    msw.use(http.patch('/api/article/1', () => refusal, { once: true }));
  },
  play: async ({ canvas, step, journal }) => {
    await step('Ada changes an article, and replaces it before the first answer arrives', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Revise On signing in' }));
      await userEvent.click(canvas.getByRole('button', { name: 'Rewrite On signing in' }));
      await canvas.findByText('On signing in, again');
    });
    await step('the first action is refused: the row shows the second, and no error of the first', async () => {
      refuse(HttpResponse.json({}, { status: 500 }));
      await journal.settled();
      await waitFor(() => expect(canvas.getAllByRole('listitem')[0]).toHaveAttribute('aria-busy', 'false'));
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    // The server may have written the two in any order.
    await step('one PATCH and one PUT, then the article is read', () =>
      waitFor(() =>
        expect(journal).toHaveSent([
          sent.get('/article').as('ada'),
          sent.patch('/article/1').as('ada').json({ title: 'On signing in!' }),
          sent
            .put('/article/1')
            .as('ada')
            .json({ id: '1', title: 'On signing in, again', content: 'Rewritten.', author: 'ada' }),
          sent.get('/article/1').as('ada'),
        ]),
      ),
    );
  },
};
