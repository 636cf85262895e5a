import { validateRequired } from '@data-client/rest';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { http, HttpResponse } from 'msw';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Collection, Entity, hookifyResource, resource } from '../../src/index.js';
import { ResourceDetail, ResourceList } from '../../src/entries/widgets.js';
import { fetchAgain } from '../support/fetchAgain.js';
import { rows } from '../support/articles.js';
import { ownApi } from '../support/setupCookieApp.js';
import { recordConsoleErrors } from '../support/recordConsoleErrors.js';
import { setupWidgetApp } from '../support/setupWidgetApp.js';
import { ArticleLine } from '../support/ArticleLine.js';
import { inCases } from '../support/inCases.js';
import { below } from '../support/below.js';

const app = setupWidgetApp();
const { sent } = app;

/** Proves each state of one record, its changes and its deletion. Article 1 is Ada’s, article 3 is Grace’s. */
const meta = {
  title: 'Proofs/ResourceDetail',
  tags: ['proof', '!autodocs'],
  component: ResourceDetail<typeof app.Articles>,
  args: {
    resource: app.Articles,
    params: { id: '1' },
    label: 'Article',
    renderItem: (article, { update, partialUpdate, remove, invalidate }) => (
      <>
        <ArticleLine article={article} update={update} partialUpdate={partialUpdate} remove={remove} />{' '}
        {fetchAgain({ invalidate })}
      </>
    ),
  },
  decorators: below(app),
  beforeEach: app.start('ada'),
} satisfies Meta<typeof ResourceDetail<typeof app.Articles>>;

export default meta;
type Story = StoryObj<typeof meta>;

const emptyCase: Story = {
  args: { params: { id: '99' }, notFound: <p role="alert">There is no article 99.</p> },
  play: async ({ canvas, step, hasSent }) => {
    await step('the reader sees that there is none', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent('There is no article 99.');
    });
    await hasSent('one GET', [sent.get('/article/99').as('ada')]);
  },
};

const missingInItsOwnWords: Story = {
  args: { params: { id: '99' }, labels: { notFound: 'No such article.' } },
  play: async ({ canvas, step, journal }) => {
    const missing = sent.get('/article/99').as('ada');
    await step('the reader sees the text, and tries again', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent('No such article.');
      await userEvent.click(canvas.getByRole('button', { name: 'Try again' }));
      await waitFor(() => expect(journal).toHaveSent([missing, missing]));
      await waitFor(() => expect(canvas.getByRole('alert')).toHaveTextContent('No such article.'));
    });
  },
};

const answeredWithAPage: Story = {
  args: { notFound: <p role="alert">There is no article 1.</p> },
  beforeEach: [
    ({ msw }) => msw.use(http.get(`${ownApi}/article/1`, () => HttpResponse.html('<h1>Maintenance</h1>'))),
    () => recordConsoleErrors().stop,
  ],
  play: async ({ canvas, step, hasSent }) => {
    await step('the reader sees that the page cannot be shown', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        'The server sent something that this page cannot show.',
      );
    });
    await hasSent('one GET', [sent.get('/article/1').as('ada')]);
  },
};

const gone: Story = {
  args: { notFound: <p role="alert">There is no article 1.</p> },
  beforeEach: ({ msw }) => msw.use(http.get(`${ownApi}/article/1`, () => HttpResponse.json({}, { status: 410 }))),
  play: async ({ canvas, step, hasSent }) => {
    await step('the reader sees that there is none', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent('There is no article 1.');
    });
    await hasSent('one GET', [sent.get('/article/1').as('ada')]);
  },
};

/** There is no such record: the `notFound` slot is shown, or a text with a button. Only the API can say so. */
export const Empty: Story = inCases({
  'the server answers 404': emptyCase,
  '410: the record is gone': gone,
  'without the slot, the widget shows a text, and a button that tries again': missingInItsOwnWords,
  'a page of a proxy is another error': answeredWithAPage,
});

/** Ada may not read Grace's article: the server answers 403 with its own message, and Ada stays signed in. */
export const Refused: Story = {
  args: { params: { id: '3' } },
  play: async ({ canvas, step, hasSent }) => {
    await step('the page announces the refusal', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent('This belongs to another user.');
    });
    await hasSent('one GET', [sent.get('/article/3').as('ada')]);
  },
};

/** The token has expired when the record is fetched again: one refresh, and the record stays on the screen. */
export const Expired: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her article; then her token expires', async () => {
      await canvas.findByText('On signing in');
      app.server.expire();
    });
    await step('she fetches it again', async () => {
      const release = app.articles.hold();
      await userEvent.click(canvas.getByRole('button', { name: 'Fetch again' }));
      await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('Updating…'));
      await expect(canvas.getByText('On signing in')).toBeVisible();
      release();
      await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('Article'));
      await expect(canvas.getByText('On signing in')).toBeVisible();
    });
    await hasSent('one refresh between the two tries', [
      sent.get('/article/1').as('ada'),
      sent.get('/article/1').as('ada'),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      sent.get('/article/1').as('ada', 2),
    ]);
  },
};

/** No connection: the message has a button, which works at once. */
export const Offline: Story = {
  beforeEach: () => app.articles.failNext('network'),
  play: async ({ canvas, step, hasSent }) => {
    await step('the reader sees the message, and tries again', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent('The server could not be reached.');
      await userEvent.click(canvas.getByRole('button', { name: 'Try again' }));
      await canvas.findByText('On signing in');
    });
    await step('the focus is on the article', () => expect(canvas.getByRole('article')).toHaveFocus());
    await hasSent('two GETs', [sent.get('/article/1').as('ada'), sent.get('/article/1').as('ada')]);
  },
};

/** The id is not known yet: nothing is fetched. An empty id is an error: its remedy is for the developer. Nothing is fetched either. */
export const WaitsForItsParams: Story = {
  args: { params: null },
  parameters: {
    expectedConsoleErrors: [
      /^data-client-auth: MissingParamError: GET \/article\/:id needs a value for `id`, but got an empty string/,
    ],
  },
  render: args => (
    <>
      <ResourceDetail {...args} />
      <ResourceDetail {...args} params={{ id: '' }} label="Nameless" />
    </>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('one waits, the other says that something is wrong', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        'Something went wrong on this page. Try again, or reload the page.',
      );
      await waitFor(() => expect(canvas.getAllByRole('status')[0]).toHaveTextContent('Loading…'));
    });
    await hasSent('no request', []);
  },
};

const editsByPatch: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada changes the title', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Revise On signing in' }));
      await canvas.findByText('On signing in!');
    });
    await hasSent('one PATCH', [
      sent.get('/article/1').as('ada'),
      sent.patch('/article/1').as('ada').json({ title: 'On signing in!' }),
    ]);
  },
};

const editsByPut: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada replaces the article', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Rewrite On signing in' }));
      await canvas.findByText('On signing in, again');
    });
    await hasSent('one PUT', [
      sent.get('/article/1').as('ada'),
      sent
        .put('/article/1')
        .as('ada')
        .json({ id: '1', title: 'On signing in, again', content: 'Rewritten.', author: 'ada' }),
    ]);
  },
};

/** A change is sent once, and shown. */
export const Edits: Story = inCases({
  'one PATCH': editsByPatch,
  'one PUT': editsByPut,
});

/** The record is deleted here: the `removed` slot is shown, and the record is not fetched again. */
export const Deletes: Story = {
  args: { removed: <p>The article is gone.</p> },
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada deletes the article by keyboard; it stays until the server has answered', async () => {
      const button = await canvas.findByRole('button', { name: 'Delete On signing in' });
      const release = app.articles.hold();
      button.focus();
      await userEvent.keyboard('{Enter}');
      await waitFor(() => expect(app.articles.held).toBe(1));
      await expect(canvas.getByText('On signing in')).toBeVisible();
      release();
    });
    await step('it is gone, and the focus is in its place', async () => {
      await expect(await canvas.findByText('The article is gone.')).toBeVisible();
      await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('Deleted.'));
      await expect(canvas.getByRole('article')).toHaveFocus();
    });
    await hasSent('one DELETE, and no GET after it', [
      sent.get('/article/1').as('ada'),
      sent.delete('/article/1').as('ada'),
    ]);
  },
};

/** The server refuses the deletion: the record stays, with the message. */
export const KeepsARefusedDeletion: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada deletes the article, and sees the refusal', async () => {
      const button = await canvas.findByRole('button', { name: 'Delete On signing in' });
      app.articles.failNext(403);
      await userEvent.click(button);
      await expect(await canvas.findByRole('alert')).toHaveTextContent('You do not have access to this.');
      await expect(canvas.getByText('On signing in')).toBeVisible();
    });
    await hasSent('one DELETE', [sent.get('/article/1').as('ada'), sent.delete('/article/1').as('ada')]);
  },
};

/** What the server's list has of an article. */
class ArticleTitle extends Entity {
  static override key = 'Article';
  id = '';
  title = '';
}

class WholeArticle extends ArticleTitle {
  content = '';
  static override validate(record: object) {
    return validateRequired(record, { content: '' });
  }
}

const Titles = hookifyResource(
  resource({ urlPrefix: ownApi, path: '/article/:id', schema: WholeArticle }).extend('getList', {
    schema: new Collection([ArticleTitle]),
  }),
);

function TitlesAndArticle() {
  const [id, setId] = useState<string | null>(null);
  return (
    <>
      <ResourceList
        resource={Titles}
        renderItem={article => (
          <button type="button" onClick={() => setId(article.id)}>
            {article.title}
          </button>
        )}
      />
      <ResourceDetail
        resource={Titles}
        params={id === null ? null : { id }}
        renderItem={article => <p>{article.content}</p>}
      />
    </>
  );
}

/** The rows of the list have a part of the record, and the Entity class says so: the detail fetches the whole record, once. */
export const OpenedFromRowsWithAPart: Story = {
  beforeEach: ({ msw }) =>
    msw.use(http.get(`${ownApi}/article`, () => HttpResponse.json(rows.map(({ id, title }) => ({ id, title }))))),
  render: () => <TitlesAndArticle />,
  play: async ({ canvas, step, hasSent }) => {
    const titled = (title: string) => canvas.findByRole('button', { name: title });
    await step('Ada opens one article, another one, and the first again', async () => {
      await userEvent.click(await titled('On signing in'));
      await canvas.findByText('Knock, and say who you are.');
      await userEvent.click(await titled('On signing out'));
      await canvas.findByText('Leave nothing behind.');
      await userEvent.click(await titled('On signing in'));
      await canvas.findByText('Knock, and say who you are.');
    });
    await hasSent(
      'one GET of the list, and one of each article',
      ['/article', '/article/1', '/article/2'].map(path => sent.get(path).as('ada')),
    );
  },
};
