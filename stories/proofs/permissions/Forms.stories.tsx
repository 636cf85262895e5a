import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { permissions } from '../../../src/entries/permissions.js';
import { ResourceForm, ResourceList } from '../../../src/entries/widgets.js';
import { setupPermissions } from '../../support/setupPermissions.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';

const app = setupWidgetApp();
const { sent } = app;

/** Ada may change articles, but not who wrote them. */
const server = setupPermissions(app.auth, ({ field }) =>
  field === 'author' ? { allowed: false, reason: 'Only the editor changes the author.' } : true,
);

/** Forms and the slot for new rows: denied fields are disabled, and a form that is denied cannot be sent. */
const meta = {
  title: 'Proofs/Permissions',
  tags: ['proof', '!autodocs'],
  component: ResourceForm<typeof app.Articles, 'partialUpdate'>,
  args: {
    resource: app.Articles,
    action: 'partialUpdate',
    params: { id: '1' },
    fields: [
      { name: 'title', label: 'Title' },
      { name: 'author', label: 'Author', hint: 'The user name of the author.' },
    ],
  },
  decorators: [
    Story => (
      <app.Provider can={server.can}>
        <Story />
      </app.Provider>
    ),
  ],
  beforeEach: server.start(app.start('ada')),
} satisfies Meta<typeof ResourceForm<typeof app.Articles, 'partialUpdate'>>;

export default meta;
type Story = StoryObj<typeof meta>;

const article = { type: 'Article', id: '1' };
const questions = [
  { action: 'update', on: article },
  { action: 'update', on: article, field: 'title' },
  { action: 'update', on: article, field: 'author' },
];

/** One request asks about the form and its fields. The denied field is disabled, says why, and is not sent. */
export const DeniedField: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('the field of the author is disabled, with the reason', async () => {
      await waitFor(() => expect(canvas.getByLabelText('Title')).toBeEnabled());
      await expect(canvas.getByLabelText('Author')).toBeDisabled();
      await expect(canvas.getByLabelText('Author')).toHaveAccessibleDescription('Only the editor changes the author.');
    });
    await step('the title can be changed', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), '!');
      await userEvent.click(canvas.getByRole('button', { name: 'Save' }));
      await canvas.findByText('Saved.');
    });
    await hasSent(
      'the record, one question, one PATCH',
      [
        sent.get('/article/1').as('ada'),
        sent.post('/permissions').as('ada').json({ questions }),
        sent.patch('/article/1').as('ada').json({ title: 'On signing in!' }),
      ],
      { anyOrder: true },
    );
  },
};

/** The form as a whole is denied: it has no button, and says why. Until that is known, nothing can be typed or sent. */
export const DeniedForm: Story = {
  play: async ({ canvas, step, journal }) => {
    server.decide(() => ({ allowed: false, reason: 'This article is locked.' }));
    const release = server.hold();
    await step('before the answer, the inputs are disabled and there is no button', async () => {
      await waitFor(() => expect(canvas.getByLabelText('Title')).toHaveValue('On signing in'));
      await expect(canvas.getByLabelText('Title')).toBeDisabled();
      await expect(canvas.queryByRole('button')).not.toBeInTheDocument();
    });
    await step('the answer: they stay disabled, with the reason', async () => {
      release();
      await expect(await canvas.findByText('This article is locked.', { selector: 'p' })).toBeVisible();
      await expect(canvas.getByLabelText('Title')).toBeDisabled();
      await expect(canvas.queryByRole('button')).not.toBeInTheDocument();
      await expect(journal.entries.filter(({ method }) => method === 'PATCH')).toEqual([]);
    });
  },
};

/** The server cannot say what the user may do: the form stays closed, says why, and has a button that asks again. */
export const Unavailable: Story = {
  play: async ({ canvas, step, journal }) => {
    const failure = 'The server could not be reached. Check the connection.';
    const tryAgain = () => canvas.getByRole('button', { name: 'Try again' });
    const lose = async (release: ReturnType<typeof server.hold>, count: number) => {
      await waitFor(() => expect(server.asked()).toHaveLength(count));
      release('lost');
    };
    await step('the form is closed, and the failure is announced', async () => {
      await lose(server.hold(), 1);
      await waitFor(() => expect(canvas.getByRole('alert')).toHaveTextContent(failure));
      await expect(canvas.getByLabelText('Title')).toBeDisabled();
      await expect(canvas.queryByRole('button', { name: 'Save' })).not.toBeInTheDocument();
    });
    await step('another attempt fails: one request, and the button keeps the focus', async () => {
      const release = server.hold();
      await userEvent.click(tryAgain());
      await expect(canvas.getByRole('alert')).toHaveTextContent('Trying again…');
      await userEvent.click(tryAgain());
      await lose(release, 2);
      await waitFor(() => expect(canvas.getByRole('alert')).toHaveTextContent(failure));
      await expect(tryAgain()).toHaveFocus();
    });
    await step('the answer opens the form, and the first input has the focus', async () => {
      await userEvent.click(tryAgain());
      await waitFor(() => expect(canvas.getByLabelText('Title')).toBeEnabled());
      await waitFor(() => expect(canvas.getByLabelText('Title')).toHaveFocus());
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    await step('the record, and one question for each attempt', () => {
      const question = sent.post('/permissions').as('ada').json({ questions });
      return expect(journal).toHaveSent([sent.get('/article/1').as('ada'), question, question, question], {
        anyOrder: true,
      });
    });
  },
};

const creating: Story['render'] = () => (
  <ResourceList
    resource={app.Articles}
    create={{ push: [{ name: 'title', label: 'Title' }] }}
    renderItem={({ title }) => title}
  />
);

/** A list leaves out its form for new rows for users who may not create one. The user alone decides: no question is sent. */
export const CreateLeftOut: Story = {
  render: creating,
  decorators: [
    Story => (
      <app.Provider can={writersOnly}>
        <Story />
      </app.Provider>
    ),
  ],
  play: async ({ canvas, hasSent }) => {
    await canvas.findByText('On signing in');
    await expect(canvas.queryByRole('button', { name: 'Create' })).not.toBeInTheDocument();
    await hasSent('one request: the list', [sent.get('/article').as('ada')]);
  },
};

const writersOnly = permissions<{ id: string }>({
  fromUser: ({ action, on }, user) => action !== 'create' || (on?.type === 'Article' && user?.id === 'writer'),
});

/** The same list for a user who may: the form is there. */
export const CreateAllowed: Story = {
  render: creating,
  play: async ({ canvas, hasSent }) => {
    await canvas.findByText('On signing in');
    await expect(await canvas.findByRole('button', { name: 'Create' })).toBeVisible();
    await hasSent(
      'one question, about the kind of records',
      [
        sent.get('/article').as('ada'),
        sent
          .post('/permissions')
          .as('ada')
          .json({ questions: [{ action: 'create', on: { type: 'Article' } }] }),
      ],
      { anyOrder: true },
    );
  },
};
