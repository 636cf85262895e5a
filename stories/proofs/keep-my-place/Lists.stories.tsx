import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, screen, userEvent, waitFor, within } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import { lock } from '../../../src/entries/lock.js';
import { LoginForm, ResourceList } from '../../../src/entries/widgets.js';
import { manyArticles } from '../../support/manyArticles.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';

const app = setupWidgetApp({ rows: manyArticles(500).rows });
const onExpiry = lock();

function Save() {
  const controller = useController();
  const partialUpdate = app.Articles.usePartialUpdate();
  const save = () => controller.fetch(partialUpdate, { id: '1' }, { content: 'A new text' });
  return (
    <button type="button" onClick={() => void save().catch(() => undefined)}>
      Save
    </button>
  );
}

/** The kit's own lists keep their rows and their place while the session is locked. */
const meta = {
  title: 'Proofs/Keep my place',
  tags: ['proof', '!autodocs'],
  parameters: { cookies: app.cookies },
  beforeEach: app.start('ada'),
  render: () => (
    <app.Provider onExpiry={onExpiry}>
      <Authenticated fallback={<LoginForm />} locked={<LoginForm />}>
        <Save />
        <div
          data-testid="list"
          style={{ height: 200, overflow: 'auto' }}
          role="group"
          aria-label="Articles"
          tabIndex={0}
        >
          <ResourceList resource={app.Articles} renderItem={({ title }) => title} />
        </div>
      </Authenticated>
    </app.Provider>
  ),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const place = () => screen.getByTestId('list').scrollTop;

/** Row 400 of a list that has only some of its rows in the document: it is there again, and the list is not read again. */
export const RowOfALongList: Story = {
  tags: ['slow'],
  play: async ({ canvas, msw, step, journal }) => {
    await canvas.findByText('Article 1');
    const list = screen.getByTestId('list');
    list.scrollTop = list.scrollHeight * 0.8;
    await canvas.findByText('Article 400');
    const before = place();
    journal.clear();
    await step('the server has ended the session: the rows stay below the dialog', async () => {
      const refuse = () => HttpResponse.json({}, { status: 401 });
      msw.use(http.patch('/api/article/1', refuse, { once: true }), http.post('/api/refresh', refuse, { once: true }));
      await userEvent.click(canvas.getByRole('button', { name: 'Save' }));
      await screen.findByRole('dialog', { name: /^Your session has ended/ });
      await expect(screen.getByText('Article 400')).not.toBeVisible();
    });
    await step('Ada signs in', async () => {
      const form = within(screen.getByRole('dialog'));
      await userEvent.type(form.getByLabelText('User name'), 'ada');
      await userEvent.type(form.getByLabelText('Password'), 'lovelace');
      await userEvent.click(form.getByRole('button', { name: 'Sign in' }));
      await waitFor(() => expect(screen.getByText('Article 400')).toBeVisible());
      await expect(place()).toBe(before);
    });
    await step('nothing but the refused request is sent again', () =>
      waitFor(() =>
        expect(journal.entries.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
          'PATCH /api/article/1',
          'POST /api/refresh',
          'POST /api/login',
          'PATCH /api/article/1',
        ]),
      ),
    );
  },
};
