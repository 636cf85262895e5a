import { AsyncBoundary, useController, useLive } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useMemo } from 'react';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { authEndpoint, hookifyResource, resource, useEndpoint } from '../../../src/index.js';
import { ResourceList } from '../../../src/entries/widgets.js';
import { api, Article, articleResource, rows } from '../../support/articles.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { inCases } from '../../support/inCases.js';

const POLLED = { pollFrequency: 50 };
const app = setupTokenApp();
const ArticleResource = articleResource();
const watch = ArticleResource.get.extend(POLLED);
const Articles = hookifyResource({ ...ArticleResource, watch });
const OfSession = resource({
  urlPrefix: api,
  path: '/article/:id',
  schema: Article,
  Endpoint: authEndpoint(app.session),
}).extend({ get: POLLED });

function Renames() {
  const controller = useController();
  const partialUpdate = Articles.usePartialUpdate();
  return (
    <button type="button" onClick={() => void controller.fetch(partialUpdate, { id: '1' }, { title: 'On knocking' })}>
      Rename
    </button>
  );
}

function Live({ useWatch }: { useWatch: () => typeof watch }) {
  return <p>{useLive(useWatch(), { id: '1' }).title}</p>;
}

/** Proves that a poll brings its record into the store, for each way to give an endpoint its session. */
const meta = {
  title: 'Proofs/Hooks/Polling',
  tags: ['proof', '!autodocs'],
  component: Live,
  args: { useWatch: () => Articles.useWatch() },
  parameters: { ...requestsOnly },
  render: args => (
    <app.Provider>
      <AsyncBoundary fallback={<p>Fetching…</p>}>
        <Live {...args} />
        <Renames />
      </AsyncBoundary>
      <ResourceList resource={Articles} renderItem={article => article.title} />
    </app.Provider>
  ),
  beforeEach: app.start('ada'),
} satisfies Meta<typeof Live>;

export default meta;
type Story = StoryObj<typeof meta>;

const play: Story['play'] = async ({ canvas, msw, step, journal }) => {
  const row = () => within(canvas.getAllByRole('listitem')[0]!);
  const oneArticle = `${api}/article/1`;
  await step('the text and the row show Ada’s article', async () => {
    await waitFor(() => expect(canvas.getAllByText('On signing in')).toHaveLength(2));
  });
  await step('it is renamed elsewhere, and a poll brings the name into both', async () => {
    msw.use(http.get(oneArticle, () => HttpResponse.json({ ...rows[0], title: 'Renamed elsewhere' })));
    await waitFor(() => expect(canvas.getAllByText('Renamed elsewhere')).toHaveLength(2));
  });
  let answer = () => {};
  const isAnswered = new Promise<void>(resolve => (answer = resolve));
  let held = 0;
  await step('a poll has no answer yet: Ada’s own change is in both nevertheless', async () => {
    msw.use(
      http.get(oneArticle, async () => {
        held++;
        await isAnswered;
        return HttpResponse.json({ ...rows[0], title: 'On knocking' });
      }),
    );
    await waitFor(() => expect(held).toBe(1));
    await userEvent.click(canvas.getByRole('button', { name: 'Rename' }));
    await row().findByText('On knocking');
    await expect(canvas.getAllByText('On knocking')).toHaveLength(2);
    await expect(held).toBe(1);
    await expect(journal.entries.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  });
  answer();
};

const ofAHook: Story = { play };

const ofUseEndpoint: Story = { args: { useWatch: () => useEndpoint(watch) }, play };

const ofAnExtendedHook: Story = {
  args: {
    useWatch: () => {
      const get = Articles.useGet();
      return useMemo(() => get.extend(POLLED), [get]);
    },
  },
  play,
};

const ofASession: Story = { args: { useWatch: () => OfSession.get as typeof watch }, play };

/** A poll brings its record into the store, for each way to give an endpoint its session. */
export const Polls: Story = inCases({
  'the recipe of the guide: an endpoint of the resource': ofAHook,
  'by `useEndpoint`': ofUseEndpoint,
  'an endpoint of a hook, which the component extends': ofAnExtendedHook,
  'a static member of a resource of `authEndpoint(session)`': ofASession,
});
