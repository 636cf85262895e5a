import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { expect, userEvent } from 'storybook/test';
import { authEndpoint, resource } from '../../src/index.js';
import { api, Article } from '../support/articles.js';
import { tokenWorld } from '../support/tokenWorld.js';

const world = tokenWorld();

const ArticleResource = resource({ urlPrefix: api, path: '/article/:id', schema: Article, Endpoint: authEndpoint(world.session) });

/** Code without React: it awaits endpoints like any other function. */
async function renameAll(title: string): Promise<number> {
  const articles = await ArticleResource.getList();
  for (const { id } of articles) await ArticleResource.partialUpdate({ id }, { title });
  return articles.length;
}

/** A button that stands under no provider. */
function Batch() {
  const [outcomes, setOutcomes] = useState<readonly string[]>([]);
  const add = (outcome: string) => setOutcomes(before => [...before, outcome]);
  const run = () =>
    renameAll('On knocking').then(
      count => add(`renamed ${count}`),
      (error: Error) => add(error.message),
    );
  return (
    <p>
      <button type="button" onClick={() => void run()}>
        Rename all
      </button>
      {outcomes.join(', then ')}
    </p>
  );
}

/** `authEndpoint(session)` binds a resource to a session by its class, for loaders, workers and everything else outside React. */
const meta = {
  title: 'Providers/authEndpoint',
  render: () => <Batch />,
  beforeEach: world.start('ada'),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** No provider and no hook: the session carries the token, and refreshes it in the middle. */
export const OutsideReact: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('a function renames Ada’s two articles', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename all' }));
      await canvas.findByText('renamed 2');
    });
    await step('her token expires, and it does so again', async () => {
      world.server.expireAccessTokens();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename all' }));
      await canvas.findByText('renamed 2, then renamed 2');
    });
    await step('three requests, and the second time a refresh among them', () =>
      expect(journal).toHaveSent([
        'GET https://api.example.com/article  same-origin  access-token: ada-1',
        'PATCH https://api.example.com/article/1  same-origin  access-token: ada-1  {"title":"On knocking"}',
        'PATCH https://api.example.com/article/2  same-origin  access-token: ada-1  {"title":"On knocking"}',
        'GET https://api.example.com/article  same-origin  access-token: ada-1',
        'POST https://api.example.com/refresh  same-origin  {"refreshToken":"ada-refresh-1"}',
        'GET https://api.example.com/article  same-origin  access-token: ada-2',
        'PATCH https://api.example.com/article/1  same-origin  access-token: ada-2  {"title":"On knocking"}',
        'PATCH https://api.example.com/article/2  same-origin  access-token: ada-2  {"title":"On knocking"}',
      ]));
  },
};

/** Signed out, the same function sends no token: the server refuses it, and its status is the caller's. */
export const SignedOut: Story = {
  beforeEach: world.start(),
  play: async ({ canvas, step, journal }) => {
    await step('the server refuses', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename all' }));
      await canvas.findByText('Unauthorized');
    });
    await step('one GET, without a token', () => expect(journal).toHaveSent(['GET https://api.example.com/article  same-origin']));
  },
};
