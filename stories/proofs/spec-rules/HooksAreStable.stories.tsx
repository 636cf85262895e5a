import { useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { memo, useEffect, useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { hookifyResource } from '../../../src/index.js';
import { articleResource, type Article } from '../../support/articles.js';
import { inPlainStore } from '../../support/PlainStore.js';
import { createCounter, RenderCounter } from '../../support/RenderCounter.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupArticleApi, useAda } from '../../support/setupRestApi.js';
import { titlesOf } from '../../support/titlesOf.js';
import { useCountOf } from '../../support/useCountOf.js';

const ArticleResource = hookifyResource(articleResource(), useAda);
const app = setupArticleApi();
const { sent } = app;
const rowRenders = createCounter();

/** The endpoints that the hooks of `hookifyResource` return do not change from render to render. */
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
