import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { expect, fn, userEvent, waitFor } from 'storybook/test';
import { Authenticated, TokenAuthProvider, type OnError } from '../../../src/index.js';
import { ResourceDetail, ResourceList } from '../../../src/entries/widgets.js';
import { api } from '../../support/articles.js';
import { fetchAgain } from '../../support/fetchAgain.js';
import { recordConsoleErrors } from '../../support/recordConsoleErrors.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';

const app = setupTokenApp();
const { sent } = app;

const onError = fn<OnError>();
const calls = () =>
  onError.mock.calls.map(([error, { operation, endpoint }]) => [
    // `@data-client/rest` 0.14.9 and later begin the message with the address.
    error.message.replace(`${api}/article: `, ''),
    operation,
    endpoint.method,
    endpoint.path,
  ]);

/** One record, its change and its deletion; the button renders everything again. */
function Demo({ id = '1' }: { id?: string }) {
  const [renders, setRenders] = useState(0);
  return (
    <TokenAuthProvider session={app.session} onError={onError}>
      <button onClick={() => setRenders(renders + 1)}>Render again ({renders})</button>
      <ResourceDetail
        resource={app.Articles}
        params={{ id }}
        label="Article"
        renderItem={(article, { partialUpdate, invalidate }) => (
          <>
            {article.title} <button onClick={() => void partialUpdate({ title: 'Renamed' })}>Rename</button>{' '}
            <button onClick={() => void invalidate()}>Fetch again</button>
          </>
        )}
      />
    </TokenAuthProvider>
  );
}

/** What a user reads when something fails, and what the app and its developer get to know. */
const meta = {
  title: 'Proofs/Look and labels',
  tags: ['proof', '!autodocs'],
  render: () => <Demo />,
  beforeEach: [
    app.start('ada'),
    () => {
      onError.mockReset();
    },
  ],
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** A server answers the rename with each of these in turn. */
const refusals: [answer: () => Response, text: string][] = [
  [
    () => HttpResponse.json({ title: 'Forbidden', detail: 'Only editors rename.' }, { status: 403 }),
    'Only editors rename.',
  ],
  [() => HttpResponse.json({ message: `${'a'.repeat(299)}bc` }, { status: 404 }), `${'a'.repeat(299)}…`],
  [() => HttpResponse.json({ message: '<b>No</b>' }, { status: 403 }), 'You do not have access to this.'],
  [() => HttpResponse.html('<h1>No</h1>', { status: 403 }), 'You do not have access to this.'],
  [
    () => HttpResponse.json({}, { status: 413 }),
    'This is too large for the server. Send less at a time, or a smaller file.',
  ],
  [
    () => HttpResponse.json({ message: 'NullPointerException at Article.java:5' }, { status: 500 }),
    'The server has a problem. Try again in a while.',
  ],
  [() => HttpResponse.error(), 'The server could not be reached. Check the connection.'],
];

/** The server's own message is shown for a 4xx, as text; else the kit's sentence. `onError` is called once for each. */
export const EveryRefusalIsASentence: Story = {
  play: async ({ canvas, step, msw, hasSent }) => {
    await canvas.findByText('On signing in');
    for (const [answer, text] of refusals) {
      await step(text, async () => {
        msw.use(http.patch(`${api}/article/1`, answer, { once: true }));
        await userEvent.click(canvas.getByRole('button', { name: 'Rename' }));
        await waitFor(() => expect(canvas.getByRole('alert').textContent).toBe(text));
      });
    }
    await step('the app hears of each once, with the endpoint', async () => {
      await userEvent.click(canvas.getByRole('button', { name: /Render again/ }));
      await expect(calls().map(([, ...about]) => about)).toEqual(
        refusals.map(() => ['write', 'PATCH', '/article/:id']),
      );
    });
    await hasSent(
      'one PATCH for each; what got no answer from another origin may have been a refusal, so it refreshes',
      [
        sent.get('/article/1').as('ada'),
        ...refusals.map(() => sent.patch('/article/1').as('ada').json({ title: 'Renamed' })),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      ],
    );
  },
};

let consoleErrors: ReturnType<typeof recordConsoleErrors>;

/** The server answers with a text in place of a record: the user reads a sentence, and the developer the words of data-client, once. */
export const AnswerThatCannotBeRead: Story = {
  beforeEach: [
    ({ msw }) => msw.use(http.get(`${api}/article/1`, () => HttpResponse.json('hello'))),
    () => {
      consoleErrors = recordConsoleErrors();
      return consoleErrors.stop;
    },
  ],
  play: async ({ canvas, step, hasSent }) => {
    await step('a sentence without a word of the schema', async () => {
      await expect((await canvas.findByRole('alert')).textContent).toBe(
        'The server sent something that this page cannot show.',
      );
    });
    await step('however often it is rendered, the console and the app hear of it once', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Render again (0)' }));
      await canvas.findByRole('button', { name: 'Render again (1)' });
      await expect(consoleErrors.ofKit()).toEqual([expect.stringMatching(/Unexpected input given to normalize/)]);
      await expect(calls().map(([, ...about]) => about)).toEqual([['read', 'GET', '/article/:id']]);
    });
    await hasSent('one request', [sent.get('/article/1').as('ada')]);
  },
};

/** Two widgets show one failed request, and a retry fails again: two calls. One that throws breaks nothing. A sign-out is no failure. */
export const OnErrorOnceForEachFailure: Story = {
  render: () => (
    <TokenAuthProvider session={app.session} onError={onError}>
      <Authenticated fallback={<p>Signed out</p>}>
        {['One', 'Two'].map(label => (
          <ResourceList
            key={label}
            resource={app.Articles}
            label={label}
            renderHeader={fetchAgain}
            renderItem={article => article.title}
          />
        ))}
      </Authenticated>
    </TokenAuthProvider>
  ),
  beforeEach: () => app.articles.failNext(503, 2),
  play: async ({ canvas, step, hasSent }) => {
    await step('one request fails, two lists show it, and the app hears of it once', async () => {
      await waitFor(() => expect(canvas.getAllByRole('alert')).toHaveLength(2));
      await waitFor(() => expect(calls()).toEqual([['Service Unavailable', 'read', 'GET', '/article']]));
    });
    await step('the retry fails: the app hears of it', async () => {
      await userEvent.click(canvas.getAllByRole('button', { name: 'Try again' })[0] as HTMLElement);
      await waitFor(() => expect(calls()).toHaveLength(2));
    });
    await step('the next retry succeeds, and a sign-out while a list loads is no failure', async () => {
      await userEvent.click(canvas.getAllByRole('button', { name: 'Try again' })[0] as HTMLElement);
      await waitFor(() => expect(canvas.getAllByText('On signing in')).toHaveLength(2));
      const release = app.articles.hold();
      await userEvent.click(canvas.getAllByRole('button', { name: 'Fetch again' })[0] as HTMLElement);
      await waitFor(() => expect(app.articles.held).toBe(1));
      await app.session.logout();
      await canvas.findByText('Signed out');
      release();
      await expect(calls()).toHaveLength(2);
    });
    await hasSent('four requests and the sign-out', [
      sent.get('/article').as('ada'),
      sent.get('/article').as('ada'),
      sent.get('/article').as('ada'),
      sent.get('/article').as('ada'),
      sent.post('/logout').as('ada'),
    ]);
  },
};
