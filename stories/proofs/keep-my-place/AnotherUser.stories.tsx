import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { delay, http, HttpResponse } from 'msw';
import type { ReactNode } from 'react';
import { expect, screen, userEvent, waitFor } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import { lock } from '../../../src/entries/lock.js';
import { LoginForm, nextPageNumber, PaginatedList, ResourceList } from '../../../src/entries/widgets.js';
import type { RequestLine } from '../../../src/testing/index.js';
import { manyArticles } from '../../support/manyArticles.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';

const PASSWORDS = { ada: 'lovelace', grace: 'hopper' };
type Person = keyof typeof PASSWORDS;

const rowsOf = (author: Person, firstId: number, title: string) =>
  manyArticles(120).rows.map((row, index) => ({
    ...row,
    id: `${firstId + index}`,
    title: `${title} ${index}`,
    author,
  }));
const rows = [...rowsOf('ada', 1, 'By Ada'), ...rowsOf('grace', 1001, 'By Grace')];
const whole = setupWidgetApp({ rows });
const paged = setupWidgetApp({ rows, articles: { pagination: { style: 'page', size: 20 } } });
type App = typeof whole;

const onExpiry = lock();
const refuse = () => HttpResponse.json({}, { status: 401 });
/** How long the server takes for a list, in milliseconds: an answer comes before, during and after the other user's sign-in. */
const LATENCIES_MS = [0, 20, 60, 120];

/** Reads the list again, or saves an article. */
function Actions({ app }: { app: App }) {
  const controller = useController();
  const list = app.Articles.useGetList();
  const partialUpdate = app.Articles.usePartialUpdate();
  const readAgain = () => controller.fetch(list, {}).catch(() => undefined);
  const save = () => controller.fetch(partialUpdate, { id: '1' }, { content: '' }).catch(() => undefined);
  return (
    <>
      <button type="button" onClick={() => void readAgain()}>
        Read again
      </button>
      <button type="button" onClick={() => void save()}>
        Save
      </button>
    </>
  );
}

/** Users take turns on one page that locks: no row of the one is in the document while the other is signed in. */
const meta = {
  title: 'Proofs/Keep my place',
  tags: ['proof', '!autodocs'],
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Calls back after each mutation, and after each frame. */
function watch(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  let frame = 0;
  const onFrame = () => {
    onChange();
    frame = requestAnimationFrame(onFrame);
  };
  onFrame();
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
}

/** @param late The request for rows that is on its way when the session ends: the list again, or the page that the end of the list loads. */
function takeTurns(app: App, list: ReactNode, late: '/article' | '/article?page=2'): Story {
  return {
    parameters: { cookies: app.cookies },
    beforeEach: app.start('ada'),
    render: () => (
      <app.Provider onExpiry={onExpiry}>
        <Authenticated fallback={<LoginForm />} locked={<LoginForm />}>
          <Actions app={app} />
          <div
            data-testid="list"
            style={{ height: 200, overflow: 'auto' }}
            role="group"
            aria-label="Articles"
            tabIndex={0}
          >
            {list}
          </div>
        </Authenticated>
      </app.Provider>
    ),
    play: async ({ msw, step, journal, hasSent }) => {
      const { session, sent } = app;
      const tokens = { ada: 1, grace: 0 };
      const lines: RequestLine[] = [];
      let latencyMs = 0;
      msw.use(http.get('/api/article', () => delay(latencyMs)));
      const seen = { ada: 0, grace: 0, 'of another user': 0 };
      const stop = watch(() => {
        const text = document.body.textContent;
        const { id } = (session.getSnapshot().user ?? {}) as { id?: Person };
        if (!id) return;
        if (text.includes(id === 'ada' ? 'By Ada' : 'By Grace')) seen[id]++;
        if (text.includes(id === 'ada' ? 'By Grace' : 'By Ada')) seen['of another user']++;
      });
      for (latencyMs of LATENCIES_MS) {
        for (const [before, next] of [['ada', 'grace'] as const, ['grace', 'ada'] as const]) {
          await step(`a list takes ${latencyMs} ms: after ${before}, ${next} signs in`, async () => {
            await screen.findByText(before === 'ada' ? 'By Ada 0' : 'By Grace 0');
            screen.getByTestId('list').scrollTop = 1_000;
            if (late === '/article') await userEvent.click(screen.getByRole('button', { name: 'Read again' }));
            const token = tokens[before];
            lines.push(sent.get('/article').as(before, token), sent.get(late).as(before, token));
            await waitFor(() => expect(journal.entries).toHaveLength(lines.length));
            msw.use(
              http.patch('/api/article/1', refuse, { once: true }),
              http.post('/api/refresh', refuse, { once: true }),
            );
            await userEvent.click(screen.getByRole('button', { name: 'Save' }));
            await screen.findByRole('dialog', { name: /^Your session has ended/ });
            const credentials = { username: next, password: PASSWORDS[next] };
            await session.login(credentials);
            tokens[next]++;
            lines.push(
              sent.patch('/article/1').as(before, token).json({ content: '' }),
              sent.post('/refresh').json({ refreshToken: `${before}-refresh-${token}` }),
              sent.post('/login').json(credentials),
            );
          });
        }
      }
      await screen.findByText('By Ada 0');
      stop();
      await expect(seen.ada).toBeGreaterThan(LATENCIES_MS.length);
      await expect(seen.grace).toBeGreaterThan(LATENCIES_MS.length);
      await expect(seen['of another user']).toBe(0);
      await hasSent('each request is that of the user who is signed in', [
        ...lines,
        sent.get('/article').as('ada', tokens.ada),
      ]);
    },
  };
}

export const InAResourceList: Story = {
  tags: ['slow'],
  ...takeTurns(whole, <ResourceList resource={whole.Articles} renderItem={({ title }) => title} />, '/article'),
};

export const InAPaginatedList: Story = {
  tags: ['slow'],
  ...takeTurns(
    paged,
    <PaginatedList
      resource={paged.Articles}
      paginated="scroll"
      next={nextPageNumber({ size: 20 })}
      renderItem={({ title }) => title}
    />,
    '/article?page=2',
  ),
};
