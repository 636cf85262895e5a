import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState, type ComponentProps } from 'react';
import { createPortal } from 'react-dom';
import { expect, fn, screen, userEvent, waitFor } from 'storybook/test';
import { ResourceForm } from '../../../src/entries/widgets.js';
import { rows } from '../../support/articles.js';
import { setupFormApp } from '../../support/setupFormApp.js';
import { inCases } from '../../support/inCases.js';

const { app, formMeta } = setupFormApp();
const { sent } = app;

/** Proves that a form shares its page with other forms, and with code of the app that has to know of unsaved text. */
const meta = {
  title: 'Proofs/ResourceForm',
  tags: ['proof', '!autodocs'],
  ...formMeta,
} satisfies Meta<typeof formMeta.component>;

export default meta;
type Story = StoryObj<typeof meta>;

const onOuterSubmit = fn();
const onPageSubmit = fn();

/** A dialog of the app, for a new article: in the body of the page, and in React below whatever renders it. */
const NewArticle = () =>
  createPortal(
    <ResourceForm
      resource={app.Articles}
      action="push"
      label="New article"
      fields={[{ name: 'title', label: 'New title' }]}
    />,
    document.body,
  );

async function writeNewArticle() {
  await userEvent.type(screen.getByLabelText('New title'), 'On writing');
  await userEvent.click(screen.getByRole('button', { name: 'Create' }));
  await waitFor(() => expect(screen.getByLabelText('New title')).toHaveValue(''));
}

const inAPortalOfAnotherForm: Story = {
  args: {
    action: 'partialUpdate',
    params: { id: '1' },
    initial: rows[0],
    fields: [
      { name: 'title', label: 'Title', required: true },
      {
        name: 'content',
        label: 'Content',
        renderField: ({ inputProps, value, onChange }) => (
          <>
            <input {...inputProps} value={value} onChange={event => onChange(event.target.value)} />
            <NewArticle />
          </>
        ),
      },
    ],
  },
  play: async ({ canvas, step, journal, args }) => {
    await step('Ada empties the title of her article, and creates another one in a dialog', async () => {
      await canvas.findByText('On signing in');
      await userEvent.clear(canvas.getByLabelText(/^Title/));
      await userEvent.type(canvas.getByLabelText('Content'), ' And wait.');
      await writeNewArticle();
    });
    await step('the text of her article is as it was, and not saved', async () => {
      await expect(canvas.getByLabelText(/^Title/)).toHaveValue('');
      await expect(canvas.getByLabelText('Content')).toHaveValue(`${rows[0]!.content} And wait.`);
      await expect(args.onSuccess).not.toHaveBeenCalled();
    });
    await step('one POST, and no PATCH', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing' }),
      ]),
    );
  },
};

const inAPortalOfTheAppsForm: Story = {
  render: () => (
    <form
      aria-label="Article"
      onSubmit={event => {
        event.preventDefault();
        onOuterSubmit();
      }}
    >
      <button type="submit">Publish</button>
      <NewArticle />
    </form>
  ),
  beforeEach: () => {
    onOuterSubmit.mockClear();
    onPageSubmit.mockClear();
    document.addEventListener('submit', onPageSubmit);
    return () => document.removeEventListener('submit', onPageSubmit);
  },
  play: async ({ canvas, step, journal }) => {
    await step('Ada creates an article in the dialog', async () => {
      await canvas.findByText('On signing in');
      await writeNewArticle();
      await expect(onOuterSubmit).not.toHaveBeenCalled();
      await expect(onPageSubmit).toHaveBeenCalledTimes(1);
    });
    await step('she publishes', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Publish' }));
      await expect(onOuterSubmit).toHaveBeenCalledTimes(1);
    });
    await step('one POST', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing' }),
      ]),
    );
  },
};

/** React passes the events of a portal on to the form that renders it: neither form hears of the submit of the other. */
export const InAPortalOfAnotherForm: Story = inCases({
  'another form of the kit sends nothing, and keeps its text': inAPortalOfAnotherForm,
  'a form of the app gets no submit that is not its own; a listener of the page gets it': inAPortalOfTheAppsForm,
});

const onChange = fn();

/** An editor of the app: it says what is unsaved, and can be closed. */
function Editor(props: ComponentProps<typeof formMeta.component>) {
  const [isOpen, setOpen] = useState(true);
  const [unsaved, setUnsaved] = useState('');
  return (
    <>
      {isOpen && (
        <ResourceForm
          {...props}
          onChange={(values, changed) => {
            onChange(values, changed);
            setUnsaved(changed.join(', '));
          }}
        />
      )}
      <button type="button" onClick={() => setOpen(false)}>
        Close
      </button>
      <p>{`Unsaved: ${unsaved || 'nothing'}`}</p>
    </>
  );
}

/** The app hears of each change once, and of a success before `onSuccess`. A field of its own sees the values of the others. */
export const TellsWhatIsUnsaved: Story = {
  render: args => <Editor {...args} />,
  args: {
    action: 'partialUpdate',
    params: { id: '1' },
    initial: rows[0],
    fields: [
      { name: 'title', label: 'Title' },
      {
        name: 'content',
        label: 'Content',
        renderField: ({ inputProps, value, values, onChange: change }) => (
          <>
            <input {...inputProps} value={value} onChange={event => change(event.target.value)} />
            <output>{`About “${values.title as string}”`}</output>
          </>
        ),
      },
      // Its values are a new array in each render.
      { name: 'tags' as 'title', label: 'Tags', type: 'list' },
    ],
  },
  beforeEach: () => {
    onChange.mockClear();
  },
  play: async ({ canvas, step, journal, args }) => {
    const others = { content: rows[0]!.content, tags: [] };
    const takeChanges = () => {
      const calls: unknown[][] = [...onChange.mock.calls];
      onChange.mockClear();
      return calls;
    };
    const titleIs = (title: string, changed: string[]) => [{ title, ...others }, changed];
    await step('nothing is unsaved', async () => {
      await canvas.findByText('About “On signing in”');
      await canvas.findByText('Unsaved: nothing');
      await expect(takeChanges()).toEqual([]);
    });
    await step('Ada types into the title, and takes it back', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), '!?');
      await canvas.findByText('About “On signing in!?”');
      await canvas.findByText('Unsaved: title');
      await userEvent.keyboard('{Backspace}{Backspace}');
      await canvas.findByText('Unsaved: nothing');
      await expect(takeChanges()).toEqual([
        titleIs('On signing in!', ['title']),
        titleIs('On signing in!?', ['title']),
        titleIs('On signing in!', ['title']),
        titleIs('On signing in', []),
      ]);
    });
    await step('she types again, and saves', async () => {
      await userEvent.keyboard('?{Enter}');
      await canvas.findByText('Saved.');
      await canvas.findByText('Unsaved: nothing');
      const [success] = (args.onSuccess as ReturnType<typeof fn>).mock.invocationCallOrder;
      await expect(Math.max(...onChange.mock.invocationCallOrder)).toBeLessThan(success!);
      await expect(takeChanges()).toEqual([titleIs('On signing in?', ['title']), titleIs('On signing in?', [])]);
    });
    await step('she types, and closes the form', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), '!');
      await canvas.findByText('Unsaved: title');
      await userEvent.click(canvas.getByRole('button', { name: 'Close' }));
      await canvas.findByText('Unsaved: nothing');
    });
    await step('one PATCH', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On signing in?' }),
      ]),
    );
  },
};
