import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { expect, fn, userEvent, waitFor } from 'storybook/test';
import { ResourceForm, ResourceList } from '../../../src/entries/widgets.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { talkHandlers, talkRow, Talks } from '../../support/talks.js';
import { inCases } from '../../support/inCases.js';
import { below } from '../../support/below.js';

const app = setupWidgetApp();
const { sent } = app;
const talks = talkHandlers(app.auth);
const onSuccess = fn();

interface TalksWithFormProps {
  action: 'update' | 'partialUpdate';
  fields: readonly ('title' | 'abstract')[];
}

/** Talks by their titles. */
function TalkButtons({ onPress }: { onPress: (id: string) => void }) {
  return (
    <ResourceList
      resource={Talks}
      renderItem={talk => (
        <button type="button" onClick={() => onPress(talk.id)}>
          {talk.title}
        </button>
      )}
    />
  );
}

/** Talks by their titles, and the form of the one whose button was pressed. */
function TalksWithForm({ action, fields }: TalksWithFormProps) {
  const [id, setId] = useState<string>();
  return (
    <>
      <TalkButtons onPress={setId} />
      {id !== undefined && (
        <ResourceForm
          resource={Talks}
          action={action}
          params={{ id }}
          fields={fields.map(name => ({ name, label: name }))}
          onSuccess={onSuccess}
        />
      )}
    </>
  );
}

/** The same form in a dialog, which closes when the record is saved. */
function TalksWithDialog({ action, fields, takesFocus = false }: TalksWithFormProps & { takesFocus?: boolean }) {
  const [id, setId] = useState<string>();
  const close = () => setId(undefined);
  return (
    <>
      <TalkButtons onPress={setId} />
      {id !== undefined && (
        <EditDialog onClose={close} takesFocus={takesFocus}>
          {closeDialog => (
            <ResourceForm
              resource={Talks}
              action={action}
              params={{ id }}
              fields={fields.map(name => ({ name, label: name }))}
              onSuccess={closeDialog}
            />
          )}
        </EditDialog>
      )}
    </>
  );
}

interface EditDialogProps {
  onClose: () => void;
  /** Whether the dialog itself gets the focus. */
  takesFocus: boolean;
  children: (close: () => void) => ReactNode;
}

function EditDialog({ onClose, takesFocus, children }: EditDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    if (takesFocus) dialog.current?.focus();
  }, [takesFocus]);
  return (
    <dialog ref={dialog} aria-label="Edit" tabIndex={-1} onClose={onClose}>
      {children(() => dialog.current?.close())}
    </dialog>
  );
}

/** Proves what a form reads that is opened from a list whose rows have a part of the record: the id and the title. */
const meta = {
  title: 'Proofs/ResourceForm',
  tags: ['proof', '!autodocs'],
  args: { action: 'partialUpdate', fields: ['title'] },
  render: ({ action, fields }) => <TalksWithForm action={action} fields={fields} />,
  decorators: below(app),
  beforeEach: [
    app.start('ada'),
    ({ msw }) => {
      onSuccess.mockClear();
      talks.reset();
      msw.use(...talks.handlers);
      msw.use(http.get(`${ownApi}/talk`, () => HttpResponse.json([{ id: talkRow.id, title: talkRow.title }])));
    },
  ],
} satisfies Meta<TalksWithFormProps>;

export default meta;
type Story = StoryObj<typeof meta>;

const list = sent.get('/talk').as('ada');
const record = sent.get('/talk/1').as('ada');

const replacesARow: Story = {
  args: { action: 'update' },
  play: async ({ canvas, step, hasSent }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'On moths' }));
    await step('the form waits for the whole record, and says so', async () => {
      const release = talks.hold();
      await waitFor(() => expect(talks.held).toBe(1));
      await canvas.findByText('Loading…');
      await expect(canvas.queryByRole('textbox')).not.toBeInTheDocument();
      release();
    });
    await userEvent.type(await canvas.findByLabelText('title'), ' and men{Enter}');
    await waitFor(() => expect(onSuccess).toHaveBeenCalledTimes(1));
    await hasSent('the PUT has the fields that neither the row nor the form has', [
      list,
      record,
      sent
        .put('/talk/1')
        .as('ada')
        .json({ ...talkRow, title: 'On moths and men' }),
    ]);
  },
};

const changesARow: Story = {
  play: async ({ canvas, hasSent }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'On moths' }));
    await userEvent.type(await canvas.findByLabelText('title'), ' and men{Enter}');
    await waitFor(() => expect(onSuccess).toHaveBeenCalledTimes(1));
    await hasSent('no GET of the record', [list, sent.patch('/talk/1').as('ada').json({ title: 'On moths and men' })]);
  },
};

const changesWhatARowLacks: Story = {
  args: { fields: ['title', 'abstract'] },
  play: async ({ canvas, step, hasSent }) => {
    const row = await canvas.findByRole('button', { name: 'On moths' });
    await step('the record cannot be fetched: Ada sees that, and tries again', async () => {
      talks.failNext(503);
      await userEvent.click(row);
      await canvas.findByRole('alert');
      await expect(canvas.queryByRole('textbox')).not.toBeInTheDocument();
      await userEvent.click(canvas.getByRole('button', { name: 'Try again' }));
    });
    const abstract = await canvas.findByLabelText('abstract');
    await expect(abstract).toHaveValue('Tape them into the log.');
    await userEvent.type(abstract, ' Then look.{Enter}');
    await waitFor(() => expect(onSuccess).toHaveBeenCalledTimes(1));
    await hasSent('two GETs of the record, and the PATCH', [
      list,
      record,
      record,
      sent.patch('/talk/1').as('ada').json({ abstract: 'Tape them into the log. Then look.' }),
    ]);
  },
};

/** The form of a row that has a part of its record reads the record only if the act or a field needs more than the row has. */
export const FromARow: Story = inCases({
  'a PUT replaces the whole record: the form reads it first, and loses nothing of it': replacesARow,
  'a PATCH needs the fields of the form only: the row has them, and the form is there at once': changesARow,
  'a field that the row lacks is fetched and never shown as empty, also after a failure': changesWhatARowLacks,
});

const inADialog: Story = {
  render: args => <TalksWithDialog {...args} />,
  play: async ({ canvas, step }) => {
    const button = await canvas.findByRole('button', { name: 'On moths' });
    await step('the store has the record: the first input has the focus', async () => {
      await userEvent.click(button);
      await waitFor(async () => expect(await canvas.findByLabelText('title')).toHaveFocus());
    });
    await step('the dialog closes after the answer, and the focus is where it was before', async () => {
      await userEvent.keyboard(' and men{Enter}');
      await waitFor(() => expect(canvas.queryByRole('dialog')).not.toBeInTheDocument());
      await expect(await canvas.findByRole('button', { name: 'On moths and men' })).toHaveFocus();
    });
  },
};

const loadedInADialog: Story = {
  args: { action: 'update' },
  render: args => <TalksWithDialog {...args} />,
  play: async ({ canvas, step }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'On moths' }));
    await step('the record arrives, and the first input has the focus', async () => {
      await waitFor(async () => expect(await canvas.findByLabelText('title')).toHaveFocus());
    });
  },
};

const loadedInADialogWithTheFocus: Story = {
  ...loadedInADialog,
  render: args => <TalksWithDialog {...args} takesFocus />,
};

/** The first input of a form in a dialog gets the focus, also when the form has to load its record. */
export const InADialog: Story = inCases({
  'the store has the record': inADialog,
  'the record is loaded when the dialog is open': loadedInADialog,
  'the dialog itself has the focus meanwhile, as in Firefox and in many libraries': loadedInADialogWithTheFocus,
});
