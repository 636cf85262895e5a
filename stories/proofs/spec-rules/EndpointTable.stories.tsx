import { useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent } from 'storybook/test';
import { hookifyResource } from '../../../src/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api, articleResource, rows } from '../../support/articles.js';
import { inPlainStore } from '../../support/PlainStore.js';
import { setupRestApi, useAda } from '../../support/setupRestApi.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const source = articleResource();
const ArticleResource = hookifyResource(source, useAda);
const app = setupRestApi(source, rows, { pagination: { style: 'page', size: 2 } });
const { sent } = app;

function Detail({ id }: { id: string }) {
  const controller = useController();
  const get = ArticleResource.useGet();
  const article = useSuspense(get, { id });
  return (
    <>
      <p>{`${article.id}: ${article.title}. ${article.content}`}</p>
      <button type="button" onClick={() => void controller.invalidate(get, { id })}>
        Read again
      </button>
    </>
  );
}

function List() {
  const controller = useController();
  const getList = ArticleResource.useGetList();
  const articles = useSuspense(getList);
  return (
    <>
      <ul>
        {articles.map(article => (
          <li key={article.id}>{article.title}</li>
        ))}
      </ul>
      <button type="button" onClick={() => void controller.invalidate(getList)}>
        Read again
      </button>
    </>
  );
}

/**
 * One story for each row of the spec's table “Endpoints”: the method, the address and the body that really leave the page.
 * The resource is hookified with a `useInit` that brings a token, and stands in a plain store without any session.
 */
const meta = {
  title: 'Proofs/Spec rules',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  decorators: inPlainStore,
  beforeEach: app.start,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** The row `useGet()`: GET at the resource's path, with a value for each `:param`; one record. */
export const UseGet: Story = {
  name: 'useGet()',
  render: () => <Detail id="1" />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the article', async () => {
      await canvas.findByText('1: On signing in. Knock, and say who you are.');
    });
    await step('one GET at the path of the record', () =>
      expect(journal).toHaveSent([sent.get('/article/1').as('ada')]),
    );
  },
};

/** The row `useGetList()`: GET at the shortened path; a list of records. */
export const UseGetList: Story = {
  name: 'useGetList()',
  render: () => <List />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the first two articles', async () => {
      await canvas.findByText('On signing in');
      await canvas.findByText('On signing out');
    });
    await step('one GET at the shortened path', () => expect(journal).toHaveSent([sent.get('/article').as('ada')]));
  },
};

function Push() {
  const controller = useController();
  const { push } = ArticleResource.useGetList();
  return (
    <ActionButton
      label="Write"
      act={async () => `Written as ${(await controller.fetch(push, { title: 'On writing' })).id}`}
    />
  );
}

/** The row `useGetList().push`: POST at the shortened path; the body is the new record’s fields as JSON. */
export const UseGetListPush: Story = {
  name: 'useGetList().push',
  render: () => <Push />,
  play: async ({ canvas, step, journal }) => {
    await step('the writer writes an article, and sees the id that the server gave', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
      await canvas.findByText('Written as 5');
    });
    await step('one POST of the fields as JSON', () =>
      expect(journal).toHaveSent(
        [sent.post('/article').as('ada').headers({ 'content-type': 'application/json' }).json({ title: 'On writing' })],
        {
          headers: ['content-type'],
        },
      ),
    );
  },
};

function Unshift() {
  const controller = useController();
  const { unshift } = ArticleResource.useGetList();
  return (
    <ActionButton
      label="Write"
      act={async () => `Written as ${(await controller.fetch(unshift, { title: 'Read this first' })).id}`}
    />
  );
}

/** The row `useGetList().unshift`: POST at the shortened path, as for `push`. */
export const UseGetListUnshift: Story = {
  name: 'useGetList().unshift',
  render: () => <Unshift />,
  play: async ({ canvas, step, journal }) => {
    await step('the writer writes an article, and sees the id that the server gave', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
      await canvas.findByText('Written as 5');
    });
    await step('one POST of the fields as JSON', () =>
      expect(journal).toHaveSent(
        [
          sent
            .post('/article')
            .as('ada')
            .headers({ 'content-type': 'application/json' })
            .json({ title: 'Read this first' }),
        ],
        {
          headers: ['content-type'],
        },
      ),
    );
  },
};

function GetPage() {
  const controller = useController();
  const getList = ArticleResource.useGetList();
  return (
    <>
      <List />
      <ActionButton
        label="More"
        act={async () => `Read ${(await controller.fetch(getList.getPage, { page: 2 })).length}`}
      />
    </>
  );
}

/** The row `useGetList().getPage`: GET at the shortened path, the `paginationField` among its params; a list that joins the list. */
export const UseGetListGetPage: Story = {
  name: 'useGetList().getPage',
  render: () => <GetPage />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the first page', async () => {
      await canvas.findByText('On signing in');
    });
    await step('the reader loads more, and sees the second page too', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'More' }));
      await canvas.findByText('Read 2');
      await canvas.findByText('On finding the moth');
    });
    await step('one GET for each page', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.get('/article?page=2').as('ada')]),
    );
  },
};

function Update() {
  const controller = useController();
  const update = ArticleResource.useUpdate();
  return (
    <ActionButton
      label="Replace"
      act={async () =>
        `Now called ${(await controller.fetch(update, { id: '1' }, { title: 'On knocking', content: 'Twice.', author: 'ada' })).title}`
      }
    />
  );
}

/** The row `useUpdate()`: PUT at the resource's path; the body is the record’s fields as JSON. */
export const UseUpdate: Story = {
  name: 'useUpdate()',
  render: () => <Update />,
  play: async ({ canvas, step, journal }) => {
    await step('the writer replaces the article', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Replace' }));
      await canvas.findByText('Now called On knocking');
    });
    await step('one PUT of all fields', () =>
      expect(journal).toHaveSent([
        sent.put('/article/1').as('ada').json({ title: 'On knocking', content: 'Twice.', author: 'ada' }),
      ]),
    );
  },
};

function PartialUpdate() {
  const controller = useController();
  const partialUpdate = ArticleResource.usePartialUpdate();
  return (
    <ActionButton
      label="Rename"
      act={async () =>
        `Now called ${(await controller.fetch(partialUpdate, { id: '1' }, { title: 'On knocking' })).title}`
      }
    />
  );
}

/** The row `usePartialUpdate()`: PATCH at the resource's path; the body is some of the record’s fields as JSON. */
export const UsePartialUpdate: Story = {
  name: 'usePartialUpdate()',
  render: () => <PartialUpdate />,
  play: async ({ canvas, step, journal }) => {
    await step('the writer renames the article', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename' }));
      await canvas.findByText('Now called On knocking');
    });
    await step('one PATCH of the one field', () =>
      expect(journal).toHaveSent([sent.patch('/article/1').as('ada').json({ title: 'On knocking' })]),
    );
  },
};

function Delete() {
  const controller = useController();
  const remove = ArticleResource.useDelete();
  return (
    <>
      <List />
      <ActionButton
        label="Delete the first"
        act={async () => {
          await controller.fetch(remove, { id: '1' });
          return 'Deleted';
        }}
      />
    </>
  );
}

/** The row `useDelete()`: DELETE at the resource's path, without a body; the record is gone from the store. */
export const UseDelete: Story = {
  name: 'useDelete()',
  render: () => <Delete />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the article in the list', async () => {
      await canvas.findByText('On signing in');
    });
    await step('the writer deletes the article, and it leaves the list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete the first' }));
      await canvas.findByText('Deleted');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
      await expect(canvas.getByText('On signing out')).toBeInTheDocument();
    });
    await step('one DELETE, and no second read of the list', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]),
    );
  },
};

let reads = 0;

/** `Controller.invalidate` with `useGet()`: the record on the screen is read again (the spec, under “Endpoints”). */
export const InvalidateUseGet: Story = {
  name: 'Controller.invalidate on useGet()',
  beforeEach: ({ msw }) => {
    reads = 0;
    msw.use(
      http.get(`${api}/article/1`, () => HttpResponse.json({ id: '1', title: `Reading ${++reads}`, content: '' })),
    );
  },
  render: () => <Detail id="1" />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the article', async () => {
      await canvas.findByText('1: Reading 1.');
    });
    await step('the record is invalidated, and the reader sees the new text of the server', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Read again' }));
      await canvas.findByText('1: Reading 2.');
    });
    await step('two GETs of the record', () =>
      expect(journal).toHaveSent([sent.get('/article/1').as('ada'), sent.get('/article/1').as('ada')]),
    );
  },
};

/** `Controller.invalidate` with `useGetList()`: the list on the screen is read again (the spec, under “Endpoints”). */
export const InvalidateUseGetList: Story = {
  name: 'Controller.invalidate on useGetList()',
  beforeEach: ({ msw }) => {
    reads = 0;
    msw.use(
      http.get(`${api}/article`, () => HttpResponse.json([{ id: '1', title: `Reading ${++reads}`, content: '' }])),
    );
  },
  render: () => <List />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the list', async () => {
      await canvas.findByText('Reading 1');
    });
    await step('the list is invalidated, and the reader sees the new rows of the server', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Read again' }));
      await canvas.findByText('Reading 2');
    });
    await step('two GETs of the list', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.get('/article').as('ada')]),
    );
  },
};
