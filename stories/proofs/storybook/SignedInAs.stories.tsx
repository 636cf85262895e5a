import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect } from 'storybook/test';
import {
  Authenticated,
  createCookieSession,
  createSdkSession,
  createTokenSession,
  RestEndpoint,
  useAuth,
} from '../../../src/index.js';
import { LoginForm, ResourceList } from '../../../src/entries/widgets.js';
import { cookieAuthHandlers, requestLines, tokenAuthHandlers, type MockAuth } from '../../../src/testing/index.js';
import { articleHandlers, articleHooks, articleResource, people } from '../../support/articles.js';
import { MockResolver } from '../../support/MockResolver.js';
import { ownApi } from '../../support/setupCookieApp.js';

const tokens = tokenAuthHandlers({ url: ownApi, people });
const cookies = cookieAuthHandlers({ url: ownApi, people, csrf: {} });

/** Accepts what either server has given away. */
const auth: MockAuth = {
  personOf: incoming => tokens.personOf(incoming) ?? cookies.personOf(incoming),
  authorize: incoming => (tokens.personOf(incoming) ? undefined : cookies.authorize(incoming)),
};
const articles = articleHandlers(auth, { url: ownApi });
const Articles = articleHooks(ownApi);
const sent = requestLines({ prefix: ownApi });

const post = (path: string) => new RestEndpoint({ urlPrefix: ownApi, path, method: 'POST' });
const getWhoami = new RestEndpoint({ urlPrefix: ownApi, path: '/whoami' });

/** A refresh cookie of an earlier visit would be found by this request. The addon sends none. */
const tokenSession = () =>
  createTokenSession({ login: post('/login'), refresh: post('/refresh'), restore: () => getWhoami() });

function UserName() {
  const user = useAuth().user as { id?: string; name?: string } | undefined;
  return <p>Signed in: {user?.name ?? user?.id ?? 'an SDK’s user'}</p>;
}

const fixtures = [
  { endpoint: articleResource(ownApi).getList, args: [], response: [{ id: '9', title: 'On fixtures', author: 'ada' }] },
];

/** The stories of an app whose Storybook has the addon: no story below creates a session or a provider. */
const meta = {
  title: 'Proofs/Signed in as',
  tags: ['proof', '!autodocs'],
  parameters: {
    cookies: [...cookies.cookieNames],
    auth: {
      as: 'ada',
      mechanisms: {
        token: { session: tokenSession, server: tokens },
        cookie: {
          session: () =>
            createCookieSession({
              login: post('/login'),
              whoami: getWhoami,
              csrf: { cookie: 'csrftoken' },
              tabs: false,
            }),
          server: cookies,
        },
        context: { session: ({ person, getToken }) => ({ subject: person ?? null, getToken }), server: tokens },
      },
    },
  },
  beforeEach: ({ msw }) => {
    articles.reset();
    msw.use(...tokens.handlers, ...cookies.handlers, ...articles.handlers);
  },
  render: () => (
    <Authenticated fallback={<LoginForm />}>
      <UserName />
      <ResourceList resource={Articles} label="Articles" renderItem={article => article.title} />
    </Authenticated>
  ),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** 0 login requests, and the list's 1. */
export const WithAToken: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('the first render is Ada’s', () => expect(canvas.getByText('Signed in: Ada Lovelace')).toBeVisible());
    await canvas.findByText('On signing in');
    await hasSent('the list’s request', [sent.get('/article').as('ada')]);
  },
};

/** No `whoami`: the session starts with the user. */
export const WithACookie: Story = {
  globals: { mechanism: 'cookie' },
  play: async ({ canvas, step, hasSent }) => {
    await step('the first render is Ada’s', () => expect(canvas.getByText('Signed in: Ada Lovelace')).toBeVisible());
    await canvas.findByText('On signing in');
    await hasSent('the list’s request', [sent.get('/article')]);
  },
};

/** The addon is the SDK: it has the token of the server. */
export const WithAContextToken: Story = {
  globals: { mechanism: 'context' },
  play: async ({ canvas, hasSent }) => {
    await canvas.findByText('On signing in');
    await hasSent('the list’s request', [sent.get('/article').as('ada')]);
  },
};

/** The SDK's session as a plain object. It knows its user, so the addon does not sign in. */
export const WithAnSdkSession: Story = {
  parameters: {
    auth: {
      mechanisms: {
        token: {
          session: ({ person, getToken }) => createSdkSession({ subject: () => person ?? null, getToken }),
        },
      },
    },
  },
  play: WithAContextToken.play!,
};

/** The gate, and 0 requests: also of a session that would look for a user. */
export const SignedOut: Story = {
  globals: { user: 'none' },
  play: async ({ canvas, step, hasSent }) => {
    await step('the gate is the first render', () =>
      expect(canvas.getByRole('button', { name: 'Sign in' })).toBeVisible(),
    );
    await hasSent('nothing was sent', []);
  },
};

export const SignedOutWithACookie: Story = { globals: { mechanism: 'cookie', user: 'none' }, play: SignedOut.play! };

/** Refused, refreshed, sent once more. */
export const Expired: Story = {
  globals: { network: 'expired' },
  play: async ({ canvas, hasSent }) => {
    await canvas.findByText('On signing in');
    await hasSent('one refresh and one replay', [
      sent.get('/article').as('ada'),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      sent.get('/article').as('ada', 2),
    ]);
  },
};

/** The SDK gets a fresh token for a refused one. */
export const ExpiredWithAContextToken: Story = {
  globals: { mechanism: 'context', network: 'expired' },
  play: async ({ canvas, hasSent }) => {
    await canvas.findByText('On signing in');
    await hasSent('one replay', [sent.get('/article').as('ada'), sent.get('/article').as('ada', 2)]);
  },
};

/** A cookie has no refresh: the session ends, and the gate says why. */
export const ExpiredWithACookie: Story = {
  globals: { mechanism: 'cookie', network: 'expired' },
  play: async ({ canvas, hasSent }) => {
    await canvas.findByText('Your session has ended. Sign in to continue.');
    await hasSent('one refused request, and a whoami, which names nobody', [sent.get('/article'), sent.get('/whoami')]);
  },
};

/** Fixtures in place of requests. The user is the addon's, without a server. */
export const WithMockResolver: Story = {
  globals: { mechanism: 'fixtures' },
  parameters: { auth: { mechanisms: { fixtures: { session: tokenSession } } } },
  decorators: [
    Story => (
      <MockResolver fixtures={fixtures}>
        <Story />
      </MockResolver>
    ),
  ],
  play: async ({ canvas, step, hasSent }) => {
    await step('the first render is Ada’s', () => expect(canvas.getByText('Signed in: Ada')).toBeVisible());
    await canvas.findByText('On fixtures');
    await hasSent('nothing was sent', []);
  },
};
