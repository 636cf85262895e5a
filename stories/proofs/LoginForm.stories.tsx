import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, fn, spyOn, userEvent, waitFor, within } from 'storybook/test';
import { Authenticated } from '../../src/index.js';
import { LoginForm } from '../../src/entries/widgets.js';
import { SignInButtons, AuthStatus } from '../support/ArticlesDemo.js';
import { setupWidgetApp } from '../support/setupWidgetApp.js';
import { requestsOnly } from '../support/requestsOnly.js';
import { csrf } from '../support/setupCookieApp.js';
import { setupTokenApp } from '../support/setupTokenApp.js';
import { placeOfTabs } from '../support/Tabs.js';
import * as examples from '../widgets/LoginForm.stories.js';
import { inCases } from '../support/inCases.js';

const app = setupWidgetApp();
const { sent } = app;

/** Proves how the form signs a user in, and what it says when that fails. The line above it says who is signed in. */
const meta = {
  title: 'Proofs/LoginForm',
  tags: ['proof', '!autodocs'],
  component: LoginForm,
  decorators: [
    Story => (
      <app.Provider>
        <AuthStatus />
        <Story />
      </app.Provider>
    ),
  ],
  beforeEach: app.start(),
} satisfies Meta<typeof LoginForm>;

export default meta;
type Story = StoryObj<typeof meta>;

/** By keyboard alone: the inputs have labels, and Enter sends. Password managers know the inputs by their `autocomplete`. */
export const Basic: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('the user is signed out', async () => {
      await canvas.findByText('anonymous');
    });
    await step('Ada types her name and password, and presses Enter', async () => {
      await expect(canvas.getByRole('form', { name: 'Sign in' })).toBeVisible();
      await expect(canvas.getByRole('heading', { level: 2, name: 'Sign in to your account' })).toBeVisible();
      await expect(canvas.getByLabelText('User name')).toHaveAttribute('autocomplete', 'username');
      await expect(canvas.getByLabelText('Password')).toHaveAttribute('autocomplete', 'current-password');
      await expect(canvas.getByLabelText('User name')).toHaveAttribute('autocapitalize', 'none');
      await expect(canvas.getByLabelText('User name')).toHaveAttribute('spellcheck', 'false');
      await userEvent.tab();
      await userEvent.keyboard('ada');
      await userEvent.tab();
      await userEvent.keyboard('lovelace{Enter}');
      await canvas.findByText('authenticated');
    });
    await step('the password does not stay on the page', () =>
      waitFor(() => expect(canvas.getByLabelText('Password')).toHaveValue('')),
    );
    await hasSent('one login', [sent.post('/login').json({ username: 'ada', password: 'lovelace' })]);
  },
};

const titleAndLinks: Story = {
  ...examples.TitleAndLinks,
  play: async ({ canvas, step, hasSent }) => {
    await step('the user sees the app’s heading, and no other', async () => {
      await canvas.findByText('anonymous');
      await expect(canvas.getByRole('heading')).toHaveTextContent('Sign in to the library');
    });
    await step('after the button, Tab reaches the link', async () => {
      canvas.getByRole('button', { name: 'Sign in' }).focus();
      await userEvent.tab();
      await expect(canvas.getByRole('link', { name: 'Forgot password?' })).toHaveFocus();
    });
    await hasSent('nothing was sent', []);
  },
};

const noTitle: Story = {
  args: { title: null },
  play: async ({ canvas, step, hasSent }) => {
    await step('the form has no heading, and the same name', async () => {
      await canvas.findByText('anonymous');
      await expect(canvas.getByRole('form', { name: 'Sign in' })).toBeVisible();
      await expect(canvas.queryByRole('heading')).not.toBeInTheDocument();
    });
    await hasSent('nothing was sent', []);
  },
};

/** The heading of the form, and links below its button. */
export const Title: Story = inCases({
  'a heading of the app’s own, and a link, which Tab reaches last': titleAndLinks,
  '`title={null}`: no heading': noTitle,
});

/** A password can be shown while it is typed, but not while it is sent: browsers store sent text inputs as suggestions. */
export const ShowsThePassword: Story = {
  play: async ({ canvas, step, msw, hasSent }) => {
    let answer = () => {};
    const held = new Promise<void>(resolve => (answer = resolve));
    msw.use(http.post('/api/login', async () => (await held, HttpResponse.json({}, { status: 401 }))));
    const password = canvas.getByLabelText('Password');
    const show = canvas.getByRole('button', { name: 'Show password' });
    await step('Ada types her password, and shows it', async () => {
      await canvas.findByText('anonymous');
      await userEvent.type(canvas.getByLabelText('User name'), 'ada');
      await userEvent.type(password, 'lovelac');
      await expect(password).toHaveAttribute('type', 'password');
      await userEvent.click(show);
      await expect(password).toHaveAttribute('type', 'text');
      await expect(show).toHaveAttribute('aria-pressed', 'true');
    });
    await step('while it is sent, it is hidden', async () => {
      await userEvent.type(password, '{Enter}');
      await canvas.findByRole('button', { name: 'Signing in…' });
      await expect(password).toHaveAttribute('type', 'password');
      await expect(show).toHaveAttribute('aria-pressed', 'false');
    });
    await step('it is refused: she can show it again', async () => {
      answer();
      await canvas.findByRole('alert');
      await expect(password).toHaveAttribute('type', 'text');
    });
    await hasSent('one login', [sent.post('/login').json({ username: 'ada', password: 'lovelac' })]);
  },
};

/** The server refuses a login with errors of its fields: each error is shown at its field. */
export const RefusedAtAField: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      http.post(
        '/api/login',
        () => HttpResponse.json({ errors: { username: ['This account is locked.'] } }, { status: 422 }),
        { once: true },
      ),
    ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees the error at her name', async () => {
      await canvas.findByText('anonymous');
      await userEvent.type(canvas.getByLabelText('User name'), 'ada');
      await userEvent.type(canvas.getByLabelText('Password'), 'lovelace{Enter}');
      await waitFor(() => expect(canvas.getByLabelText('User name')).toHaveFocus());
      await expect(canvas.getByLabelText('User name')).toHaveAccessibleDescription('This account is locked.');
    });
    await hasSent('one login', [sent.post('/login').json({ username: 'ada', password: 'lovelace' })]);
  },
};

/** A wrong password: the form announces it, and keeps the text. */
export const Refused: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada mistypes her password', async () => {
      await canvas.findByText('anonymous');
      await userEvent.type(canvas.getByLabelText('User name'), 'ada');
      await userEvent.type(canvas.getByLabelText('Password'), 'lovelac{Enter}');
    });
    await step('she sees the error, and her text is still there', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent('The user name or the password is wrong.');
      await expect(canvas.getByLabelText('User name')).toHaveValue('ada');
      await expect(canvas.getByLabelText('Password')).toHaveValue('lovelac');
    });
    await step('it is no failed check of a session: the form offers no retry of that', () =>
      expect(canvas.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument(),
    );
    await step('she adds the missing letter, and is signed in', async () => {
      await userEvent.type(canvas.getByLabelText('Password'), 'e{Enter}');
      await canvas.findByText('authenticated');
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    await hasSent('two logins, no refresh', [
      sent.post('/login').json({ username: 'ada', password: 'lovelac' }),
      sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
    ]);
  },
};

const consoleError = fn<(text: string) => void>();

/** The server answers Ada's login once as `answer` says. The page speaks to Ada, and the console to the developer, once. */
function keepsTheText(answer: () => Response, error: string): Story {
  return {
    beforeEach: ({ msw }) => {
      msw.use(http.post('/api/login', answer, { once: true }));
      const spy = spyOn(console, 'error').mockImplementation(consoleError.mockClear());
      return () => spy.mockRestore();
    },
    play: async ({ canvas, step, hasSent }) => {
      await step('Ada signs in, and the answer has no token', async () => {
        await canvas.findByText('anonymous');
        await userEvent.type(canvas.getByLabelText('User name'), 'ada');
        await userEvent.type(canvas.getByLabelText('Password'), 'lovelace{Enter}');
        await expect(await canvas.findByRole('alert')).toHaveTextContent(/^Signing in did not work. Try again later.$/);
      });
      await step('she stays signed out, and her text is still there', async () => {
        await expect(canvas.getByText('anonymous')).toBeVisible();
        await expect(canvas.getByLabelText('User name')).toHaveValue('ada');
        await expect(canvas.getByLabelText('Password')).toHaveValue('lovelace');
      });
      await step('the developer reads the reason in the console, once', () =>
        waitFor(() =>
          expect(consoleError.mock.calls).toEqual([[expect.stringContaining(`InvalidCredentialError: ${error}`)]]),
        ),
      );
      await hasSent('one login, and nothing after it', [
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
      ]);
    },
  };
}

const answeredWithNothing: Story = keepsTheText(
  () => new HttpResponse(null, { status: 204 }),
  'The server answered nothing (an empty answer or 204), where',
);

const answeredWithHtml: Story = keepsTheText(
  () => HttpResponse.html('<!doctype html><p>Hello</p>'),
  'The server answered a page and not JSON, so',
);

const answeredWithoutAToken: Story = keepsTheText(
  () => HttpResponse.json({ token: 'ada-1' }),
  'The server answered an object with the key `token`, where',
);

/** The server answers the login without a token: the form keeps the text, and the console names the reason and the remedy, once. */
export const AnsweredWithNothing: Story = inCases({
  'with 204': answeredWithNothing,
  'with a page of HTML': answeredWithHtml,
  'with a token under another name': answeredWithoutAToken,
});

/** The answer is under way: the button says so and keeps the focus, and a second press sends nothing. */
export const Loading: Story = {
  play: async ({ canvas, step, msw, hasSent }) => {
    let answer = () => {};
    const held = new Promise<void>(resolve => (answer = resolve));
    msw.use(http.post('/api/login', async () => (await held, HttpResponse.json(app.server.signIn('ada')))));
    await step('Ada presses the button twice', async () => {
      await canvas.findByText('anonymous');
      await userEvent.type(canvas.getByLabelText('User name'), 'ada');
      await userEvent.type(canvas.getByLabelText('Password'), 'lovelace');
      await userEvent.dblClick(canvas.getByRole('button', { name: 'Sign in' }));
      await expect(await canvas.findByRole('button', { name: 'Signing in…' })).toHaveAttribute('aria-disabled', 'true');
      await expect(canvas.getByRole('button', { name: 'Signing in…' })).toHaveFocus();
    });
    await step('the answer arrives', async () => {
      answer();
      await canvas.findByText('authenticated');
    });
    await hasSent('one login', [sent.post('/login').json({ username: 'ada', password: 'lovelace' })]);
  },
};

/** No connection: the form announces it, and keeps the text. */
export const Offline: Story = {
  beforeEach: ({ msw }) => msw.use(http.post('/api/login', () => HttpResponse.error())),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada signs in without a connection', async () => {
      await canvas.findByText('anonymous');
      await userEvent.type(canvas.getByLabelText('User name'), 'ada');
      await userEvent.type(canvas.getByLabelText('Password'), 'lovelace{Enter}');
      await expect(await canvas.findByRole('alert')).toHaveTextContent('The server could not be reached.');
      await expect(canvas.getByLabelText('Password')).toHaveValue('lovelace');
    });
    await hasSent('one login', [sent.post('/login').json({ username: 'ada', password: 'lovelace' })]);
  },
};

const expired: Story = {
  beforeEach: app.start('ada'),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada’s session ends on the server, and her next request finds out', async () => {
      await canvas.findByText('authenticated');
      app.server.revoke('ada');
      await app.session.refresh().catch(() => undefined);
      await canvas.findByText('Your session has ended. Sign in to continue.');
      await expect(canvas.getByRole('form', { name: 'Sign in' })).toHaveAccessibleDescription(
        'Your session has ended. Sign in to continue.',
      );
      await expect(canvas.getByLabelText('User name')).toHaveFocus();
    });
    await hasSent('one refresh, which is refused', [sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' })]);
  },
};

const storageKey = `login-form-story-${crypto.randomUUID()}`;
const shared = setupTokenApp({ session: { storage: { in: placeOfTabs(storageKey), key: storageKey } } });
const otherTab = shared.anotherSession();

/** For each reason, the form says in one sentence why it is shown. A first visit gets no sentence. */
export const SaysWhy: Story = {
  parameters: { ...requestsOnly },
  beforeEach: [
    shared.start(),
    () => {
      otherTab.dispose();
      const stop = otherTab.subscribe(() => {});
      return () => (stop(), otherTab.dispose());
    },
  ],
  render: () => (
    <shared.Provider>
      <Authenticated fallback={<LoginForm />}>
        <SignInButtons />
      </Authenticated>
    </shared.Provider>
  ),
  play: async ({ canvas, step, journal }) => {
    const signIn = async () => {
      await userEvent.type(canvas.getByLabelText('User name'), 'ada');
      await userEvent.type(canvas.getByLabelText('Password'), 'lovelace{Enter}');
      await canvas.findByRole('button', { name: 'Sign out' });
    };
    const expectNote = async (text: string) => {
      const form = await canvas.findByRole('form', { name: 'Sign in' });
      await waitFor(() => expect(form).toHaveAccessibleDescription(text));
      // One polite announcement, and no alert.
      await expect(within(form).getByRole('status')).toHaveTextContent(new RegExp(`^${text}$`));
      await expect(within(form).queryByRole('alert')).not.toBeInTheDocument();
    };
    await step('a first visit: no sentence', async () => {
      const form = await canvas.findByRole('form', { name: 'Sign in' });
      await expect(form).not.toHaveAccessibleDescription();
      await expect(within(form).queryByRole('status')).not.toBeInTheDocument();
    });
    await step('Ada signs in and out: a quiet sentence', async () => {
      await signIn();
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await expectNote('You are signed out.');
    });
    await step('she signs in again, and out in another tab', async () => {
      await signIn();
      await waitFor(() => expect(otherTab.getSnapshot().status).toBe('authenticated'));
      await otherTab.logout();
      await expectNote('You were signed out elsewhere, for example in another tab. Sign in to continue.');
    });
    await step('she signs in once more, and the server ends her session', async () => {
      await signIn();
      shared.server.revoke('ada');
      await shared.session.refresh().catch(() => undefined);
      await expectNote('Your session has ended. Sign in to continue.');
    });
    await step('a wrong password adds an alert, and the sentence stays as it is', async () => {
      const note = canvas.getByText('Your session has ended. Sign in to continue.');
      await userEvent.type(canvas.getByLabelText('User name'), 'ada');
      await userEvent.type(canvas.getByLabelText('Password'), 'lovelac{Enter}');
      await expect(await canvas.findByRole('alert')).toHaveTextContent('The user name or the password is wrong.');
      await expect(canvas.getByText('Your session has ended. Sign in to continue.')).toBe(note);
    });
    await step('four logins, two sign-outs and one refresh', () => {
      const login = shared.sent.post('/login').json({ username: 'ada', password: 'lovelace' });
      return expect(journal).toHaveSent([
        login,
        shared.sent.post('/logout').as('ada'),
        login,
        shared.sent.post('/logout').as('ada', 2),
        login,
        shared.sent.post('/refresh').json({ refreshToken: 'ada-refresh-3' }),
        shared.sent.post('/login').json({ username: 'ada', password: 'lovelac' }),
      ]);
    });
  },
};

/** With a cookie only the server can choose how long it lives: it gets the checkbox as the field `remember`, a boolean. */
export const KeepMeSignedInWithACookie: Story = {
  ...examples.KeepMeSignedIn,
  globals: { mechanism: 'cookie' },
  parameters: { cookies: app.cookies },
  play: async ({ canvas, step, hasSent }) => {
    await step('the checkbox is not checked; Ada checks it by keyboard, and signs in', async () => {
      await canvas.findByText('anonymous');
      const checkbox = canvas.getByRole('checkbox', { name: 'Keep me signed in' });
      await expect(checkbox).not.toBeChecked();
      await userEvent.type(canvas.getByLabelText('User name'), 'ada');
      await userEvent.type(canvas.getByLabelText('Password'), 'lovelace');
      checkbox.focus();
      await userEvent.keyboard(' ');
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
      await canvas.findByText('authenticated');
    });
    await step('the choice does not stay for the next user', () =>
      waitFor(() => expect(canvas.getByRole('checkbox')).not.toBeChecked()),
    );
    await hasSent('the login says it', [
      sent.get('/whoami'),
      sent.get('/csrf'),
      sent.post('/login').headers(csrf(1)).json({ username: 'ada', password: 'lovelace', remember: true }),
    ]);
  },
};

const afterSigningOut: Story = {
  beforeEach: app.start('ada'),
  render: () => (
    <Authenticated fallback={<LoginForm />}>
      <SignInButtons />
    </Authenticated>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada signs out', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Sign out' }));
      await canvas.findByText('anonymous: signed-out');
    });
    await step('the next key goes into the login form', () => expect(canvas.getByLabelText('User name')).toHaveFocus());
    await step('one logout', () => waitFor(() => expect(journal).toHaveSent([sent.post('/logout').as('ada')])));
  },
};

/** The check for an existing session has failed. A retry keeps the focus, is sent once for two presses, and the text stays. */
export const CouldNotCheck: Story = {
  globals: { mechanism: 'cookie' },
  parameters: { cookies: app.cookies },
  beforeEach: ({ msw }) =>
    msw.use(http.get('/api/whoami', () => HttpResponse.html('<!doctype html><p>Accept our terms.'), { once: true })),
  play: async ({ canvas, step, msw, hasSent }) => {
    let answer = () => {};
    await step('the form says that the check failed', async () => {
      await canvas.findByText(/^We could not check if you are signed in\./);
    });
    await step('the user types, then presses “Try again” twice: the button is busy, and keeps the focus', async () => {
      const held = new Promise<void>(resolve => (answer = resolve));
      msw.use(http.get('/api/whoami', () => held.then(() => HttpResponse.json({}, { status: 401 }))));
      await userEvent.type(canvas.getByLabelText('User name'), 'ada');
      await userEvent.type(canvas.getByLabelText('Password'), 'love');
      await userEvent.dblClick(canvas.getByRole('button', { name: 'Try again' }));
      const button = await canvas.findByRole('button', { name: 'Trying again…' });
      await expect(button).toHaveAttribute('aria-disabled', 'true');
      await expect(button).toHaveFocus();
    });
    await step(
      'the user is signed out: the message goes, the text stays, and the next key goes into the form',
      async () => {
        answer();
        await waitFor(() => expect(canvas.queryByText(/^We could not check/)).not.toBeInTheDocument());
        await expect(canvas.getByRole('form', { name: 'Sign in' })).not.toHaveAccessibleDescription();
        await expect(canvas.getByLabelText('User name')).toHaveFocus();
        await expect(canvas.getByLabelText('User name')).toHaveValue('ada');
        await expect(canvas.getByLabelText('Password')).toHaveValue('love');
      },
    );
    await hasSent('two checks', [sent.get('/whoami'), sent.get('/whoami')]);
  },
};

const signOutNotConfirmed: Story = {
  beforeEach: [
    app.start('ada'),
    ({ msw }) => msw.use(http.post('/api/logout', () => HttpResponse.json({}, { status: 500 }), { once: true })),
  ],
  render: () => (
    <Authenticated fallback={<LoginForm />}>
      <SignInButtons />
    </Authenticated>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada signs out: the form has the focus, and says that the server did not confirm it', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Sign out' }));
      await canvas.findByText(/^You are signed out on this page, but the server did not confirm it\./);
      await expect(canvas.getByLabelText('User name')).toHaveFocus();
    });
    await hasSent('one logout', [sent.post('/logout').as('ada')]);
  },
};

/** The screen with the focus goes away: the focus moves to the first input of the form, which says why it is shown. */
export const TakesTheFocus: Story = inCases({
  'after an expiry': expired,
  'after a sign-out': afterSigningOut,
  'after a sign-out that the server has not confirmed': signOutNotConfirmed,
});

/** Other inputs, and a login function of the app. */
export const OtherFields: Story = {
  ...examples.OwnFields,
  play: async ({ canvas, step, hasSent }) => {
    await step('a user with another name sees the refusal', async () => {
      await canvas.findByText('anonymous');
      await userEvent.type(canvas.getByLabelText('E-mail'), 'eve@example.com');
      await userEvent.click(canvas.getByRole('button', { name: 'Send me a link' }));
      await expect(await canvas.findByRole('alert')).toHaveTextContent('We do not know this address.');
      await expect(canvas.getByLabelText('E-mail')).toHaveValue('eve@example.com');
    });
    await hasSent('no request was sent', []);
  },
};
