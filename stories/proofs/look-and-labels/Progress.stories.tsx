import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Entity, hookifyResource, resource, useAuth } from '../../../src/index.js';
import { nextPageNumber, PaginatedList, ResourceList, useDebouncedParams } from '../../../src/entries/widgets.js';
import { resourceHandlers } from '../../../src/testing/index.js';
import { articleResource, rows } from '../../support/articles.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { manualTimers } from '../../support/manualTimers.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { recordText } from '../../support/recordText.js';
import { inCases } from '../../support/inCases.js';
import { below } from '../../support/below.js';

const app = setupWidgetApp({ articles: { pagination: { style: 'page', size: 1 } } });
const { sent } = app;
const whole = setupWidgetApp();

/** The same articles, for every user. */
const everybodys = resourceHandlers(articleResource(ownApi), rows);

/** The widgets show progress after 300 ms; these stories end that time by hand. */
const delays = manualTimers(300);
/** `useDebouncedParams` waits for 250 ms without a change. */
const quiet = manualTimers(250);
const found = (search: string) => sent.get(`/article?${search}`).as('ada');

/** Proves that progress is shown after 300 ms, and that previous rows stay until newer ones are there. */
const meta = {
  title: 'Proofs/Look and labels',
  tags: ['proof', '!autodocs'],
  component: ResourceList<typeof whole.Articles>,
  args: { resource: whole.Articles, label: 'Articles', renderItem: article => article.title },
  decorators: below(whole),
  beforeEach: [whole.start('ada'), delays.start],
} satisfies Meta<typeof ResourceList<typeof whole.Articles>>;

export default meta;
type Story = StoryObj<typeof meta>;

/** A fast answer: no progress flashes. */
export const FastAnswer: Story = {
  beforeEach: () => void whole.articles.hold(),
  play: async ({ canvas, canvasElement, step, hasSent }) => {
    const release = whole.articles.hold();
    const said = recordText(canvasElement);
    await step('the list is under way, and no progress is shown', async () => {
      await waitFor(() => expect(whole.articles.held).toBe(1));
      await expect(canvas.getByRole('status')).toBeEmptyDOMElement();
      await expect(canvas.queryByText('Loading…')).not.toBeInTheDocument();
    });
    await step('the answer arrives within the 300 ms: the rows are shown, and no loading text ever was', async () => {
      release();
      await canvas.findByText('On signing in');
      await expect(said.since('Loading')).toEqual([]);
      await waitFor(() => expect(delays.running).toBe(0));
      said.stop();
    });
    await hasSent('one GET', [sent.get('/article').as('ada')]);
  },
};

/** The next page: the button changes its text only when the page takes longer than 300 ms. */
export const SlowPage: Story = {
  beforeEach: app.start('ada'),
  render: ({ label }) => (
    <app.Provider>
      <PaginatedList
        resource={app.Articles}
        next={nextPageNumber({ size: 1 })}
        label={label}
        renderItem={article => article.title}
      />
    </app.Provider>
  ),
  play: async ({ canvas, step, hasSent }) => {
    const button = await canvas.findByRole('button', { name: 'Load more' });
    const release = app.articles.hold();
    await step('Ada presses the button, and its text stays', async () => {
      await userEvent.click(button);
      await waitFor(() => expect(app.articles.held).toBe(1));
      await expect(button).toHaveTextContent('Load more');
      await expect(button).toHaveAttribute('aria-disabled', 'false');
    });
    await step('after 300 ms it says that it is loading', async () => {
      await waitFor(() => expect(delays.running).toBe(1));
      delays.end();
      await waitFor(() => expect(button).toHaveTextContent('Loading more…'));
      await expect(button).toHaveAttribute('aria-disabled', 'true');
    });
    await step('the page arrives', async () => {
      release();
      await canvas.findByText('On signing out');
      await waitFor(() => expect(button).toHaveTextContent('Load more'));
    });
    await hasSent('two pages', [sent.get('/article').as('ada'), found('page=2')]);
  },
};

/** A filter input, as an app would write it; the signed-in user is shown above. */
function FilteredArticles() {
  const { user } = useAuth<typeof whole.session>();
  const [title, setTitle] = useState('');
  const params = useDebouncedParams({ title: title || undefined });
  return (
    <>
      <p>{user?.name}</p>
      <label>
        Title <input type="search" value={title} onChange={event => setTitle(event.target.value)} />
      </label>
      <ResourceList
        resource={whole.Articles}
        params={params}
        label="Articles"
        renderItem={article => article.title}
        labels={{ empty: 'No article has this title.' }}
      />
    </>
  );
}

/** A typed filter is sent once, when the user pauses. The old rows stay until the new ones arrive. */
export const TypedFilter: Story = {
  beforeEach: quiet.start,
  render: () => <FilteredArticles />,
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles', async () => void (await canvas.findByText('On signing in')));
    const release = whole.articles.hold();
    await step('she types a title; nothing is sent while she types', async () => {
      await userEvent.type(canvas.getByRole('searchbox', { name: 'Title' }), 'On signing out');
      await expect(quiet.running).toBe(1);
      await expect(canvas.getAllByRole('listitem')).toHaveLength(2);
      await expect(canvas.getByRole('list')).toHaveAttribute('aria-busy', 'false');
    });
    await step('she pauses: the old rows stay, marked as busy, without a text', async () => {
      quiet.end();
      await waitFor(() => expect(whole.articles.held).toBe(1));
      await expect(canvas.getAllByRole('listitem')).toHaveLength(2);
      await waitFor(() => expect(canvas.getByRole('list')).toHaveAttribute('aria-busy', 'true'));
      await expect(canvas.getByRole('status')).toBeEmptyDOMElement();
      await expect(canvas.queryByText('Updating…')).not.toBeInTheDocument();
    });
    await step('after 300 ms a text says so; no row moves, and the focus stays in the field', async () => {
      const [row] = canvas.getAllByRole('listitem');
      const top = row?.getBoundingClientRect().top;
      await waitFor(() => expect(delays.running).toBe(1));
      delays.end();
      await expect(await canvas.findByText('Updating…')).toBeVisible();
      await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('Updating…'));
      await expect(row?.getBoundingClientRect().top).toBe(top);
      await expect(canvas.getByRole('searchbox')).toHaveFocus();
    });
    await step('the rows that match are shown', async () => {
      release();
      await waitFor(() => expect(canvas.getAllByRole('listitem')).toHaveLength(1));
      await expect(canvas.getByRole('listitem')).toHaveTextContent('On signing out');
      await expect(canvas.getByRole('list')).toHaveAttribute('aria-busy', 'false');
      await expect(canvas.queryByText('Updating…')).not.toBeInTheDocument();
      await waitFor(() => expect(canvas.getByRole('status')).not.toHaveTextContent('Updating…'));
    });
    await hasSent('one request for what she typed', [sent.get('/article').as('ada'), found('title=On+signing+out')]);
  },
};

const noRowsOfAnotherUser: Story = {
  beforeEach: quiet.start,
  render: () => <FilteredArticles />,
  play: async ({ canvas, canvasElement, step, hasSent }) => {
    await step('Ada filters her articles, and the answer is under way', async () => {
      await canvas.findByText('On signing in');
      const title = canvas.getByRole('searchbox', { name: 'Title' });
      whole.articles.hold();
      await userEvent.type(title, 'On signing out');
      quiet.end();
      await waitFor(() => expect(whole.articles.held).toBe(1));
      await expect(canvas.getByText('On signing in')).toBeVisible();
    });
    const said = recordText(canvasElement);
    await step('Grace signs in: Ada’s rows are never shown below Grace’s name', async () => {
      await whole.session.login({ username: 'grace', password: 'hopper' });
      await canvas.findByText('Grace Hopper');
      await waitFor(() => expect(whole.articles.held).toBe(2));
      whole.articles.hold()();
      await canvas.findByText('A compiler for everyone');
      await expect(said.since('Grace Hopper').filter(text => text.includes('On signing'))).toEqual([]);
      said.stop();
    });
    await hasSent('Ada’s two requests, the login, and one of Grace’s', [
      sent.get('/article').as('ada'),
      found('title=On+signing+out'),
      sent.post('/login').json({ username: 'grace', password: 'hopper' }),
      sent.get('/article').as('grace'),
    ]);
  },
};

class Note extends Entity {
  id = '';
  text = '';
}

const noteResource = resource({ urlPrefix: ownApi, path: '/note/:id', schema: Note });
const Notes = hookifyResource(noteResource);
const notes = resourceHandlers(noteResource, [{ id: '1', text: 'Call Grace' }], { auth: whole.auth });

/** One list that shows either of two resources. */
function ArticlesOrNotes() {
  const [isNotes, setNotes] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setNotes(true)}>
        Notes
      </button>
      {isNotes ? (
        <ResourceList resource={Notes} label="Notes" renderItem={note => note.text} />
      ) : (
        <ResourceList resource={whole.Articles} label="Articles" renderItem={article => article.title} />
      )}
    </>
  );
}

const anotherResource: Story = {
  beforeEach: ({ msw }) => {
    notes.reset();
    msw.use(...notes.handlers);
  },
  render: () => <ArticlesOrNotes />,
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles', async () => void (await canvas.findByText('On signing in')));
    const release = notes.hold();
    await step('the list shows notes instead: while they load, it has no rows', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Notes' }));
      await waitFor(() => expect(notes.held).toBe(1));
      await expect(canvas.queryAllByRole('listitem')).toHaveLength(0);
    });
    await step('they arrive', async () => {
      release();
      await canvas.findByText('Call Grace');
    });
    await hasSent('one request for each resource', [sent.get('/article').as('ada'), sent.get('/note').as('ada')]);
  },
};

const forgetsRowsOfASignedOutUser: Story = {
  beforeEach: [whole.start(), ({ msw }) => msw.use(...everybodys.handlers), () => everybodys.reset()],
  play: async ({ canvas, step, hasSent }) => {
    await step('the user is signed out, and the list is for everybody', async () => {
      await canvas.findByText('A compiler for everyone');
      everybodys.hold();
    });
    await step('Ada signs in: the rows go, and hers are under way', async () => {
      await whole.session.login({ username: 'ada', password: 'lovelace' });
      await waitFor(() => expect(everybodys.held).toBe(1));
      await waitFor(() => expect(canvas.queryByText('A compiler for everyone')).not.toBeVisible());
    });
    await step('they arrive', async () => {
      everybodys.hold()();
      await waitFor(() => expect(canvas.getByText('A compiler for everyone')).toBeVisible());
    });
    await hasSent('the list without a token, the login, the list with Ada’s', [
      sent.get('/article'),
      sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
      sent.get('/article').as('ada'),
    ]);
  },
};

/** Previous rows stay for the same user and the same resource only. */
export const NoRowsOfAnother: Story = inCases({
  'another user: the rows go with everything else': noRowsOfAnotherUser,
  'another resource, whose rows have other fields': anotherResource,
  'a user who was signed out: the rows go before her own arrive': forgetsRowsOfASignedOutUser,
});
