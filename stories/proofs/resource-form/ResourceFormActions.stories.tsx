import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { expect, fn, userEvent, waitFor } from 'storybook/test';
import { ResourceDetail, ResourceForm } from '../../../src/entries/widgets.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { talkHandlers, talkRow, Talks } from '../../support/talks.js';
import { below } from '../../support/below.js';

const app = setupWidgetApp();
const { sent } = app;
const talks = talkHandlers(app.auth);
const onSuccess = fn();

/** Proves what a form does that calls an endpoint of the app's own, and one that reads its record itself. */
const meta = {
  title: 'Proofs/ResourceForm',
  tags: ['proof', '!autodocs'],
  decorators: below(app),
  beforeEach: [
    app.start('ada'),
    ({ msw }) => {
      onSuccess.mockClear();
      talks.reset();
      msw.use(...talks.handlers);
    },
  ],
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** A form that neither creates nor edits: it says when the server has accepted it, and the passwords are gone. */
export const ChangesAPassword: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      http.post(`${ownApi}/password`, async ({ request }) => {
        const { current } = (await request.json()) as { current: string };
        return current === 'lovelace'
          ? HttpResponse.json({ changedAt: '2026-11-22' })
          : HttpResponse.json({ errors: { current: ['This is not your password.'] } }, { status: 422 });
      }),
    ),
  render: () => (
    <ResourceForm
      resource={Talks}
      action="changePassword"
      submitLabel="Change password"
      success="Your password is changed."
      fields={[
        { name: 'current', label: 'Current password', type: 'password', autoComplete: 'current-password' },
        { name: 'next', label: 'New password', type: 'password', autoComplete: 'new-password', minLength: 8 },
      ]}
      onSuccess={onSuccess}
    />
  ),
  play: async ({ canvas, step, hasSent }) => {
    const current = await canvas.findByLabelText('Current password');
    const next = canvas.getByLabelText('New password');
    await step('each button that shows a password says which one', async () => {
      const [first, second] = canvas.getAllByRole('button', { name: 'Show password' });
      await expect(first).toHaveAccessibleDescription('Current password');
      await expect(second).toHaveAccessibleDescription('New password');
    });
    await step('Ada mistypes her password: the error is at the field, and both inputs keep their text', async () => {
      await userEvent.type(current, 'love');
      await userEvent.type(next, 'analytical{Enter}');
      await waitFor(() => expect(current).toHaveAccessibleDescription('This is not your password.'));
      await waitFor(() => expect(current).toHaveFocus());
      await expect(next).toHaveValue('analytical');
      await expect(canvas.getByRole('status')).toBeEmptyDOMElement();
    });
    await step('she types it right', async () => {
      await userEvent.type(current, 'lace{Enter}');
      await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('Your password is changed.'));
      await expect(onSuccess.mock.calls).toEqual([[{ changedAt: '2026-11-22' }]]);
      await expect(current).toHaveValue('');
      await expect(next).toHaveValue('');
    });
    await hasSent(
      'two POSTs',
      ['love', 'lovelace'].map(password =>
        sent.post('/password').as('ada').json({ current: password, next: 'analytical' }),
      ),
    );
  },
};

const editTitle = (action: 'update' | 'partialUpdate') => (
  <ResourceForm
    resource={Talks}
    action={action}
    params={{ id: '1' }}
    fields={[{ name: 'title', label: 'Title' }]}
    onSuccess={onSuccess}
  />
);

/** Without `initial`, the form reads its record, and a PUT loses nothing of it. */
export const ReadsItsRecord: Story = {
  render: () => editTitle('update'),
  play: async ({ canvas, step, hasSent }) => {
    await step('the record is read, and no input is there before', async () => {
      const release = talks.hold();
      await canvas.findByText('Loading…');
      await expect(canvas.queryByRole('textbox')).not.toBeInTheDocument();
      release();
      await expect(await canvas.findByLabelText('Title')).toHaveValue('On moths');
    });
    await step('Ada changes the title twice', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), ' and{Enter}');
      await waitFor(() => expect(onSuccess).toHaveBeenCalledTimes(1));
      await userEvent.type(canvas.getByLabelText('Title'), ' men{Enter}');
      await waitFor(() => expect(onSuccess).toHaveBeenCalledTimes(2));
    });
    await hasSent('one GET and two PUTs, with the fields that the form does not have', [
      sent.get('/talk/1').as('ada'),
      ...['On moths and', 'On moths and men'].map(title =>
        sent
          .put('/talk/1')
          .as('ada')
          .json({ ...talkRow, title }),
      ),
    ]);
  },
};

/** The record cannot be read: the form says so and tries again, and the keyboard goes on in the first input. */
export const ReadsItsRecordAgain: Story = {
  beforeEach: () => talks.failNext(503),
  render: () => editTitle('partialUpdate'),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees that the server has a problem, and tries again by keyboard', async () => {
      await canvas.findByRole('alert');
      canvas.getByRole('button', { name: 'Try again' }).focus();
      await userEvent.keyboard('{Enter}');
      await expect(await canvas.findByLabelText('Title')).toHaveValue('On moths');
      await expect(canvas.getByLabelText('Title')).toHaveFocus();
    });
    await hasSent('two GETs', [sent.get('/talk/1').as('ada'), sent.get('/talk/1').as('ada')]);
  },
};

/** A talk, a button that fetches it again, and the form after a press. */
function DetailAndForm() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ResourceDetail
        resource={Talks}
        params={{ id: '1' }}
        renderItem={(talk, { invalidate }) => (
          <>
            <h2>{talk.title}</h2>
            <button type="button" onClick={() => void invalidate()}>
              Fetch again
            </button>
          </>
        )}
      />
      {isOpen ? editTitle('partialUpdate') : <button onClick={() => setOpen(true)}>Edit</button>}
    </>
  );
}

/** The record is in the store already: it is not requested again. Whatever happens to it there later, the form and its text stay. */
export const RecordInTheStore: Story = {
  render: () => <DetailAndForm />,
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada opens the form, which has the talk at once', async () => {
      await canvas.findByRole('heading', { name: 'On moths' });
      await userEvent.click(canvas.getByRole('button', { name: 'Edit' }));
      await expect(canvas.getByLabelText('Title')).toHaveValue('On moths');
      await userEvent.type(canvas.getByLabelText('Title'), ' and men');
    });
    await step('the talk is fetched again, and is gone: her text is still there', async () => {
      talks.failNext(404);
      await userEvent.click(canvas.getByRole('button', { name: 'Fetch again' }));
      await canvas.findByRole('alert');
      await expect(canvas.getByLabelText('Title')).toHaveValue('On moths and men');
    });
    await hasSent('two GETs, both for the detail', [sent.get('/talk/1').as('ada'), sent.get('/talk/1').as('ada')]);
  },
};
