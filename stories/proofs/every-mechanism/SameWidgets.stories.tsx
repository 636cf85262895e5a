import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { PaginatedList, ResourceDetail, ResourceList } from '../../../src/entries/widgets.js';
import type { RequestLine } from '../../../src/testing/index.js';
import { rows } from '../../support/articles.js';
import { AuthStatus } from '../../support/ArticlesDemo.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { linesUnder, type Mechanism } from '../../support/linesUnder.js';
import { inCases } from '../../support/inCases.js';

const shelf = [...rows, { id: '5', title: 'On coming back', content: 'Say the same name again.', author: 'ada' }];
const app = setupWidgetApp({ rows: shelf, articles: { pagination: { style: 'page', size: 2 } } });
const { sent } = app;

/** All three stories render this one element; each declares its mechanism, as the toolbar would. */
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
      create={{ push: [{ name: 'title', label: 'Title' }] }}
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

/** The same actions and the same requests under each mechanism. */
function under(mechanism: Mechanism): Story {
  const read = (path: string) => linesUnder[mechanism].read(sent.get(path), 'ada');
  const write = (line: RequestLine) => linesUnder[mechanism].write(line, 'ada');
  const play: Story['play'] = async ({ canvas, step, hasSent }) => {
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
    await step('she renames the first article, and the detail shows it', async () => {
      await userEvent.click(list.getByRole('button', { name: 'Rename On signing in' }));
      await canvas.findByText('On knocking: Knock, and say who you are.');
    });
    await step('she writes an article into the search', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await within(canvas.getByRole('region', { name: 'Found' })).findByText('On writing');
    });
    await step('she deletes the last article', async () => {
      await userEvent.click(list.getByRole('button', { name: 'Delete On coming back' }));
      await waitFor(() => expect(list.queryByText('On coming back')).not.toBeInTheDocument());
    });
    await hasSent(
      'seven requests, each with her credential',
      [
        ...linesUnder[mechanism].restores,
        read('/article'),
        read('/article/1'),
        read('/article?title=On+signing+out'),
        read('/article?page=2'),
        write(sent.patch('/article/1')).json({ title: 'On knocking' }),
        write(sent.post('/article')).json({ title: 'On writing' }),
        write(sent.delete('/article/5')),
      ],
      { anyOrder: true },
    );
  };
  return { globals: { mechanism }, play };
}

/** The same actions and the same requests under each mechanism. */
export const SameWidgets: Story = inCases({
  'under the token provider: a header on each request': under('token'),
  'under the cookie provider: the browser’s cookie on each request, the CSRF token on each write': under('cookie'),
  'under the context provider: the SDK’s token on each request': under('context'),
});
