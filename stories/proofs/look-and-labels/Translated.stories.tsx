import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import {
  type ErrorSlotProps,
  nextPageNumber,
  PaginatedList,
  ResourceDetail,
  ResourceList,
  type ResourceListProps,
} from '../../../src/entries/widgets.js';
import type { Article } from '../../support/articles.js';
import { manualTimers } from '../../support/manualTimers.js';
import { setupPagedApp } from '../../support/setupPagedApp.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { inCases } from '../../support/inCases.js';
import { below } from '../../support/below.js';

const notTranslated = 'font, script, style, textarea, option, title';

/** Does to the text nodes of the page what a browser's translator does, also to those that come later. Returns a function that ends it. */
function translatePage(root: HTMLElement): () => void {
  const translate = (node: Node) => {
    const texts = document.createNodeIterator(node, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (!text.nodeValue?.trim() || text.parentElement?.closest(notTranslated)) continue;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      outer.append(inner);
      (text as Text).replaceWith(outer);
      inner.textContent = text.nodeValue;
    }
  };
  const observer = new MutationObserver(changes => changes.forEach(change => change.addedNodes.forEach(translate)));
  observer.observe(root, { childList: true, subtree: true });
  translate(root);
  return () => observer.disconnect();
}

const app = setupWidgetApp();
const paged = setupPagedApp().app;
const undo = manualTimers(8_000);
const { sent } = app;

const renderItem = (article: Article, { remove }: { remove: () => Promise<boolean> }) => (
  <>
    {article.title} <button onClick={() => void remove()}>Delete</button>
  </>
);
const bareError = ({ error, retry }: ErrorSlotProps) => (
  <>
    Not loaded: {(error as { status?: number }).status} <button onClick={retry}>Again</button>
  </>
);

/** Proves that a browser that translates the page, which replaces its text nodes, breaks no widget whose slots are bare texts. */
const meta = {
  title: 'Proofs/Look and labels/Translated',
  tags: ['proof', '!autodocs'],
  component: ResourceList<typeof app.Articles>,
  args: { resource: app.Articles, label: 'Articles', deleteMode: 'undo', renderItem },
  decorators: below(app),
  beforeEach: [app.start('ada'), undo.start, ({ canvasElement }) => translatePage(canvasElement)],
} satisfies Meta<typeof ResourceList<typeof app.Articles>>;

export default meta;
type Story = StoryObj<typeof meta>;

function Filtered(props: ResourceListProps<typeof app.Articles>) {
  const [isFiltered, setFiltered] = useState(false);
  return (
    <>
      <button onClick={() => setFiltered(true)}>Filter</button>
      <ResourceList {...props} isFiltered={isFiltered} />
    </>
  );
}

const rowTexts = (canvas: { getAllByRole: (role: string) => HTMLElement[] }) =>
  canvas.getAllByRole('listitem').map(row => row.textContent?.trim());

const deletedRow: Story = {
  play: async ({ canvas, step, hasSent }) => {
    const deleteFirst = async () => {
      await userEvent.click(canvas.getAllByRole('button', { name: 'Delete' })[0]!);
      await waitFor(() => expect(canvas.getByRole('button', { name: 'Undo' })).toHaveFocus());
    };
    await step('Ada deletes an article, and takes it back', async () => {
      await canvas.findByText('On signing in');
      await deleteFirst();
      await userEvent.click(canvas.getByRole('button', { name: 'Undo' }));
      await waitFor(() => expect(rowTexts(canvas)).toEqual(['On signing in Delete', 'On signing out Delete']));
      await expect(canvas.getAllByRole('listitem')[0]).toHaveFocus();
    });
    await step('she deletes it: the other one is left', async () => {
      await deleteFirst();
      // The time does not run while the focus is on “Undo”.
      await userEvent.tab();
      undo.end();
      await waitFor(() => expect(rowTexts(canvas)).toEqual(['On signing out Delete']));
    });
    await hasSent('one DELETE', [sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]);
  },
};

const deletedVirtualRow: Story = {
  render: args => <PaginatedList {...args} next={() => undefined} />,
  play: context => deletedRow.play?.(context),
};

const noMatches: Story = {
  args: {
    params: { author: 'katherine' },
    empty: isFiltered =>
      isFiltered ? (
        <b>None found.</b>
      ) : (
        <>
          None yet. <b>Write one.</b>
        </>
      ),
  },
  render: args => <Filtered {...args} />,
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada filters an empty list', async () => {
      await canvas.findByText('None yet.');
      await userEvent.click(canvas.getByRole('button', { name: 'Filter' }));
      await canvas.findByText('None found.');
      await expect(canvas.queryByText('None yet.')).not.toBeInTheDocument();
    });
    await hasSent('one GET', [sent.get('/article?author=katherine').as('ada')]);
  },
};

const deletedRecord: Story = {
  render: () => (
    <ResourceDetail
      resource={app.Articles}
      params={{ id: '1' }}
      deleteMode="undo"
      removed="It is gone."
      renderItem={(article, { remove, invalidate }) => (
        <>
          {article.title} <button onClick={() => void remove()}>Delete</button>
          <button onClick={() => void invalidate()}>Fetch again</button>
        </>
      )}
    />
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada fetches the article again, which takes some time', async () => {
      await canvas.findByText('On signing in');
      const release = app.articles.hold();
      await userEvent.click(canvas.getByRole('button', { name: 'Fetch again' }));
      await release.reached;
      await canvas.findByText('Updating…');
      release();
      await waitFor(() => expect(canvas.queryByText('Updating…')).not.toBeInTheDocument());
    });
    await step('she deletes it, takes it back, and deletes it', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete' }));
      await userEvent.click(await canvas.findByRole('button', { name: 'Undo' }));
      await userEvent.click(await canvas.findByRole('button', { name: 'Delete' }));
      await canvas.findByRole('button', { name: 'Undo' });
      // The time does not run while the focus is on “Undo”.
      await userEvent.tab();
      undo.end();
      await canvas.findByText('It is gone.');
    });
    await hasSent('two GETs, one DELETE', [
      sent.get('/article/1').as('ada'),
      sent.get('/article/1').as('ada'),
      sent.delete('/article/1').as('ada'),
    ]);
  },
};

/** Rows and records make room for “Undo”, come back, and are deleted. */
export const Deletes: Story = inCases({
  'the rows of the README': deletedRow,
  'the rows of a list that may have many': deletedVirtualRow,
  'one record, which is also fetched again': deletedRecord,
});

const fails: Story = {
  args: { renderError: bareError },
  beforeEach: () => app.articles.failNext(403),
  play: async ({ canvas, step, hasSent }) => {
    await step('the list fails, and Ada tries again', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Again' }));
      await canvas.findByText('On signing in');
      await expect(canvas.queryByRole('button', { name: 'Again' })).not.toBeInTheDocument();
    });
    await hasSent('two GETs', [sent.get('/article').as('ada'), sent.get('/article').as('ada')]);
  },
};

const loadingCase: Story = {
  args: { loading: 'One moment' },
  parameters: { unanswered: true },
  beforeEach: () => void app.articles.hold(),
  play: async ({ canvas, step, hasSent }) => {
    const release = app.articles.hold();
    await step('the list is under way', async () => {
      await release.reached;
      await canvas.findByText('One moment');
    });
    await step('its rows arrive', async () => {
      release();
      await canvas.findByText('On signing in');
      await expect(canvas.queryByText('One moment')).not.toBeInTheDocument();
    });
    await hasSent('one GET', [sent.get('/article').as('ada')]);
  },
};

const furtherPage: Story = {
  beforeEach: paged.start('ada'),
  render: () => (
    <paged.Provider>
      <PaginatedList
        resource={paged.Articles}
        next={nextPageNumber({ size: 2 })}
        renderError={bareError}
        renderItem={article => article.title}
      />
    </paged.Provider>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await canvas.findByText('On signing in');
    await step('the second page fails', async () => {
      paged.articles.failNext(403);
      await userEvent.click(canvas.getByRole('button', { name: 'Load more' }));
      await canvas.findByRole('button', { name: 'Again' });
    });
    await step('Ada tries again', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Again' }));
      await canvas.findByText('On tokens');
      await expect(canvas.queryByRole('button', { name: 'Again' })).not.toBeInTheDocument();
    });
    await hasSent(
      'three GETs',
      ['', '?page=2', '?page=2'].map(search => paged.sent.get(`/article${search}`).as('ada')),
    );
  },
};

/** Texts in the slots of a list make room for what comes after them. */
export const Slots: Story = inCases({
  'two texts for an empty list, one of them for a filtered one': noMatches,
  'a list fails, and has its rows at the second try': fails,
  'the text of a slow list': loadingCase,
  'a further page fails, with a text and a button of the app': furtherPage,
});

/** A gate around a text, in an element of the app, and a text that is a child of the provider. */
export const SignsInAndOut: Story = {
  beforeEach: app.start(),
  render: () => (
    <app.Provider>
      Articles <app.SignInButtons />
      <p>
        <Authenticated fallback="Please sign in.">Welcome.</Authenticated>
      </p>
    </app.Provider>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada signs in', async () => {
      await canvas.findByText('Please sign in.');
      await userEvent.click(canvas.getByText('Ada Lovelace'));
      await canvas.findByText('Welcome.');
      await expect(canvas.queryByText('Please sign in.')).not.toBeInTheDocument();
    });
    await step('she signs out', async () => {
      await userEvent.click(canvas.getByText('Sign out'));
      await canvas.findByText('Please sign in.');
      await expect(canvas.queryByText('Welcome.')).not.toBeInTheDocument();
      await expect(canvas.getAllByText('Articles')).toHaveLength(1);
    });
    await step('one login, one logout', async () => {
      await waitFor(() => expect(journal.entries).toHaveLength(2));
      await expect(journal).toHaveSent([
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.post('/logout').as('ada'),
      ]);
    });
  },
};
