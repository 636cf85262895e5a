import { useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Entity, hookifyResource, resource } from '../../../src/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api, articleResource, rows } from '../../support/articles.js';
import { inPlainStore } from '../../support/PlainStore.js';
import { setupRestApi, useAda } from '../../support/setupRestApi.js';
import { titlesOf } from '../../support/titlesOf.js';
import { requestsOnly } from '../../support/requestsOnly.js';

class Page extends Entity {
  id = '';
  group = '';
  title = '';
}

/**
 * Rules 1 to 4 of the spec: how the address of a request comes from `urlPrefix`, `path` and params. Each story shows the
 * request that really left the page.
 */
const meta = {
  title: 'Proofs/Spec rules',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  decorators: inPlainStore,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const chapters = resource({ urlPrefix: `${api}/v2`, path: '/book/:group/chapter/:id', schema: Page });
const ChapterResource = hookifyResource(chapters, useAda);
const chapterApi = setupRestApi(chapters, [
  { id: '1', group: 'engines', title: 'On looms' },
  { id: '2', group: 'notes & queries', title: 'On reserved characters' },
]);
const { sent } = chapterApi;

function Chapter({ group, id }: { group: string; id: string }) {
  return <p>{useSuspense(ChapterResource.useGet(), { group, id }).title}</p>;
}

/** Rule 1: the address is `urlPrefix`, then the path, filled with the params that its tokens name. */
export const PrefixPathAndParams: Story = {
  beforeEach: chapterApi.start,
  render: () => <Chapter group="engines" id="1" />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the chapter', async () => {
      await canvas.findByText('On looms');
    });
    await step('the address has the prefix, the path and both params', () =>
      expect(journal).toHaveSent([sent.get('/v2/book/engines/chapter/1').as('ada')]),
    );
  },
};

/** Rule 1: a param fills one segment whatever its characters, because they are encoded. */
export const ParamsAreEncoded: Story = {
  beforeEach: chapterApi.start,
  render: () => <Chapter group="notes & queries" id="2" />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the chapter', async () => {
      await canvas.findByText('On reserved characters');
    });
    await step('the ampersand and the spaces are encoded', () =>
      expect(journal).toHaveSent([sent.get('/v2/book/notes%20%26%20queries/chapter/2').as('ada')]),
    );
  },
};

const articles = articleResource();
const ArticleResource = hookifyResource(articles, useAda);
const articleApi = setupRestApi(articles, rows, { pagination: { style: 'page', size: 1 } });

function ArticlesOf({ author }: { author: string }) {
  const controller = useController();
  const getList = ArticleResource.useGetList();
  const list = useSuspense(getList, { author });
  return (
    <>
      <ul>
        {list.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      <ActionButton
        label="More"
        act={async () => {
          await controller.fetch(getList.getPage, { author, page: 2 });
          return 'Second page read';
        }}
      />
    </>
  );
}

/** Rule 2: a param that is not a token of the path becomes a search parameter of the list. */
export const OtherParamsAreSearched: Story = {
  beforeEach: articleApi.start,
  render: () => <ArticlesOf author="grace" />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees Grace’s articles only', async () => {
      await canvas.findByText('A compiler for everyone');
      await expect(titlesOf(canvas)).toEqual(['A compiler for everyone']);
    });
    await step('one GET with the search parameter', () =>
      expect(journal).toHaveSent([sent.get('/article?author=grace').as('ada')]),
    );
  },
};

/** Rule 3: the `paginationField` of `getPage` is a search parameter, and the others are sent with it. */
export const ThePageIsSearched: Story = {
  beforeEach: articleApi.start,
  render: () => <ArticlesOf author="grace" />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the first page of Grace’s articles', async () => {
      await canvas.findByText('A compiler for everyone');
    });
    await step('the reader asks for more', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'More' }));
      await canvas.findByText('Second page read');
      await expect(titlesOf(canvas)).toEqual(['A compiler for everyone', 'On finding the moth']);
    });
    await step('the second GET has both search parameters', () =>
      expect(journal).toHaveSent([
        sent.get('/article?author=grace').as('ada'),
        sent.get('/article?author=grace&page=2').as('ada'),
      ]),
    );
  },
};

const grouped = resource({ urlPrefix: api, path: '/:group/:id', schema: Page });
const GroupedResource = hookifyResource(grouped, useAda);
const groupedApi = setupRestApi(grouped, [
  { id: '1', group: 'engines', title: 'On looms' },
  { id: '2', group: 'insects', title: 'On moths' },
]);

function Group({ group }: { group: string }) {
  const controller = useController();
  const getList = GroupedResource.useGetList();
  const list = useSuspense(getList, { group });
  return (
    <>
      <p>{`Read from ${grouped.getList.path}: ${list.map(({ title }) => title).join(', ')}`}</p>
      <ActionButton
        label="Write"
        act={async () => `Written as ${(await controller.fetch(getList.push, { group }, { title: 'On cards' })).id}`}
      />
    </>
  );
}

/** Rule 4, the first case: a path with two `:param` tokens loses the second. The list and `push` go there. */
export const TwoParamsLoseTheSecond: Story = {
  beforeEach: groupedApi.start,
  render: () => <Group group="engines" />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the group’s list, and writes into it', async () => {
      await canvas.findByText('Read from /:group: On looms');
      await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
      await canvas.findByText('Written as 3');
      await canvas.findByText('Read from /:group: On looms, On cards');
    });
    await step('`/:group/:id` was shortened to `/:group`', () =>
      expect(journal).toHaveSent([
        sent.get('/engines').as('ada'),
        sent.post('/engines').as('ada').json({ title: 'On cards' }),
      ]),
    );
  },
};

const rooted = resource({ urlPrefix: api, path: '/:id', schema: Page });
const RootedResource = hookifyResource(rooted, useAda);
const rootedApi = setupRestApi(rooted, [{ id: '1', group: 'engines', title: 'On looms' }]);

function Root() {
  const controller = useController();
  const getList = RootedResource.useGetList();
  const list = useSuspense(getList);
  return (
    <>
      <p>{`Read from ${rooted.getList.path}: ${list.map(({ title }) => title).join(', ')}`}</p>
      <ActionButton
        label="Write"
        act={async () => `Written as ${(await controller.fetch(getList.push, { title: 'On cards' })).id}`}
      />
    </>
  );
}

/** Rule 4, the second case: a path with one `:param` token becomes `/`. The list and `push` go there. */
export const OneParamBecomesTheRoot: Story = {
  beforeEach: rootedApi.start,
  render: () => <Root />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the list, and writes into it', async () => {
      await canvas.findByText('Read from /: On looms');
      await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
      await canvas.findByText('Written as 2');
      await canvas.findByText('Read from /: On looms, On cards');
    });
    await step('`/:id` was shortened to `/`', () =>
      expect(journal).toHaveSent([sent.get('/').as('ada'), sent.post('/').as('ada').json({ title: 'On cards' })]),
    );
  },
};

class File extends Entity {
  owner = '';
  file = '';
  text = '';

  override pk() {
    return `${this.owner}/${this.file}`;
  }
}

const files = resource({ urlPrefix: api, path: '/:owner/*file', schema: File });
const FileResource = hookifyResource(files, useAda);
const fileApi = setupRestApi(files, [
  { owner: 'ada', file: 'notes/engine.md', text: 'It weaves algebra.' },
  { owner: 'ada', file: 'notes/what next?.md', text: 'Music, perhaps.' },
]);

function Files({ owner }: { owner: string }) {
  const list = useSuspense(FileResource.useGetList(), { owner });
  return <p>{`Read from ${files.getList.path}: ${list.map(({ file }) => file).join(', ')}`}</p>;
}

/** Rule 4, the third case: a `:param` followed by a `*wildcard` becomes the first `:param` only. */
export const ParamAndWildcardLoseTheWildcard: Story = {
  beforeEach: fileApi.start,
  render: () => <Files owner="ada" />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the owner’s files', async () => {
      await canvas.findByText('Read from /:owner: notes/engine.md, notes/what next?.md');
    });
    await step('`/:owner/*file` was shortened to `/:owner`', () =>
      expect(journal).toHaveSent([sent.get('/ada').as('ada')]),
    );
  },
};

function FileText({ file }: { file: string | string[] }) {
  return <p>{useSuspense(FileResource.useGet(), { owner: 'ada', file }).text}</p>;
}

/** The option `path` may end in a `*wildcard`. Its value can be one text: the slashes in it separate segments. */
export const WildcardAsText: Story = {
  beforeEach: fileApi.start,
  render: () => <FileText file="notes/engine.md" />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the file', async () => {
      await canvas.findByText('It weaves algebra.');
    });
    await step('the slash stays a slash', () =>
      expect(journal).toHaveSent([sent.get('/ada/notes/engine.md').as('ada')]),
    );
  },
};

/** The value of a `*wildcard` can also be the list of its segments; each is encoded. */
export const WildcardAsSegments: Story = {
  beforeEach: fileApi.start,
  render: () => <FileText file={['notes', 'what next?.md']} />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the file', async () => {
      await canvas.findByText('Music, perhaps.');
    });
    await step('the segments are joined by slashes, their own characters encoded', () =>
      expect(journal).toHaveSent([sent.get('/ada/notes/what%20next%3F.md').as('ada')]),
    );
  },
};

/** Both spellings of a wildcard’s value name one address: the store asks for it once. */
export const BothSpellingsAreOne: Story = {
  beforeEach: fileApi.start,
  render: () => (
    <>
      <FileText file="notes/engine.md" />
      <FileText file={['notes', 'engine.md']} />
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the file twice', async () => {
      await waitFor(() => expect(canvas.getAllByText('It weaves algebra.')).toHaveLength(2));
    });
    await step('one GET', () => expect(journal).toHaveSent([sent.get('/ada/notes/engine.md').as('ada')]));
  },
};
