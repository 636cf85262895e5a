import { useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent } from 'storybook/test';
import { hookifyResource } from '../../../src/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api, Article, articleResource, rows } from '../../support/articles.js';
import { RenameFirst } from '../../support/PlainArticles.js';
import { inPlainStore } from '../../support/PlainStore.js';
import { setupRestApi, useAda } from '../../support/setupRestApi.js';
import { titlesOf } from '../../support/titlesOf.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const source = articleResource();
const ArticleResource = hookifyResource(source, useAda);
const app = setupRestApi(source, rows);
const { sent } = app;

/** What the spec says under “hookifyResource”: hooks that return endpoints, whose settings come from `useInit` at render. */
const meta = {
  title: 'Proofs/Spec rules',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  decorators: inPlainStore,
  beforeEach: app.start,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

function ReadAndWrite() {
  const articles = useSuspense(ArticleResource.useGetList());
  return (
    <>
      <ul>
        {articles.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      <RenameFirst by={ArticleResource.usePartialUpdate()} />
    </>
  );
}

let release: () => void;

/** Under “Endpoints”: reads go through `useSuspense`, writes through `Controller.fetch`; both take the endpoint that a hook returned. */
export const UseSuspenseReadsControllerFetchWrites: Story = {
  name: 'useSuspense reads, Controller.fetch writes',
  render: () => <ReadAndWrite />,
  beforeEach: () => {
    release = app.records.hold();
  },
  play: async ({ canvas, step, journal }) => {
    await step('the screen waits while the server does not answer', async () => {
      await canvas.findByText('Fetching…');
    });
    await step('it answers, and the reader sees the list', async () => {
      release();
      await canvas.findByText('On signing in');
    });
    await step('the writer renames an article, and the list shows it', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('Now called On knocking');
      await expect(titlesOf(canvas)[0]).toBe('On knocking');
    });
    await step('one GET, one PATCH', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
      ]),
    );
  },
};

const extended = articleResource().extend('publish', {
  path: '/article/:id/publish',
  method: 'POST',
  body: undefined,
  schema: Article,
});
const PublishedResource = hookifyResource(extended, useAda);

function Publish() {
  const controller = useController();
  const publish = PublishedResource.usePublish();
  return (
    <ActionButton
      label="Publish"
      act={async () => `Published ${(await controller.fetch(publish, { id: '1' })).title}`}
    />
  );
}

/** `hookifyResource` makes a hook of every endpoint of the resource, also of one that it was extended with. */
export const ExtendedEndpointsHaveHooks: Story = {
  beforeEach: ({ msw }) => {
    msw.use(
      http.post(
        `${api}/article/:id/publish`,
        ({ request, params }) => app.server.authorize(request) ?? HttpResponse.json({ ...rows[0], id: params.id }),
      ),
    );
  },
  render: () => <Publish />,
  play: async ({ canvas, step, journal }) => {
    await step('the writer publishes the article', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Publish' }));
      await canvas.findByText('Published On signing in');
    });
    await step('one POST at the endpoint’s own path, with the settings of `useInit`', () =>
      expect(journal).toHaveSent([sent.post('/article/1/publish').as('ada')]),
    );
  },
};
