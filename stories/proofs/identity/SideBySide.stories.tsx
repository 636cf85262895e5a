import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState, type ReactNode } from 'react';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import {
  Authenticated,
  ContextTokenProvider,
  CookieAuthProvider,
  createCookieSession,
  RestEndpoint,
  TokenAuthProvider,
} from '../../../src/index.js';
import { cookieAuthHandlers, requestLines } from '../../../src/testing/index.js';
import { articleHandlers, articleHooks, people } from '../../support/articles.js';
import { csrf, ownApi } from '../../support/setupCookieApp.js';
import { ArticlesDemo, AuthStatus, type ArticleHooks } from '../../support/ArticlesDemo.js';
import { setupAppsByMechanism } from '../../support/setupAppsByMechanism.js';
import { useRenderCount } from '../../support/useRenderCount.js';
import { RequestLog } from '../../support/RequestLog.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { inCases } from '../../support/inCases.js';

const logout = new RestEndpoint({
  urlPrefix: ownApi,
  path: '/logout',
  method: 'POST',
  body: {} as { refreshToken: string | undefined },
});

const {
  token: app,
  cookie: cookies,
  context: contexts,
} = setupAppsByMechanism({
  // It names the refresh token, so that the server can end a login whose access token has expired.
  session: { logout: ({ refreshToken }) => logout({ refreshToken }) },
});
const { sent } = app;
const graceSession = app.anotherSession('grace');

/** Two sessions on one page share nothing. The counts are above the page. */
const meta = {
  title: 'Proofs/Identity',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: app.start('ada'),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Says how often it was rendered: the other session must not render it. */
function Still() {
  return <p>{`Rendered ${useRenderCount()} times`}</p>;
}

function GracesPage({ articles }: { articles: ArticleHooks }) {
  return (
    <>
      <AuthStatus />
      <Authenticated>
        <Still />
        <ArticlesDemo articles={articles} />
      </Authenticated>
    </>
  );
}

interface LeftApp {
  Articles: ArticleHooks;
  Provider: (props: { children: ReactNode }) => ReactNode;
}

/** Ada's page at the left, with these buttons, and Grace's at the right. */
const sides =
  ({ Articles, Provider }: LeftApp, buttons: ReactNode, right: ReactNode): NonNullable<Story['render']> =>
  (_, { journal }) => (
    <>
      <RequestLog journal={journal} />
      <section aria-label="Left">
        <Provider>
          <AuthStatus />
          {buttons}
          <Authenticated>
            <ArticlesDemo articles={Articles} />
          </Authenticated>
        </Provider>
      </section>
      <section aria-label="Right">{right}</section>
    </>
  );

type Canvas = ReturnType<typeof within>;

/** Ada's page, and Grace's. */
const pagesOf = (canvas: Canvas) => ({
  left: within(canvas.getByRole('region', { name: 'Left' })),
  right: within(canvas.getByRole('region', { name: 'Right' })),
});

async function eachSeesHerOwn({ left, right }: ReturnType<typeof pagesOf>) {
  await left.findByText('On signing in');
  await right.findByText('A compiler for everyone');
  await expect(left.queryByText('A compiler for everyone')).not.toBeInTheDocument();
  await expect(right.queryByText('On signing in')).not.toBeInTheDocument();
}

/** It was not rendered again, and her credential still works. */
async function graceIsUnaffected({ right }: ReturnType<typeof pagesOf>) {
  await expect(right.getByText('authenticated')).toBeInTheDocument();
  await expect(right.getByText('Rendered 1 times')).toBeInTheDocument();
  await userEvent.click(right.getByRole('button', { name: 'Rename the first' }));
  await right.findByText('On knocking');
}

const sideBySide: Story = {
  beforeEach: () => {
    graceSession.dispose();
  },
  render: sides(
    app,
    <button type="button" onClick={() => void app.session.refresh()}>
      Refresh
    </button>,
    <TokenAuthProvider session={graceSession}>
      <GracesPage articles={app.Articles} />
    </TokenAuthProvider>,
  ),
  play: async ({ canvas, step, hasSent }) => {
    const pages = pagesOf(canvas);
    const { left } = pages;
    await step('each user sees her own articles', () => eachSeesHerOwn(pages));
    await step('Ada’s token is refreshed, and she renames an article with the new one', async () => {
      await userEvent.click(left.getByRole('button', { name: 'Refresh' }));
      await canvas.findByText('2 for data, 1 to refresh');
      await userEvent.click(left.getByRole('button', { name: 'Rename the first' }));
      await left.findByText('On knocking');
    });
    await step('the server revokes her login, and her next request ends the session', async () => {
      app.server.revoke('ada');
      await userEvent.click(left.getByRole('button', { name: 'Rename the first' }));
      await left.findByText('anonymous: expired');
      await expect(left.queryByText('On knocking')).not.toBeInTheDocument();
    });
    await step('Grace’s page is unaffected: no render, no refresh, and her token still works (scenario 11)', () =>
      graceIsUnaffected(pages),
    );
    await hasSent(
      'two requests with Grace’s token, at the start and at the end',
      [
        sent.get('/article').as('ada'),
        sent.get('/article').as('grace'),
        ...app.refreshes,
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-2' }),
        sent.patch('/article/3').as('grace').json({ title: 'On knocking' }),
      ],
      { anyOrder: true },
    );
  },
};

/** Another API of the same origin, with a cookie of its own. */
const shopApi = '/shop';
const shop = cookieAuthHandlers({ url: shopApi, people, cookie: 'shop' });
const shopSent = requestLines({ prefix: shopApi });
const shopArticles = articleHandlers(shop, { url: shopApi });
const ShopArticles = articleHooks(shopApi);
const shopSession = createCookieSession({
  tabs: false,
  whoami: new RestEndpoint({ urlPrefix: shopApi, path: '/whoami' }),
  login: new RestEndpoint({ urlPrefix: shopApi, path: '/login', method: 'POST' }),
});

const sideBySideWithCookies: Story = {
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
  render: sides(
    cookies,
    <cookies.SignInButtons />,
    <CookieAuthProvider session={shopSession}>
      <GracesPage articles={ShopArticles} />
    </CookieAuthProvider>,
  ),
  play: async ({ canvas, step, hasSent }) => {
    const pages = pagesOf(canvas);
    const { left } = pages;
    await step('each user sees her own articles', () => eachSeesHerOwn(pages));
    await step('Ada’s CSRF token is refused and fetched again, and her article is renamed', async () => {
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
    await step('the server forgets her session, and her next request ends it', async () => {
      cookies.server.expire();
      await userEvent.click(left.getByRole('button', { name: 'Rename the first' }));
      await left.findByText('anonymous: expired');
      await expect(left.queryByText('On knocking')).not.toBeInTheDocument();
    });
    await step('Grace’s page is unaffected: no render, no whoami, and her cookie still works', () =>
      graceIsUnaffected(pages),
    );
    await hasSent(
      'three requests to Grace’s API, two at the start and one at the end',
      [
        cookies.sent.get('/whoami'),
        shopSent.get('/whoami'),
        cookies.sent.get('/article'),
        shopSent.get('/article'),
        cookies.sent.patch('/article/1').headers(csrf(1)).json({ title: 'On knocking' }),
        cookies.sent.get('/csrf'),
        cookies.sent.get('/whoami'),
        cookies.sent.patch('/article/1').headers(csrf(2)).json({ title: 'On knocking' }),
        cookies.sent.post('/logout').headers(csrf(2)),
        cookies.sent.get('/csrf'),
        cookies.sent.post('/login').headers(csrf(3)).json({ username: 'ada', password: 'lovelace' }),
        cookies.sent.get('/article'),
        cookies.sent.patch('/article/1').headers(csrf(4)).json({ title: 'On knocking' }),
        cookies.sent.get('/whoami'),
        shopSent.patch('/article/3').json({ title: 'On knocking' }),
      ],
      { anyOrder: true },
    );
  },
};

/** Counts the calls of Grace's SDK for a token past its cache. */
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

const sideBySideWithSdks: Story = {
  beforeEach: [
    contexts.start('ada'),
    () => {
      asksOfGrace = 0;
    },
  ],
  render: sides(
    contexts,
    <contexts.SignInButtons />,
    <GracesSdk>
      <GracesPage articles={contexts.Articles} />
    </GracesSdk>,
  ),
  play: async ({ canvas, step, hasSent }) => {
    const pages = pagesOf(canvas);
    const { left } = pages;
    await step('each user sees her own articles', () => eachSeesHerOwn(pages));
    await step('the server refuses Ada’s token, her SDK returns another one, and her article is renamed', async () => {
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
    await step('the server refuses her token again, and her SDK returns none: the session ends', async () => {
      contexts.server.revoke('ada');
      contexts.sdk.fail(Object.assign(new Error('Login required'), { error: 'login_required' }));
      await userEvent.click(left.getByRole('button', { name: 'Rename the first' }));
      await left.findByText('anonymous: expired');
      await expect(left.queryByText('On knocking')).not.toBeInTheDocument();
    });
    await step('Grace’s page is unaffected: no render, no fresh token, and her token still works', async () => {
      await graceIsUnaffected(pages);
      await expect(asksOfGrace).toBe(0);
    });
    await hasSent(
      'two requests with Grace’s token, at the start and at the end',
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
    );
  },
};

/** Two sessions on one page share nothing: Ada’s is refreshed, left and ended, and Grace’s is unaffected. */
export const SideBySide: Story = inCases({
  'with tokens of one API, and the same resource object': sideBySide,
  'with the cookies of two APIs': sideBySideWithCookies,
  'with the tokens of two SDKs, and one resource object': sideBySideWithSdks,
});
