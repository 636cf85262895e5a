import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { ResourceDetail } from '../../../src/entries/widgets.js';
import { api } from '../../support/articles.js';
import { CountedPage } from '../../support/CountedPage.js';
import { manyArticles } from '../../support/manyArticles.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { staggeredResponses } from '../../support/staggeredResponses.js';

/** How many widgets read with the same expired token. */
const WIDGETS = 20;
const { ids, rows: twenty } = manyArticles(WIDGETS);

const many = setupTokenApp({ rows: twenty });
const { sent } = many;

/** What requests do after the server has refused a refreshed token as well. The session refreshes its token itself. */
const meta = {
  title: 'Proofs/Refresh',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const readEach = (token: number) => ids.map(id => sent.get(`/article/${id}`).as('ada', token));

/** Without a gate the widgets stay mounted: after the end of the session they fetch nothing until a user signs in, or presses “Try again”. */
export const RefusedForGoodWithoutAGate: Story = {
  tags: ['slow'],
  beforeEach: [many.start('ada'), staggeredResponses(api, WIDGETS), () => many.server.refuseEverything()],
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={many}>
      {ids.map(id => (
        <ResourceDetail key={id} resource={many.Articles} params={{ id }} renderItem={article => article.title} />
      ))}
    </CountedPage>
  ),
  play: async ({ canvas, step, journal }) => {
    await step(
      'the server refuses twenty reads of Ada’s, refreshes her token, and refuses the new one too: the session ends',
      async () => {
        await canvas.findByText('anonymous: expired', undefined, { timeout: 5_000 });
      },
    );
    await step('each widget says so, and fetches nothing', async () => {
      await waitFor(
        () => expect(canvas.getAllByText('Your session has ended. Sign in to continue.')).toHaveLength(WIDGETS),
        { timeout: 5_000 },
      );
      await expect(canvas.getByText('41 for data, 1 to refresh')).toBeInTheDocument();
    });
    await step('a user presses “Try again” in one of them, and the request without a token is refused', async () => {
      const [button] = canvas.getAllByRole('button', { name: 'Try again' });
      await userEvent.click(button!);
      await canvas.findByText('Sign in to continue.', undefined, { timeout: 5_000 });
    });
    await step('the server accepts tokens again; Ada signs in, and each widget shows its article', async () => {
      many.server.refuseEverything(false);
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await waitFor(() => expect(canvas.getAllByText(/^Article \d+$/)).toHaveLength(WIDGETS), { timeout: 5_000 });
    });
    await step('forty-one requests as Ada, the retry without a token, and then nothing until her login', () =>
      expect(journal).toHaveSent(
        [
          ...readEach(1),
          sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
          ...readEach(2),
          // One of the refused requests tries once more, a second later.
          sent.get('/article/1').as('ada', 2),
          sent.get('/article/1'),
          sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
          ...readEach(3),
        ],
        { anyOrder: true },
      ),
    );
  },
};
