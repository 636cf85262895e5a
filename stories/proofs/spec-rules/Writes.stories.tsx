import { useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { expect, userEvent } from 'storybook/test';
import { Entity, hookifyResource, resource } from '../../../src/index.js';
import type { RequestLine } from '../../../src/testing/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api } from '../../support/articles.js';
import { inPlainStore } from '../../support/PlainStore.js';
import { setupRestApi, useAda } from '../../support/setupRestApi.js';
import { titlesOf } from '../../support/titlesOf.js';
import { requestsOnly } from '../../support/requestsOnly.js';

class Page extends Entity {
  id = '';
  group = '';
  title = '';
}

const source = resource({ urlPrefix: api, path: '/:group/:id', schema: Page });
const PageResource = hookifyResource(source, useAda);
const app = setupRestApi(source, [
  { id: '1', group: 'engines', title: 'On looms' },
  { id: '2', group: 'engines', title: 'On steam' },
]);
const { sent } = app;

const group = 'engines';

function List() {
  return (
    <ul>
      {useSuspense(PageResource.useGetList(), { group }).map(({ id, title }) => (
        <li key={id}>{title}</li>
      ))}
    </ul>
  );
}

function Detail({ id }: { id: string }) {
  return <p>{`Detail: ${useSuspense(PageResource.useGet(), { group, id }).title}`}</p>;
}

/** Rules 7 to 9 of the spec: how writes are called, what they send, and what becomes of the store. */
const meta = {
  title: 'Proofs/Spec rules',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  decorators: inPlainStore,
  beforeEach: app.start,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

function Delete({ id }: { id: string }) {
  const controller = useController();
  const remove = PageResource.useDelete();
  return (
    <ActionButton
      label="Delete"
      act={async () => {
        const { title, group } = await controller.fetch(remove, { group: 'engines', id });
        return `Deleted “${title}” of the group “${group}”`;
      }}
    />
  );
}

/** A page is deleted. `answer` is the server's, without one the server answers 204; `gives` is the result of the call. */
function deletes({ answer, gives }: { answer?: object; gives: { title: string; text: string } }): Story {
  return {
    beforeEach: ({ msw }) => {
      if (answer) msw.use(http.delete(`${api}/engines/1`, () => HttpResponse.json(answer)));
    },
    render: () => (
      <>
        <List />
        <Delete id="1" />
      </>
    ),
    play: async ({ canvas, step, journal }) => {
      await step('the reader sees the page in the list', async () => {
        await canvas.findByText('On looms');
      });
      await step(`the writer deletes it and gets ${gives.title}`, async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Delete' }));
        await canvas.findByText(gives.text);
      });
      await step('the record is invalidated: it leaves the list', () => expect(titlesOf(canvas)).toEqual(['On steam']));
      await step('one DELETE', () =>
        expect(journal).toHaveSent([sent.get('/engines').as('ada'), sent.delete('/engines/1').as('ada')]),
      );
    },
  };
}

const THE_ANSWER = {
  title: 'the answer: it has the title, and not the group',
  text: 'Deleted “On looms” of the group “”',
};
const THE_PARAMS = {
  title: 'the params: they have the group, and not the title',
  text: 'Deleted “” of the group “engines”',
};

/** Rule 7: the server answers with an object that has keys, so the answer is the result. */
export const DeleteGivesTheAnswer: Story = deletes({ answer: { id: '1', title: 'On looms' }, gives: THE_ANSWER });

/** Rule 7: the server answers 204, so the params are the result, and name the record to invalidate. */
export const DeleteWithoutAnAnswerGivesTheParams: Story = deletes({ gives: THE_PARAMS });

/** Rule 7: an object without keys counts as no answer: the params are the result. */
export const DeleteWithAnEmptyAnswerGivesTheParams: Story = deletes({ answer: {}, gives: THE_PARAMS });

/** Rule 7: a screen that shows the deleted record reads it again, and shows that it is gone. */
export const DeleteInvalidatesTheDetail: Story = {
  parameters: { expectedConsoleErrors: [/^NetworkError: (\S+: )?Not Found/] },
  render: () => (
    <>
      <Detail id="1" />
      <Delete id="1" />
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the page', async () => {
      await canvas.findByText('Detail: On looms');
    });
    await step('the writer deletes it, and the screen shows that it is gone', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete' }));
      await expect(await canvas.findByRole('alert')).toHaveTextContent(/^404: (\S+: )?Not Found$/);
    });
    await step('the DELETE, then one more GET', () =>
      expect(journal).toHaveSent([
        sent.get('/engines/1').as('ada'),
        sent.delete('/engines/1').as('ada'),
        sent.get('/engines/1').as('ada'),
      ]),
    );
  },
};

function Writer() {
  const controller = useController();
  const getList = PageResource.useGetList();
  const update = PageResource.useUpdate();
  const partialUpdate = PageResource.usePartialUpdate();
  const titled = async (written: Promise<{ title: string }>) => `Written: ${(await written).title}`;
  return (
    <>
      <List />
      <ActionButton
        label="Replace"
        act={() => titled(controller.fetch(update, { group, id: '1' }, { group, title: 'On power looms' }))}
      />
      <ActionButton
        label="Rename"
        act={() => titled(controller.fetch(partialUpdate, { group, id: '1' }, { title: 'On power looms' }))}
      />
      <ActionButton label="Push" act={() => titled(controller.fetch(getList.push, { group }, { title: 'On cards' }))} />
      <ActionButton
        label="Unshift"
        act={() => titled(controller.fetch(getList.unshift, { group }, { title: 'On cards' }))}
      />
      <ActionButton
        label="Push two"
        act={async () => {
          await controller.fetch(getList.push, { group }, [{ title: 'On cards' }, { title: 'On "quotes" & co.' }]);
          return 'Written: two';
        }}
      />
    </>
  );
}

interface Write {
  button: string;
  title: string;
  written: string;
  /** The titles in the list afterwards. */
  list: string[];
  sends: { title: string; lines: RequestLine[]; headers?: string[] };
}

/** A write, whose answer goes into the store: the list shows it without being read again. */
function writes({ button, title, written, list, sends }: Write): Story {
  return {
    render: () => <Writer />,
    play: async ({ canvas, step, journal }) => {
      await step('the reader sees the list', async () => {
        await canvas.findByText('On looms');
      });
      await step(title, async () => {
        await userEvent.click(canvas.getByRole('button', { name: button }));
        await canvas.findByText(`Written: ${written}`);
        await expect(titlesOf(canvas)).toEqual(list);
      });
      await step(sends.title, () =>
        expect(journal).toHaveSent(sends.lines, sends.headers && { headers: sends.headers }),
      );
    },
  };
}

const READ = sent.get('/engines').as('ada');

/** Rule 8: `useUpdate()` is called as (params, body). Its answer goes into the store: the list shows it without being read again. */
export const UpdateTakesParamsThenBody: Story = writes({
  button: 'Replace',
  title: 'the writer replaces the first page, and the list shows it',
  written: 'On power looms',
  list: ['On power looms', 'On steam'],
  sends: {
    title: 'the params fill the path, the body is the body',
    lines: [READ, sent.put('/engines/1').as('ada').json({ group: 'engines', title: 'On power looms' })],
  },
});

/** Rule 8: `usePartialUpdate()` is called as (params, body). Its answer goes into the store as well. */
export const PartialUpdateTakesParamsThenBody: Story = writes({
  button: 'Rename',
  title: 'the writer renames the first page, and the list shows it',
  written: 'On power looms',
  list: ['On power looms', 'On steam'],
  sends: {
    title: 'the params fill the path, the body is the body',
    lines: [READ, sent.patch('/engines/1').as('ada').json({ title: 'On power looms' })],
  },
});

/** Rule 9: `push` is called as (params, body). */
export const PushTakesParamsThenBody: Story = writes({
  button: 'Push',
  title: 'the writer adds a page at the end',
  written: 'On cards',
  list: ['On looms', 'On steam', 'On cards'],
  sends: {
    title: 'the params fill the shortened path, the body is the body',
    lines: [READ, sent.post('/engines').as('ada').json({ title: 'On cards' })],
  },
});

/** Rule 9: `unshift` is called as (params, body). */
export const UnshiftTakesParamsThenBody: Story = writes({
  button: 'Unshift',
  title: 'the writer adds a page at the beginning',
  written: 'On cards',
  list: ['On cards', 'On looms', 'On steam'],
  sends: {
    title: 'the params fill the shortened path, the body is the body',
    lines: [READ, sent.post('/engines').as('ada').json({ title: 'On cards' })],
  },
});

const JSON_TYPE = { 'content-type': 'application/json' };

/** A body that is a list is sent as JSON like any other (the table’s column “Body”), and all records join the list. */
export const AListAsBody: Story = writes({
  button: 'Push two',
  title: 'the writer adds two pages at once',
  written: 'two',
  list: ['On looms', 'On steam', 'On cards', 'On "quotes" & co.'],
  sends: {
    title: 'one POST of a JSON array',
    lines: [
      READ.headers(JSON_TYPE),
      sent
        .post('/engines')
        .as('ada')
        .headers(JSON_TYPE)
        .json([{ title: 'On cards' }, { title: 'On "quotes" & co.' }]),
    ],
    headers: ['content-type'],
  },
});

class File extends Entity {
  owner = '';
  file = '';

  override pk() {
    return `${this.owner}/${this.file}`;
  }
}

const files = resource({ urlPrefix: api, path: '/:owner/*file', schema: File });
const FileResource = hookifyResource(files, useAda);
const fileApi = setupRestApi(files, [
  { owner: 'ada', file: 'notes/engine.md' },
  { owner: 'ada', file: 'notes/music.md' },
]);

function Files({ file }: { file: string | string[] }) {
  const controller = useController();
  const remove = FileResource.useDelete();
  return (
    <>
      <ul>
        {useSuspense(FileResource.useGetList(), { owner: 'ada' }).map(({ file }) => (
          <li key={file}>{file}</li>
        ))}
      </ul>
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

/** Rule 7 on a path with a `*wildcard`: the params name the record, whose key is made of them. */
export const DeleteByWildcard: Story = {
  beforeEach: fileApi.start,
  render: () => <Files file="notes/engine.md" />,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the file', async () => {
      await canvas.findByText('notes/engine.md');
    });
    await step('the writer deletes it, and it leaves the list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete' }));
      await canvas.findByText('Deleted');
      await expect(titlesOf(canvas)).toEqual(['notes/music.md']);
    });
    await step('one DELETE', () =>
      expect(journal).toHaveSent([sent.get('/ada').as('ada'), sent.delete('/ada/notes/engine.md').as('ada')]),
    );
  },
};

/** Rule 7, the wildcard's value as a list of segments: it names the same record. */
export const DeleteBySegments: Story = {
  beforeEach: fileApi.start,
  render: () => <Files file={['notes', 'engine.md']} />,
  play: DeleteByWildcard.play!,
};

function Opened() {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return <Detail id="1" />;
  return (
    <button type="button" onClick={() => setIsOpen(true)}>
      Open the first
    </button>
  );
}

/** `Entity.pk()` defaults to the `id`: a record of the list is found by its id without a request, and a change of it is shown in both places. */
export const TheKeyIsTheId: Story = {
  render: () => (
    <>
      <Writer />
      <Opened />
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the list, and opens a page of it', async () => {
      await canvas.findByText('On looms');
      await userEvent.click(canvas.getByRole('button', { name: 'Open the first' }));
      await canvas.findByText('Detail: On looms');
    });
    await step('the writer renames it, and both places change', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename' }));
      await canvas.findByText('Detail: On power looms');
      await expect(titlesOf(canvas)).toEqual(['On power looms', 'On steam']);
    });
    await step('the list is read, the page alone is not', () =>
      expect(journal).toHaveSent([
        sent.get('/engines').as('ada'),
        sent.patch('/engines/1').as('ada').json({ title: 'On power looms' }),
      ]),
    );
  },
};
