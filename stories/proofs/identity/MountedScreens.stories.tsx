import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import type { ArticleRow } from '../../support/articles.js';
import { recordText } from '../../support/recordText.js';
import { RenderCounter } from '../../support/RenderCounter.js';
import { RequestLog } from '../../support/RequestLog.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupAppsByMechanism, type MechanismApp } from '../../support/setupAppsByMechanism.js';
import { screens } from './screens.js';
import { setupOwnThings } from './setupOwnThings.js';
import { inCases } from '../../support/inCases.js';

/** Six articles of each user: three pages of two. */
const shelf: ArticleRow[] = [
  ...[1, 2, 3, 4, 5, 6].map(n => ({ id: `${n}`, title: `Ada’s article ${n}`, content: '', author: 'ada' })),
  ...[1, 2, 3, 4, 5, 6].map(n => ({ id: `1${n}`, title: `Grace’s article ${n}`, content: '', author: 'grace' })),
];
const apps = setupAppsByMechanism({
  rows: shelf,
  articles: { pagination: { style: 'page', size: 2 } },
  loginTimeout: 500,
});

/**
 * A list, a detail, a list three pages long and polled news stay mounted: across a switch of identities nothing of the first one is left, and
 * across a mere refresh nothing happens at all. The counts stand above the page.
 */
const meta = {
  title: 'Proofs/Identity',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** The same actions and the same requests under each mechanism. */
function switches(app: MechanismApp): Story {
  const { articles, Provider, read, sent, SignInButtons, write } = app;
  const things = setupOwnThings(app.server);
  const play: Story['play'] = async ({ canvas, step, hasSent }) => {
    const byPages = () => within(canvas.getByRole('region', { name: 'By pages' }));
    const titles = () =>
      byPages()
        .getAllByRole('listitem')
        .map(item => item.querySelector('span')?.textContent);
    const loadMore = async () => userEvent.click(await byPages().findByRole('button', { name: 'Load more' }));
    await step('Ada has four screens open, one of them three pages long', async () => {
      await canvas.findByText('Ada’s motto');
      await canvas.findByText('Ada’s news, no. 1');
      await waitFor(() => expect(canvas.getAllByText('Ada’s article 1')).toHaveLength(2));
      await loadMore();
      await canvas.findByText('Ada’s article 3');
      await loadMore();
      await canvas.findByText('Ada’s article 5');
    });
    const release = articles.hold();
    await step(
      'she edits an article, which is shown before the server answers, and her news are fetched again',
      async () => {
        await userEvent.click(byPages().getByRole('button', { name: 'Edit Ada’s article 1' }));
        await waitFor(() => expect(canvas.getAllByText('Ada’s article 1, edited')).toHaveLength(2));
        await waitFor(() => expect(articles.held).toBe(1));
        await canvas.findByText('News asked for as Ada: 2');
      },
    );
    const texts = recordText(canvas.getByRole('region', { name: 'Screens' }));
    await step('Grace signs in: each screen is fetched with her credential', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('Signed in: grace');
      await waitFor(() => expect(articles.held).toBe(3));
      await canvas.findByText('Grace’s motto');
      await canvas.findByText('Grace’s news, no. 1');
    });
    await step('every answer for Ada arrives; her news are not fetched any more, Grace’s are', async () => {
      release();
      things.release();
      await waitFor(() => expect(canvas.getAllByText('Grace’s article 1')).toHaveLength(2));
      await canvas.findByText('Grace’s news, no. 2');
      await canvas.findByText('News asked for as Grace: 3');
      await expect(canvas.getByText('News asked for as Ada: 2')).toBeInTheDocument();
    });
    await step('the list starts again at the first page', async () => {
      await expect(titles()).toEqual(['Grace’s article 1', 'Grace’s article 2']);
      await loadMore();
      await canvas.findByText('Grace’s article 3');
    });
    await step('after the switch, no text of Ada’s was in the document at any moment (scenario 10)', async () => {
      texts.stop();
      await expect(texts.since('Signed in: grace').filter(text => text.includes('Ada’s'))).toEqual([]);
      await expect(texts.since('Signed in: grace')).not.toEqual([]);
    });
    await hasSent(
      'each address is read once for each user, except the pages and the news',
      [
        ...app.restores,
        ...[
          '/article',
          '/article?shelf=top',
          '/own/motto',
          '/own/news',
          '/article?page=2',
          '/article?page=3',
          '/own/news',
        ].map(path => read(sent.get(path), 'ada')),
        write(sent.patch('/article/1'), 'ada').json({ title: 'Ada’s article 1, edited' }),
        ...app.graceSignsIn,
        ...[
          '/article',
          '/article?shelf=top',
          '/own/motto',
          '/own/news',
          '/own/news',
          '/own/news',
          '/article?page=2',
        ].map(path => read(sent.get(path), 'grace')),
      ],
      { anyOrder: true },
    );
  };
  return {
    // The news are fetched again and again, and the last answer is held.
    parameters: { cookies: app.cookies, unanswered: true },
    beforeEach: [app.start('ada'), things.start],
    // Only the screens are searched for Ada's texts.
    render: (_, { journal }) => (
      <>
        <RequestLog journal={journal} />
        <RenderCounter label="News asked for as Ada" counter={things.polls.ada} />
        <RenderCounter label="News asked for as Grace" counter={things.polls.grace} />
        <section aria-label="Screens">
          <Provider>
            <SignInButtons />
            {screens}
          </Provider>
        </section>
      </>
    ),
    play,
  };
}

/** Screens stay mounted when Grace signs in after Ada: each is fetched again, and no text of Ada’s is there at any moment. */
export const MountedScreens: Story = inCases({
  'by a login, with a token in a header': switches(apps.token),
  'by a login, with a cookie of the browser': switches(apps.cookie),
  'at an SDK': switches(apps.context),
});
