import type { Meta, StoryContext, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, screen, userEvent, waitFor, within } from 'storybook/test';
import { LOCKED_MS, MINUTE, SECOND, setupClockApp } from '../../support/setupClockApp.js';
import type { Mechanism } from '../../support/linesUnder.js';
import { untilTyping } from '../../support/untilTyping.js';

const app = setupClockApp();
const { clock } = app;

/** Nobody was there for 15 minutes, and the page locks: the user signs in again and goes on, or the page ends. */
const meta = {
  title: 'Proofs/Session clock',
  tags: ['proof', '!autodocs'],
  parameters: { cookies: app.cookies },
  beforeEach: app.start(),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;
type Journal = StoryContext['journal'];

/** The requests that are no reads of the page's beginning. */
const acts = (journal: Journal) =>
  journal.entries
    .map(({ method, url }) => `${method} ${new URL(url).pathname}`)
    .filter(line => /POST|DELETE|PATCH|PUT/.test(line));
const reads = (journal: Journal) => journal.entries.filter(({ url }) => url.endsWith('/article')).length;

const findLock = async () => within(await screen.findByRole('dialog', { name: /^Your session has ended/ }));

/** Pastes the password, as a password manager or a user does (WCAG 3.3.8). */
async function signIn(dialog: Awaited<ReturnType<typeof findLock>>, person: string, password: string) {
  await userEvent.type(dialog.getByLabelText('User name'), person);
  await userEvent.click(dialog.getByLabelText('Password'));
  await userEvent.paste(password);
  await userEvent.click(dialog.getByRole('button', { name: 'Sign in' }));
}

function keepsThePlace(mechanism: Mechanism): Story {
  return {
    globals: { mechanism },
    render: () => app.lockingPage(mechanism),
    play: async ({ canvas, step, journal }) => {
      const field = await untilTyping(canvas);
      clock.advance(15 * MINUTE);
      const dialog = await findLock();
      await step('nothing of the page can be seen, and its warning is gone', async () => {
        await expect(field).not.toBeVisible();
        await waitFor(() => expect(canvas.queryByRole('alert')).not.toBeInTheDocument());
      });
      await step('the form names what a password manager fills in', async () => {
        await expect(dialog.getByLabelText('User name')).toHaveAttribute('autocomplete', 'username');
        await expect(dialog.getByLabelText('Password')).toHaveAttribute('autocomplete', 'current-password');
      });
      await step('a wrong password leaves the page locked', async () => {
        await signIn(dialog, 'ada', 'wrong');
        await expect(await dialog.findByRole('alert')).toBeInTheDocument();
        await expect(canvas.getByText('locked: idle')).toBeInTheDocument();
        await userEvent.clear(dialog.getByLabelText('User name'));
        await userEvent.clear(dialog.getByLabelText('Password'));
      });
      await step('she signs in: the same field, with her text', async () => {
        await signIn(dialog, 'ada', 'lovelace');
        await canvas.findByText('authenticated');
        await expect(canvas.getByLabelText('Notes')).toBe(field);
        await expect(field).toBeVisible();
        await expect(field).toHaveValue('Half a sent');
      });
      await step('one sign-out, two logins, and the articles are not read again', async () => {
        const sent = ['POST /api/logout', 'POST /api/login', 'POST /api/login'];
        await waitFor(() => expect(acts(journal)).toEqual(sent));
        await expect(reads(journal)).toBe(1);
      });
      clock.advance(SECOND);
    },
  };
}

/** With tokens. */
export const KeepsThePlaceUnderTokenAuthProvider = keepsThePlace('token');

/** With a cookie. */
export const KeepsThePlaceUnderCookieAuthProvider = keepsThePlace('cookie');

/** Nobody comes back in the time of the lock: the identity ends, and the next sign-in starts a new page. */
export const NobodyComesBack: Story = {
  globals: { mechanism: 'token' },
  render: () => app.lockingPage('token'),
  play: async ({ canvas, step, journal }) => {
    const field = await untilTyping(canvas);
    clock.advance(15 * MINUTE);
    await findLock();
    clock.advance(LOCKED_MS - SECOND);
    await expect(await screen.findByRole('dialog')).toBeInTheDocument();
    clock.advance(SECOND);
    await step('the page is gone, and the form says why', async () => {
      await canvas.findByText('You were signed out because you were away. Sign in to continue.');
      await expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
      await expect(field).not.toBeInTheDocument();
      await expect(canvas.getByText('anonymous: idle')).toBeInTheDocument();
    });
    await step('Ada signs in: an empty field, and articles that were read again', async () => {
      await signIn(within(canvas.getByRole('form', { name: 'Sign in' })), 'ada', 'lovelace');
      await canvas.findByText('On signing in');
      await expect(canvas.getByLabelText('Notes')).toHaveValue('');
      await expect(reads(journal)).toBe(2);
      await expect(acts(journal)).toEqual(['POST /api/logout', 'POST /api/login']);
    });
  },
};

/** The page locks, and the server does not confirm the sign-out: the form says it, and has no button for it, because a second sign-out would end the lock. */
export const NotConfirmed: Story = {
  globals: { mechanism: 'cookie' },
  render: () => app.lockingPage('cookie'),
  play: async ({ canvas, msw, step, journal }) => {
    msw.use(http.post('/api/logout', () => HttpResponse.json({}, { status: 500 })));
    const field = await untilTyping(canvas);
    clock.advance(15 * MINUTE);
    const dialog = await findLock();
    await step('the form says that the server may still have the session', async () => {
      const form = await dialog.findByRole('form', { name: 'Sign in' });
      await waitFor(() =>
        expect(form).toHaveAccessibleDescription(/^You are signed out on this page, but the server did/),
      );
      await expect(dialog.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
    });
    await step('Ada signs in, and her text is there', async () => {
      await signIn(dialog, 'ada', 'lovelace');
      await canvas.findByText('authenticated');
      await expect(field).toHaveValue('Half a sent');
    });
    await step('one sign-out, and no other', () =>
      waitFor(() => expect(acts(journal)).toEqual(['POST /api/logout', 'POST /api/login'])),
    );
    clock.advance(SECOND);
  },
};
