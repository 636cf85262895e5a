import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState, type ReactNode } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated, ContextTokenProvider, hookifyResource, resource, RestEndpoint } from '../../../src/index.js';
import type { RequestJournal, RequestLine } from '../../../src/testing/index.js';
import { api, Article } from '../../support/articles.js';
import { setupContextApp } from '../../support/setupContextApp.js';
import { ArticlesDemo, type ArticleHooks } from '../../support/ArticlesDemo.js';
import { CountedPage } from '../../support/CountedPage.js';
import { Delete, Rename } from '../../support/Rename.js';
import { setupSdkRefresh } from '../../support/setupRefreshCase.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { inCases } from '../../support/inCases.js';

const logout = new RestEndpoint({
  urlPrefix: api,
  path: '/logout',
  method: 'POST',
  body: {} as { refreshToken: string | undefined },
});

/** Its logout names the refresh token, so that the server can end a login whose access token has expired. */
const app = setupTokenApp({ restores: false, session: { logout: ({ refreshToken }) => logout({ refreshToken }) } });
const { sent } = app;
const contexts = setupContextApp();
const sdk = setupSdkRefresh();

/** What changes hands when one identity follows another, or two share a page: nothing. The counts stand above the page. */
const meta = {
  title: 'Proofs/Identity',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: app.start('ada'),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const GRACE_SIGNS_IN = sent.post('/login').json({ username: 'grace', password: 'hopper' });
const ADA_REFRESHES = sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' });

interface SignOut {
  Page: (props: { journal: RequestJournal; children: ReactNode }) => ReactNode;
  Articles: ArticleHooks;
  /** Lets Ada's token expire, and makes its refresh wait. */
  hold: () => () => void;
  /** How many refreshes wait. */
  held: () => number;
  status: string;
  counts: string;
  lines: RequestLine[];
}

const signsOut = ({ Page, Articles, hold, held, status, counts, lines }: SignOut): Story => ({
  render: (_, { journal }) => (
    <Page journal={journal}>
      <Authenticated>
        <Rename articles={Articles} ids={['1']}>
          Rename mine
        </Rename>
        <ArticlesDemo articles={Articles} />
      </Authenticated>
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    const release = hold();
    await step('her token has expired; a rename waits for a new one', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename mine' }));
      await waitFor(() => expect(held()).toBe(1));
    });
    await step('she signs out, and the waiting call rejects at once', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText(status);
      await canvas.findByText(
        'The user signed out while this request was under way, so its answer was dropped. Sign in, then start it again.',
      );
    });
    await step('the new token arrives, and she stays signed out; then Grace signs in', async () => {
      release();
      await waitFor(() => expect(held()).toBe(0));
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.getByText(counts)).toBeInTheDocument();
    });
    await expect(journal).toHaveSent(lines);
  },
});

const TokenPage: SignOut['Page'] = ({ journal, children }) => (
  <CountedPage journal={journal} app={app}>
    {children}
  </CountedPage>
);

/** Ada signs out while her token is refreshed: the new token ends with her session, and the waiting request is not sent again. */
export const SignOutDuringARefresh: Story = inCases({
  'the session refreshes: the new tokens go with the logout alone': signsOut({
    Page: TokenPage,
    Articles: app.Articles,
    hold: () => {
      app.server.expire();
      return app.server.holdRefresh();
    },
    held: () => app.server.held,
    status: 'anonymous: signed-out',
    counts: '3 for data, 1 to refresh',
    lines: [
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada').json({ title: 'Renamed 1' }),
      ADA_REFRESHES,
      sent.post('/logout').as('ada', 2).json({ refreshToken: 'ada-refresh-2' }),
      GRACE_SIGNS_IN,
      sent.get('/article').as('grace'),
    ],
  }),
  'the SDK refreshes: no request carries the fresh token': {
    ...signsOut({
      Page: sdk.Page,
      Articles: sdk.Articles,
      hold: () => {
        sdk.server.expire();
        return sdk.sdk.hold();
      },
      held: () => sdk.sdk.held,
      status: 'anonymous: elsewhere',
      counts: '3 for data, 0 to refresh',
      lines: [
        sdk.sent.get('/article').as('ada'),
        sdk.sent.patch('/article/1').as('ada').json({ title: 'Renamed 1' }),
        sdk.sent.get('/article').as('grace'),
      ],
    }),
    beforeEach: sdk.start('ada'),
  },
});

const IDENTITY_CHANGED =
  'The identity changed while this request was under way, so its answer was dropped. Start it again if the new identity wants it.';

interface WaitingDeletion {
  beforeEach?: Story['beforeEach'];
  /** The counts, and the provider below them. */
  Page: (props: { journal: RequestJournal; children: ReactNode }) => ReactNode;
  Articles: ArticleHooks;
  /** Makes Ada's deletion wait, until the returned function is called. */
  wait: { title: string; hold: () => () => void; isWaiting: () => unknown; over: string };
  /** The button by which Grace takes Ada's place. */
  graceSignsIn: string;
  sends: { title: string; lines: RequestLine[]; headers?: string[] };
}

/** A deletion of Ada's waits when Grace signs in. The call rejects then, and when the wait is over, nothing is sent as Grace. */
function deletionWaits({ beforeEach, Page, Articles, wait, graceSignsIn, sends }: WaitingDeletion): Story {
  return {
    ...(beforeEach && { beforeEach }),
    render: (_, { journal }) => (
      <Page journal={journal}>
        <Delete articles={Articles} id="1">
          Delete Ada’s
        </Delete>
        <ArticlesDemo articles={Articles} />
      </Page>
    ),
    play: async ({ canvas, step, journal }) => {
      await step('Ada sees her articles', async () => {
        await canvas.findByText('On signing in');
      });
      const release = wait.hold();
      await step(wait.title, async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Delete Ada’s' }));
        await waitFor(() => wait.isWaiting());
      });
      await step('Grace signs in, and the deletion is called off', async () => {
        await userEvent.click(canvas.getByRole('button', { name: graceSignsIn }));
        await canvas.findByText('A compiler for everyone');
        await canvas.findByText(IDENTITY_CHANGED);
      });
      await step(`${wait.over}; Grace renames an article of hers`, async () => {
        release();
        await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
        await canvas.findByText('On knocking');
      });
      await step(sends.title, () =>
        expect(journal).toHaveSent(sends.lines, sends.headers && { headers: sends.headers }),
      );
    },
  };
}

const waitingForARefresh: Story = deletionWaits({
  Page: TokenPage,
  Articles: app.Articles,
  wait: {
    title: 'her token has expired; a deletion waits for the refresh',
    hold: () => {
      app.server.expire();
      return app.server.holdRefresh();
    },
    isWaiting: () => expect(app.server.held).toBe(1),
    over: 'the refresh is answered',
  },
  graceSignsIn: 'Sign in as Grace Hopper',
  sends: {
    title: 'the deletion is sent once, as Ada, and refused',
    lines: [
      sent.get('/article').as('ada'),
      sent.delete('/article/1').as('ada'),
      ADA_REFRESHES,
      GRACE_SIGNS_IN,
      sent.get('/article').as('grace'),
      sent.patch('/article/3').as('grace').json({ title: 'On knocking' }),
    ],
  },
});

/** Makes the next request wait, and no later one. */
function waitOfOne() {
  let next: Promise<void> | undefined;
  return {
    reset: () => {
      next = undefined;
    },
    hold: () => {
      let release = () => {};
      next = new Promise(resolve => (release = resolve));
      return () => release();
    },
    /** Called for a request: resolves when it may go on. */
    pass: () => {
      const wait = next;
      next = undefined;
      return wait;
    },
    isWaiting: () => expect(next).toBeUndefined(),
  };
}

const slowSdk = waitOfOne();

/** A slow SDK, whose user can change while it works. */
function SlowSdk({ children }: { children: ReactNode }) {
  const [person, setPerson] = useState(() => ({ id: 'ada', token: contexts.server.signIn('ada').accessToken }));
  const getToken = async () => {
    await slowSdk.pass();
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

const waitingForTheSdk: Story = deletionWaits({
  beforeEach: [contexts.start(), slowSdk.reset],
  Page: ({ journal, children }) => (
    <CountedPage journal={journal} app={{ Provider: SlowSdk }} buttons={null}>
      {children}
    </CountedPage>
  ),
  Articles: contexts.Articles,
  wait: { title: 'the SDK is slow; a deletion waits for its token', ...slowSdk, over: 'the SDK returns Ada’s token' },
  graceSignsIn: 'Become Grace',
  sends: {
    title: 'no DELETE',
    lines: [
      sent.get('/article').as('ada'),
      sent.get('/article').as('grace'),
      sent.patch('/article/3').as('grace').json({ title: 'On knocking' }),
    ],
  },
});

const slowHeaders = waitOfOne();

/** Endpoints that await their headers before each request, and send with a client that ignores abort signals. */
class DeviceEndpoint extends RestEndpoint {
  override async getHeaders(headers: HeadersInit) {
    await slowHeaders.pass();
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

const waitingForItsHeaders: Story = deletionWaits({
  beforeEach: slowHeaders.reset,
  Page: TokenPage,
  Articles: DeviceArticles,
  wait: { title: 'a deletion waits for its headers', ...slowHeaders, over: 'the headers are known' },
  graceSignsIn: 'Sign in as Grace Hopper',
  sends: {
    title: 'no DELETE',
    lines: [
      sent.get('/article').as('ada').headers({ 'x-device': 'desk-1' }),
      GRACE_SIGNS_IN,
      sent.get('/article').as('grace').headers({ 'x-device': 'desk-1' }),
      sent.patch('/article/3').as('grace').headers({ 'x-device': 'desk-1' }).json({ title: 'On knocking' }),
    ],
    headers: ['x-device'],
  },
});

/** A deletion of Ada’s waits when Grace signs in: the call rejects, and it is never sent as Grace. */
export const DeletionWaits: Story = inCases({
  'for a refresh': waitingForARefresh,
  'for the token of an SDK': waitingForTheSdk,
  'for headers of the app, with a client that no signal can stop': waitingForItsHeaders,
});
