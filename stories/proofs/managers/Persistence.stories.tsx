import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import { managers } from '../../../src/entries/managers.js';
import { articleResource } from '../../support/articles.js';
import { ArticlesDemo, AuthStatus, SignInButtons } from '../../support/ArticlesDemo.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupManagersApp } from '../../support/setupManagersApp.js';

const { Articles, articles, Provider, recipes, sent, start } = setupManagersApp();
const listKey = articleResource(ownApi).getList.key();

/** What the recipe saved when the page was last open, for both users of this browser. */
const savedBefore = start();

/** The persistence recipe, when the page is loaded again. */
const meta = {
  title: 'Proofs/Managers',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: context => {
    if (context.auth.isRerender) return;
    for (const user of ['ada', 'grace'])
      localStorage.setItem(
        `saved for ${user}`,
        JSON.stringify({ [listKey]: [{ id: '9', title: `Saved by ${user}` }] }),
      );
    return savedBefore(context);
  },
  render: () => (
    <Provider managers={managers(identity => [recipes.persistence(identity)])}>
      <AuthStatus />
      <SignInButtons />
      <Authenticated>
        <ArticlesDemo articles={Articles} />
      </Authenticated>
    </Provider>
  ),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Ada sees her saved list while the server is slow, and then what the server has. Nothing of Grace's is shown. */
export const SavedListFirst: Story = {
  async play({ canvas, journal, step }) {
    const release = articles.hold();
    await step('the saved list is there before the answer', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await canvas.findByText('Saved by ada');
      await expect(canvas.queryByText('Saved by grace')).toBe(null);
    });
    await step('the answer replaces it, with one request', async () => {
      release();
      await canvas.findByText('On signing in');
      await expect(canvas.queryByText('Saved by ada')).toBe(null);
      await expect(journal).toHaveSent([
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada'),
      ]);
    });
  },
};
