import { useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { memo, useEffect, useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { hookifyResource } from '../../../src/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api, Article, articleResource, rows } from '../../support/articles.js';
import { inPlainStore } from '../../support/PlainStore.js';
import { setupRestApi, useAda } from '../../support/setupRestApi.js';
import { createCounter, RenderCounter } from '../../support/RenderCounter.js';
import { titlesOf } from '../../support/titlesOf.js';
import { useCountOf } from '../../support/useCountOf.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const source = articleResource();
const ArticleResource = hookifyResource(source, useAda);
const app = setupRestApi(source, rows);
const { sent } = app;
const rowRenders = createCounter();

/** What the spec says under “hookifyResource”: hooks that return endpoints, whose settings come from `useInit` at render. */
const meta = {
  title: 'Proofs/Spec rules',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  decorators: inPlainStore,
  beforeEach: context => {
    rowRenders.reset();
    return app.start(context);
  },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

function ReadAndWrite() {
  const controller = useController();
  const articles = useSuspense(ArticleResource.useGetList());
  const partialUpdate = ArticleResource.usePartialUpdate();
  return (
    <>
      <ul>
        {articles.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      <ActionButton
        label="Rename the first"
        act={async () =>
          `Now called ${(await controller.fetch(partialUpdate, { id: '1' }, { title: 'On knocking' })).title}`
        }
      />
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

function Endpoints() {
  const [renders, setRenders] = useState(1);
  const getList = ArticleResource.useGetList();
  const counts = {
    useGet: useCountOf(ArticleResource.useGet()),
    useGetList: useCountOf(getList),
    push: useCountOf(getList.push),
    unshift: useCountOf(getList.unshift),
    getPage: useCountOf(getList.getPage),
    useUpdate: useCountOf(ArticleResource.useUpdate()),
    usePartialUpdate: useCountOf(ArticleResource.usePartialUpdate()),
    useDelete: useCountOf(ArticleResource.useDelete()),
  };
  return (
    <>
      <button type="button" onClick={() => setRenders(renders + 1)}>
        Render again
      </button>
      <p>{`Renders: ${renders}`}</p>
      <ul>
        {Object.entries(counts).map(([name, count]) => (
          <li key={name}>{`${name}: ${count}`}</li>
        ))}
      </ul>
    </>
  );
}

/**
 * The returned endpoint is the same object at every render, and so are its `push`, `unshift` and `getPage`, although
 * this `useInit` returns a new object each time. The spec leaves this open; effects and memo components depend on it.
 */
export const EndpointsAreStable: Story = {
  render: () => <Endpoints />,
  play: async ({ canvas, step, journal }) => {
    await step('the component renders three times', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Render again' }));
      await userEvent.click(canvas.getByRole('button', { name: 'Render again' }));
      await canvas.findByText('Renders: 3');
    });
    await step('each endpoint is one object', () =>
      expect(titlesOf(canvas)).toEqual([
        'useGet: 1',
        'useGetList: 1',
        'push: 1',
        'unshift: 1',
        'getPage: 1',
        'useUpdate: 1',
        'usePartialUpdate: 1',
        'useDelete: 1',
      ]),
    );
    await step('no request', () => expect(journal).toHaveSent([]));
  },
};

interface RowProps {
  article: Article;
  rename: ReturnType<typeof ArticleResource.usePartialUpdate>;
}

const Row = memo(function Row({ article, rename }: RowProps) {
  const controller = useController();
  useEffect(() => rowRenders.add());
  return (
    <li>
      {article.title}{' '}
      <button type="button" onClick={() => void controller.fetch(rename, { id: article.id }, { title: 'On knocking' })}>
        {`Rename ${article.id}`}
      </button>
    </li>
  );
});

function MemoList() {
  const [renders, setRenders] = useState(1);
  const articles = useSuspense(ArticleResource.useGetList());
  const rename = ArticleResource.usePartialUpdate();
  return (
    <>
      <button type="button" onClick={() => setRenders(renders + 1)}>
        Render the list again
      </button>
      <p>{`List renders: ${renders}`}</p>
      <RenderCounter label="Row renders" counter={rowRenders} />
      <ul>
        {articles.map(article => (
          <Row key={article.id} article={article} rename={rename} />
        ))}
      </ul>
    </>
  );
}

/** Stable endpoints keep `React.memo` working: rows with an endpoint as prop render when their record changes, and not when their list does. */
export const MemoRowsStayStill: Story = {
  render: () => <MemoList />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees four rows, each rendered once', async () => {
      await canvas.findByText('Row renders: 4');
    });
    await step('the list renders twice more, the rows do not', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Render the list again' }));
      await userEvent.click(canvas.getByRole('button', { name: 'Render the list again' }));
      await canvas.findByText('List renders: 3');
      await expect(canvas.getByText(/^Row renders/)).toHaveTextContent(/^Row renders: 4$/);
    });
    await step('one article is renamed: its row renders, the three others do not', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename 1' }));
      await canvas.findByText('On knocking');
      await waitFor(() => expect(canvas.getByText(/^Row renders/)).toHaveTextContent(/^Row renders: 5$/));
    });
    await step('one GET, one PATCH', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
      ]),
    );
  },
};
