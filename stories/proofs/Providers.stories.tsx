import type { Meta, StoryContext, StoryObj } from '@storybook/react-vite';
import type { ComponentType, ReactNode } from 'react';
import { expect, fn, userEvent, waitFor } from 'storybook/test';
import { Authenticated } from '../../src/index.js';
import type { RequestLine } from '../../src/testing/index.js';
import {
  ArticlesDemo,
  AuthStatus,
  SdkSignInButtons,
  SignInButtons,
  type ArticleHooks,
} from '../support/ArticlesDemo.js';
import { inCases } from '../support/inCases.js';
import { requestsOnly } from '../support/requestsOnly.js';
import { setupContextApp } from '../support/setupContextApp.js';
import { csrf, setupCookieApp } from '../support/setupCookieApp.js';
import { setupTokenApp } from '../support/setupTokenApp.js';
import type { StoryStart } from '../support/StoryStart.js';

const onExpired = fn();
const tokens = setupTokenApp();
const cookies = setupCookieApp();
const sdk = setupContextApp({ onExpired });

/** What each provider does for its requests: which carry a credential, and what a 401, a switch of users and an outage change. */
const meta = {
  title: 'Proofs/Providers',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly, cookies: cookies.cookies },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;
type Context = Pick<StoryContext, 'canvas' | 'step' | 'journal'>;

/** React writes the error of a boundary to the console. */
const parameters = { expectedConsoleErrors: [/^NetworkError: (\S+: )?Unauthorized/] };

interface ProviderApp {
  Articles: ArticleHooks;
  Provider: ComponentType<{ children: ReactNode }>;
  start: (personId?: string) => StoryStart;
  articles: { failNext: (failure: 'network') => void };
}

/** A page under a provider, its articles behind a gate or not. A case is what the user does there, and all requests. */
function page(app: ProviderApp, personId?: string, isGated = false) {
  const Buttons = app === sdk ? SdkSignInButtons : SignInButtons;
  const articles = <ArticlesDemo articles={app.Articles} />;
  return {
    beforeEach: app.start(personId),
    render: () => (
      <app.Provider>
        <AuthStatus />
        <Buttons />
        {isGated ? <Authenticated fallback={<p>Nobody is here.</p>}>{articles}</Authenticated> : articles}
      </app.Provider>
    ),
  };
}

const isStatus = ({ canvas }: Context, status: string) =>
  expect(canvas.getByRole('status')).toHaveTextContent(new RegExp(`^${status}$`));

const seesHers = ({ canvas }: Context) => canvas.findByText('On signing in');

const renamesTheFirst = ({ canvas }: Context) =>
  userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));

const RENAMED = { title: 'On knocking' };
const SIGNED_IN = { username: 'grace', password: 'hopper' };
const REFRESHED = tokens.sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' });
const tokenReads = tokens.sent.get('/article');
const tokenRenames = tokens.sent.patch('/article/1');
const sdkReads = sdk.sent.get('/article');
const sdkRenames = sdk.sent.patch('/article/1');
const cookieReads = [cookies.sent.get('/whoami'), cookies.sent.get('/article')];
const cookieRenames = cookies.sent.patch('/article/1').headers(csrf(1)).json(RENAMED);

const readsTheList = (app: ProviderApp, lines: RequestLine[]) => ({
  ...page(app, 'ada'),
  play: async (context: Context) => {
    await seesHers(context);
    await expect(context.journal).toHaveSent(lines);
  },
});

/** Each request carries the credential of the moment when it is sent. */
export const Basic: Story = inCases({
  'one GET with her token': readsTheList(tokens, [tokenReads.as('ada')]),
  'one whoami, and one GET with her cookie': readsTheList(cookies, cookieReads),
  '`getToken` of an SDK is called, and the GET carries its token': readsTheList(sdk, [sdkReads.as('ada')]),
});

const signedOut = (app: ProviderApp, lines: RequestLine[]) => ({
  ...page(app, undefined, true),
  play: async (context: Context) => {
    await context.canvas.findByText('Nobody is here.');
    await isStatus(context, 'anonymous');
    await expect(context.journal).toHaveSent(lines);
  },
});

/** The user is signed out, and the list is behind a gate: nothing is fetched. */
export const Empty: Story = inCases({
  'with a token: no request': signedOut(tokens, []),
  'with a cookie: one whoami, and nothing after it': signedOut(cookies, [cookies.sent.get('/whoami')]),
  'with an SDK: no request': signedOut(sdk, []),
});

let answer: (() => void) | undefined;
const slow = setupTokenApp({
  session: { restore: () => new Promise(resolve => (answer = () => resolve(slow.server.signIn('ada')))) },
});

const restores = (app: ProviderApp, before: RequestLine[], read: RequestLine) => ({
  ...page(app, app === cookies ? 'ada' : undefined),
  play: async (context: Context) => {
    const { canvas, journal, step } = context;
    await step('the page waits', async () => {
      await canvas.findByText('restoring');
      await canvas.findByText('Fetching…');
      await waitFor(() => expect(answer).toBeDefined());
      await waitFor(() => expect(journal).toHaveSent(before));
    });
    await step('the session is Ada’s, and her articles are shown', async () => {
      answer!();
      await seesHers(context);
      await isStatus(context, 'authenticated');
      await expect(journal).toHaveSent([...before, read]);
    });
  },
});

/** The session is restoring: a request waits until the user is known, and is then sent as that user. */
export const Loading: Story = {
  beforeEach: () => void (answer = undefined),
  ...inCases({
    'by a `restore` of the app': restores(slow, [], tokenReads.as('ada')),
    'by whoami': {
      ...restores(cookies, [cookies.sent.get('/whoami')], cookies.sent.get('/article')),
      beforeEach: [cookies.start('ada'), () => void (answer = cookies.server.hold())],
    },
  }),
};

const refused = (app: ProviderApp, lines: RequestLine[]) => ({
  ...page(app),
  parameters,
  play: async (context: Context) => {
    await context.canvas.findByText('Refused: 401');
    await isStatus(context, 'anonymous');
    await expect(onExpired).not.toHaveBeenCalled();
    await expect(context.journal).toHaveSent(lines);
  },
});

/** The user is signed out: the request carries no credential, not even an old cookie, and the 401 of the server ends no session. */
export const Refused: Story = inCases({
  'with a token: one GET without it': refused(tokens, [tokenReads]),
  'with a cookie: one whoami, and one GET without cookies': refused(cookies, [
    cookies.sent.get('/whoami'),
    cookies.sent.get('/article').credentials('omit'),
  ]),
  'with an SDK: one GET without a token': refused(sdk, [sdkReads]),
});

const switches = (app: ProviderApp, lines: RequestLine[]) => ({
  ...page(app, 'ada'),
  play: async (context: Context) => {
    const { canvas, journal, step } = context;
    await seesHers(context);
    await step('Grace signs in and sees her articles, and none of Ada’s', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await expect(journal).toHaveSent(lines);
  },
});

/** Another user signs in: the tree below the provider is mounted again, and no data of Ada's is on the screen. */
export const SwitchesTheUser: Story = inCases({
  'the login carries no token, and the list is read again with Grace’s': switches(tokens, [
    tokenReads.as('ada'),
    tokens.sent.post('/login').json(SIGNED_IN),
    tokenReads.as('grace'),
  ]),
  'the list is read again, with the cookie of the login': switches(cookies, [
    ...cookieReads,
    cookies.sent.post('/login').headers(csrf(1)).json(SIGNED_IN),
    cookies.sent.get('/article'),
  ]),
  'the SDK reports another user, and the list is read with her token': switches(sdk, [
    sdkReads.as('ada'),
    sdkReads.as('grace'),
  ]),
});

const renamesLater = (app: ProviderApp, act: () => void, lines: RequestLine[]) => ({
  ...page(app, 'ada'),
  play: async (context: Context) => {
    await seesHers(context);
    act();
    await renamesTheFirst(context);
    await context.canvas.findByText('On knocking');
    await isStatus(context, 'authenticated');
    await expect(onExpired).not.toHaveBeenCalled();
    await expect(context.journal).toHaveSent(lines);
  },
});

/** The token has expired: there is one fresh one, and the rename is sent again with it. The reader notices nothing. */
export const Expired: Story = inCases({
  'by one refresh': renamesLater(tokens, tokens.server.expire, [
    tokenReads.as('ada'),
    tokenRenames.as('ada').json(RENAMED),
    REFRESHED,
    tokenRenames.as('ada', 2).json(RENAMED),
  ]),
  'by `getToken`, past the cache of the SDK': renamesLater(sdk, sdk.server.expire, [
    sdkReads.as('ada'),
    sdkRenames.as('ada').json(RENAMED),
    sdkRenames.as('ada', 2).json(RENAMED),
  ]),
});

const goesOffline = (app: ProviderApp, lines: RequestLine[]) => ({
  ...page(app, 'ada'),
  play: async (context: Context) => {
    const { canvas, journal, step } = context;
    await step('Ada sees her articles; then the network fails, and so does her rename', async () => {
      await seesHers(context);
      app.articles.failNext('network');
      await renamesTheFirst(context);
      await canvas.findByText(/^Renamed: /);
      await expect(canvas.getByText('On signing in')).toBeInTheDocument();
      await isStatus(context, 'authenticated');
    });
    await step('the network works again, and she renames the article', async () => {
      await renamesTheFirst(context);
      await canvas.findByText('On knocking');
    });
    await expect(journal).toHaveSent(lines);
  },
});

/**
 * No connection: the rename fails with a message, the session and the screen stay, and the next try succeeds. A refusal of another origin may
 * look like a lost connection, so the next token is a fresh one.
 */
export const Offline: Story = inCases({
  'the PATCH twice, and one refresh': goesOffline(tokens, [
    tokenReads.as('ada'),
    tokenRenames.as('ada').json(RENAMED),
    REFRESHED,
    tokenRenames.as('ada', 2).json(RENAMED),
  ]),
  'with a cookie: the PATCH twice, and nothing else': goesOffline(cookies, [
    ...cookieReads,
    cookieRenames,
    cookieRenames,
  ]),
  'with an SDK: the PATCH twice': goesOffline(sdk, [
    sdkReads.as('ada'),
    sdkRenames.as('ada').json(RENAMED),
    sdkRenames.as('ada', 2).json(RENAMED),
  ]),
});

const ends = (app: ProviderApp, act: () => void, lines: RequestLine[]) => ({
  ...page(app, 'ada'),
  parameters,
  play: async (context: Context) => {
    const { canvas, journal, step } = context;
    await seesHers(context);
    await step('her rename ends the session', async () => {
      act();
      await renamesTheFirst(context);
      await canvas.findByText('anonymous: expired');
      await canvas.findByText('Refused: 401');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
      await expect(onExpired).toHaveBeenCalledTimes(app === sdk ? 1 : 0);
    });
    await expect(journal).toHaveSent(lines);
  },
});

/** The server refuses what could replace the credential, too: the session ends, with the reason, and nothing is sent as Ada afterwards. */
export const ExpiredForGood: Story = inCases({
  'the server revokes her login: one refresh': ends(tokens, () => tokens.server.revoke('ada'), [
    tokenReads.as('ada'),
    tokenRenames.as('ada').json(RENAMED),
    REFRESHED,
    tokenReads,
  ]),
  'the server has forgotten her cookie: one whoami, and the list again without cookies': ends(
    cookies,
    cookies.server.expire,
    [...cookieReads, cookieRenames, cookies.sent.get('/whoami'), cookies.sent.get('/article').credentials('omit')],
  ),
  'the server refuses each token of the SDK: a fresh one, again after a second, and one `onExpired`': ends(
    sdk,
    () => sdk.server.refuseEverything(),
    [
      sdkReads.as('ada'),
      sdkRenames.as('ada').json(RENAMED),
      sdkRenames.as('ada', 2).json(RENAMED),
      sdkRenames.as('ada', 2).json(RENAMED),
      sdkReads,
    ],
  ),
});
