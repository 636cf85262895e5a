import type { Meta, StoryObj } from '@storybook/react-vite';
import type { ReactNode } from 'react';
import { expect, userEvent } from 'storybook/test';
import { Authenticated, RestEndpoint } from '../../../src/index.js';
import { ResourceForm } from '../../../src/entries/widgets.js';
import type { MockTokens } from '../../../src/testing/index.js';
import { setupContextApp } from '../../support/setupContextApp.js';
import { ownApi } from '../../support/setupCookieApp.js';
import {
  ArticlesDemo,
  SignInButtons,
  SdkSignInButtons,
  AuthStatus,
  type ArticleHooks,
} from '../../support/ArticlesDemo.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { requestsOnly } from '../../support/requestsOnly.js';

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

/** Two users with the same id, in two tenants. */
export const DraftsOfTheSameIdInTwoTenants: Story = {
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

/** With an SDK, whose subject is a prop. */
export const DraftsUnderContextTokenProvider: Story = {
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

/** Without a name in the answers, each sign-in may be another user's. */
export const DraftsOfAnUnknownUser: Story = {
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
