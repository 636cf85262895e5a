import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useState, type ComponentProps } from 'react';
import { expect, fn, userEvent, waitFor } from 'storybook/test';
import {
  Authenticated,
  Entity,
  hookifyResource,
  LoginForm,
  resource,
  ResourceForm,
  ResourceList,
} from '../../src/index.js';
import { resourceHandlers } from '../../src/testing/index.js';
import { rows } from '../support/articles.js';
import { SignInButtons } from '../support/ArticlesDemo.js';
import { ownApi } from '../support/setupCookieApp.js';
import { setupWidgetApp } from '../support/setupWidgetApp.js';

const app = setupWidgetApp({
  articles: { validate: ({ title }) => (title === '' ? { title: ['A title is needed.'] } : undefined) },
});
const { sent } = app;

/** Proves how a form creates and changes a record, and that it loses no text. The list beside it is another widget. */
const meta = {
  title: 'Proofs/ResourceForm',
  tags: ['proof', '!autodocs'],
  component: ResourceForm<typeof app.Articles, 'push' | 'unshift' | 'update' | 'partialUpdate'>,
  args: {
    resource: app.Articles,
    action: 'push',
    fields: [
      { name: 'title', label: 'Title' },
      { name: 'content', label: 'Content', type: 'textarea' },
    ],
    onSuccess: fn(),
  },
  decorators: [
    Story => (
      <app.Provider>
        <Story />
        <ResourceList resource={app.Articles} label="Articles" renderItem={article => <span>{article.title}</span>} />
      </app.Provider>
    ),
  ],
  beforeEach: app.start('ada'),
} satisfies Meta<typeof ResourceForm<typeof app.Articles, 'push' | 'unshift' | 'update' | 'partialUpdate'>>;

export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = Parameters<NonNullable<Story['play']>>[0]['canvas'];

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

/** A PUT replaces the record: what has no input is sent as it was. */
export const EditsByPut: Story = {
  args: { action: 'update', params: { id: '1' }, initial: rows[0], fields: [{ name: 'title', label: 'Title' }] },
  play: async ({ canvas, step, journal }) => {
    await step('Ada changes the title; the list follows, and the input keeps it', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByLabelText('Title'), ' twice');
      await userEvent.click(canvas.getByRole('button', { name: 'Save' }));
      await canvas.findByText('On signing in twice');
      await expect(canvas.getByLabelText('Title')).toHaveValue('On signing in twice');
    });
    await step('one PUT', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent
          .put('/article/1')
          .as('ada')
          .json({ id: '1', title: 'On signing in twice', content: 'Knock, and say who you are.', author: 'ada' }),
      ]),
    );
  },
};

/** A PATCH sends what was changed; a press without a change sends nothing. */
export const EditsByPatch: Story = {
  args: { action: 'partialUpdate', params: { id: '1' }, initial: rows[0] },
  play: async ({ canvas, step, journal, args }) => {
    await step('Ada saves without a change', async () => {
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(1));
    });
    await step('she changes the title', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), ' twice{Enter}');
      await canvas.findByText('On signing in twice');
    });
    await step('one PATCH, of the title', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On signing in twice' }),
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

/** Other params are another record: its own text stands in the inputs, and what was typed into the first is not saved into it. */
export const AnotherRecord: Story = {
  render: args => <Chosen {...args} />,
  play: async ({ canvas, step, journal }) => {
    await step('Ada types into the first article, and chooses the second: its own text', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByLabelText('Title'), ' twice');
      await userEvent.click(canvas.getByRole('button', { name: 'Article 2' }));
      await expect(canvas.getByLabelText('Title')).toHaveValue('On signing out');
      await expect(canvas.getByLabelText('Content')).toHaveValue('Leave nothing behind.');
    });
    await step('she changes and saves the second; the first is as it was', async () => {
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

/** A book with empty fields, and its number of pages as text, as some servers have them. */
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

/** Empty inputs for null fields, and a number held as text, are no changes: only what was typed is sent, and it is sent once. */
export const PatchSendsTheChangesOnly: Story = {
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
    await step('two PATCHes, of what she typed', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/book/7').as('ada').json({ year: 1947 }),
        sent.patch('/book/7').as('ada').json({ pages: null, year: null }),
      ]),
    );
  },
};

/** A PUT sends every field; one that nobody has touched goes as it came, whatever its input makes of it. */
export const PutKeepsWhatIsUntouched: Story = {
  ...PatchSendsTheChangesOnly,
  render: ({ onSuccess }) => <BookForm action="update" onSuccess={onSuccess as () => void} />,
  play: async ({ canvas, step, journal, args }) => {
    await step('Ada changes the title', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByLabelText('Book title'), ' and men{Enter}');
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(1));
    });
    await step('one PUT, with the rest as it came', () =>
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

/** No connection: announced, what was typed stays, and the same button sends it once there is one. */
export const Offline: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada writes an article, and is told that the server is out of reach', async () => {
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

/** Nothing typed: the browser says what is needed, at the first input that needs it, and nothing is sent. */
export const Empty: Story = {
  args: {
    fields: [
      { name: 'title', label: 'Title', required: true },
      { name: 'content', label: 'Content', type: 'textarea' },
    ],
  },
  play: async ({ canvas, step, journal }) => {
    await step('Ada creates nothing, and is shown what is needed', async () => {
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await waitFor(() => expect(canvas.getByLabelText('Title')).toHaveFocus());
      await expect(canvas.getByLabelText('Title')).toBeInvalid();
    });
    await step('nothing was sent', () => expect(journal).toHaveSent([sent.get('/article').as('ada')]));
  },
};

/** The server does not accept it (422): it says so at the field, which gets the focus, and what was typed stays. */
export const Refused: Story = {
  play: async ({ canvas, step, journal, args }) => {
    const title = canvas.getByLabelText('Title');
    await step('Ada forgets the title, and is told, at the title', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByLabelText('Content'), 'Word by word.');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        'The server did not accept this. Check what you entered.',
      );
      await waitFor(() => expect(title).toHaveFocus());
      await expect(title).toBeInvalid();
      await expect(title).toHaveAccessibleDescription('A title is needed.');
      await expect(canvas.getByLabelText('Content')).toHaveValue('Word by word.');
      await expect(canvas.getByLabelText('Content')).not.toHaveAttribute('aria-invalid');
      await expect(args.onSuccess).not.toHaveBeenCalled();
    });
    await step('she types one: the field is no longer wrong; it is accepted', async () => {
      await userEvent.type(title, 'On writing');
      await expect(title).not.toHaveAttribute('aria-invalid');
      await expect(canvas.queryByText('A title is needed.')).not.toBeInTheDocument();
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await canvas.findByText('On writing', { selector: 'span' });
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    await step('two POSTs', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: '', content: 'Word by word.' }),
        sent.post('/article').as('ada').json({ title: 'On writing', content: 'Word by word.' }),
      ]),
    );
  },
};

/** A form whose server refuses it once, as `answer` says. */
function refusedWith(answer: () => Response, play: (canvas: Canvas) => Promise<void>, args: Story['args'] = {}): Story {
  return {
    args,
    beforeEach: ({ msw }) => msw.use(http.post('/api/article', answer, { once: true })),
    play: async ({ canvas, step, journal }) => {
      await step('Ada writes an article, and is refused', async () => {
        await canvas.findByText('On signing in');
        await userEvent.type(canvas.getByLabelText('Title'), 'On{Enter}');
        await canvas.findByRole('alert');
      });
      await step('she is told what is wrong, where it is wrong; what she typed is still there', async () => {
        await play(canvas);
        await expect(canvas.getByLabelText('Title')).toHaveValue('On');
      });
      await step('one POST', () =>
        expect(journal).toHaveSent([
          sent.get('/article').as('ada'),
          sent.post('/article').as('ada').json({ title: 'On', content: '' }),
        ]),
      );
    },
  };
}

/** Django REST framework answers 400, with the fields at the top; what is of no field stands in the form's alert. */
export const RefusedByDjango: Story = refusedWith(
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

/** Problem details (RFC 9457): places as JSON pointers; a field that the form does not show is named in the alert. */
export const RefusedByProblemDetails: Story = refusedWith(
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

/** How servers of other makes tell that a title is too short. */
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
];

/** Laravel, Rails, Phoenix, FastAPI, ASP.NET, JSON:API: one after the other refuses, and each time its words stand at the field. */
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
  play: async ({ canvas, step, journal }) => {
    const title = canvas.getByLabelText('Title');
    await step('Ada types a title', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(title, 'On');
    });
    for (const [server] of answers) {
      await step(`Ada presses the button, and is told at the title what ${server} says`, async () => {
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
    await step('one POST for each press', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        ...Array.from({ length: answers.length + 1 }, () =>
          sent.post('/article').as('ada').json({ title: 'On', content: '' }),
        ),
      ]),
    );
  },
};

/** A page of HTML with the status 422 says nothing of fields. */
export const RefusedWithHtml: Story = refusedWith(
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

/** A shape of one's own: `getFieldErrors` reads it. */
export const RefusedInAnotherShape: Story = refusedWith(
  () => HttpResponse.json({ wrong: 'title', why: 'Too short.' }, { status: 422 }),
  canvas => expect(canvas.getByLabelText('Title')).toHaveAccessibleDescription('Too short.'),
  {
    getFieldErrors: answer => {
      const { wrong, why } = answer as { wrong: string; why: string };
      return { [wrong]: [why] };
    },
  },
);

/** A server may tell more than it means to: what stands alone under a name that is no field is not shown, and no token or stack is. */
export const RefusedWithSecrets: Story = refusedWith(
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

/** Ada has gone on to something else when the refusal arrives: it is announced, and what she types goes where she types it. */
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
  play: async ({ canvas, step, journal }) => {
    await step('Ada sends no title, and takes notes before the answer is there', async () => {
      await canvas.findByText('On signing in');
      const release = app.articles.hold();
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await waitFor(() => expect(app.articles.held).toBe(1));
      await userEvent.type(canvas.getByLabelText('Notes'), 'moth');
      release();
    });
    await step('she is refused, and writes on', async () => {
      await canvas.findByRole('alert');
      await expect(canvas.getByLabelText('Title')).toHaveAccessibleDescription('A title is needed.');
      await userEvent.keyboard('s and bugs');
      await expect(canvas.getByLabelText('Notes')).toHaveFocus();
      await expect(canvas.getByLabelText('Notes')).toHaveValue('moths and bugs');
    });
    await step('one POST', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: '', content: '' }),
      ]),
    );
  },
};

/** What no listener of the page has caught. */
const uncaught: unknown[] = [];

/** What `onSuccess` throws is a defect of the app: it is reported, and the article has been created all the same. */
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
    await step('the app is told of its defect', () =>
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

/** The first answer is on its way: a second press sends nothing, and what is typed meanwhile is not thrown away. */
export const Loading: Story = {
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
    await step('the article is in the list once, and the newer text in the form', async () => {
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

/** The session ends as she saves: what she typed comes back when she signs in again, and nobody else sees it. */
export const Expired: Story = {
  decorators: [
    Story => (
      <>
        <SignInButtons />
        <Authenticated fallback={<LoginForm />}>
          <Story />
        </Authenticated>
      </>
    ),
  ],
  play: async ({ canvas, step, journal }) => {
    await step('Ada’s login is revoked while she types; saving brings the login form', async () => {
      await canvas.findByText('On signing in');
      app.server.revoke('ada');
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await canvas.findByText('Your session has ended. Sign in to go on.', { selector: '[role="status"]' });
    });
    await step('Grace signs in: an empty form', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.getByLabelText('Title')).toHaveValue('');
    });
    await step('Ada signs in: her text; this time it is accepted', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await canvas.findByText('On signing in');
      await expect(canvas.getByLabelText('Title')).toHaveValue('On writing');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await canvas.findByText('On writing', { selector: 'span' });
    });
    await step('one article was written, by Ada', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing', content: '' }),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.post('/login').json({ username: 'grace', password: 'hopper' }),
        sent.get('/article').as('grace'),
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada', 2),
        sent.post('/article').as('ada', 2).json({ title: 'On writing', content: '' }),
      ]),
    );
  },
};

/** What an expiry takes off the screen comes back to its own record only. */
export const ExpiredOnOneRecord: Story = {
  decorators: Expired.decorators ?? [],
  render: args => <Chosen {...args} />,
  play: async ({ canvas, step, journal }) => {
    await step('Ada’s login is revoked while she types into the second article', async () => {
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Article 2' }));
      app.server.revoke('ada');
      await userEvent.type(canvas.getByLabelText('Title'), ' again{Enter}');
      await canvas.findByText('Your session has ended. Sign in to go on.', { selector: '[role="status"]' });
    });
    await step(
      'she signs in: the first article has its own text, the second has hers, and it is accepted',
      async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
        await canvas.findByText('On signing in');
        await expect(canvas.getByLabelText('Title')).toHaveValue('On signing in');
        await userEvent.click(canvas.getByRole('button', { name: 'Article 2' }));
        await expect(canvas.getByLabelText('Title')).toHaveValue('On signing out again');
        await userEvent.click(canvas.getByRole('button', { name: 'Save' }));
        await canvas.findByText('On signing out again');
      },
    );
    await step('one article was changed, the second', () => {
      return expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/2').as('ada').json({ title: 'On signing out again' }),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada', 2),
        sent.patch('/article/2').as('ada', 2).json({ title: 'On signing out again' }),
      ]);
    });
  },
};

/** The form, behind a button. */
function Opened(args: ComponentProps<typeof meta.component>) {
  const [isOpen, setOpen] = useState(false);
  return isOpen ? (
    <ResourceForm {...args} />
  ) : (
    <button type="button" onClick={() => setOpen(true)}>
      Write
    </button>
  );
}

/** What an expiry has kept is dropped when its writer signs out, on whichever screen. */
export const SignedOutAfterAnExpiry: Story = {
  decorators: Expired.decorators ?? [],
  render: args => <Opened {...args} />,
  play: async ({ canvas, step, journal }) => {
    await step('Ada’s login is revoked while she writes', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Write' }));
      await canvas.findByText('On signing in');
      app.server.revoke('ada');
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing{Enter}');
      await canvas.findByText('Your session has ended. Sign in to go on.', { selector: '[role="status"]' });
    });
    await step('she signs in, and signs out without going back to the form', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByLabelText('User name');
      // The list beside the form asks as nobody, and is refused.
      await canvas.findByRole('alert');
    });
    await step('she signs in again: an empty form', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
      await expect(canvas.getByLabelText('Title')).toHaveValue('');
    });
    await step('the article was refused, and she signed in twice', () =>
      expect(journal).toHaveSent(
        [
          sent.get('/article').as('ada'),
          sent.post('/article').as('ada').json({ title: 'On writing', content: '' }),
          sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
          sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
          sent.get('/article').as('ada', 2),
          sent.post('/logout').as('ada', 2),
          sent.get('/article'),
          sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
          sent.get('/article').as('ada', 3),
        ],
        { anyOrder: true },
      ),
    );
  },
};
