import { useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent } from 'storybook/test';
import { hookifyResource } from '../../../src/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { articleResource, rows } from '../../support/articles.js';
import { inPlainStore } from '../../support/PlainStore.js';
import { setupRestApi, useAda } from '../../support/setupRestApi.js';
import { titlesOf } from '../../support/titlesOf.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const source = articleResource();
const ArticleResource = hookifyResource(source, useAda);
const app = setupRestApi(source, rows, { pagination: { style: 'page', size: 2 } });
const { sent } = app;

function List() {
  const controller = useController();
  const getList = ArticleResource.useGetList();
  const articles = useSuspense(getList);
  return (
    <>
      <ul>
        {articles.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      <ActionButton
        label="Add at the end"
        act={async () => `Added ${(await controller.fetch(getList.push, { title: 'On writing' })).title}`}
      />
      <ActionButton
        label="Add at the beginning"
        act={async () => `Added ${(await controller.fetch(getList.unshift, { title: 'Read this first' })).title}`}
      />
      {[2, 3].map(page => (
        <ActionButton
          key={page}
          label={`Page ${page}`}
          act={async () => `Page ${page} held ${(await controller.fetch(getList.getPage, { page })).length}`}
        />
      ))}
    </>
  );
}

/** Rules 5 and 6 of the spec: how a list that is on the screen grows without being read again. The server's pages hold two. */
const meta = {
  title: 'Proofs/Spec rules',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  decorators: inPlainStore,
  beforeEach: app.start,
  render: () => <List />,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Rule 5: `push` appends the created record to the end of the list. */
export const PushAppends: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the list', async () => {
      await canvas.findByText('On signing in');
    });
    await step('the writer adds an article, which is at the end', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Add at the end' }));
      await canvas.findByText('Added On writing');
      await expect(titlesOf(canvas)).toEqual(['On signing in', 'On signing out', 'On writing']);
    });
    await step('one POST, and the list is not read again', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing' }),
      ]),
    );
  },
};

/** Rule 5: `unshift` puts the created record at the beginning of the list. */
export const UnshiftPrepends: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the list', async () => {
      await canvas.findByText('On signing in');
    });
    await step('the writer adds an article, which is at the beginning', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Add at the beginning' }));
      await canvas.findByText('Added Read this first');
      await expect(titlesOf(canvas)).toEqual(['Read this first', 'On signing in', 'On signing out']);
    });
    await step('one POST, and the list is not read again', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'Read this first' }),
      ]),
    );
  },
};

/** Rule 6: `getPage` appends the fetched page to the list. */
export const GetPageAppends: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the first page', async () => {
      await canvas.findByText('On signing in');
    });
    await step('the second page follows it', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Page 2' }));
      await canvas.findByText('Page 2 held 2');
      await expect(titlesOf(canvas)).toEqual([
        'On signing in',
        'On signing out',
        'A compiler for everyone',
        'On finding the moth',
      ]);
    });
    await step('one GET for each page', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.get('/article?page=2').as('ada')]),
    );
  },
};

/** Rule 6: a page that is read twice is not in the list twice. */
export const GetPageTwiceMakesNoDuplicates: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the first page, and asks for the second', async () => {
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Page 2' }));
      await canvas.findByText('Page 2 held 2');
    });
    await step(
      'an article is added, so that there is a third page, and the reader loads the second page again',
      async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Add at the end' }));
        await canvas.findByText('Added On writing');
        await userEvent.click(canvas.getByRole('button', { name: 'Page 2' }));
        await canvas.findByText('Page 2 held 2');
        await userEvent.click(canvas.getByRole('button', { name: 'Page 3' }));
        await canvas.findByText('Page 3 held 1');
      },
    );
    await step('no article is in the list twice', () =>
      expect(titlesOf(canvas)).toEqual([
        'On signing in',
        'On signing out',
        'A compiler for everyone',
        'On finding the moth',
        'On writing',
      ]),
    );
    await step('each page was read', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.get('/article?page=2').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing' }),
        sent.get('/article?page=2').as('ada'),
        sent.get('/article?page=3').as('ada'),
      ]),
    );
  },
};

/** Rule 6: a pushed article that also comes with a later page stays at its place. */
export const APushedRecordIsNotDuplicated: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the first page, and adds an article', async () => {
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Add at the end' }));
      await canvas.findByText('Added On writing');
    });
    await step('the third page has that article only: the list stays as it is', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Page 3' }));
      await canvas.findByText('Page 3 held 1');
      await expect(titlesOf(canvas)).toEqual(['On signing in', 'On signing out', 'On writing']);
    });
    await step('three requests', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing' }),
        sent.get('/article?page=3').as('ada'),
      ]),
    );
  },
};

function ArticlesOf({ author }: { author: string }) {
  const controller = useController();
  const getList = ArticleResource.useGetList();
  const list = useSuspense(getList, { author, limit: 1 });
  return (
    <>
      <p>{`${author}: ${list.map(({ title }) => title).join(', ')}`}</p>
      <ActionButton
        label={`More of ${author}`}
        act={async () => `Read ${(await controller.fetch(getList.getPage, { author, limit: 1, page: 2 })).length}`}
      />
    </>
  );
}

/** Rule 6: the page joins the list of the same params, and no other list of the resource. */
export const GetPageJoinsItsOwnList: Story = {
  render: () => (
    <>
      <ArticlesOf author="ada" />
      <ArticlesOf author="grace" />
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the first article of each author', async () => {
      await canvas.findByText('ada: On signing in');
      await canvas.findByText('grace: A compiler for everyone');
    });
    await step('more of Ada’s join Ada’s list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'More of ada' }));
      await canvas.findByText('Read 1');
      await expect(canvas.getByText(/^ada:/)).toHaveTextContent('ada: On signing in, On signing out');
      await expect(canvas.getByText(/^grace:/)).toHaveTextContent(/^grace: A compiler for everyone$/);
    });
    await step('one GET for each list, one for the page', () =>
      expect(journal).toHaveSent([
        sent.get('/article?author=ada&limit=1').as('ada'),
        sent.get('/article?author=grace&limit=1').as('ada'),
        sent.get('/article?author=ada&limit=1&page=2').as('ada'),
      ]),
    );
  },
};
