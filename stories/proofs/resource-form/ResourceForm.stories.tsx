import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState, type ComponentProps } from 'react';
import { expect, fireEvent, fn, userEvent, waitFor } from 'storybook/test';
import { Entity, hookifyResource, resource } from '../../../src/index.js';
import { ResourceForm } from '../../../src/entries/widgets.js';
import { resourceHandlers } from '../../../src/testing/index.js';
import { rows } from '../../support/articles.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupFormApp } from '../../support/setupFormApp.js';
import { inCases } from '../../support/inCases.js';

const { app, formMeta } = setupFormApp();
const { sent } = app;

/** Proves how a form creates and changes a record, and that it loses no text. The list beside it is another widget. */
const meta = {
  title: 'Proofs/ResourceForm',
  tags: ['proof', '!autodocs'],
  ...formMeta,
} satisfies Meta<typeof formMeta.component>;

export default meta;
type Story = StoryObj<typeof meta>;

/** Creates a record at the end of its list; the form is empty for the next one. */
export const Basic: Story = {
  play: async ({ canvas, step, journal, args }) => {
    await step('Ada writes an article', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing');
      await userEvent.type(canvas.getByLabelText('Content'), 'Word by word.');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
    });
    await step('it is the last of the list, and the form is empty', async () => {
      await canvas.findByText('On writing');
      await expect(canvas.getAllByRole('listitem').at(-1)).toHaveTextContent('On writing');
      await waitFor(() => expect(canvas.getByLabelText('Title')).toHaveValue(''));
      await expect(args.onSuccess).toHaveBeenCalledTimes(1);
    });
    await step('one POST', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing', content: 'Word by word.' }),
      ]),
    );
  },
};

const createsOneByADoubleClick: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada double-clicks, and the answer comes between the two presses', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await waitFor(() => expect(canvas.getByLabelText('Title')).toHaveValue(''));
      await fireEvent.click(canvas.getByRole('button', { name: 'Create' }), { detail: 2 });
    });
    await step('a key that repeats submits no form, and writes lines', async () => {
      const repeat = (label: string) => fireEvent.keyDown(canvas.getByLabelText(label), { key: 'Enter', repeat: true });
      await expect(await repeat('Title')).toBe(false);
      await expect(await repeat('Content')).toBe(true);
    });
    await step('one POST', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing', content: '' }),
      ]),
    );
  },
};

/** The form of one of two articles, and a button for each. */
function Chosen(args: ComponentProps<typeof meta.component>) {
  const [id, setId] = useState('1');
  return (
    <>
      {['1', '2'].map(other => (
        <button key={other} type="button" onClick={() => setId(other)}>
          Article {other}
        </button>
      ))}
      <ResourceForm {...args} action="partialUpdate" params={{ id }} initial={rows.find(row => row.id === id)} />
    </>
  );
}

/** Other params are another record: the inputs have its text, and the text that was typed for the first record is not saved into it. */
export const AnotherRecord: Story = {
  render: args => <Chosen {...args} />,
  play: async ({ canvas, step, journal }) => {
    await step('Ada types into the first article, and chooses the second: its own text is shown', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByLabelText('Title'), ' twice');
      await userEvent.click(canvas.getByRole('button', { name: 'Article 2' }));
      await expect(canvas.getByLabelText('Title')).toHaveValue('On signing out');
      await expect(canvas.getByLabelText('Content')).toHaveValue('Leave nothing behind.');
    });
    await step('she changes and saves the second; the first stays as it was', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), ' again{Enter}');
      await canvas.findByText('On signing out again');
      await userEvent.click(canvas.getByRole('button', { name: 'Article 1' }));
      await expect(canvas.getByLabelText('Title')).toHaveValue('On signing in');
      await expect(canvas.getByText('On signing in')).toBeInTheDocument();
    });
    await step('one PATCH, of the second', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/2').as('ada').json({ title: 'On signing out again' }),
      ]),
    );
  },
};

class Book extends Entity {
  id = '';
  title = '';
  subtitle: string | null = null;
  pages: number | string | null = null;
  year: number | null = null;
  isLent: boolean | null = null;
}

/** A book with empty fields, and its number of pages as text, as some servers send it. */
const book = { id: '7', title: 'On moths', subtitle: null, pages: '5', year: null, isLent: null };
const bookResource = resource({ urlPrefix: ownApi, path: '/book/:id', schema: Book });
const Books = hookifyResource(bookResource);
const books = resourceHandlers(bookResource, [book], { auth: app.auth });

function BookForm({ action, onSuccess }: { action: 'update' | 'partialUpdate'; onSuccess: (() => void) | undefined }) {
  return (
    <ResourceForm
      resource={Books}
      action={action}
      params={{ id: '7' }}
      initial={book}
      fields={[
        { name: 'title', label: 'Book title' },
        { name: 'subtitle', label: 'Subtitle' },
        { name: 'pages', label: 'Pages', type: 'number' },
        { name: 'year', label: 'Year', type: 'number' },
        { name: 'isLent', label: 'Lent', type: 'checkbox' },
      ]}
      onSuccess={onSuccess}
    />
  );
}

const patchSendsTheChangesOnly: Story = {
  beforeEach: ({ msw }) => {
    books.reset();
    msw.use(...books.handlers);
  },
  render: ({ onSuccess }) => <BookForm action="partialUpdate" onSuccess={onSuccess as () => void} />,
  play: async ({ canvas, step, journal, args }) => {
    const save = async (times: number) => {
      await userEvent.click(canvas.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(times));
    };
    await step('Ada saves without a change, then with a year, then without another', async () => {
      await canvas.findByText('On signing in');
      await save(1);
      await userEvent.type(canvas.getByLabelText('Year'), '1947');
      await save(2);
      await save(3);
    });
    await step('she empties the year and the pages', async () => {
      await userEvent.clear(canvas.getByLabelText('Year'));
      await userEvent.clear(canvas.getByLabelText('Pages'));
      await save(4);
    });
    await step('two PATCHes, with the changed fields only', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/book/7').as('ada').json({ year: 1947 }),
        sent.patch('/book/7').as('ada').json({ pages: null, year: null }),
      ]),
    );
  },
};

const putKeepsWhatIsUntouched: Story = {
  ...patchSendsTheChangesOnly,
  render: ({ onSuccess }) => <BookForm action="update" onSuccess={onSuccess as () => void} />,
  play: async ({ canvas, step, journal, args }) => {
    await step('Ada changes the title', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByLabelText('Book title'), ' and men{Enter}');
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(1));
    });
    await step('one PUT, with the other fields as they came', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent
          .put('/book/7')
          .as('ada')
          .json({ id: '7', title: 'On moths and men', subtitle: null, pages: '5', year: null, isLent: null }),
      ]),
    );
  },
};

/** A PATCH sends the changed fields, and a PUT the record with the untouched fields as they came, whatever their inputs show. */
export const PatchSendsTheChangesOnly: Story = inCases({
  'a PATCH: empty inputs for null fields, and a number held as text, are no changes': patchSendsTheChangesOnly,
  'a PUT: every field, and an untouched one as it came': putKeepsWhatIsUntouched,
});

/** No connection: the form announces it and keeps the text, and the same button sends it later. */
export const Offline: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada writes an article, and sees that the server cannot be reached', async () => {
      await canvas.findByText('On signing in');
      app.articles.failNext('network');
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing{Enter}');
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        'The server could not be reached. Check the connection.',
      );
      await expect(canvas.getByLabelText('Title')).toHaveValue('On writing');
    });
    await step('she presses again', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await canvas.findByText('On writing', { selector: 'span' });
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    await step('the same POST twice', () => {
      const post = sent.post('/article').as('ada').json({ title: 'On writing', content: '' });
      return expect(journal).toHaveSent([sent.get('/article').as('ada'), post, post]);
    });
  },
};

/** Errors that no listener of the page has caught. */
const uncaught: unknown[] = [];

/** An error that `onSuccess` throws is the app's: it is reported as uncaught, and the article is created. */
export const AppFailsAfterwards: Story = {
  args: {
    onSuccess: fn(() => {
      throw new TypeError('toast is not a function');
    }),
  },
  beforeEach: () => {
    const take = (event: ErrorEvent) => {
      // Heard before Storybook, which would fail the story.
      event.preventDefault();
      event.stopImmediatePropagation();
      uncaught.push(event.error);
    };
    uncaught.length = 0;
    window.addEventListener('error', take, { capture: true });
    return () => window.removeEventListener('error', take, { capture: true });
  },
  play: async ({ canvas, step, journal }) => {
    await step('Ada writes an article: it is in the list, and the form is empty for the next one', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing{Enter}');
      await canvas.findByText('On writing', { selector: 'span' });
      await waitFor(() => expect(canvas.getByLabelText('Title')).toHaveValue(''));
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    await step('the page reports the app’s error', () =>
      expect(uncaught.map(String)).toEqual(['TypeError: toast is not a function']),
    );
    await step('one POST', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing', content: '' }),
      ]),
    );
  },
};

const loading: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada presses the button twice, and types on', async () => {
      await canvas.findByText('On signing in');
      const release = app.articles.hold();
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing');
      await userEvent.dblClick(canvas.getByRole('button', { name: 'Create' }));
      await expect(await canvas.findByRole('button', { name: 'Saving…' })).toHaveAttribute('aria-disabled', 'true');
      await waitFor(() => expect(app.articles.held).toBe(1));
      await userEvent.type(canvas.getByLabelText('Content'), 'And on.');
      release();
    });
    await step('the article is in the list once, and the newer text is in the form', async () => {
      await canvas.findByText('On writing', { selector: 'span' });
      await canvas.findByRole('button', { name: 'Create' });
      await expect(canvas.getAllByRole('listitem')).toHaveLength(3);
      await expect(canvas.getByLabelText('Content')).toHaveValue('And on.');
    });
    await step('one POST', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing', content: '' }),
      ]),
    );
  },
};

/** A second press creates no second record: not while the answer is under way, nor by a double click or a held Enter after it. */
export const Loading: Story = inCases({
  'the answer is under way: a second press sends nothing, and newer text stays': loading,
  'a double click, or an Enter that is held, when the server answers in between: not a second, empty one':
    createsOneByADoubleClick,
});
