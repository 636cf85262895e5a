import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState, type ComponentProps } from 'react';
import { expect, fireEvent, fn, screen, userEvent, waitFor } from 'storybook/test';
import { Entity, hookifyResource, resource } from '../../../src/index.js';
import { ResourceForm } from '../../../src/entries/widgets.js';
import { resourceHandlers } from '../../../src/testing/index.js';
import { rows } from '../../support/articles.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupFormApp } from '../../support/setupFormApp.js';
import { inCases } from '../../support/inCases.js';
import { http, HttpResponse } from 'msw';
import { createPortal } from 'react-dom';

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
  play: async ({ canvas, step, args, hasSent }) => {
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
    await hasSent('one POST', [
      sent.get('/article').as('ada'),
      sent.post('/article').as('ada').json({ title: 'On writing', content: 'Word by word.' }),
    ]);
  },
};

const createsOneByADoubleClick: Story = {
  play: async ({ canvas, step, hasSent }) => {
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
    await hasSent('one POST', [
      sent.get('/article').as('ada'),
      sent.post('/article').as('ada').json({ title: 'On writing', content: '' }),
    ]);
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
  play: async ({ canvas, step, hasSent }) => {
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
    await hasSent('one PATCH, of the second', [
      sent.get('/article').as('ada'),
      sent.patch('/article/2').as('ada').json({ title: 'On signing out again' }),
    ]);
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
  play: async ({ canvas, step, args, hasSent }) => {
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
    await hasSent('two PATCHes, with the changed fields only', [
      sent.get('/article').as('ada'),
      sent.patch('/book/7').as('ada').json({ year: 1947 }),
      sent.patch('/book/7').as('ada').json({ pages: null, year: null }),
    ]);
  },
};

const putKeepsWhatIsUntouched: Story = {
  ...patchSendsTheChangesOnly,
  render: ({ onSuccess }) => <BookForm action="update" onSuccess={onSuccess as () => void} />,
  play: async ({ canvas, step, args, hasSent }) => {
    await step('Ada changes the title', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByLabelText('Book title'), ' and men{Enter}');
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(1));
    });
    await hasSent('one PUT, with the other fields as they came', [
      sent.get('/article').as('ada'),
      sent
        .put('/book/7')
        .as('ada')
        .json({ id: '7', title: 'On moths and men', subtitle: null, pages: '5', year: null, isLent: null }),
    ]);
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
  play: async ({ canvas, step, hasSent }) => {
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
    await hasSent('one POST', [
      sent.get('/article').as('ada'),
      sent.post('/article').as('ada').json({ title: 'On writing', content: '' }),
    ]);
  },
};

const loading: Story = {
  play: async ({ canvas, step, hasSent }) => {
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
    await hasSent('one POST', [
      sent.get('/article').as('ada'),
      sent.post('/article').as('ada').json({ title: 'On writing', content: '' }),
    ]);
  },
};

/** A second press creates no second record: not while the answer is under way, nor by a double click or a held Enter after it. */
export const Loading: Story = inCases({
  'the answer is under way: a second press sends nothing, and newer text stays': loading,
  'a double click, or an Enter that is held, when the server answers in between: not a second, empty one':
    createsOneByADoubleClick,
});

type Canvas = Parameters<NonNullable<Story['play']>>[0]['canvas'];

/** The server refuses the values (422): the field shows the error and gets the focus, and the text stays. */
export const Refused: Story = {
  play: async ({ canvas, step, args, hasSent }) => {
    const title = canvas.getByLabelText('Title');
    await step('Ada sends no title, and sees the error at the title', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByLabelText('Content'), 'Word by word.');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        'The server did not accept this. Check what you entered.',
      );
      // Screen readers say it. Sighted users see the message at the field only.
      await expect(canvas.getByRole('alert')).toHaveClass('dca-hidden');
      await waitFor(() => expect(title).toHaveFocus());
      await expect(title).toBeInvalid();
      await expect(title).toHaveAccessibleDescription('A title is needed.');
      await expect(canvas.getByLabelText('Content')).toHaveValue('Word by word.');
      await expect(canvas.getByLabelText('Content')).not.toHaveAttribute('aria-invalid');
      await expect(args.onSuccess).not.toHaveBeenCalled();
    });
    await step('she types one: the field is no longer invalid, and the server accepts it', async () => {
      await userEvent.type(title, 'On writing');
      await expect(title).not.toHaveAttribute('aria-invalid');
      await expect(canvas.queryByText('A title is needed.')).not.toBeInTheDocument();
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await canvas.findByText('On writing', { selector: 'span' });
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    await hasSent('two POSTs', [
      sent.get('/article').as('ada'),
      sent.post('/article').as('ada').json({ title: '', content: 'Word by word.' }),
      sent.post('/article').as('ada').json({ title: 'On writing', content: 'Word by word.' }),
    ]);
  },
};

/** What the browser refuses looks like what the server refuses: the message is at its field, which gets the focus. Nothing is sent. */
export const RequiredIsEmpty: Story = {
  args: {
    fields: [
      { name: 'title', label: 'Title', required: true },
      { name: 'content', label: 'Content', type: 'textarea', required: true },
    ],
  },
  play: async ({ canvas, step, hasSent }) => {
    const [title, content] = [canvas.getByLabelText('Title'), canvas.getByLabelText('Content')];
    await canvas.findByText('On signing in');
    await step('Ada fills in nothing: each field says why it is not accepted', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await waitFor(() => expect(title).toHaveFocus());
      for (const input of [title, content]) {
        await expect(input).toHaveAttribute('aria-invalid', 'true');
        await expect(input).toHaveAccessibleDescription(/\w/);
      }
    });
    await step(
      'she presses Enter in the empty title: the focus comes again, so that a screen reader reads the message',
      async () => {
        const focused = fn();
        title.addEventListener('focus', focused);
        await userEvent.keyboard('{Enter}');
        await waitFor(() => expect(focused).toHaveBeenCalledOnce());
      },
    );
    await step('she writes a title: the message is left at the other field', async () => {
      await userEvent.type(title, 'On writing');
      await expect(title).not.toHaveAttribute('aria-invalid');
      await expect(title).not.toHaveAccessibleDescription();
      await userEvent.keyboard('{Enter}');
      await waitFor(() => expect(content).toHaveFocus());
    });
    await step('she writes the rest, and the form sends it', async () => {
      await userEvent.type(content, 'Word by word.');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await canvas.findByText('On writing', { selector: 'span' });
    });
    await hasSent('one POST', [
      sent.get('/article').as('ada'),
      sent.post('/article').as('ada').json({ title: 'On writing', content: 'Word by word.' }),
    ]);
  },
};

/** A form whose server refuses it once, as `answer` says. */
function refusedWith(answer: () => Response, play: (canvas: Canvas) => Promise<void>, args: Story['args'] = {}): Story {
  return {
    args,
    beforeEach: ({ msw }) => msw.use(http.post('/api/article', answer, { once: true })),
    play: async ({ canvas, step, hasSent }) => {
      await step('Ada writes an article, and the server refuses it', async () => {
        await canvas.findByText('On signing in');
        await userEvent.type(canvas.getByLabelText('Title'), 'On{Enter}');
        await canvas.findByRole('alert');
      });
      await step('she sees each error at its place, and her text is still there', async () => {
        await play(canvas);
        await expect(canvas.getByLabelText('Title')).toHaveValue('On');
      });
      await hasSent('one POST', [
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On', content: '' }),
      ]);
    },
  };
}

const refusedByDjango: Story = refusedWith(
  () =>
    HttpResponse.json(
      { content: ['This field may not be blank.'], non_field_errors: ['Write more than that.'] },
      { status: 400 },
    ),
  async canvas => {
    await expect(canvas.getByRole('alert')).toHaveTextContent(/^Write more than that\.$/);
    await waitFor(() => expect(canvas.getByLabelText('Content')).toHaveFocus());
    await expect(canvas.getByLabelText('Content')).toHaveAccessibleDescription('This field may not be blank.');
  },
);

const refusedByProblemDetails: Story = refusedWith(
  () =>
    HttpResponse.json(
      {
        type: 'about:blank',
        title: 'Not valid',
        errors: [
          { pointer: '#/title', detail: 'Too short.' },
          { pointer: '#/slug', detail: 'Taken.' },
        ],
      },
      { status: 422, headers: { 'Content-Type': 'application/problem+json' } },
    ),
  async canvas => {
    await expect(canvas.getByRole('alert')).toHaveTextContent(/^slug: Taken\.$/);
    await expect(canvas.getByLabelText('Title')).toHaveAccessibleDescription('Too short.');
  },
);

/** How other servers answer that a title is too short. */
const answers: [server: string, status: number, answer: (text: string) => object][] = [
  ['Laravel', 422, text => ({ message: text, errors: { title: [text] } })],
  ['Rails', 422, text => ({ errors: { title: [text], base: ['Nothing was written.'] } })],
  ['Phoenix', 422, text => ({ errors: { title: [text] } })],
  ['FastAPI', 422, text => ({ detail: [{ type: 'string_too_short', loc: ['body', 'title'], msg: text }] })],
  [
    'ASP.NET',
    400,
    text => ({ title: 'One or more validation errors occurred.', status: 400, errors: { Title: [text] } }),
  ],
  [
    'JSON:API',
    409,
    text => ({
      errors: [{ status: '409', source: { pointer: '/data/attributes/title' }, title: 'Conflict', detail: text }],
    }),
  ],
  [
    'GitHub',
    422,
    text => ({
      message: 'Validation Failed',
      errors: [{ resource: 'Article', field: 'title', code: 'custom', message: text }],
    }),
  ],
];

/** Laravel, Rails, Phoenix, FastAPI, ASP.NET, JSON:API, GitHub: each refuses in turn, and its message is shown at the field. */
export const RefusedInManyShapes: Story = {
  beforeEach: ({ msw }) => {
    let refusals = 0;
    msw.use(
      http.post('/api/article', () => {
        const [server, status = 422, answer] = answers[refusals++] ?? [];
        return answer && HttpResponse.json(answer(`${server}: too short.`), { status });
      }),
    );
  },
  play: async ({ canvas, step, hasSent }) => {
    const title = canvas.getByLabelText('Title');
    await step('Ada types a title', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(title, 'On');
    });
    for (const [server] of answers) {
      await step(`Ada presses the button, and sees at the title the message of ${server}`, async () => {
        await userEvent.click(await canvas.findByRole('button', { name: 'Create' }));
        await waitFor(() => expect(title).toHaveAccessibleDescription(`${server}: too short.`));
        await expect(title).toBeInvalid();
        await expect(canvas.getByLabelText('Content')).not.toHaveAttribute('aria-invalid');
        await expect(title).toHaveValue('On');
      });
    }
    await step('the next server accepts it', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Create' }));
      await canvas.findByText('On', { selector: 'span' });
    });
    await hasSent('one POST for each press', [
      sent.get('/article').as('ada'),
      ...Array.from({ length: answers.length + 1 }, () =>
        sent.post('/article').as('ada').json({ title: 'On', content: '' }),
      ),
    ]);
  },
};

const refusedWithHtml: Story = refusedWith(
  () =>
    new HttpResponse('<!doctype html><h1>Unprocessable</h1>', {
      status: 422,
      headers: { 'Content-Type': 'text/html' },
    }),
  async canvas => {
    await expect(canvas.getByRole('alert')).toHaveTextContent(
      'The server did not accept this. Check what you entered.',
    );
    await expect(canvas.getByLabelText('Title')).not.toHaveAttribute('aria-invalid');
    await expect(canvas.getByLabelText('Title')).toHaveAccessibleDescription(
      'The server did not accept this. Check what you entered.',
    );
  },
);

const refusedInAnotherShape: Story = refusedWith(
  () => HttpResponse.json({ wrong: 'title', why: 'Too short.' }, { status: 422 }),
  canvas => expect(canvas.getByLabelText('Title')).toHaveAccessibleDescription('Too short.'),
  {
    getFieldErrors: answer => {
      const { wrong, why } = answer as { wrong: string; why: string };
      return { [wrong]: [why] };
    },
  },
);

const refusedWithSecrets: Story = refusedWith(
  () =>
    HttpResponse.json(
      { errors: { title: ['Too short.'], slug: ['Taken.'], token: ['ada-1'], code: 'E1', stack: 'at x' } },
      { status: 422 },
    ),
  async canvas => {
    await expect(canvas.getByRole('alert')).toHaveTextContent(/^slug: Taken\.$/);
    await expect(canvas.getByLabelText('Title')).toHaveAccessibleDescription('Too short.');
  },
);

/** Each error of a refusal is at its field, or in the alert of the form where it has none; nothing else of the answer is shown. */
export const RefusedAtItsPlace: Story = inCases({
  'Django REST framework answers 400, with the fields at the top level': refusedByDjango,
  'problem details (RFC 9457) with JSON pointers, one of a field that the form does not show': refusedByProblemDetails,
  'a page of HTML names no fields': refusedWithHtml,
  '`getFieldErrors` reads a shape of the app’s own server': refusedInAnotherShape,
  'a text under a name that is no field is not shown, and neither is a token or a stack': refusedWithSecrets,
});

/** Ada has moved on when the refusal arrives: the form announces it, and the focus stays where she types. */
export const RefusedLate: Story = {
  decorators: [
    Story => (
      <>
        <Story />
        <label>
          Notes <input />
        </label>
      </>
    ),
  ],
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sends no title, and types elsewhere before the answer arrives', async () => {
      await canvas.findByText('On signing in');
      const release = app.articles.hold();
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await waitFor(() => expect(app.articles.held).toBe(1));
      await userEvent.type(canvas.getByLabelText('Notes'), 'moth');
      release();
    });
    await step('the refusal arrives, and she types on', async () => {
      await canvas.findByRole('alert');
      await expect(canvas.getByLabelText('Title')).toHaveAccessibleDescription('A title is needed.');
      await userEvent.keyboard('s and bugs');
      await expect(canvas.getByLabelText('Notes')).toHaveFocus();
      await expect(canvas.getByLabelText('Notes')).toHaveValue('moths and bugs');
    });
    await hasSent('one POST', [
      sent.get('/article').as('ada'),
      sent.post('/article').as('ada').json({ title: '', content: '' }),
    ]);
  },
};

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
  play: async ({ canvas, step, args, hasSent }) => {
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
    await hasSent('one POST, and no PATCH', [
      sent.get('/article').as('ada'),
      sent.post('/article').as('ada').json({ title: 'On writing' }),
    ]);
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
  play: async ({ canvas, step, hasSent }) => {
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
    await hasSent('one POST', [
      sent.get('/article').as('ada'),
      sent.post('/article').as('ada').json({ title: 'On writing' }),
    ]);
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
  play: async ({ canvas, step, args, hasSent }) => {
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
    await hasSent('one PATCH', [
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada').json({ title: 'On signing in?' }),
    ]);
  },
};
