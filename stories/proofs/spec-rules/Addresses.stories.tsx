import { useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import type { ReactNode } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Entity, hookifyResource, resource } from '../../../src/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api } from '../../support/articles.js';
import { inCases } from '../../support/inCases.js';
import { inPlainStore } from '../../support/PlainStore.js';
import { setupRestApi, useAda } from '../../support/setupRestApi.js';
import type { StoryStart } from '../../support/StoryStart.js';
import { requestsOnly } from '../../support/requestsOnly.js';

class Page extends Entity {
  id = '';
  group = '';
  title = '';
}

/**
 * Rules 1 and 4 of the spec: how the address of a request comes from `urlPrefix`, `path` and params. Each story shows the request that really
 * left the page.
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

function FileText({ file }: { file: string | string[] }) {
  return <p>{useSuspense(FileResource.useGet(), { owner: 'ada', file }).text}</p>;
}

/** The reader sees these texts, and one request was sent. */
const reads = (start: StoryStart, ui: ReactNode, texts: string[], path: string): Story => ({
  beforeEach: start,
  render: () => <>{ui}</>,
  play: async ({ canvasElement, journal }) => {
    await waitFor(() =>
      expect([...canvasElement.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual(texts),
    );
    await expect(journal).toHaveSent([sent.get(path).as('ada')]);
  },
});

/**
 * Rule 1: the address is `urlPrefix`, then the path, filled with the params that its tokens name. A param fills one segment, because its
 * characters are encoded. A `*wildcard` at the end takes one text, whose slashes separate segments, or the list of its segments.
 */
export const PrefixPathAndParams: Story = inCases({
  'the prefix, the path and both params': reads(
    chapterApi.start,
    <Chapter group="engines" id="1" />,
    ['On looms'],
    '/v2/book/engines/chapter/1',
  ),
  'the ampersand and the spaces of a param are encoded': reads(
    chapterApi.start,
    <Chapter group="notes & queries" id="2" />,
    ['On reserved characters'],
    '/v2/book/notes%20%26%20queries/chapter/2',
  ),
  'a wildcard as segments: joined by slashes, and their own characters are encoded': reads(
    fileApi.start,
    <FileText file={['notes', 'what next?.md']} />,
    ['Music, perhaps.'],
    '/ada/notes/what%20next%3F.md',
  ),
  'a wildcard as one text has the same address as its segments, and the store reads it once': reads(
    fileApi.start,
    <>
      <FileText file="notes/engine.md" />
      <FileText file={['notes', 'engine.md']} />
    </>,
    ['It weaves algebra.', 'It weaves algebra.'],
    '/ada/notes/engine.md',
  ),
});

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

function Files({ owner }: { owner: string }) {
  const list = useSuspense(FileResource.useGetList(), { owner });
  return <p>{`Read from ${files.getList.path}: ${list.map(({ file }) => file).join(', ')}`}</p>;
}

/** The reader sees the list, and the writer writes into it. */
const shortens = (start: StoryStart, ui: ReactNode, path: string, id: number): Story => ({
  beforeEach: start,
  render: () => <>{ui}</>,
  play: async ({ canvas, journal }) => {
    await canvas.findByText(`Read from ${path}: On looms`);
    await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
    await canvas.findByText(`Written as ${id}`);
    await canvas.findByText(`Read from ${path}: On looms, On cards`);
    const address = path.replace(':group', 'engines');
    await expect(journal).toHaveSent([
      sent.get(address).as('ada'),
      sent.post(address).as('ada').json({ title: 'On cards' }),
    ]);
  },
});

/** Rule 4: the path of a list, and of `push`, is the path of a record without its last token; alone, it becomes `/`. */
export const ShortenedPaths: Story = inCases({
  '`/:group/:id` is shortened to `/:group`': shortens(groupedApi.start, <Group group="engines" />, '/:group', 3),
  '`/:id` is shortened to `/`': shortens(rootedApi.start, <Root />, '/', 2),
  '`/:owner/*file` is shortened to `/:owner`': reads(
    fileApi.start,
    <Files owner="ada" />,
    ['Read from /:owner: notes/engine.md, notes/what next?.md'],
    '/ada',
  ),
});

function DeleteFile({ file }: { file: string | string[] }) {
  const controller = useController();
  const remove = FileResource.useDelete();
  return (
    <>
      <Files owner="ada" />
      <ActionButton
        label="Delete"
        act={async () => {
          await controller.fetch(remove, { owner: 'ada', file });
          return 'Deleted';
        }}
      />
    </>
  );
}

const deletes = (file: string | string[]): Story => ({
  beforeEach: fileApi.start,
  render: () => <DeleteFile file={file} />,
  play: async ({ canvas, journal }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'Delete' }));
    await canvas.findByText('Deleted');
    await canvas.findByText('Read from /:owner: notes/what next?.md');
    await expect(journal).toHaveSent([sent.get('/ada').as('ada'), sent.delete('/ada/notes/engine.md').as('ada')]);
  },
});

/** Rule 7 on a path with a `*wildcard`: one DELETE. The params name the record, whose key is made of them, and it leaves the list. */
export const DeleteByWildcard: Story = inCases({
  'the wildcard as one text': deletes('notes/engine.md'),
  'the wildcard as a list of segments': deletes(['notes', 'engine.md']),
});
