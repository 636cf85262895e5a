import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { expect, userEvent } from 'storybook/test';
import type { RequestLine } from '../../../src/testing/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { inPlainStore } from '../../support/PlainStore.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { titlesOf } from '../../support/titlesOf.js';
import { Detail, group, List, PageResource, setupPages } from './setupPages.js';

const app = setupPages();
const { sent } = app;

/** Rules 8 and 9 of the spec: how updates and creates are called, what they send, and what becomes of the store. */
const meta = {
  title: 'Proofs/Spec rules',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  decorators: inPlainStore,
  beforeEach: app.start,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

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
