import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import { ArticlesDemo, AuthStatus, SignInButtons } from '../../support/ArticlesDemo.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { csrf, ownApi, setupCookieApp } from '../../support/setupCookieApp.js';

const app = setupCookieApp();
const { sent } = app;

/** A cookie that the browser does not keep, or that does not say whose it is: the error names the remedy, and nobody is signed in. */
const meta = {
  title: 'Proofs/Requests',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly, cookies: app.cookies },
  render: () => (
    <app.Provider>
      <AuthStatus />
      <SignInButtons />
      <Authenticated>
        <ArticlesDemo articles={app.Articles} />
      </Authenticated>
    </app.Provider>
  ),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** The login succeeds, but the browser keeps no cookie: `whoami` finds no user, and the error message says where to look. */
export const CookieThatWasNotKept: Story = {
  beforeEach: [
    app.start(),
    ({ msw }) => {
      msw.use(http.post(`${ownApi}/login`, () => new HttpResponse(null, { status: 204 }), { once: true }));
    },
  ],
  play: async ({ canvas, step, journal }) => {
    await step('Ada’s login succeeds, and she is still signed out', async () => {
      await canvas.findByText('anonymous');
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        'The login succeeded, but whoami() then found no user signed in. Check that the browser keeps the cookie',
      );
    });
    await step('Grace signs in and sees her articles', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    await step('one whoami after Ada’s login, and no other request of hers', () =>
      expect(journal).toHaveSent([
        sent.get('/whoami'),
        sent.get('/csrf'),
        sent.post('/login').headers(csrf(1)).json({ username: 'ada', password: 'lovelace' }),
        sent.get('/whoami'),
        sent.post('/login').headers(csrf(1)).json({ username: 'grace', password: 'hopper' }),
        sent.get('/article'),
      ]),
    );
  },
};

/** `whoami` answers that a user is signed in, but not which one: the error message names the remedy, and the page stays signed out. */
export const WhoamiWithoutAnId: Story = {
  beforeEach: [
    app.start('ada'),
    ({ msw }) => {
      msw.use(http.get(`${ownApi}/whoami`, () => HttpResponse.json({ name: 'Ada Lovelace' })));
    },
  ],
  play: async ({ canvas, step, journal }) => {
    await step('the server answers, and the page stays signed out', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        "whoami() answered without telling who is signed in. Let it answer an object with `id`, `sub` or `subject`, or read it with the session's `getSubject` option; null or a 401 means signed out.",
      );
      await expect(canvas.getByRole('status')).toHaveTextContent(/^anonymous$/);
    });
    await step('one whoami, and nothing after it', () => expect(journal).toHaveSent([sent.get('/whoami')]));
  },
};
