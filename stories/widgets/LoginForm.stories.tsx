import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { Authenticated } from '../../src/index.js';
import { LoginForm, ResourceList } from '../../src/entries/widgets.js';
import { AuthStatus } from '../support/ArticlesDemo.js';
import { atStart } from '../support/atStart.js';
import { endedSession } from '../support/endedSession.js';
import { setupWidgetApp } from '../support/setupWidgetApp.js';
import { Articles } from './resources.js';

const { cookies, Provider, start } = setupWidgetApp();

/**
 * Signs a user in, with every provider. The status above the form says who is signed in. The users of the mock server are
 * `ada` with the password `lovelace`, and `grace` with `hopper`.
 */
const meta = {
  title: 'Widgets/LoginForm',
  component: LoginForm,
  decorators: [
    Story => (
      <Provider>
        <AuthStatus />
        <Story />
      </Provider>
    ),
  ],
  beforeEach: start(),
  parameters: { docs: { story: { height: '430px' } } },
} satisfies Meta<typeof LoginForm>;

export default meta;
type Story = StoryObj<typeof meta>;

/** Without props, the form has a user name and a password, with the `autocomplete` values of password managers. */
export const Basic: Story = {};

/** `title` is the heading, and null shows none. `links` are below the button. */
export const TitleAndLinks: Story = {
  args: {
    title: 'Sign in to the library',
    links: <a href="#forgotten">Forgot password?</a>,
  },
  parameters: { docs: { story: { height: '470px' } } },
};

/**
 * `remember` shows a checkbox. A token session whose `storage` is `{ remembered: 'local', otherwise: 'session' }` stores the tokens by it,
 * and a server of a cookie session gets it as the field `remember`.
 */
export const KeepMeSignedIn: Story = {
  args: { remember: true },
  parameters: { docs: { story: { height: '470px' } } },
};

/** `labels` replaces texts of this form. */
export const OwnLabels: Story = {
  args: {
    labels: {
      username: 'Member number',
      password: 'PIN',
      showPassword: 'Show PIN',
      signIn: 'Enter',
      signingIn: 'One moment…',
      wrongLogin: 'We know no member with this number and PIN.',
    },
  },
};

/** `fields` are the inputs, and `onSubmit` replaces the session's login. Here, a user asks for a link by e-mail; `ada@example.com` is known. */
export const OwnFields: Story = {
  args: {
    fields: [{ name: 'email', label: 'E-mail', type: 'email', autoComplete: 'email', required: true }],
    title: 'Sign in by e-mail',
    labels: { signIn: 'Send me a link', signingIn: 'Sending…' },
    onSubmit: ({ email }) =>
      email === 'ada@example.com' ? Promise.resolve() : Promise.reject(new Error('We do not know this address.')),
    renderError: error => error.message,
  },
  parameters: { docs: { story: { height: '350px' } } },
};

/** The server may refuse a login with errors of fields. This one answers 422 to the first login: the account is locked. */
export const FieldErrors: Story = {
  beforeEach: atStart(({ msw }) =>
    msw.use(
      http.post(
        '/api/login',
        () => HttpResponse.json({ errors: { username: ['This account is locked.'] } }, { status: 422 }),
        { once: true },
      ),
    ),
  ),
  parameters: { docs: { story: { height: '470px' } } },
};

/** After a session has ended, a note says why the form is shown: here, the server has refused it. */
export const Expired: Story = {
  // Its first input takes the focus, and would take it from the docs page.
  tags: ['!autodocs'],
  render: () => (
    <Authenticated fallback={<LoginForm />}>
      <ResourceList resource={Articles} label="Articles" renderItem={article => article.title} />
    </Authenticated>
  ),
  beforeEach: [start('ada'), endedSession],
};

/** The page could not check whether a user is signed in. A note says so, and a button checks again. */
export const Offline: Story = {
  globals: { mechanism: 'cookie' },
  beforeEach: atStart(({ msw }) => msw.use(http.get('/api/whoami', () => HttpResponse.error(), { once: true }))),
  parameters: { docs: { story: { height: '600px' } }, cookies },
};
