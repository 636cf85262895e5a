import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import { LoginForm, PaginatedList, ResourceDetail, ResourceForm, ResourceList } from '../../../src/entries/widgets.js';
import { manualTimers } from '../../support/manualTimers.js';
import { titlesOf } from '../../support/titlesOf.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { csrf } from '../../support/setupCookieApp.js';
import { linesUnder, type Mechanism } from '../../support/linesUnder.js';

const app = setupWidgetApp();
const { sent } = app;
/** The slow network of the toolbar takes 1.5 s; these stories end that time by hand. */
const slowness = manualTimers(1_500);

/** One page of widgets under the choices of the toolbar: other users and networks than the stories of the same page below. */
const meta = {
  title: 'Proofs/Every mechanism',
  tags: ['proof', '!autodocs'],
  parameters: { cookies: app.cookies },
  beforeEach: app.start('ada'),
  render: () => (
    <app.Provider>
      <Authenticated fallback={<LoginForm />} loading={<p role="status">One moment…</p>}>
        <PaginatedList resource={app.Articles} label="Articles" renderItem={article => article.title} />
        <ResourceList
          resource={app.Articles}
          params={{ limit: 1 }}
          label="The first"
          renderItem={article => article.title}
        />
        <ResourceDetail
          resource={app.Articles}
          params={{ id: '1' }}
          label="Article 1"
          renderItem={article => <p>{article.content}</p>}
        />
        <ResourceForm resource={app.Articles} action="push" fields={[{ name: 'title', label: 'Title' }]} />
      </Authenticated>
    </app.Provider>
  ),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;
type Play = NonNullable<Story['play']>;
type Canvas = Parameters<Play>[0]['canvas'];

/** The requests of the three reading widgets. */
const reads = (mechanism: Mechanism, person: string, token?: number) =>
  ['/article', '/article?limit=1', '/article/1'].map(path => linesUnder[mechanism].read(sent.get(path), person, token));

const region = async (canvas: Canvas, name: string) => within(await canvas.findByRole('region', { name }));

async function seesAdas(canvas: Canvas) {
  const articles = await region(canvas, 'Articles');
  await articles.findByText('On signing out');
  await expect(titlesOf(articles)).toEqual(['On signing in', 'On signing out']);
  await (await region(canvas, 'The first')).findByText('On signing in');
  await canvas.findByText('Knock, and say who you are.');
  await expect(canvas.queryByText('A compiler for everyone')).not.toBeInTheDocument();
}

async function signsInAsAda(canvas: Canvas) {
  await userEvent.type(canvas.getByLabelText('User name'), 'ada');
  await userEvent.type(canvas.getByLabelText('Password'), 'lovelace{Enter}');
}

function asGrace(mechanism: Mechanism): Story {
  const { restores } = linesUnder[mechanism];
  return {
    globals: { mechanism, user: 'grace', network: 'fast' },
    play: async ({ canvas, step, hasSent }) => {
      await step('Grace sees her articles, and not Ada’s', async () => {
        const articles = await region(canvas, 'Articles');
        await articles.findByText('On finding the moth');
        await expect(titlesOf(articles)).toEqual(['A compiler for everyone', 'On finding the moth']);
        await (await region(canvas, 'The first')).findByText('A compiler for everyone');
        await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
      });
      await step('the server refuses Ada’s article to her', async () => {
        await within(canvas.getByRole('article', { name: 'Article 1' })).findByText('This belongs to another user.');
        await expect(canvas.queryByText('Knock, and say who you are.')).not.toBeInTheDocument();
      });
      await hasSent('three reads, each with her credential', [...restores, ...reads(mechanism, 'grace')], {
        anyOrder: true,
      });
    },
  };
}

function whileSignedOut(mechanism: Mechanism): Story {
  const { restores } = linesUnder[mechanism];
  const signIn = {
    token: [sent.post('/login').json({ username: 'ada', password: 'lovelace' })],
    cookie: [sent.get('/csrf'), sent.post('/login').headers(csrf(1)).json({ username: 'ada', password: 'lovelace' })],
    context: [],
  }[mechanism];
  return {
    globals: { mechanism, user: 'none', network: 'fast' },
    play: async ({ canvas, step, hasSent }) => {
      await step('the user is signed out: a form is shown, and no data', async () => {
        await canvas.findByRole('form', { name: 'Sign in' });
        await expect(canvas.queryByRole('region')).not.toBeInTheDocument();
      });
      await hasSent('no request for data', restores);
      await step('Ada signs in, and sees her articles', async () => {
        if (mechanism === 'context')
          await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
        else await signsInAsAda(canvas);
        await seesAdas(canvas);
      });
      await hasSent('the sign-in, and three reads', [...restores, ...signIn, ...reads(mechanism, 'ada')], {
        anyOrder: true,
      });
    },
  };
}

function slow(mechanism: Mechanism): Story {
  const { restores } = linesUnder[mechanism];
  return {
    globals: { mechanism, user: 'ada', network: 'slow' },
    beforeEach: slowness.start,
    play: async ({ canvas, step, hasSent }) => {
      await step('the session restores slowly', async () => {
        if (restores.length === 0) return;
        await waitFor(() => expect(slowness.running).toBe(restores.length));
        await canvas.findByText('One moment…');
        slowness.end();
      });
      await step('each widget shows that it is loading', async () => {
        await waitFor(() => expect(slowness.running).toBe(3));
        await waitFor(() => expect(canvas.getAllByText('Loading…')).toHaveLength(3));
        slowness.end();
      });
      await step('Ada sees her articles', () => seesAdas(canvas));
      await hasSent('three reads', [...restores, ...reads(mechanism, 'ada')], { anyOrder: true });
    },
  };
}

/** The token and the SDK know the user without the server. */
function offline(mechanism: 'token' | 'context'): Story {
  return {
    globals: { mechanism, user: 'ada', network: 'offline' },
    play: async ({ canvas, step, journal, hasSent }) => {
      await step('each widget shows that the server cannot be reached', () =>
        waitFor(() => expect(canvas.getAllByText(/The server could not be reached/)).toHaveLength(3)),
      );
      await step('Ada tries again in one widget, which fails too', async () => {
        const detail = within(canvas.getByRole('article', { name: 'Article 1' }));
        await userEvent.click(detail.getByRole('button', { name: 'Try again' }));
        await waitFor(() => expect(journal.entries).toHaveLength(4));
        await detail.findByText(/The server could not be reached/);
      });
      await hasSent(
        'three reads and the retry; Ada stays signed in',
        [...reads(mechanism, 'ada'), ...reads(mechanism, 'ada').slice(-1)],
        {
          anyOrder: true,
        },
      );
    },
  };
}

/** Only the server knows whose cookie it is. */
const offlineWithCookie: Story = {
  globals: { mechanism: 'cookie', user: 'ada', network: 'offline' },
  play: async ({ canvas, step, hasSent }) => {
    await step('the page stays signed out, and the form says why', async () => {
      await canvas.findByRole('form', { name: 'Sign in' });
      await expect(canvas.getByText(/^We could not check if you are signed in/)).toBeVisible();
    });
    await step('a login fails, and the form says why', async () => {
      await signsInAsAda(canvas);
      await expect(await canvas.findByRole('alert')).toHaveTextContent('The server could not be reached.');
    });
    await hasSent('no request for data', [
      sent.get('/whoami'),
      sent.post('/login').headers(csrf(1)).json({ username: 'ada', password: 'lovelace' }),
      // The lost answer may have set a cookie.
      sent.get('/whoami'),
    ]);
  },
};

/** Waits until all three reads are sent before the first 401 is answered. */
async function areRefused() {
  const release = app.articles.hold();
  await waitFor(() => expect(app.articles.held).toBe(3));
  release();
}

function expired(mechanism: 'token' | 'context'): Story {
  const { refreshes } = linesUnder[mechanism];
  return {
    globals: { mechanism, user: 'ada', network: 'expired' },
    beforeEach: () => void app.articles.hold(),
    play: async ({ canvas, step, hasSent }) => {
      await step('three reads arrive with an expired token', areRefused);
      await step('Ada sees her articles', () => seesAdas(canvas));
      await hasSent(
        'one refresh, and three requests that are sent again',
        [...reads(mechanism, 'ada'), ...refreshes, ...reads(mechanism, 'ada', 2)],
        {
          anyOrder: true,
        },
      );
    },
  };
}

const expiredCookie: Story = {
  globals: { mechanism: 'cookie', user: 'ada', network: 'expired' },
  beforeEach: () => void app.articles.hold(),
  play: async ({ canvas, step, hasSent }) => {
    await step('three reads arrive with a cookie that the server has forgotten', areRefused);
    await step('the session has ended, and the form says so', async () => {
      await canvas.findByText('Your session has ended. Sign in to continue.');
      await expect(canvas.queryByRole('region')).not.toBeInTheDocument();
    });
    await hasSent(
      'one whoami for all three says that nobody is signed in, and nothing is sent again',
      [sent.get('/whoami'), ...reads('cookie', 'ada'), sent.get('/whoami')],
      {
        anyOrder: true,
      },
    );
  },
};

export const TokenOfGrace = asGrace('token');
export const TokenSignedOut = whileSignedOut('token');
export const TokenSlow = slow('token');
export const TokenOffline = offline('token');
export const TokenExpired = expired('token');

export const CookieSignedOut = whileSignedOut('cookie');
export const CookieSlow = slow('cookie');
export const CookieOffline = offlineWithCookie;
export const CookieExpired = expiredCookie;

export const ContextTokenSignedOut = whileSignedOut('context');
