import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, fn, userEvent, waitFor } from 'storybook/test';
import { setupFormApp } from '../../support/setupFormApp.js';
import { inCases } from '../../support/inCases.js';

const { app, formMeta } = setupFormApp();
const { sent } = app;

/** What the form shows when the server refuses its values. */
const meta = {
  title: 'Proofs/ResourceForm',
  tags: ['proof', '!autodocs'],
  ...formMeta,
} satisfies Meta<typeof formMeta.component>;

export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = Parameters<NonNullable<Story['play']>>[0]['canvas'];

/** The server refuses the values (422): the field shows the error and gets the focus, and the text stays. */
export const Refused: Story = {
  play: async ({ canvas, step, journal, args }) => {
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
    await step('two POSTs', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: '', content: 'Word by word.' }),
        sent.post('/article').as('ada').json({ title: 'On writing', content: 'Word by word.' }),
      ]),
    );
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
  play: async ({ canvas, step, journal }) => {
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
    await step('one POST', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
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
      await step('Ada writes an article, and the server refuses it', async () => {
        await canvas.findByText('On signing in');
        await userEvent.type(canvas.getByLabelText('Title'), 'On{Enter}');
        await canvas.findByRole('alert');
      });
      await step('she sees each error at its place, and her text is still there', async () => {
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
  play: async ({ canvas, step, journal }) => {
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
  play: async ({ canvas, step, journal }) => {
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
    await step('one POST', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: '', content: '' }),
      ]),
    );
  },
};
