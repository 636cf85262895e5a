import { AsyncBoundary, useController, useSuspense } from '@data-client/react';
import type { Meta, StoryContext, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useEffect, useRef } from 'react';
import { expect, screen, userEvent, waitFor, within } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import { lock } from '../../../src/entries/lock.js';
import { LoginForm } from '../../../src/entries/widgets.js';
import { manyArticles } from '../../support/manyArticles.js';
import { recordText } from '../../support/recordText.js';
import type { Mechanism } from '../../support/linesUnder.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { inCases } from '../../support/inCases.js';

const app = setupWidgetApp({
  rows: [...manyArticles(500).rows, { id: '2001', title: 'Grace’s first', content: '', author: 'grace' }],
});
const onExpiry = lock();
let unmounts = 0;

/** Every row is in the document: a widget that renders visible rows only would scroll by itself. */
function Titles() {
  const articles = useSuspense(app.Articles.useGetList());
  return (
    <ul>
      {articles.map(({ id, title }) => (
        <li key={id}>{title}</li>
      ))}
    </ul>
  );
}

/** A page with all that a user may lose: a plain input, a long list, and an open dialog with a form. */
function Workplace() {
  const controller = useController();
  const partialUpdate = app.Articles.usePartialUpdate();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => () => void unmounts++, []);
  return (
    <>
      <label>
        Note <input />
      </label>{' '}
      <button type="button" onClick={() => dialog.current?.showModal()}>
        Comment
      </button>
      <div data-testid="list" style={{ height: 200, overflow: 'auto' }} role="group" aria-label="Articles" tabIndex={0}>
        <AsyncBoundary fallback={null}>
          <Titles />
        </AsyncBoundary>
      </div>
      <dialog ref={dialog} aria-label="Comment">
        <form
          onSubmit={event => {
            event.preventDefault();
            void controller.fetch(partialUpdate, { id: '1' }, { content: 'A comment' }).catch(() => undefined);
          }}
        >
          <label>
            Your comment <input />
          </label>
        </form>
      </dialog>
    </>
  );
}

/** The session expires while the user is in the middle of something. The same user continues, and any other user starts anew. */
const meta = {
  title: 'Proofs/Keep my place',
  tags: ['proof', '!autodocs'],
  parameters: { cookies: app.cookies },
  beforeEach: [app.start('ada'), () => void (unmounts = 0)],
  render: () => (
    <app.Provider onExpiry={onExpiry}>
      <Authenticated fallback={<LoginForm />} locked={<LoginForm />}>
        <Workplace />
      </Authenticated>
    </app.Provider>
  ),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;
type Play = Pick<StoryContext, 'canvas' | 'msw' | 'step' | 'journal'>;

const list = () => screen.getByTestId('list');
const comment = () => screen.getByLabelText<HTMLInputElement>('Your comment');
const findLock = () => screen.findByRole('dialog', { name: /^Your session has ended/ });

/** Ada types, scrolls and opens a dialog. The server refuses what she sends there, and a refresh. Returns the place of the list. */
async function untilLocked({ canvas, msw, step, journal }: Play): Promise<{ top: number; sent: () => string[] }> {
  let top = 0;
  await step('Ada writes a note, reads row 400, and comments', async () => {
    await canvas.findByText('Article 400');
    await userEvent.type(canvas.getByLabelText('Note'), 'half a sen');
    canvas.getByText('Article 400').scrollIntoView({ block: 'nearest' });
    top = list().scrollTop;
    await expect(top).toBeGreaterThan(1_000);
    await userEvent.click(canvas.getByRole('button', { name: 'Comment' }));
  });
  await step('the server has ended her session', async () => {
    const refuse = () => HttpResponse.json({}, { status: 401 });
    msw.use(
      ...[http.patch('/api/article/1', refuse, { once: true }), http.post('/api/refresh', refuse, { once: true })],
      http.get('/api/whoami', refuse, { once: true }),
    );
    await userEvent.type(comment(), 'half a comment{Enter}');
    await findLock();
  });
  const before = journal.entries.length;
  const lines = () => journal.entries.map(({ method, url }) => `${method} ${new URL(url).pathname}`);
  return { top, sent: () => lines().slice(before) };
}

async function signIn(person: string, password: string) {
  const form = within(await findLock());
  await userEvent.type(form.getByLabelText('User name'), person);
  await userEvent.type(form.getByLabelText('Password'), password);
  await userEvent.click(form.getByRole('button', { name: 'Sign in' }));
}

function keepsThePlace(mechanism: Mechanism): Story {
  return {
    globals: { mechanism },
    play: async context => {
      const { step } = context;
      const { top, sent } = await untilLocked(context);
      await step('nothing of her page can be seen, and only the dialog can be reached', async () => {
        await expect(comment()).not.toBeVisible();
        await expect(list()).not.toBeVisible();
        await expect(comment().closest('[inert]')).not.toBeNull();
        await waitFor(() => expect(screen.getByLabelText('User name')).toHaveFocus());
        await userEvent.keyboard('{Escape}{Escape}');
        await expect(await findLock()).toBeVisible();
      });
      await step('she signs in: text, place, dialog and focus are as before', async () => {
        await signIn('ada', 'lovelace');
        await waitFor(() => expect(comment()).toHaveFocus());
        await expect(screen.queryByRole('dialog', { name: /^Your session/ })).not.toBeInTheDocument();
        await expect(comment()).toBeVisible();
        await expect(comment()).toHaveValue('half a comment');
        await expect(comment().selectionStart).toBe('half a comment'.length);
        await expect(screen.getByLabelText('Note')).toHaveValue('half a sen');
        await expect(list().scrollTop).toBe(top);
        await expect(await screen.findByText('Article 400')).toBeVisible();
        await expect(unmounts).toBe(0);
      });
      await step('one login, and the refused PATCH once more', () =>
        waitFor(() => expect(sent()).toEqual(['POST /api/login', 'PATCH /api/article/1'])),
      );
    },
  };
}

/** The session ends while Ada types: she signs in and goes on with her text, her place, her dialog and her focus. */
export const SameUser: Story = inCases({
  'with tokens': keepsThePlace('token'),
  'with a cookie': keepsThePlace('cookie'),
});

/** Grace signs in on Ada's locked page: nothing of Ada's is sent or shown. */
export const AnotherUser: Story = {
  play: async context => {
    const { step } = context;
    const { sent } = await untilLocked(context);
    const texts = recordText(document.body);
    await step('Grace signs in, and sees her own list', async () => {
      await signIn('grace', 'hopper');
      await screen.findByText('Grace’s first');
      texts.stop();
      await expect(unmounts).toBe(1);
      await expect(screen.getByLabelText('Note')).toHaveValue('');
    });
    await step('no text of Ada is in the document from then on', async () => {
      const withAdas = texts.since('Grace’s first').filter(text => text.includes('Article 4'));
      await expect(withAdas.map(text => text.replace(/\s+/g, ' ').slice(0, 400)).join('|')).toBe('');
    });
    await step('her login and her list, and no PATCH', () =>
      expect(sent()).toEqual(['POST /api/login', 'GET /api/article']),
    );
  },
};

/** “Not me”: the identity ends, as after a sign-out, and nothing is sent. */
export const NotMe: Story = {
  play: async context => {
    const { sent } = await untilLocked(context);
    await userEvent.click(within(await findLock()).getByRole('button', { name: 'Not me' }));
    await screen.findByText('You are signed out.');
    await expect(screen.queryByText('Article 400')).not.toBeInTheDocument();
    await expect(unmounts).toBe(1);
    await expect(sent()).toEqual([]);
  },
};
