import { AsyncBoundary, useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent } from 'storybook/test';
import { useEndpoint } from '../../src/index.js';
import { articleResource } from '../support/articles.js';
import { tokenWorld } from '../support/tokenWorld.js';

const world = tokenWorld();
const ArticleResource = articleResource();

/** One article, read and changed with endpoints of a resource that was never hookified. */
function OneArticle({ id }: { id: string }) {
  const controller = useController();
  const article = useSuspense(useEndpoint(ArticleResource.get), { id });
  const partialUpdate = useEndpoint(ArticleResource.partialUpdate);
  return (
    <article>
      <p>{article.title}</p>
      <button type="button" onClick={() => void controller.fetch(partialUpdate, { id }, { title: 'On knocking' })}>
        Rename
      </button>
    </article>
  );
}

/** `useEndpoint(endpoint)` gives one endpoint the session of the nearest provider: the same object for the same endpoint and session. */
const meta = {
  title: 'Providers/useEndpoint',
  render: () => (
    <world.Provider>
      <AsyncBoundary fallback={<p>Fetching…</p>}>
        <OneArticle id="1" />
      </AsyncBoundary>
    </world.Provider>
  ),
  beforeEach: world.start('ada'),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** A read and a mutation carry the token, and the mutation survives its expiry. */
export const CarriesTheToken: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her article', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her token expires, and she renames it all the same', async () => {
      world.server.expireAccessTokens();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename' }));
      await canvas.findByText('On knocking');
    });
    await step('one refresh, and the PATCH again', () =>
      expect(journal).toHaveSent([
        'GET https://api.example.com/article/1  same-origin  access-token: ada-1',
        'PATCH https://api.example.com/article/1  same-origin  access-token: ada-1  {"title":"On knocking"}',
        'POST https://api.example.com/refresh  same-origin  {"refreshToken":"ada-refresh-1"}',
        'PATCH https://api.example.com/article/1  same-origin  access-token: ada-2  {"title":"On knocking"}',
      ]));
  },
};
