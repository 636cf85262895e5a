import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState, type ReactNode } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated, ContextTokenProvider, hookifyResource, resource, RestEndpoint } from '../../../src/index.js';
import { api, Article } from '../../support/articles.js';
import { setupContextApp } from '../../support/setupContextApp.js';
import { ArticlesDemo, SignInButtons, AuthStatus } from '../../support/ArticlesDemo.js';
import { Delete, Rename } from '../../support/Rename.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { RequestLog } from '../../support/RequestLog.js';
import { OutcomeLog } from '../../support/OutcomeLog.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const logout = new RestEndpoint({
  urlPrefix: api,
  path: '/logout',
  method: 'POST',
  body: {} as { refreshToken: string | undefined },
});

/** Its logout names the refresh token, so that the server can end a login whose access token has expired. */
const app = setupTokenApp({ session: { logout: ({ refreshToken }) => logout({ refreshToken }) } });
const { sent } = app;
const contexts = setupContextApp();

/** What changes hands when one identity follows another, or two share a page: nothing. The counts stand above the page. */
const meta = {
  title: 'Proofs/Identity',
  tags: ['proof', '!autodocs'],
  parameters: requestsOnly,
  beforeEach: app.start('ada'),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const GRACE_SIGNS_IN = sent.post('/login').json({ username: 'grace', password: 'hopper' });
const ADA_REFRESHES = sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' });

/** Ada signs out while a refresh is under way: the new tokens are dropped when they arrive, and the waiting request is not sent again. */
export const SignOutDuringARefresh: Story = {
  render: (_, { journal }) => (
    <>
      <RequestLog journal={journal} />
      <OutcomeLog>
        <app.Provider>
          <AuthStatus />
          <SignInButtons />
          <Authenticated>
            <Rename articles={app.Articles} ids={['1']}>
              Rename mine
            </Rename>
            <ArticlesDemo articles={app.Articles} />
          </Authenticated>
        </app.Provider>
      </OutcomeLog>
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    app.server.expireAccessTokens();
    const release = app.server.holdRefresh();
    await step('her token has expired; a rename waits for the refresh', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename mine' }));
      await waitFor(() => expect(app.server.held).toBe(1));
    });
    await step('she signs out, and the waiting call rejects at once', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText('anonymous: signed-out');
      await canvas.findByText(
        'The user signed out while this request was under way, so its answer was dropped. Sign in, then start it again.',
      );
    });
    await step('the refresh is answered with new tokens, and she stays signed out; then Grace signs in', async () => {
      release();
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.getByText('3 for data, 1 to refresh')).toBeInTheDocument();
    });
    await step('the rename is not sent again, and no request carries the new tokens', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'Renamed 1' }),
        ADA_REFRESHES,
        sent.post('/logout').as('ada').json({ refreshToken: 'ada-refresh-1' }),
        GRACE_SIGNS_IN,
        sent.get('/article').as('grace'),
      ]),
    );
  },
};

/** A deletion of Ada's waits for a refresh when Grace signs in: it is never sent as Grace, and the call rejects. */
export const WaitingForARefresh: Story = {
  render: (_, { journal }) => (
    <>
      <RequestLog journal={journal} />
      <OutcomeLog>
        <app.Provider>
          <AuthStatus />
          <SignInButtons />
          <Delete articles={app.Articles} id="1">
            Delete Ada’s
          </Delete>
          <ArticlesDemo articles={app.Articles} />
        </app.Provider>
      </OutcomeLog>
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    app.server.expireAccessTokens();
    const release = app.server.holdRefresh();
    await step('her token has expired; a deletion waits for the refresh', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete Ada’s' }));
      await waitFor(() => expect(app.server.held).toBe(1));
    });
    await step('Grace signs in, and the deletion is called off', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await canvas.findByText(
        'The identity changed while this request was under way, so its answer was dropped. Start it again if the new identity wants it.',
      );
    });
    await step('the refresh is answered; Grace renames an article of hers', async () => {
      release();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await step('the deletion is sent once, as Ada, and refused', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.delete('/article/1').as('ada'),
        ADA_REFRESHES,
        GRACE_SIGNS_IN,
        sent.get('/article').as('grace'),
        sent.patch('/article/3').as('grace').json({ title: 'On knocking' }),
      ]),
    );
  },
};

/** While this is pending, the SDK returns no token. */
let sdkIsBusy: Promise<void> | undefined;

/** A slow SDK, whose user can change while it works. */
function SlowSdk({ children }: { children: ReactNode }) {
  const [person, setPerson] = useState(() => ({ id: 'ada', token: contexts.server.signIn('ada').accessToken }));
  const getToken = async () => {
    await sdkIsBusy;
    return person.token;
  };
  return (
    <>
      <button
        type="button"
        onClick={() => setPerson({ id: 'grace', token: contexts.server.signIn('grace').accessToken })}
      >
        Become Grace
      </button>
      <ContextTokenProvider subject={person.id} getToken={getToken}>
        {children}
      </ContextTokenProvider>
    </>
  );
}

/** A deletion of Ada's waits for the SDK's token when Grace signs in: it is never sent. */
export const WaitingForTheSdk: Story = {
  beforeEach: [
    contexts.start(),
    () => {
      sdkIsBusy = undefined;
    },
  ],
  render: (_, { journal }) => (
    <>
      <RequestLog journal={journal} />
      <OutcomeLog>
        <SlowSdk>
          <AuthStatus />
          <Delete articles={contexts.Articles} id="1">
            Delete Ada’s
          </Delete>
          <ArticlesDemo articles={contexts.Articles} />
        </SlowSdk>
      </OutcomeLog>
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    let giveToken = () => {};
    await step('the SDK is slow; a deletion waits for its token', async () => {
      sdkIsBusy = new Promise(resolve => (giveToken = resolve));
      await userEvent.click(canvas.getByRole('button', { name: 'Delete Ada’s' }));
    });
    await step('Grace signs in at the SDK, and the deletion is called off', async () => {
      sdkIsBusy = undefined;
      await userEvent.click(canvas.getByRole('button', { name: 'Become Grace' }));
      await canvas.findByText('A compiler for everyone');
      await canvas.findByText(
        'The identity changed while this request was under way, so its answer was dropped. Start it again if the new identity wants it.',
      );
    });
    await step('the SDK returns Ada’s token; Grace renames an article of hers', async () => {
      giveToken();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await step('no DELETE', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.get('/article').as('grace'),
        sent.patch('/article/3').as('grace').json({ title: 'On knocking' }),
      ]),
    );
  },
};

/** While this is pending, the endpoints below do not know their headers. */
let headersAreUnknown: Promise<void> | undefined;

/** Endpoints that await their headers before each request, and send with a client that ignores abort signals. */
class DeviceEndpoint extends RestEndpoint {
  override async getHeaders(headers: HeadersInit) {
    await headersAreUnknown;
    return { ...headers, 'X-Device': 'desk-1' };
  }

  override fetchResponse(url: RequestInfo, init: RequestInit) {
    return super.fetchResponse(url, { ...init, signal: null });
  }
}

const DeviceArticles = hookifyResource(
  resource({
    urlPrefix: api,
    path: '/article/:id',
    schema: Article,
    paginationField: 'page',
    Endpoint: DeviceEndpoint,
  }),
);

/** A deletion of Ada's waits for headers of the app when Grace signs in: it is never sent, although no signal can stop it. */
export const WaitingForItsHeaders: Story = {
  beforeEach: () => {
    headersAreUnknown = undefined;
  },
  render: (_, { journal }) => (
    <>
      <RequestLog journal={journal} />
      <OutcomeLog>
        <app.Provider>
          <AuthStatus />
          <SignInButtons />
          <Delete articles={DeviceArticles} id="1">
            Delete Ada’s
          </Delete>
          <ArticlesDemo articles={DeviceArticles} />
        </app.Provider>
      </OutcomeLog>
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    let tellHeaders = () => {};
    await step('Ada sees her articles; a deletion waits for its headers', async () => {
      await canvas.findByText('On signing in');
      headersAreUnknown = new Promise(resolve => (tellHeaders = resolve));
      await userEvent.click(canvas.getByRole('button', { name: 'Delete Ada’s' }));
    });
    await step('Grace signs in, and the deletion is called off', async () => {
      headersAreUnknown = undefined;
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await canvas.findByText(
        'The identity changed while this request was under way, so its answer was dropped. Start it again if the new identity wants it.',
      );
    });
    await step('the headers are known; Grace renames an article of hers', async () => {
      tellHeaders();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await step('no DELETE', () =>
      expect(journal).toHaveSent(
        [
          sent.get('/article').as('ada').headers({ 'x-device': 'desk-1' }),
          GRACE_SIGNS_IN,
          sent.get('/article').as('grace').headers({ 'x-device': 'desk-1' }),
          sent.patch('/article/3').as('grace').headers({ 'x-device': 'desk-1' }).json({ title: 'On knocking' }),
        ],
        { headers: ['x-device'] },
      ),
    );
  },
};
