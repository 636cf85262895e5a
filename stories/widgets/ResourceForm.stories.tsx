import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, fn, userEvent, waitFor } from 'storybook/test';
import { Authenticated, LoginForm, ResourceForm, ResourceList, WidgetStyles } from '../../src/index.js';
import { rows } from '../support/articles.js';
import { Door } from '../support/Desk.js';
import { tokenWorld } from '../support/tokenWorld.js';

const world = tokenWorld({ articles: { validate: ({ title }) => (title === '' ? { title: ['A title is needed.'] } : undefined) } });

const LIST = 'https://api.example.com/article  same-origin  access-token: ada-1';
const ONE = 'https://api.example.com/article/1  same-origin  access-token: ada-1';

/** Creates or changes a record. The list beside it is another widget: it follows by itself. */
const meta = {
  title: 'Widgets/ResourceForm',
  component: ResourceForm<typeof world.Articles, 'push' | 'unshift' | 'update' | 'partialUpdate'>,
  args: {
    resource: world.Articles,
    action: 'push',
    fields: [
      { name: 'title', label: 'Title' },
      { name: 'content', label: 'Content', type: 'textarea' },
    ],
    onSuccess: fn(),
  },
  decorators: [
    Story => (
      <world.Provider>
        <WidgetStyles />
        <Story />
        <ResourceList resource={world.Articles} label="Articles" renderItem={article => <span>{article.title}</span>} />
      </world.Provider>
    ),
  ],
  beforeEach: world.start('ada'),
} satisfies Meta<typeof ResourceForm<typeof world.Articles, 'push' | 'unshift' | 'update' | 'partialUpdate'>>;

export default meta;
type Story = StoryObj<typeof meta>;

/** Creates a record at the end of its list; the form is empty for the next one. */
export const Basic: Story = {
  play: async ({ canvas, step, journal, args }) => {
    await step('Ada writes an article', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing');
      await userEvent.type(canvas.getByLabelText('Content'), 'Word by word.');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
    });
    await step('it is the last of the list, and the form is empty', async () => {
      await canvas.findByText('On writing');
      await expect(canvas.getAllByRole('listitem').at(-1)).toHaveTextContent('On writing');
      await waitFor(() => expect(canvas.getByLabelText('Title')).toHaveValue(''));
      await expect(args.onSuccess).toHaveBeenCalledTimes(1);
    });
    await step('one POST', () => expect(journal).toHaveSent([`GET ${LIST}`, `POST ${LIST}  {"title":"On writing","content":"Word by word."}`]));
  },
};

/** A PUT replaces the record: what has no input is sent as it was. */
export const EditsByPut: Story = {
  args: { action: 'update', params: { id: '1' }, initial: rows[0], fields: [{ name: 'title', label: 'Title' }] },
  play: async ({ canvas, step, journal }) => {
    await step('Ada changes the title; the list follows, and the input keeps it', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByLabelText('Title'), ' twice');
      await userEvent.click(canvas.getByRole('button', { name: 'Save' }));
      await canvas.findByText('On signing in twice');
      await expect(canvas.getByLabelText('Title')).toHaveValue('On signing in twice');
    });
    await step('one PUT', () =>
      expect(journal).toHaveSent([
        `GET ${LIST}`,
        `PUT ${ONE}  {"id":"1","title":"On signing in twice","content":"Knock, and say who you are.","author":"ada"}`,
      ]));
  },
};

/** A PATCH sends what was changed; a press without a change sends nothing. */
export const EditsByPatch: Story = {
  args: { action: 'partialUpdate', params: { id: '1' }, initial: rows[0] },
  play: async ({ canvas, step, journal, args }) => {
    await step('Ada saves without a change', async () => {
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(1));
    });
    await step('she changes the title', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), ' twice{Enter}');
      await canvas.findByText('On signing in twice');
    });
    await step('one PATCH, of the title', () => expect(journal).toHaveSent([`GET ${LIST}`, `PATCH ${ONE}  {"title":"On signing in twice"}`]));
  },
};

/** The server does not accept it: announced, and what was typed stays. */
export const Refused: Story = {
  play: async ({ canvas, step, journal, args }) => {
    await step('Ada forgets the title, and is told', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByLabelText('Content'), 'Word by word.');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await expect(await canvas.findByRole('alert')).toHaveTextContent('The server did not accept this. Check what you entered.');
      await expect(canvas.getByLabelText('Content')).toHaveValue('Word by word.');
      await expect(args.onSuccess).not.toHaveBeenCalled();
    });
    await step('one POST', () => expect(journal).toHaveSent([`GET ${LIST}`, `POST ${LIST}  {"title":"","content":"Word by word."}`]));
  },
};

/** The first answer is on its way: a second press sends nothing, and what is typed meanwhile is not thrown away. */
export const Loading: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada presses the button twice, and types on', async () => {
      await canvas.findByText('On signing in');
      const release = world.articles.hold();
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing');
      await userEvent.dblClick(canvas.getByRole('button', { name: 'Create' }));
      await expect(await canvas.findByRole('button', { name: 'Saving…' })).toHaveAttribute('aria-disabled', 'true');
      await waitFor(() => expect(world.articles.held).toBe(1));
      await userEvent.type(canvas.getByLabelText('Content'), 'And on.');
      release();
    });
    await step('the article is in the list once, and the newer text in the form', async () => {
      await canvas.findByText('On writing', { selector: 'span' });
      await canvas.findByRole('button', { name: 'Create' });
      await expect(canvas.getAllByRole('listitem')).toHaveLength(3);
      await expect(canvas.getByLabelText('Content')).toHaveValue('And on.');
    });
    await step('one POST', () => expect(journal).toHaveSent([`GET ${LIST}`, `POST ${LIST}  {"title":"On writing","content":""}`]));
  },
};

/** The session ends as she saves: what she typed comes back when she signs in again, and nobody else sees it. */
export const Expired: Story = {
  decorators: [
    Story => (
      <>
        <Door />
        <Authenticated fallback={<LoginForm />}>
          <Story />
        </Authenticated>
      </>
    ),
  ],
  play: async ({ canvas, step, journal }) => {
    await step('Ada’s login is revoked while she types; saving brings the login form', async () => {
      await canvas.findByText('On signing in');
      world.server.revoke('ada');
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await canvas.findByText('Your session has ended. Sign in to go on.');
      await expect(await canvas.findByRole('alert')).toHaveTextContent('Sign in to go on.');
    });
    await step('Grace signs in: an empty form', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.getByLabelText('Title')).toHaveValue('');
    });
    await step('Ada signs in: her text; this time it is accepted', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await canvas.findByText('On signing in');
      await expect(canvas.getByLabelText('Title')).toHaveValue('On writing');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await canvas.findByText('On writing', { selector: 'span' });
    });
    await step('one article was written, by Ada', () =>
      expect(journal).toHaveSent([
        `GET ${LIST}`,
        `POST ${LIST}  {"title":"On writing","content":""}`,
        'POST https://api.example.com/refresh  same-origin  {"refreshToken":"ada-refresh-1"}',
        'GET https://api.example.com/article  same-origin',
        'POST https://api.example.com/login  same-origin  {"username":"grace","password":"hopper"}',
        `GET ${LIST.replace('ada', 'grace')}`,
        'POST https://api.example.com/login  same-origin  {"username":"ada","password":"lovelace"}',
        `GET ${LIST.replace('ada-1', 'ada-2')}`,
        `POST ${LIST.replace('ada-1', 'ada-2')}  {"title":"On writing","content":""}`,
      ]));
  },
};
