import type { Meta, StoryObj } from '@storybook/react-vite';
import { useLayoutEffect, useState, type ReactNode } from 'react';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import {
  Authenticated,
  ContextTokenProvider,
  CookieAuthProvider,
  createCookieSession,
  createTokenSession,
  hookifyResource,
  resource,
  RestEndpoint,
  TokenAuthProvider,
} from '../../src/index.js';
import { cookieAuthHandlers, requestLines, resourceHandlers, tokenAuthHandlers } from '../../src/testing/index.js';
import { ActionButton } from '../support/ActionButton.js';
import { api, Article, articleHooks, articleResource, people, rows } from '../support/articles.js';
import { setupContextApp } from '../support/setupContextApp.js';
import { csrf, setupCookieApp } from '../support/setupCookieApp.js';
import { ArticlesDemo, SignInButtons, SdkSignInButtons, AuthStatus } from '../support/ArticlesDemo.js';
import { Delete, Rename } from '../support/Rename.js';
import { createCounter, RenderCounter } from '../support/RenderCounter.js';
import { setupTokenApp } from '../support/setupTokenApp.js';
import { useRenderCount } from '../support/useRenderCount.js';
import { RequestLog } from '../support/RequestLog.js';
import { OutcomeLog } from '../support/OutcomeLog.js';
import { requestsOnly } from '../support/requestsOnly.js';

const logout = new RestEndpoint({
  urlPrefix: api,
  path: '/logout',
  method: 'POST',
  body: {} as { refreshToken: string | undefined },
});

/** Its logout names the refresh token, so that the server can end a login whose access token has expired. */
const app = setupTokenApp({ session: { logout: ({ refreshToken }) => logout({ refreshToken }) } });
const { sent } = app;
const graceSession = app.anotherSession('grace');
const contexts = setupContextApp();
const cookies = setupCookieApp();

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

/** Ada signs out while a refresh is under way: its tokens are thrown away when they come, and what waited is not sent again. */
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
    await step('she signs out, and the waiting caller is told so at once', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText('anonymous: signed-out');
      await canvas.findByText(
        'The person signed out while this request was under way, so its answer was dropped. Sign in, then start it again.',
      );
    });
    await step('the refresh is answered with new tokens, and she stays signed out; then Grace signs in', async () => {
      release();
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.getByText('3 for data, 1 to refresh')).toBeInTheDocument();
    });
    await step('the rename was not sent again, and no request carried the new tokens', () =>
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

/** A deletion of Ada's waits for a refresh when Grace signs in: it is never sent as Grace, and its caller is told. */
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
    await step('the refresh is answered after all; Grace renames one of hers', async () => {
      release();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await step('the deletion was sent once, as Ada, and refused', () =>
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

/** While this is pending, the SDK gives no token. */
let sdkIsBusy: Promise<void> | undefined;

/** An SDK that may take its time, and whose person may change meanwhile. */
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

/** A deletion of Ada's waits for the SDK's token when Grace takes her place: it is never sent at all. */
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
    await step('the SDK is busy; a deletion waits for its token', async () => {
      sdkIsBusy = new Promise(resolve => (giveToken = resolve));
      await userEvent.click(canvas.getByRole('button', { name: 'Delete Ada’s' }));
    });
    await step('Grace takes her place, and the deletion is called off', async () => {
      sdkIsBusy = undefined;
      await userEvent.click(canvas.getByRole('button', { name: 'Become Grace' }));
      await canvas.findByText('A compiler for everyone');
      await canvas.findByText(
        'The identity changed while this request was under way, so its answer was dropped. Start it again if the new identity wants it.',
      );
    });
    await step('the SDK gives Ada’s token after all; Grace renames one of hers', async () => {
      giveToken();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await step('no deletion was sent', () =>
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

/** Endpoints that look something up before each request, and send it with a client that knows no abort signal. */
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

/** A deletion of Ada's waits for headers of the app's own when Grace signs in: it is never sent, not even where no signal can stop it. */
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
    await step('the headers are known after all; Grace renames one of hers', async () => {
      tellHeaders();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await step('no deletion was sent', () =>
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

/** Says how often it was rendered, to show that the neighbour's affairs cost nothing here. */
function Still() {
  return <p>{`Rendered ${useRenderCount()} times`}</p>;
}

/** Ada's page and Grace's, side by side, with the same resource object and the same addresses: what happens to one is nothing to the other. */
export const SideBySide: Story = {
  beforeEach: () => {
    graceSession.dispose();
  },
  render: (_, { journal }) => (
    <>
      <RequestLog journal={journal} />
      <section aria-label="Left">
        <app.Provider>
          <AuthStatus />
          <button type="button" onClick={() => void app.session.refresh()}>
            Refresh
          </button>
          <Authenticated>
            <ArticlesDemo articles={app.Articles} />
          </Authenticated>
        </app.Provider>
      </section>
      <section aria-label="Right">
        <TokenAuthProvider session={graceSession}>
          <AuthStatus />
          <Authenticated>
            <Still />
            <ArticlesDemo articles={app.Articles} />
          </Authenticated>
        </TokenAuthProvider>
      </section>
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    const left = within(canvas.getByRole('region', { name: 'Left' }));
    const right = within(canvas.getByRole('region', { name: 'Right' }));
    await step('each sees her own', async () => {
      await left.findByText('On signing in');
      await right.findByText('A compiler for everyone');
      await expect(left.queryByText('A compiler for everyone')).not.toBeInTheDocument();
      await expect(right.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('Ada’s token is renewed, and she renames an article with the new one', async () => {
      await userEvent.click(left.getByRole('button', { name: 'Refresh' }));
      await canvas.findByText('2 for data, 1 to refresh');
      await userEvent.click(left.getByRole('button', { name: 'Rename the first' }));
      await left.findByText('On knocking');
    });
    await step('her login is revoked, and ends with her next act', async () => {
      app.server.revoke('ada');
      await userEvent.click(left.getByRole('button', { name: 'Rename the first' }));
      await left.findByText('anonymous: expired');
      await expect(left.queryByText('On knocking')).not.toBeInTheDocument();
    });
    await step('Grace has seen nothing of it: no render, no refresh, and her token goes on working', async () => {
      await expect(right.getByText('authenticated')).toBeInTheDocument();
      await expect(right.getByText('Rendered 1 times')).toBeInTheDocument();
      await userEvent.click(right.getByRole('button', { name: 'Rename the first' }));
      await right.findByText('On knocking');
    });
    await step('two requests with Grace’s token, the first and the last act of the page', () =>
      expect(journal).toHaveSent(
        [
          sent.get('/article').as('ada'),
          sent.get('/article').as('grace'),
          ADA_REFRESHES,
          sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
          sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
          sent.post('/refresh').json({ refreshToken: 'ada-refresh-2' }),
          sent.patch('/article/3').as('grace').json({ title: 'On knocking' }),
        ],
        { anyOrder: true },
      ),
    );
  },
};

/** Another API of the same origin, with a cookie of its own. */
const shopApi = '/shop';
const shop = cookieAuthHandlers({ url: shopApi, people, cookie: 'shop' });
const shopSent = requestLines({ prefix: shopApi });
const shopArticles = resourceHandlers(articleResource(shopApi), rows, {
  auth: shop,
  owner: row => row.author,
  private: true,
});
const ShopArticles = articleHooks(shopApi);
const shopSession = createCookieSession({
  tabs: false,
  whoami: new RestEndpoint({ urlPrefix: shopApi, path: '/whoami' }),
  login: new RestEndpoint({ urlPrefix: shopApi, path: '/login', method: 'POST' }),
});

/** Ada's page with the cookie of one API, Grace's beside it with that of another: what happens to one is nothing to the other. */
export const SideBySideWithCookies: Story = {
  parameters: { cookies: [...cookies.cookies, ...shop.cookieNames] },
  beforeEach: [
    cookies.start('ada'),
    ({ msw }) => {
      shop.reset();
      shopArticles.reset();
      shopSession.dispose();
      shop.signIn('grace');
      msw.use(...shop.handlers, ...shopArticles.handlers);
      return () => shop.reset();
    },
  ],
  render: (_, { journal }) => (
    <>
      <RequestLog journal={journal} />
      <section aria-label="Left">
        <cookies.Provider>
          <AuthStatus />
          <SignInButtons />
          <Authenticated>
            <ArticlesDemo articles={cookies.Articles} />
          </Authenticated>
        </cookies.Provider>
      </section>
      <section aria-label="Right">
        <CookieAuthProvider session={shopSession}>
          <AuthStatus />
          <Authenticated>
            <Still />
            <ArticlesDemo articles={ShopArticles} />
          </Authenticated>
        </CookieAuthProvider>
      </section>
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    const left = within(canvas.getByRole('region', { name: 'Left' }));
    const right = within(canvas.getByRole('region', { name: 'Right' }));
    await step('each sees her own', async () => {
      await left.findByText('On signing in');
      await right.findByText('A compiler for everyone');
      await expect(left.queryByText('A compiler for everyone')).not.toBeInTheDocument();
      await expect(right.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('Ada’s CSRF token is refused and fetched anew, and her article is renamed', async () => {
      cookies.server.expireCsrf();
      await userEvent.click(left.getByRole('button', { name: 'Rename the first' }));
      await left.findByText('On knocking');
    });
    await step('she signs out and in again', async () => {
      await userEvent.click(left.getByRole('button', { name: 'Sign out' }));
      await left.findByText('anonymous: signed-out');
      await waitFor(() => expect(cookies.server.counts.logouts).toBe(1));
      await userEvent.click(left.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await left.findByText('On knocking');
    });
    await step('her server forgets her, and her session ends with her next act', async () => {
      cookies.server.expire();
      await userEvent.click(left.getByRole('button', { name: 'Rename the first' }));
      await left.findByText('anonymous: expired');
      await expect(left.queryByText('On knocking')).not.toBeInTheDocument();
    });
    await step(
      'Grace has seen nothing of it: no render, no question who she is, and her cookie goes on working',
      async () => {
        await expect(right.getByText('authenticated')).toBeInTheDocument();
        await expect(right.getByText('Rendered 1 times')).toBeInTheDocument();
        await userEvent.click(right.getByRole('button', { name: 'Rename the first' }));
        await right.findByText('On knocking');
      },
    );
    await step('three requests to Grace’s API, the first two and the last of the page', () =>
      expect(journal).toHaveSent(
        [
          cookies.sent.get('/whoami'),
          shopSent.get('/whoami'),
          cookies.sent.get('/article'),
          shopSent.get('/article'),
          cookies.sent.patch('/article/1').headers(csrf(1)).json({ title: 'On knocking' }),
          cookies.sent.get('/csrf'),
          cookies.sent.patch('/article/1').headers(csrf(2)).json({ title: 'On knocking' }),
          cookies.sent.post('/logout').headers(csrf(2)),
          cookies.sent.get('/csrf'),
          cookies.sent.post('/login').headers(csrf(3)).json({ username: 'ada', password: 'lovelace' }),
          cookies.sent.get('/article'),
          cookies.sent.patch('/article/1').headers(csrf(4)).json({ title: 'On knocking' }),
          shopSent.patch('/article/3').json({ title: 'On knocking' }),
        ],
        { anyOrder: true },
      ),
    );
  },
};

/** Counts how often Grace's SDK was asked for a token past its cache. */
let asksOfGrace = 0;

/** Grace, signed in at an SDK of her own. */
function GracesSdk({ children }: { children: ReactNode }) {
  const [{ accessToken }] = useState(() => contexts.server.signIn('grace'));
  const getToken = async ({ forceRefresh }: { forceRefresh: boolean }) => {
    if (forceRefresh) asksOfGrace += 1;
    return accessToken;
  };
  return (
    <ContextTokenProvider subject="grace" getToken={getToken}>
      {children}
    </ContextTokenProvider>
  );
}

/** The same with the tokens of two SDKs, and one resource object for both. */
export const SideBySideWithSdks: Story = {
  beforeEach: [
    contexts.start('ada'),
    () => {
      asksOfGrace = 0;
    },
  ],
  render: (_, { journal }) => (
    <>
      <RequestLog journal={journal} />
      <section aria-label="Left">
        <contexts.Provider>
          <AuthStatus />
          <SdkSignInButtons />
          <Authenticated>
            <ArticlesDemo articles={contexts.Articles} />
          </Authenticated>
        </contexts.Provider>
      </section>
      <section aria-label="Right">
        <GracesSdk>
          <AuthStatus />
          <Authenticated>
            <Still />
            <ArticlesDemo articles={contexts.Articles} />
          </Authenticated>
        </GracesSdk>
      </section>
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    const left = within(canvas.getByRole('region', { name: 'Left' }));
    const right = within(canvas.getByRole('region', { name: 'Right' }));
    await step('each sees her own', async () => {
      await left.findByText('On signing in');
      await right.findByText('A compiler for everyone');
      await expect(left.queryByText('A compiler for everyone')).not.toBeInTheDocument();
      await expect(right.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('Ada’s token is refused, and her SDK gives another: her article is renamed', async () => {
      contexts.server.revoke('ada');
      await userEvent.click(left.getByRole('button', { name: 'Rename the first' }));
      await left.findByText('On knocking');
    });
    await step('she signs out at her SDK, and in again', async () => {
      await userEvent.click(left.getByRole('button', { name: 'Sign out' }));
      await left.findByText('anonymous: elsewhere');
      await userEvent.click(left.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await left.findByText('On knocking');
    });
    await step('her token is refused again, and her SDK gives none: the session ends', async () => {
      contexts.server.revoke('ada');
      contexts.sdk.fail(Object.assign(new Error('Login required'), { error: 'login_required' }));
      await userEvent.click(left.getByRole('button', { name: 'Rename the first' }));
      await left.findByText('anonymous: expired');
      await expect(left.queryByText('On knocking')).not.toBeInTheDocument();
    });
    await step('Grace has seen nothing of it: no render, no fresh token, and hers goes on working', async () => {
      await expect(right.getByText('authenticated')).toBeInTheDocument();
      await expect(right.getByText('Rendered 1 times')).toBeInTheDocument();
      await userEvent.click(right.getByRole('button', { name: 'Rename the first' }));
      await right.findByText('On knocking');
      await expect(asksOfGrace).toBe(0);
    });
    await step('two requests with Grace’s token, the first and the last act of the page', () =>
      expect(journal).toHaveSent(
        [
          sent.get('/article').as('ada'),
          sent.get('/article').as('grace'),
          sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
          sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
          sent.get('/article').as('ada', 3),
          sent.patch('/article/1').as('ada', 3).json({ title: 'On knocking' }),
          sent.patch('/article/3').as('grace').json({ title: 'On knocking' }),
        ],
        { anyOrder: true },
      ),
    );
  },
};

/** Issues JWTs, in which `sub` tells whose they are. */
const issuer = tokenAuthHandlers({ url: api, people, jwt: true });
const jwtOf = (who: string) => issuer.signIn(who).accessToken;
let logins = 0;
/** A token that tells nothing. */
const opaque = () => `opaque-${++logins}`;

/** The ways in which the answer of a login may tell who signed in. */
const TELLING = {
  '`user.id`': createTokenSession({ login: async (who: string) => ({ accessToken: opaque(), user: { id: who } }) }),
  '`user.sub`': createTokenSession({ login: async (who: string) => ({ accessToken: opaque(), user: { sub: who } }) }),
  '`subject`': createTokenSession({ login: async (who: string) => ({ accessToken: opaque(), subject: who }) }),
  'the `sub` of a JWT': createTokenSession({ login: async (who: string) => ({ accessToken: jwtOf(who) }) }),
  '`getSubject`': createTokenSession({
    login: async (who: string) => ({ accessToken: opaque(), account: who }),
    getSubject: answer => answer.account,
  }),
  'a JWT by another name': createTokenSession({
    login: async (who: string) => ({ access_token: jwtOf(who) }),
    parseTokens: (answer: { access_token: string }) => ({ accessToken: answer.access_token }),
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

/** Who signs in is told by the login's answer: the same person again changes nothing, another one starts anew. If nothing tells, each login is somebody else. */
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
          <RenderCounter label="Mounted" tally={mounts} />
          <TokenAuthProvider session={session}>
            <AuthStatus />
            <Mounted mounts={mounts} />
          </TokenAuthProvider>
        </section>
      ))}
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    const at = (label: string) => within(canvas.getByRole('region', { name: label }));
    const signIn = async (label: string, who: string, identity: number) => {
      await userEvent.click(at(label).getByRole('button', { name: `Sign in as ${who}` }));
      await at(label).findByText(`Identity no. ${identity}`);
    };
    await step('Ada signs in twice, and is one identity; Grace is another, and the tree is mounted anew', async () => {
      for (const label of Object.keys(TELLING)) {
        await signIn(label, 'ada', 1);
        await signIn(label, 'ada', 1);
        await expect(at(label).getByText('Mounted: 1')).toBeInTheDocument();
        await signIn(label, 'grace', 2);
        await at(label).findByText('Mounted: 2');
      }
    });
    await step('where nothing tells who she is, each login is somebody else', async () => {
      await signIn('nothing', 'ada', 1);
      await signIn('nothing', 'ada', 2);
      await at('nothing').findByText('Mounted: 2');
    });
    await step('nothing was sent', () => expect(journal).toHaveSent([]));
  },
};
