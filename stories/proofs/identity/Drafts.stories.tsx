import type { Meta, StoryObj } from '@storybook/react-vite';
import { useLayoutEffect, type ReactNode } from 'react';
import { expect, userEvent, within } from 'storybook/test';
import { Authenticated, createTokenSession, RestEndpoint, TokenAuthProvider } from '../../../src/index.js';
import { ResourceForm } from '../../../src/entries/widgets.js';
import { tokenAuthHandlers, type MockTokens } from '../../../src/testing/index.js';
import { setupContextApp } from '../../support/setupContextApp.js';
import { ownApi } from '../../support/setupCookieApp.js';
import {
  ArticlesDemo,
  AuthStatus,
  SdkSignInButtons,
  SignInButtons,
  type ArticleHooks,
} from '../../support/ArticlesDemo.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { inCases } from '../../support/inCases.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api, people } from '../../support/articles.js';
import { createCounter, RenderCounter } from '../../support/RenderCounter.js';

const enter = new RestEndpoint({
  urlPrefix: ownApi,
  path: '/login',
  method: 'POST',
  body: {} as { username: string; password: string },
  process: (value): MockTokens => value,
});

/** A server of two tenants, a and b: in each of them the user has the id 5. */
const tenants = setupTokenApp({
  url: ownApi,
  session: {
    login: async credentials => ({
      ...(await enter(credentials)),
      user: { id: '5', name: credentials.username === 'ada' ? 'a' : 'b' },
    }),
    parseTokens: tokens => ({ ...tokens, subject: `${tokens.user.name}|${tokens.user.id}` }),
  },
});
const { sent } = tenants;
/** A server whose answers name no user. */
const unnamed = setupTokenApp({
  url: ownApi,
  session: { login: async credentials => ({ ...(await enter(credentials)), user: undefined as never }) },
});
const sdk = setupContextApp({ url: ownApi });

interface WritingProps {
  articles: ArticleHooks;
  signInButtons: ReactNode;
  Provider: (props: { children: ReactNode }) => ReactNode;
}

function Writing({ articles, signInButtons, Provider }: WritingProps) {
  return (
    <Provider>
      <AuthStatus />
      {signInButtons}
      <Authenticated>
        <ResourceForm resource={articles} action="push" fields={[{ name: 'title', label: 'Title' }]} />
        <ArticlesDemo articles={articles} />
      </Authenticated>
    </Provider>
  );
}

/** The text that an expiry takes off the screen comes back to the same subject, and to no other. */
const meta = {
  title: 'Proofs/Identity',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;
type Play = Parameters<NonNullable<Story['play']>>[0];

const write = async ({ canvas }: Play, text: string) => {
  await userEvent.type(await canvas.findByLabelText('Title'), text);
  await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
  await canvas.findByText('anonymous: expired');
};
/** Signs in, waits for the user's own articles, and returns the form's field. */
const signIn = async ({ canvas }: Play, name: 'Ada Lovelace' | 'Grace Hopper') => {
  await userEvent.click(canvas.getByRole('button', { name: `Sign in as ${name}` }));
  await canvas.findByText(name === 'Ada Lovelace' ? 'On signing in' : 'A compiler for everyone');
  return canvas.getByLabelText('Title');
};

const draftsOfTheSameIdInTwoTenants: Story = {
  beforeEach: tenants.start(),
  render: () => <Writing articles={tenants.Articles} signInButtons={<SignInButtons />} Provider={tenants.Provider} />,
  play: async context => {
    const { step } = context;
    await step('user 5 of tenant a types, and the session expires', async () => {
      await context.canvas.findByText('anonymous');
      await signIn(context, 'Ada Lovelace');
      tenants.server.revoke('ada');
      await write(context, 'A secret of tenant a');
    });
    await step('user 5 of tenant b gets an empty form (scenario 27)', async () =>
      expect(await signIn(context, 'Grace Hopper')).toHaveValue(''),
    );
    await step('user 5 of tenant a gets the text back', async () =>
      expect(await signIn(context, 'Ada Lovelace')).toHaveValue('A secret of tenant a'),
    );
    await step('the text was sent once, by the user who wrote it', () =>
      expect(context.journal).toHaveSent([
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'A secret of tenant a' }),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.post('/login').json({ username: 'grace', password: 'hopper' }),
        sent.get('/article').as('grace'),
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada', 2),
      ]),
    );
  },
};

const draftsUnderContextTokenProvider: Story = {
  beforeEach: sdk.start('ada'),
  render: () => <Writing articles={sdk.Articles} signInButtons={<SdkSignInButtons />} Provider={sdk.Provider} />,
  play: async context => {
    const { step } = context;
    await step('Ada types, and the SDK has no more token for her', async () => {
      await context.canvas.findByText('On signing in');
      sdk.server.revoke('ada');
      sdk.sdk.fail(Object.assign(new Error('Login required'), { error: 'login_required' }));
      await write(context, 'On writing');
      sdk.sdk.fail();
    });
    await step('Grace gets an empty form', async () => expect(await signIn(context, 'Grace Hopper')).toHaveValue(''));
    await step('Ada gets her text back', async () =>
      expect(await signIn(context, 'Ada Lovelace')).toHaveValue('On writing'),
    );
    await step('the text was sent once, with her token', () =>
      expect(context.journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing' }),
        sent.get('/article').as('grace'),
        sent.get('/article').as('ada', 2),
      ]),
    );
  },
};

const draftsOfAnUnknownUser: Story = {
  beforeEach: unnamed.start(),
  render: () => <Writing articles={unnamed.Articles} signInButtons={<SignInButtons />} Provider={unnamed.Provider} />,
  play: async context => {
    const { step } = context;
    await step('a user types, and the session expires', async () => {
      await context.canvas.findByText('anonymous');
      await signIn(context, 'Ada Lovelace');
      unnamed.server.revoke('ada');
      await write(context, 'On writing');
    });
    await step('the next sign-in gets an empty form', async () =>
      expect(await signIn(context, 'Ada Lovelace')).toHaveValue(''),
    );
    await step('the text was sent once', () =>
      expect(context.journal).toHaveSent([
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing' }),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada', 2),
      ]),
    );
  },
};

/** The text that an expiry takes off the screen comes back to the same subject, and to no other. */
export const Drafts: Story = inCases({
  'two users with the same id, in two tenants': draftsOfTheSameIdInTwoTenants,
  'with an SDK, whose subject is a prop': draftsUnderContextTokenProvider,
  'without a name in the answers, each sign-in may be another user’s': draftsOfAnUnknownUser,
});

/** Issues JWTs, in which `sub` tells whose they are. */
const issuer = tokenAuthHandlers({ url: api, people, jwt: true });
const jwtOf = (who: string) => issuer.signIn(who).accessToken;
let logins = 0;
/** A token that names no user. */
const opaque = () => `opaque-${++logins}`;

/** The ways in which the answer of a login can name the user. */
const TELLING = {
  '`user.id`': createTokenSession({ login: async (who: string) => ({ accessToken: opaque(), user: { id: who } }) }),
  '`user.sub`': createTokenSession({ login: async (who: string) => ({ accessToken: opaque(), user: { sub: who } }) }),
  '`subject`': createTokenSession({ login: async (who: string) => ({ accessToken: opaque(), subject: who }) }),
  'the `sub` of a JWT': createTokenSession({ login: async (who: string) => ({ accessToken: jwtOf(who) }) }),
  '`parseTokens`': createTokenSession({
    login: async (who: string) => ({ accessToken: opaque(), account: who }),
    parseTokens: ({ accessToken, account }) => ({ accessToken, subject: account }),
  }),
  'a JWT by another name': createTokenSession({
    login: async (who: string) => ({ jwt: jwtOf(who) }),
    parseTokens: (answer: { jwt: string }) => ({ accessToken: answer.jwt }),
  }),
};
const WAYS = Object.entries({
  ...TELLING,
  nothing: createTokenSession({ login: async (_who: string) => ({ accessToken: opaque() }) }),
}).map(([label, session]) => ({
  label,
  session,
  mounts: createCounter(),
}));

/** The epoch at which a story starts. */
const before = new Map<object, number>();

/** Counts how often it was mounted. */
function Mounted({ mounts }: { mounts: ReturnType<typeof createCounter> }) {
  useLayoutEffect(() => mounts.add(), [mounts]);
  return null;
}

/**
 * The answer of the login names the user: the same user again changes nothing, another user gets a new tree. If the
 * answer names no user, each login is another identity.
 */
export const WhoItIs: Story = {
  beforeEach: () => {
    for (const { session, mounts } of WAYS) {
      session.dispose();
      mounts.reset();
      before.set(session, session.getSnapshot().epoch);
    }
  },
  render: () => (
    <>
      {WAYS.map(({ label, session, mounts }) => (
        <section key={label} aria-label={label}>
          {['ada', 'grace'].map(who => (
            <ActionButton
              key={who}
              label={`Sign in as ${who}`}
              act={() =>
                session
                  .login(who)
                  .then(() => `Identity no. ${session.getSnapshot().epoch - (before.get(session) ?? 0)}`)
              }
            />
          ))}
          <RenderCounter label="Mounted" counter={mounts} />
          <TokenAuthProvider session={session}>
            <AuthStatus />
            <Mounted mounts={mounts} />
          </TokenAuthProvider>
        </section>
      ))}
    </>
  ),
  play: async ({ canvas, step, hasSent }) => {
    const at = (label: string) => within(canvas.getByRole('region', { name: label }));
    const signIn = async (label: string, who: string, identity: number) => {
      await userEvent.click(at(label).getByRole('button', { name: `Sign in as ${who}` }));
      await at(label).findByText(`Identity no. ${identity}`);
    };
    await step('Ada signs in twice, and is one identity; Grace is another, and the tree is mounted again', async () => {
      for (const label of Object.keys(TELLING)) {
        await signIn(label, 'ada', 1);
        await signIn(label, 'ada', 1);
        await expect(at(label).getByText('Mounted: 1')).toBeInTheDocument();
        await signIn(label, 'grace', 2);
        await at(label).findByText('Mounted: 2');
      }
    });
    await step('if the answer names no user, each login is another identity', async () => {
      await signIn('nothing', 'ada', 1);
      await signIn('nothing', 'ada', 2);
      await at('nothing').findByText('Mounted: 2');
    });
    await hasSent('nothing was sent', []);
  },
};
