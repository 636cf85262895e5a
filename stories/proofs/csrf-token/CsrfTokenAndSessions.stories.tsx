import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import { csrf, setupCookieApp } from '../../support/setupCookieApp.js';
import { ArticlesDemo } from '../../support/ArticlesDemo.js';
import { Delete, Rename } from '../../support/Rename.js';
import { csrfGate, graceSignsIn, renameLines } from '../../support/csrfGate.js';
import { CountedPage } from '../../support/CountedPage.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const app = setupCookieApp();
const { sent } = app;
/** Its login and logout need no CSRF token, so they work while the token of the page is stale. */
const lenient = setupCookieApp({ server: { csrf: { exempt: ['/login', '/logout'] } } });

/** What becomes of a request that waits for a CSRF token when its session ends. */
const meta = {
  title: 'Proofs/CSRF token',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly, cookies: app.cookies },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Ada signs out while a CSRF token is fetched: the request that waits for it rejects, and is not sent again. */
export const SignOutDuringACsrfFetch: Story = {
  beforeEach: [lenient.start('ada'), csrfGate.start],
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={lenient}>
      <Authenticated>
        <Rename articles={lenient.Articles} ids={['1']}>
          Rename mine
        </Rename>
        <ArticlesDemo articles={lenient.Articles} />
      </Authenticated>
    </CountedPage>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her CSRF token is stale; a rename waits for the new one', async () => {
      lenient.server.expireCsrf();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename mine' }));
      await waitFor(() => expect(csrfGate.waiting).toBe(1));
    });
    await step('she signs out, and the waiting call rejects at once', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText('anonymous: signed-out');
      await canvas.findByText(
        'The user signed out while this request was under way, so its answer was dropped. Sign in, then start it again.',
      );
    });
    await step('the token arrives, and she stays signed out; then Grace signs in', async () => {
      csrfGate.release();
      await waitFor(() => expect(lenient.server.counts.logouts).toBe(1));
      await expect(canvas.getByText('anonymous: signed-out')).toBeInTheDocument();
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.getByText('3 for data, 2 to refresh')).toBeInTheDocument();
    });
    await step('the rename was sent once', () =>
      expect(journal).toHaveSent([
        sent.get('/whoami'),
        sent.get('/article'),
        ...renameLines(sent, ['1'], 1),
        sent.get('/csrf'),
        // The sign-out waits for the token, and asks whose cookie it is.
        sent.get('/whoami'),
        sent.post('/logout').headers(csrf(2)),
        sent.get('/csrf'),
        graceSignsIn(sent, 3),
        sent.get('/article'),
      ]),
    );
  },
};

/**
 * A deletion of Ada's waits for a CSRF token when Grace signs in: her login waits for the token, and the deletion is
 * never sent with Grace's cookie.
 */
export const SwitchDuringACsrfFetch: Story = {
  beforeEach: [lenient.start('ada'), csrfGate.start],
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={lenient}>
      <Delete articles={lenient.Articles} id="1">
        Delete Ada’s
      </Delete>
      <ArticlesDemo articles={lenient.Articles} />
    </CountedPage>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her CSRF token is stale; a deletion waits for the new one', async () => {
      lenient.server.expireCsrf();
      await userEvent.click(canvas.getByRole('button', { name: 'Delete Ada’s' }));
      await waitFor(() => expect(csrfGate.waiting).toBe(1));
    });
    await step(
      'Grace signs in while the token is fetched; the token arrives, and the deletion is called off',
      async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
        csrfGate.release();
        await canvas.findByText('A compiler for everyone');
        await canvas.findByText(
          'The identity changed while this request was under way, so its answer was dropped. Start it again if the new identity wants it.',
        );
      },
    );
    await step('Grace renames one of hers', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await step('the deletion was sent once, with Ada’s cookie, and refused', () =>
      expect(journal).toHaveSent([
        sent.get('/whoami'),
        sent.get('/article'),
        sent.delete('/article/1').headers(csrf(1)),
        sent.get('/csrf'),
        graceSignsIn(sent, 2),
        sent.get('/article'),
        sent.patch('/article/3').headers(csrf(3)).json({ title: 'On knocking' }),
      ]),
    );
  },
};
