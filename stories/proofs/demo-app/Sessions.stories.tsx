import type { Meta, StoryContext, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { leaveFor } from '../../../examples/issue-tracker/src/demoClock.js';
import { session } from '../../../examples/issue-tracker/src/session.js';
import { DemoApp, questionsAbout, sent, start } from '../../support/setupDemoApp.js';

type Canvas = StoryContext['canvas'];

/** The demo app, where a session is more than signed in or signed out. */
const meta = {
  title: 'Proofs/Demo app',
  tags: ['proof', '!autodocs'],
  parameters: { layout: 'fullscreen' },
  render: () => <DemoApp />,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const press = async (canvas: Canvas, name: string) => userEvent.click(await canvas.findByRole('button', { name }));
const follow = async (canvas: Canvas, name: string) => userEvent.click(await canvas.findByRole('link', { name }));
const login = (user: string, password: string) => sent.post('/login').json({ username: user, password });

/** The server ends the session between two words. The form, its text and the way of the save stay. */
export const KeepsAHalfTypedForm: Story = {
  beforeEach: start('ada'),
  play: async ({ canvas, step, journal }) => {
    await step('Ada edits an issue; while she types, her session ends on the server', async () => {
      await follow(canvas, 'Edit “Dark map tiles for night surveys”');
      const title = await canvas.findByLabelText('Title');
      await userEvent.clear(title);
      await userEvent.type(title, 'Darker map');
      await press(canvas, 'Let the session expire');
      await canvas.findByText(
        'The server refuses the session now. Filter the list or save an issue to see what happens.',
      );
      await userEvent.type(title, ' tiles');
    });
    await step('she saves: a dialog asks her to sign in, and hides the form', async () => {
      await press(canvas, 'Save');
      const form = within(await canvas.findByRole('dialog', { name: /^Your session has ended/ }));
      await form.findByRole('heading', { name: 'Ada Lovelace' });
      await expect(canvas.getByLabelText('Title')).not.toBeVisible();
      await userEvent.type(form.getByLabelText('User name'), 'ada');
      await userEvent.type(form.getByLabelText('Password'), 'lovelace');
      await userEvent.click(form.getByRole('button', { name: 'Sign in' }));
    });
    await step('the issue has the whole title', async () => {
      await canvas.findByRole('heading', { name: 'Darker map tiles' });
      await expect(canvas.queryByRole('dialog')).not.toBeInTheDocument();
    });
    const save = sent.patch('/issues/136').json({ title: 'Darker map tiles' });
    await step('one refresh that is refused, one login, and the save once more', () =>
      expect(journal).toHaveSent([
        login('ada', 'lovelace'),
        sent.get('/issues?state=open').as('ada'),
        sent.post('/expire').as('ada'),
        save.as('ada'),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.post('/login').json({ username: 'ada', password: 'lovelace', remember: false }),
        save.as('ada', 2),
      ]),
    );
  },
};

/** Deleting many issues needs the password once more. */
export const AsksForThePassword: Story = {
  beforeEach: start('ada'),
  play: async ({ canvas, step, journal }) => {
    const ask = async () => {
      await press(canvas, 'Delete all closed issues');
      return within(await canvas.findByRole('dialog', { name: 'Confirm that it is you' }));
    };
    await step('Ada wants to delete the closed issues, and thinks better of it', async () => {
      await userEvent.selectOptions(await canvas.findByLabelText('State'), 'closed');
      await canvas.findByText('Remember the last used species');
      await userEvent.click((await ask()).getByRole('button', { name: 'Cancel' }));
      await canvas.findByText('No issue was deleted.');
      await expect(canvas.getByText('Remember the last used species')).toBeVisible();
    });
    await step('she mistypes her password', async () => {
      const dialog = await ask();
      // A password manager looks for the user's name in the form.
      await expect(dialog.getByDisplayValue('ada')).toHaveAttribute('autocomplete', 'username');
      await userEvent.type(dialog.getByLabelText('Password'), 'byron');
      await userEvent.click(dialog.getByRole('button', { name: 'Continue' }));
      await waitFor(() => expect(dialog.getByRole('alert')).toHaveTextContent('The password is wrong.'));
    });
    await step('with the right one, the issues go', async () => {
      const dialog = within(canvas.getByRole('dialog'));
      await userEvent.clear(dialog.getByLabelText('Password'));
      await userEvent.type(dialog.getByLabelText('Password'), 'lovelace');
      await userEvent.click(dialog.getByRole('button', { name: 'Continue' }));
      await canvas.findByText('No matches.');
      await expect(canvas.queryByRole('dialog')).not.toBeInTheDocument();
    });
    await step('the deletion is sent again after the right password only, with the token of that answer', () =>
      expect(journal).toHaveSent([
        login('ada', 'lovelace'),
        sent.get('/issues?state=open').as('ada'),
        sent.get('/issues?state=closed').as('ada'),
        sent.delete('/closed-issues').as('ada'),
        sent.delete('/closed-issues').as('ada'),
        sent.post('/step-up').as('ada').json({ password: 'byron' }),
        sent.post('/step-up').as('ada').json({ password: 'lovelace' }),
        sent.delete('/closed-issues').as('ada', 2),
        sent.get('/issues?state=closed').as('ada', 2),
      ]),
    );
  },
};

/** A user who is away is warned, may stay, and is signed out on the server too. */
export const WarnsBeforeTheEnd: Story = {
  tags: ['slow'],
  beforeEach: start('ada'),
  play: async ({ canvas, step, journal }) => {
    const leave = async () => {
      await press(canvas, 'Leave for 14½ minutes');
      await waitFor(() => expect(canvas.getByRole('alert')).toHaveTextContent('You will soon be signed out'));
    };
    await step('Ada comes back in time, and stays', async () => {
      await canvas.findByText('Dark map tiles for night surveys');
      await leave();
      await press(canvas, 'Stay signed in');
      await waitFor(() => expect(canvas.queryByRole('alert')).not.toBeInTheDocument());
    });
    const before = [
      login('ada', 'lovelace'),
      sent.get('/issues?state=open').as('ada'),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      sent.post('/logout').as('ada', 2).json({ refreshToken: 'ada-refresh-2' }),
    ];
    await step('the next time she does not: a dialog hides the list, and the server ends the session', async () => {
      await leave();
      leaveFor(30_000);
      await canvas.findByRole('dialog', { name: /^Your session has ended/ });
      await expect(canvas.getByText('Dark map tiles for night surveys')).not.toBeVisible();
      // One of the tabs tells the server, a moment after the page has ended.
      await waitFor(() => expect(journal).toHaveSent(before));
    });
    await step('she signs in and is where she was, by one request', async () => {
      const form = within(canvas.getByRole('dialog'));
      await userEvent.type(form.getByLabelText('User name'), 'ada');
      await userEvent.type(form.getByLabelText('Password'), 'lovelace');
      await userEvent.click(form.getByRole('button', { name: 'Sign in' }));
      await waitFor(() => expect(canvas.getByText('Dark map tiles for night surveys')).toBeVisible());
      await expect(canvas.queryByRole('dialog')).not.toBeInTheDocument();
      await expect(journal).toHaveSent([
        ...before,
        sent.post('/login').json({ username: 'ada', password: 'lovelace', remember: false }),
      ]);
    });
  },
};

/** Grace is no maintainer: she sees the buttons of her own issues, and the server refuses the others. */
export const OnlyHerOwnIssues: Story = {
  beforeEach: start('grace'),
  play: async ({ canvas, step, journal }) => {
    await step('she may edit and delete what she has written', async () => {
      await canvas.findByRole('button', { name: 'Delete “Show the distance to the next waypoint in the list”' });
      const issues = canvas.getAllByRole('listitem').filter(row => row.textContent.includes('Grace Hopper'));
      await expect(canvas.getAllByRole('button', { name: /^Delete “/ })).toHaveLength(issues.length);
      await expect(canvas.getAllByRole('link', { name: /^Edit “/ })).toHaveLength(issues.length);
    });
    await step('another user’s issue says why it has no buttons', async () => {
      await follow(canvas, 'Dark map tiles for night surveys');
      await canvas.findByText('Only its author and maintainers may do this.');
      await expect(canvas.queryByRole('link', { name: 'Edit' })).not.toBeInTheDocument();
      await expect(canvas.queryByRole('button', { name: 'Delete' })).not.toBeInTheDocument();
    });
    await step('she does not delete the closed issues of all users', async () => {
      await follow(canvas, 'All issues');
      await userEvent.selectOptions(await canvas.findByLabelText('State'), 'closed');
      await canvas.findByRole('button', { name: 'Delete “Remember the last used species”' });
      await expect(canvas.queryByRole('button', { name: 'Delete all closed issues' })).not.toBeInTheDocument();
    });
    await step('a request without the button is refused', async () => {
      await expect((await session.fetch('/api/issues/136', { method: 'DELETE' })).status).toBe(403);
      await expect((await session.fetch('/api/closed-issues', { method: 'DELETE' })).status).toBe(403);
    });
    await step('one question for each list', () =>
      expect(journal).toHaveSent([
        login('grace', 'hopper'),
        sent.get('/issues?state=open').as('grace'),
        sent.post('/permissions').as('grace').json(questionsAbout('open', 'grace')),
        sent.get('/issues?state=closed').as('grace'),
        sent.post('/permissions').as('grace').json(questionsAbout('closed', 'grace')),
        sent.delete('/issues/136').as('grace'),
        sent.delete('/closed-issues').as('grace'),
      ]),
    );
  },
};

/** Grace writes a comment in another browser, and Ada, who reads the issue, sees it. */
export const CommentArrives: Story = {
  beforeEach: start('ada'),
  play: async ({ canvas, step, journal }) => {
    const post = (path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(`/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const comments = sent.get('/issues/136/comments').as('ada');
    await step('Ada opens the comments of an issue', async () => {
      await follow(canvas, 'Dark map tiles for night surveys');
      await follow(canvas, 'Comments');
      await canvas.findByText('The tiles are white at night.');
      await waitFor(() => expect(journal.lines()).toContain('SSE /api/live  ada  open'));
    });
    await step('Grace writes', async () => {
      const { accessToken } = (await (await post('/login', { username: 'grace', password: 'hopper' })).json()) as {
        accessToken: string;
      };
      await post('/issues/136/comments', { text: 'So is the snow.' }, { Authorization: `Bearer ${accessToken}` });
      await canvas.findByText('So is the snow.');
    });
    await step('one stream, one frame, and one more read', () =>
      expect(journal).toHaveSent(
        [
          login('ada', 'lovelace'),
          sent.get('/issues?state=open').as('ada'),
          comments,
          sent.get('/live').as('ada'),
          'SSE /api/live  ada  open',
          login('grace', 'hopper'),
          sent.post('/issues/136/comments').as('grace').json({ text: 'So is the snow.' }),
          'SSE /api/live  ada  frame',
          comments,
        ],
        { anyOrder: true },
      ),
    );
  },
};

/** A maintainer sees the app as a reporter does, and goes back without a password. */
export const ViewsAsAnotherUser: Story = {
  beforeEach: start('ada'),
  play: async ({ canvas, step, journal }) => {
    await step('Ada views as Grace, who may not edit the issues of others', async () => {
      await canvas.findByRole('link', { name: 'Edit “Dark map tiles for night surveys”' });
      await press(canvas, 'View as Grace Hopper');
      await canvas.findByRole('button', { name: 'Back to Ada Lovelace' });
      await canvas.findByRole('link', { name: 'Dark map tiles for night surveys' });
      await expect(
        canvas.queryByRole('link', { name: 'Edit “Dark map tiles for night surveys”' }),
      ).not.toBeInTheDocument();
    });
    await step('she goes back, without a password', async () => {
      await press(canvas, 'Back to Ada Lovelace');
      await canvas.findByRole('link', { name: 'Edit “Dark map tiles for night surveys”' });
    });
    await step('each request went with the token of the user who was shown', () =>
      waitFor(() =>
        expect(journal).toHaveSent(
          [
            login('ada', 'lovelace'),
            sent.get('/issues?state=open').as('ada'),
            sent.post('/view-as').as('ada').json({ user: 'grace' }),
            sent.get('/issues?state=open').as('grace'),
            sent.post('/permissions').as('grace').json(questionsAbout('open', 'grace')),
            sent.post('/logout').json({ refreshToken: 'grace-refresh-1' }).as('grace'),
            sent.get('/issues?state=open').as('ada'),
          ],
          { anyOrder: true },
        ),
      ),
    );
  },
};
