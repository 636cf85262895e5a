import type { Meta, StoryObj } from '@storybook/react-vite';
import { delay, http, HttpResponse } from 'msw';
import { useState } from 'react';
import { ResourceList, RowActions, useDebouncedParams } from '../../src/entries/widgets.js';
import { atStart } from '../support/atStart.js';
import { ownApi } from '../support/setupCookieApp.js';
import { setupWidgetApp } from '../support/setupWidgetApp.js';
import { Articles, OptimisticArticles } from './resources.js';

const { articles, auth, Provider, start } = setupWidgetApp();

/**
 * A list of a resource's records, with the actions of each row and a form for new rows. The list is the same with every
 * provider. In the examples, `Articles` is a hookified resource, and Ada is signed in.
 */
const meta = {
  title: 'Widgets/ResourceList',
  component: ResourceList<typeof Articles>,
  args: {
    resource: Articles,
    label: 'Articles',
    renderItem: (article, { remove }) => (
      <>
        <div>
          <strong>{article.title}</strong> <small>{article.content}</small>
        </div>
        <button type="button" aria-label={`Delete ${article.title}`} onClick={() => void remove()}>
          Delete
        </button>
      </>
    ),
  },
  render: args => <ResourceList {...args} />,
  decorators: [
    Story => (
      <Provider>
        <Story />
      </Provider>
    ),
  ],
  beforeEach: start('ada'),
  parameters: { docs: { story: { height: '210px' } } },
} satisfies Meta<typeof ResourceList<typeof Articles>>;

export default meta;
type Story = StoryObj<typeof meta>;

/** Two props are enough: `resource`, and `renderItem` for a row. `label` is the accessible name of the list. */
export const Basic: Story = {};

/** `create` adds a form with these fields. `push` puts a new row at the end of the list, `unshift` at its start. */
export const Create: Story = {
  args: {
    create: { push: [{ name: 'title', label: 'Title', required: true }] },
  },
  parameters: { docs: { story: { height: '300px' } } },
};

/** With `deleteMode="undo"`, a deletion can be undone for 8 seconds. The request is sent after that. */
export const UndoDelete: Story = {
  args: {
    deleteMode: 'undo',
    getItemLabel: article => article.title,
  },
};

/** With `deleteMode="confirm"`, a dialog asks before the request is sent. `getItemLabel` names the row in the question. */
export const ConfirmDelete: Story = {
  args: {
    deleteMode: 'confirm',
    getItemLabel: article => article.title,
  },
  parameters: { docs: { story: { height: '210px' } } },
};

/**
 * `RowActions` shows the buttons of a row at its end. Where the row is too narrow for them, a button opens a menu with them, as in the
 * second list, which is as wide as on a phone.
 */
export const ManyActions: Story = {
  args: {
    deleteMode: 'confirm',
    getItemLabel: article => article.title,
    renderItem: (article, { partialUpdate, remove }) => (
      <>
        <div>
          <strong>{article.title}</strong> <small>{article.content}</small>
        </div>
        <RowActions itemLabel={article.title}>
          <button type="button" onClick={() => void partialUpdate({ title: `${article.title}, revised` })}>
            Revise
          </button>
          <button type="button" disabled>
            Publish
          </button>
          <button type="button" onClick={() => void remove()}>
            Delete
          </button>
        </RowActions>
      </>
    ),
  },
  render: args => (
    <>
      <ResourceList {...args} />
      <div style={{ maxInlineSize: 328, marginBlockStart: '1rem' }}>
        <ResourceList {...args} label="Articles on a phone" />
      </div>
    </>
  ),
  parameters: { docs: { story: { height: '390px' } } },
};

/** An answer takes so long, in milliseconds, that a reader sees the screen before it. */
const SLOW_MS = 1_500;

/**
 * A resource with `optimistic: true` shows a change before the server has answered. This server is slow and refuses the first
 * change: the row shows the old title again, and says why.
 */
export const Optimistic: Story = {
  args: {
    resource: OptimisticArticles,
    renderItem: (article, { partialUpdate }) => (
      <>
        <span>{article.title}</span>{' '}
        <button
          type="button"
          aria-label={`Revise ${article.title}`}
          onClick={() => void partialUpdate({ title: `${article.title}, revised` })}
        >
          Revise
        </button>
      </>
    ),
  },
  beforeEach: atStart(({ msw }) => {
    const change = `${ownApi}/article/:id`;
    const refuse = () => delay(SLOW_MS).then(() => HttpResponse.json({}, { status: 403 }));
    msw.use(
      http.patch(change, refuse, { once: true }),
      http.patch(change, () => delay(SLOW_MS)),
    );
  }),
  parameters: { docs: { story: { height: '210px' } } },
};

/**
 * `params` filter the list. `useDebouncedParams` waits until the user stops typing. While a slow answer is pending, the list
 * shows the previous rows, and after 300 ms it says that it is updating.
 */
export const Filter: Story = {
  render: function Filter(args) {
    const [title, setTitle] = useState('');
    const params = useDebouncedParams({ title: title || undefined });
    return (
      <>
        <label className="dca-field" style={{ maxInlineSize: '40rem', marginBlockEnd: '0.75rem' }}>
          Title
          <input type="search" className="dca-input" value={title} onChange={event => setTitle(event.target.value)} />
        </label>
        <ResourceList {...args} params={params} />
      </>
    );
  },
  beforeEach: atStart(({ msw }) =>
    msw.use(
      http.get(`${ownApi}/article`, async ({ request, cookies }) => {
        const title = new URL(request.url).searchParams.get('title')?.toLowerCase();
        if (title === undefined) return;
        await delay(SLOW_MS);
        const reader = auth.personOf({ request, cookies });
        return HttpResponse.json(
          articles.rows().filter(row => row.author === reader?.id && row.title.toLowerCase().includes(title)),
        );
      }),
    ),
  ),
  parameters: { docs: { story: { height: '280px' } } },
};

/**
 * The slot `empty` replaces the picture and the text of a list without rows. `isFiltered` says that these `params` are no
 * filter of the user's.
 */
export const Empty: Story = {
  args: {
    params: { author: 'katherine' },
    isFiltered: false,
    empty: <p>No articles by this author.</p>,
  },
  parameters: { docs: { story: { height: '210px' } } },
};

/** No row matches the filter in `params`. A function as `empty` replaces the picture and the text. */
export const NoMatches: Story = {
  args: { params: { title: 'On staying signed in' } },
  parameters: { docs: { story: { height: '210px' } } },
};

/** The slots `renderHeader` and `renderError`: a button above the rows, and your own error. The slot `loading` and a function in `create` work the same way. */
export const Slots: Story = {
  args: {
    renderHeader: ({ invalidate }) => (
      <button type="button" onClick={() => void invalidate()}>
        Reload
      </button>
    ),
    renderError: ({ retry }) => (
      <p role="alert">
        The articles are not available.{' '}
        <button type="button" onClick={retry}>
          Ask again
        </button>
      </p>
    ),
  },
  beforeEach: atStart(() => articles.failNext(403)),
  parameters: { docs: { story: { height: '270px' } } },
};

/** The first answer is pending. After 300 ms, the list says so; `loading` replaces the text. */
export const Loading: Story = {
  tags: ['!autodocs'],
  parameters: { unanswered: true },
  beforeEach: atStart(() => void articles.hold()),
};

/** The server answers 403. The list says why and has a button that tries again. The user stays signed in. */
export const Refused: Story = {
  tags: ['!autodocs'],
  beforeEach: atStart(() => articles.failNext(403)),
};

/** There is no connection. The button tries again. */
export const Offline: Story = {
  tags: ['!autodocs'],
  beforeEach: atStart(() => articles.failNext('network')),
};
