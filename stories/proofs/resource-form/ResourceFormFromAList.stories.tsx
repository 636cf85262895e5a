import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { expect, fn, userEvent, waitFor } from 'storybook/test';
import { ResourceForm, ResourceList } from '../../../src/entries/widgets.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { talkHandlers, talkRow, Talks } from '../../support/talks.js';

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
  render: ({ action, fields }) => <TalksWithForm action={action} fields={fields} />,
  decorators: [
    Story => (
      <app.Provider>
        <Story />
      </app.Provider>
    ),
  ],
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

/** A PUT replaces the whole record: the form reads it first, and loses nothing of it. */
export const ReplacesARow: Story = {
  args: { action: 'update', fields: ['title'] },
  play: async ({ canvas, step, journal }) => {
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
    await step('the PUT has the fields that neither the row nor the form has', () =>
      expect(journal).toHaveSent([
        list,
        record,
        sent
          .put('/talk/1')
          .as('ada')
          .json({ ...talkRow, title: 'On moths and men' }),
      ]),
    );
  },
};

/** A PATCH needs the fields of the form only. The row has the title, so the form is there at once. */
export const ChangesARow: Story = {
  args: { action: 'partialUpdate', fields: ['title'] },
  play: async ({ canvas, step, journal }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'On moths' }));
    await userEvent.type(await canvas.findByLabelText('title'), ' and men{Enter}');
    await waitFor(() => expect(onSuccess).toHaveBeenCalledTimes(1));
    await step('no GET of the record', () =>
      expect(journal).toHaveSent([list, sent.patch('/talk/1').as('ada').json({ title: 'On moths and men' })]),
    );
  },
};

/** The row has no abstract. The form fetches it and does not show it as empty, also after a failure. */
export const ChangesWhatARowLacks: Story = {
  args: { action: 'partialUpdate', fields: ['title', 'abstract'] },
  play: async ({ canvas, step, journal }) => {
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
    await step('two GETs of the record, and the PATCH', () =>
      expect(journal).toHaveSent([
        list,
        record,
        record,
        sent.patch('/talk/1').as('ada').json({ abstract: 'Tape them into the log. Then look.' }),
      ]),
    );
  },
};

/** A dialog gives the focus to the first thing in it. That is the form's first input, also when the form has to load its record. */
export const InADialog: Story = {
  args: { action: 'partialUpdate', fields: ['title'] },
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

/** The same with a record that is not in the store: the dialog is open before the form is there. */
export const LoadedInADialog: Story = {
  args: { action: 'update', fields: ['title'] },
  render: args => <TalksWithDialog {...args} />,
  play: async ({ canvas, step }) => {
    await userEvent.click(await canvas.findByRole('button', { name: 'On moths' }));
    await step('the record arrives, and the first input has the focus', async () => {
      await waitFor(async () => expect(await canvas.findByLabelText('title')).toHaveFocus());
    });
  },
};

/** Firefox gives the focus to the dialog itself while the form is not there, and so do the dialogs of many libraries. */
export const LoadedInADialogWithTheFocus: Story = {
  ...LoadedInADialog,
  render: args => <TalksWithDialog {...args} takesFocus />,
};
