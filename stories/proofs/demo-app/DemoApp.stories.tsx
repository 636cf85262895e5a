import type { Meta, StoryContext, StoryObj } from '@storybook/react-vite';
import { expect, fireEvent, userEvent, waitFor, within } from 'storybook/test';
import { DemoApp, questionsAbout, sent, start } from '../../support/setupDemoApp.js';

type Canvas = StoryContext['canvas'];

/** The demo app, as a user goes through it. */
const meta = {
  title: 'Proofs/Demo app',
  tags: ['proof', '!autodocs'],
  parameters: { layout: 'fullscreen' },
  render: () => <DemoApp />,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const press = async (canvas: Canvas, name: string | RegExp) =>
  userEvent.click(await canvas.findByRole('button', { name }));
const follow = async (canvas: Canvas, name: string | RegExp) =>
  userEvent.click(await canvas.findByRole('link', { name }));
const titles = (canvas: Canvas) =>
  canvas.getAllByRole('listitem').map(row => row.querySelector('a')?.textContent ?? row.textContent);
const isGone = (canvas: Canvas, text: string) =>
  waitFor(() => expect(canvas.queryByText(text)).not.toBeInTheDocument());

const PHOTO_BUGS = ['Sync stops at 99% when a photo is larger than 20 MB', 'Photos lose their order after a merge'];

/** Two filters change before the router has changed the address for the first: both count, and one request asks for them. */
export const TwoFiltersAtOnce: Story = {
  tags: ['slow'],
  beforeEach: start('ada'),
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('Dark map tiles for night surveys');
    await step('Ada chooses a label, and in the same moment a state', async () => {
      await Promise.all([
        fireEvent.change(canvas.getByLabelText('Label'), { target: { value: 'bug' } }),
        fireEvent.change(canvas.getByLabelText('State'), { target: { value: 'closed' } }),
      ]);
      await isGone(canvas, 'Dark map tiles for night surveys');
    });
    await step('the list has the closed bugs', async () => {
      await expect(journal).toHaveSent([
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/issues?state=open').as('ada'),
        sent.get('/issues?label=bug&state=closed').as('ada'),
      ]);
    });
  },
};

/** From the sign-in to a switch of the user: what the user sees, and the thirteen requests that it takes. */
export const WholeVisit: Story = {
  beforeEach: start(),
  play: async ({ canvas, step, journal }) => {
    await step('Ada signs in to stay, and sees the open issues, with her confidential ones', async () => {
      await userEvent.type(await canvas.findByLabelText('User name'), 'ada');
      await userEvent.type(canvas.getByLabelText('Password'), 'lovelace');
      await userEvent.click(canvas.getByRole('checkbox', { name: 'Keep me signed in' }));
      await press(canvas, 'Sign in');
      await canvas.findByText('Access tokens stay valid after a device is reported lost');
      await expect(canvas.getAllByRole('listitem')).toHaveLength(20);
      // The form is gone with the sign-in page.
      await expect(canvas.getByRole('main')).toHaveFocus();
    });
    await step('she filters: bugs whose title contains “photo”', async () => {
      await userEvent.selectOptions(canvas.getByLabelText('Label'), 'bug');
      await isGone(canvas, 'Dark map tiles for night surveys');
      await userEvent.type(canvas.getByLabelText('Title contains'), 'photo');
      await waitFor(() => expect(titles(canvas)).toEqual(PHOTO_BUGS));
    });
    await step('she opens an issue, and edits its title', async () => {
      await follow(canvas, PHOTO_BUGS[0]!);
      // The link is gone with the list.
      await waitFor(() => expect(canvas.getByRole('main')).toHaveFocus());
      await follow(canvas, 'Edit');
      const title = await canvas.findByLabelText('Title');
      await userEvent.clear(title);
      await userEvent.type(title, 'Sync stops at 99% for a large photo');
      await press(canvas, 'Save');
      await canvas.findByRole('heading', { name: 'Sync stops at 99% for a large photo' });
    });
    await step('she deletes an issue, and undoes it', async () => {
      await follow(canvas, 'All issues');
      await press(canvas, 'Delete “Dark map tiles for night surveys”');
      await press(canvas, 'Undo');
      await canvas.findByText('Dark map tiles for night surveys');
    });
    await step('she deletes another one, and goes to an issue: the deletion is sent', async () => {
      await press(canvas, 'Delete “Offer Danish and Greenlandic”');
      await canvas.findByText('“Offer Danish and Greenlandic” is deleted.');
      await follow(canvas, 'Import GPX tracks from handheld receivers');
      await follow(canvas, 'All issues');
      await isGone(canvas, 'Offer Danish and Greenlandic');
    });
    await step('her token expires; she filters, and notices nothing', async () => {
      await press(canvas, 'Let the token expire');
      await canvas.findByText(
        'The server refuses the token now. Filter the list or save an issue: the token is refreshed, and the request is sent again.',
      );
      await userEvent.selectOptions(canvas.getByLabelText('State'), 'closed');
      await canvas.findByText('Remember the last used species');
    });
    await step('Grace takes over: she sees her own confidential issue, and none of Ada’s', async () => {
      await press(canvas, 'Switch to Grace');
      await waitFor(() => within(canvas.getByRole('banner')).getByText('Grace Hopper'));
      await canvas.findByText('Session cookies are sent without SameSite');
      await expect(
        canvas.queryByText('Old passwords are accepted for a minute after a change'),
      ).not.toBeInTheDocument();
      await canvas.findByRole('button', { name: 'Delete “Session cookies are sent without SameSite”' });
    });
    await step('each request is sent once, by the right user; one expiry costs one refresh', () =>
      expect(journal).toHaveSent([
        sent.post('/login').json({ username: 'ada', password: 'lovelace', remember: true }),
        sent.get('/issues?state=open').as('ada'),
        sent.get('/issues?label=bug&state=open').as('ada'),
        sent.get('/issues?label=bug&q=photo&state=open').as('ada'),
        sent.patch('/issues/140').as('ada').json({ title: 'Sync stops at 99% for a large photo' }),
        sent.delete('/issues/124').as('ada'),
        sent.post('/expire-token').as('ada'),
        sent.get('/issues?state=closed').as('ada'),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.get('/issues?state=closed').as('ada', 2),
        sent.post('/login').json({ username: 'grace', password: 'hopper' }),
        sent.get('/issues?state=closed').as('grace'),
        sent.post('/permissions').as('grace').json(questionsAbout('closed', 'grace')),
      ]),
    );
  },
};

/** An issue from its first line to its end: the server’s validation error, the new row, and the lists after a change of the state. */
export const NewIssue: Story = {
  beforeEach: start('ada'),
  play: async ({ canvas, step, journal }) => {
    await step('Ada writes an issue; the server takes no blank for a title', async () => {
      await follow(canvas, 'New issue');
      await userEvent.type(await canvas.findByLabelText('Title'), ' ');
      await userEvent.selectOptions(canvas.getByLabelText('Label'), 'feature');
      await press(canvas, 'Create issue');
      await waitFor(() => expect(canvas.getByLabelText('Title')).toHaveAccessibleDescription('A title is needed.'));
    });
    await step('she corrects it: the issue is open, and is the first of the list', async () => {
      await userEvent.clear(canvas.getByLabelText('Title'));
      await userEvent.type(canvas.getByLabelText('Title'), 'Show sunrise and sunset');
      await press(canvas, 'Create issue');
      await canvas.findByRole('heading', { name: 'Show sunrise and sunset' });
      await follow(canvas, 'All issues');
      await canvas.findByText('Dark map tiles for night surveys');
      await expect(titles(canvas)[0]).toBe('Show sunrise and sunset');
    });
    await step('she closes it: it is not among the open issues any more', async () => {
      await follow(canvas, 'Show sunrise and sunset');
      await press(canvas, 'Close');
      await canvas.findByRole('button', { name: 'Reopen' });
      await follow(canvas, 'All issues');
      await isGone(canvas, 'Show sunrise and sunset');
    });
    const issue = { title: ' ', body: '', label: 'feature', confidential: false };
    await step('the list is fetched again after the change of the state only', () =>
      expect(journal).toHaveSent([
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/issues?state=open').as('ada'),
        sent.post('/issues').as('ada').json(issue),
        sent
          .post('/issues')
          .as('ada')
          .json({ ...issue, title: 'Show sunrise and sunset' }),
        sent.patch('/issues/141').as('ada').json({ state: 'closed' }),
        sent.get('/issues?state=open').as('ada'),
      ]),
    );
  },
};

/** Ada attaches a picture to an issue, and sees it there: each is a request of hers. */
export const Attachments: Story = {
  beforeEach: start('ada'),
  play: async ({ canvas, canvasElement, step, journal }) => {
    await step('she opens an issue, and attaches a picture', async () => {
      await follow(canvas, 'Dark map tiles for night surveys');
      const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64"/></svg>';
      await userEvent.upload(await canvas.findByLabelText('Attach a file'), new File([svg], 'map.svg'));
      await canvas.findByRole('button', { name: 'Download map.svg' });
      await waitFor(() => expect(canvasElement.querySelector('img')?.naturalWidth).toBe(64));
    });
    await step('one upload and one image, with her token', async () => {
      const files = journal.entries.filter(({ url }) => url.includes('attachments'));
      await expect(files.map(({ method, url }) => `${method} ${new URL(url).pathname.replace(/\d+/, '…')}`)).toEqual([
        'POST /api/issues/…/attachments',
        'GET /api/issues/…/attachments/0',
      ]);
    });
  },
};

/** On a phone the actions of an issue are in a menu. */
export const OnAPhone: Story = {
  beforeEach: start('ada'),
  render: () => (
    <div style={{ inlineSize: 360 }}>
      <DemoApp />
    </div>
  ),
  play: async ({ canvas, step, journal }) => {
    const openMenu = (title: string) => press(canvas, `More actions for “${title}”`);
    await step('Ada edits an issue from its menu', async () => {
      await openMenu(PHOTO_BUGS[0]!);
      await follow(canvas, `Edit “${PHOTO_BUGS[0]}”`);
      const title = await canvas.findByLabelText('Title');
      await userEvent.clear(title);
      await userEvent.type(title, 'Sync stops at 99%');
      await press(canvas, 'Save');
      await canvas.findByRole('heading', { name: 'Sync stops at 99%' });
    });
    await step('she deletes it from its menu, and undoes it', async () => {
      await follow(canvas, 'All issues');
      await openMenu('Sync stops at 99%');
      await press(canvas, 'Delete “Sync stops at 99%”');
      await press(canvas, 'Undo');
      await canvas.findByText('Sync stops at 99%');
    });
    await step('the edit is sent, and no deletion', () =>
      expect(journal).toHaveSent([
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/issues?state=open').as('ada'),
        sent.patch('/issues/140').as('ada').json({ title: 'Sync stops at 99%' }),
      ]),
    );
  },
};
