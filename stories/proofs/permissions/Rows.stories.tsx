import type { Meta, StoryContext, StoryObj } from '@storybook/react-vite';
import { useEffect } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Can } from '../../../src/entries/permissions.js';
import { ResourceList } from '../../../src/entries/widgets.js';
import type { Article } from '../../support/articles.js';
import { linesUnder, type Mechanism } from '../../support/linesUnder.js';
import { manyArticles } from '../../support/manyArticles.js';
import { recordText } from '../../support/recordText.js';
import { createCounter, RenderCounter } from '../../support/RenderCounter.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupPermissions } from '../../support/setupPermissions.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { inCases } from '../../support/inCases.js';

const app = setupWidgetApp({
  rows: [
    ...manyArticles(1_000).rows,
    { id: '2001', title: 'Grace’s first', content: '', author: 'grace' },
    { id: '2002', title: 'Grace’s second', content: '', author: 'grace' },
  ],
});
const { sent } = app;
const renders = createCounter();

/** Ada may change each article, and delete those with an even id. Grace may change hers, and delete none. */
const server = setupPermissions(app.auth, ({ action, on }, personId) => {
  if (action === 'update') return true;
  return { allowed: personId === 'ada' && Number(on?.id) % 2 === 0, reason: 'Only editors delete articles.' };
});

interface GuardedRowProps {
  article: Article;
  partialUpdate: (body: Partial<Article>) => Promise<unknown>;
  remove: () => Promise<unknown>;
}

function GuardedRow({ article, partialUpdate, remove }: GuardedRowProps) {
  useEffect(() => renders.add());
  return (
    <>
      {article.title}{' '}
      <Can action="update" on={article}>
        <button type="button" onClick={() => void partialUpdate({ title: `${article.title}!` })}>
          Revise {article.title}
        </button>
      </Can>{' '}
      <Can action="delete" on={article}>
        <button type="button" onClick={() => void remove()}>
          Delete {article.title}
        </button>
      </Can>
    </>
  );
}

/** Rows with two permissions each: one request for all of them, and no button that the user may not use. */
const meta = {
  title: 'Proofs/Permissions',
  tags: ['proof', '!autodocs'],
  component: ResourceList<typeof app.Articles>,
  parameters: { ...requestsOnly },
  args: {
    resource: app.Articles,
    label: 'Articles',
    renderHeader: () => <RenderCounter label="Row renders" counter={renders} />,
    renderItem: (article, { partialUpdate, remove }) => (
      <GuardedRow article={article} partialUpdate={partialUpdate} remove={remove} />
    ),
  },
  decorators: [
    Story => (
      <app.Provider can={server.can}>
        <Story />
      </app.Provider>
    ),
  ],
  beforeEach: [() => renders.reset(), server.start(app.start('ada'))],
} satisfies Meta<typeof ResourceList<typeof app.Articles>>;

export default meta;
type Story = StoryObj<typeof meta>;

/** 1,000 rows with 2 actions: 1 request, never a button of what is denied, and a renamed row renders alone. */
export const OneRequestForAThousandRows: Story = {
  tags: ['slow'],
  play: async ({ canvas, canvasElement, step, journal }) => {
    const texts = recordText(canvasElement);
    await step('Ada sees the buttons of what she may do', async () => {
      await canvas.findByText('Delete Article 1000', undefined, { timeout: 10_000 });
      await expect(canvas.getAllByText(/^Revise /)).toHaveLength(1_000);
      await expect(canvas.getAllByText(/^Delete /)).toHaveLength(500);
    });
    await step('one request with 2,000 questions', async () => {
      await expect(server.asked()).toHaveLength(1);
      await expect(server.asked()[0]!.questions).toHaveLength(2_000);
      await expect(server.asked()[0]!.questions[1]).toEqual({ action: 'delete', on: { type: 'Article', id: '1' } });
    });
    await step('no frame had a button that is denied', async () => {
      texts.stop();
      await expect(texts.since('Article 1').filter(text => /Delete Article \d*[13579](\D|$)/.test(text))).toEqual([]);
    });
    await step('a rename renders one row, and asks nothing', async () => {
      renders.reset();
      await userEvent.click(canvas.getByText('Revise Article 500'));
      await canvas.findByText('Revise Article 500!');
      await waitFor(() =>
        expect(canvas.getByText('Revise Article 500!').closest('li')).toHaveAttribute('aria-busy', 'false'),
      );
      await expect(renders.read()).toBeGreaterThan(0);
      await expect(renders.read()).toBeLessThanOrEqual(3);
    });
    await step('a list, a question and a PATCH', async () => {
      await expect(journal.entries.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
        'GET /api/article',
        'POST /api/permissions',
        'PATCH /api/article/500',
      ]);
    });
  },
};

/** Grace signs in on the page of Ada: no answer for Ada counts for her. */
export const AnotherUserIsAskedFor: Story = {
  decorators: [
    Story => (
      <app.Provider can={server.can}>
        <app.SignInButtons />
        <Story />
      </app.Provider>
    ),
  ],
  play: async ({ canvas, canvasElement, step }) => {
    await step('Ada sees buttons', async () => {
      await canvas.findByText('Delete Article 2', undefined, { timeout: 10_000 });
    });
    const release = server.hold();
    await step('Grace signs in, and the server has not answered what she may do: no button', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('Grace’s second');
      await waitFor(() => expect(server.asked()).toHaveLength(2));
      await expect(canvas.queryByText(/^(Revise|Delete) /)).not.toBeInTheDocument();
    });
    const texts = recordText(canvasElement);
    await step('the answer comes: her buttons', async () => {
      release();
      await canvas.findByText('Revise Grace’s second');
      texts.stop();
      await expect(texts.since('Grace').filter(text => text.includes('Delete '))).toEqual([]);
    });
    await step('the second request is hers, with questions about her rows', async () => {
      const [, second] = server.asked();
      await expect(second!.personId).toBe('grace');
      await expect(second!.questions.map(({ on }) => on?.id)).toEqual(['2001', '2001', '2002', '2002']);
    });
  },
};

/** The server takes a role away: the deletion is refused, one question is asked, the button goes and the row says why. */
export const RoleRemoved: Story = {
  args: { params: { title: 'Article 2' } },
  play: async ({ canvas, step, hasSent }) => {
    const remove = await canvas.findByText('Delete Article 2');
    await step('she is no editor any more, and deletes', async () => {
      server.decide(() => ({ allowed: false, reason: 'Only editors delete articles.' }));
      app.articles.failNext(403);
      await userEvent.click(remove);
    });
    await step('the row says why, and the button is gone', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent('You do not have access to this.');
      await waitFor(() => expect(canvas.queryByText('Delete Article 2')).not.toBeInTheDocument());
      await expect(canvas.getByText('Revise Article 2')).toBeVisible();
    });
    const about = (...actions: string[]) => ({
      questions: actions.map(action => ({ action, on: { type: 'Article', id: '2' } })),
    });
    await hasSent('one DELETE, and one question', [
      sent.get('/article?title=Article+2').as('ada'),
      sent.post('/permissions').as('ada').json(about('update', 'delete')),
      sent.delete('/article/2').as('ada'),
      sent.post('/permissions').as('ada').json(about('delete')),
    ]);
  },
};

/** The credential has expired: the question takes part in the one refresh, and is sent once more. */
export const AsksAgainAfterARefresh: Story = {
  args: { params: { title: 'Article 2' } },
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('Delete Article 2');
    await step('her token has expired, and an action is refused: the question meets the same expiry', async () => {
      server.decide(({ action }) => action === 'update');
      app.articles.failNext(403);
      app.server.expire();
      await userEvent.click(canvas.getByText('Delete Article 2'));
      await waitFor(() => expect(canvas.queryByText('Delete Article 2')).not.toBeInTheDocument());
    });
    await step('one refresh', async () => {
      await expect(app.server.counts.refreshes).toBe(1);
      await expect(journal.entries.filter(({ url }) => url.endsWith('/permissions'))).toHaveLength(3);
    });
  },
};

async function asksForTwoRows(
  canvas: StoryContext['canvas'],
  journal: StoryContext['journal'],
  mechanism: Mechanism,
): Promise<void> {
  const { read, write, restores } = linesUnder[mechanism];
  const questions = ['update', 'delete'].map(action => ({ action, on: { type: 'Article', id: '2' } }));
  await canvas.findByText('Delete Article 2');
  await expect(journal).toHaveSent([
    ...restores,
    read(sent.get('/article?title=Article+2'), 'ada'),
    write(sent.post('/permissions'), 'ada').json({ questions }),
  ]);
}

const withACookie: Story = {
  globals: { mechanism: 'cookie' },
  parameters: { ...requestsOnly, cookies: app.cookies },
  args: { params: { title: 'Article 2' } },
  play: ({ canvas, journal }) => asksForTwoRows(canvas, journal, 'cookie'),
};

const withAContextToken: Story = {
  globals: { mechanism: 'context' },
  args: { params: { title: 'Article 2' } },
  play: ({ canvas, journal }) => asksForTwoRows(canvas, journal, 'context'),
};

/** The question is a POST with the credential of the session, like every other. */
export const WithAnotherCredential: Story = inCases({
  'a cookie, and the CSRF token': withACookie,
  'the token of an SDK': withAContextToken,
});
