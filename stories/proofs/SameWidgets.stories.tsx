import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { PaginatedList, ResourceDetail, ResourceList } from '../../src/index.js';
import { rows } from '../support/articles.js';
import { AuthStatus } from '../support/ArticlesDemo.js';
import { setupWidgetApp } from '../support/setupWidgetApp.js';

const shelf = [...rows, { id: '5', title: 'On coming back', content: 'Say the same name again.', author: 'ada' }];
const app = setupWidgetApp({ rows: shelf, articles: { pagination: { style: 'page', size: 2 } } });

/** What is the same in all three stories: not only the same code, but this one element; each declares its mechanism, as the toolbar would. */
const reading = (
  <>
    <AuthStatus />
    <PaginatedList
      resource={app.Articles}
      label="My articles"
      renderItem={(article, { partialUpdate, remove }) => (
        <>
          {article.title}{' '}
          <button type="button" onClick={() => void partialUpdate({ title: 'On knocking' })}>
            Rename {article.title}
          </button>{' '}
          <button type="button" onClick={() => void remove()}>
            Delete {article.title}
          </button>
        </>
      )}
    />
    <ResourceDetail
      resource={app.Articles}
      params={{ id: '1' }}
      label="The first"
      renderItem={article => <p>{`${article.title}: ${article.content}`}</p>}
    />
    <ResourceList
      resource={app.Articles}
      params={{ title: 'On signing out' }}
      label="Found"
      create="push"
      fields={[{ name: 'title', label: 'Title' }]}
      renderItem={article => article.title}
    />
  </>
);

/** One page of widgets under the token, the cookie and the context provider: nothing below the provider changes, only how credentials travel. */
const meta = {
  title: 'Proofs/Every mechanism',
  tags: ['proof', '!autodocs'],
  parameters: { cookies: app.cookies },
  beforeEach: app.start('ada'),
  render: () => <app.Provider>{reading}</app.Provider>,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** The same acts and the same requests, whatever the credential; `read` and `write` are how it shows on a line. */
function usesEverything({
  first = [],
  read,
  write = read,
}: {
  first?: string[];
  read: string;
  write?: string;
}): NonNullable<Story['play']> {
  return async ({ canvas, step, journal }) => {
    const list = within(await canvas.findByRole('region', { name: 'My articles' }));
    await step('Ada sees a list, a detail and a search', async () => {
      await list.findByText('On signing in');
      await canvas.findByText('On signing in: Knock, and say who you are.');
      await within(canvas.getByRole('region', { name: 'Found' })).findByText('On signing out');
    });
    await step('she loads the second page', async () => {
      await userEvent.click(list.getByRole('button', { name: 'Load more' }));
      await list.findByText('On coming back');
    });
    await step('she renames the first, and the detail follows', async () => {
      await userEvent.click(list.getByRole('button', { name: 'Rename On signing in' }));
      await canvas.findByText('On knocking: Knock, and say who you are.');
    });
    await step('she writes one into the search', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await within(canvas.getByRole('region', { name: 'Found' })).findByText('On writing');
    });
    await step('she deletes the last', async () => {
      await userEvent.click(list.getByRole('button', { name: 'Delete On coming back' }));
      await waitFor(() => expect(list.queryByText('On coming back')).not.toBeInTheDocument());
    });
    await step('seven requests, each with her credential', () =>
      expect(journal).toHaveSent(
        [
          ...first,
          `GET /api/article  ${read}`,
          `GET /api/article/1  ${read}`,
          `GET /api/article?title=On+signing+out  ${read}`,
          `GET /api/article?page=2  ${read}`,
          `PATCH /api/article/1  ${write}  {"title":"On knocking"}`,
          `POST /api/article  ${write}  {"title":"On writing"}`,
          `DELETE /api/article/5  ${write}`,
        ],
        { anyOrder: true },
      ),
    );
  };
}

/** Under the token provider: a header on each request. */
export const UnderTokenAuthProvider: Story = {
  globals: { mechanism: 'token' },
  play: usesEverything({ read: 'same-origin  access-token: ada-1' }),
};

/** Under the cookie provider: the browser's cookie on each request, the CSRF token on what changes something. */
export const UnderCookieAuthProvider: Story = {
  globals: { mechanism: 'cookie' },
  play: usesEverything({
    first: ['GET /api/whoami  same-origin'],
    read: 'same-origin',
    write: 'same-origin  x-csrftoken: csrf-1',
  }),
};

/** Under the context provider: the SDK's token on each request. */
export const UnderContextTokenProvider: Story = {
  globals: { mechanism: 'context' },
  play: usesEverything({ read: 'same-origin  access-token: ada-1' }),
};
