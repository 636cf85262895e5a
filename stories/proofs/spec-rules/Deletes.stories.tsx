import { useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent } from 'storybook/test';
import { Entity, hookifyResource, resource } from '../../../src/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api } from '../../support/articles.js';
import { inPlainStore } from '../../support/PlainStore.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupRestApi, useAda } from '../../support/setupRestApi.js';
import { titlesOf } from '../../support/titlesOf.js';
import { Detail, List, PageResource, setupPages } from './setupPages.js';

const app = setupPages();
const { sent } = app;

/** Rule 7 of the spec: what a delete returns, and what becomes of the deleted record in the store. */
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
