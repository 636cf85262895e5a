import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import {
  Authenticated,
  LoginForm,
  PaginatedList,
  ResourceDetail,
  ResourceForm,
  ResourceList,
} from '../../src/index.js';
import { manualTimers } from '../support/manualTimers.js';
import { titlesOf } from '../support/titlesOf.js';
import { setupWidgetApp, type Mechanism } from '../support/setupWidgetApp.js';

const app = setupWidgetApp();
/** The toolbar's slow network takes 1.5 s; these stories tell when that is over. */
const slowness = manualTimers(1_500);

/** One page of widgets under the choices of the toolbar: each mechanism, with each person and each network. */
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

/** How a mechanism shows on the lines of what was sent. */
interface Traces {
  /** What is asked before anything is shown. */
  first: string[];
  read: (person: string, time?: number) => string;
  write: (person: string) => string;
}

const token: Traces['read'] = (person, time = 1) => `same-origin  access-token: ${person}-${time}`;
const tracesOf: Record<Mechanism, Traces> = {
  token: { first: [], read: token, write: token },
  cookie: {
    first: ['GET /api/whoami  same-origin'],
    read: () => 'same-origin',
    write: () => 'same-origin  x-csrftoken: csrf-1',
  },
  context: { first: [], read: token, write: token },
};

/** What the three reading widgets ask for. */
const reads = (credential: string) =>
  ['/api/article', '/api/article?limit=1', '/api/article/1'].map(address => `GET ${address}  ${credential}`);

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

function asAda(mechanism: Mechanism): Story {
  const { first, read, write } = tracesOf[mechanism];
  return {
    globals: { mechanism, person: 'ada', network: 'fast' },
    play: async ({ canvas, step, journal }) => {
      await step('Ada sees her articles, and not Grace’s', () => seesAdas(canvas));
      await step('she writes one, and the list follows', async () => {
        await userEvent.type(canvas.getByLabelText('Title'), 'On writing{Enter}');
        await (await region(canvas, 'Articles')).findByText('On writing');
      });
      await step('three reads and one write, each with her credential', () =>
        expect(journal).toHaveSent(
          [...first, ...reads(read('ada')), `POST /api/article  ${write('ada')}  {"title":"On writing"}`],
          { anyOrder: true },
        ),
      );
    },
  };
}

function asGrace(mechanism: Mechanism): Story {
  const { first, read } = tracesOf[mechanism];
  return {
    globals: { mechanism, person: 'grace', network: 'fast' },
    play: async ({ canvas, step, journal }) => {
      await step('Grace sees her articles, and not Ada’s', async () => {
        const articles = await region(canvas, 'Articles');
        await articles.findByText('On finding the moth');
        await expect(titlesOf(articles)).toEqual(['A compiler for everyone', 'On finding the moth']);
        await (await region(canvas, 'The first')).findByText('A compiler for everyone');
        await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
      });
      await step('Ada’s article is refused to her', async () => {
        await within(canvas.getByRole('article', { name: 'Article 1' })).findByText('You are not allowed to do this.');
        await expect(canvas.queryByText('Knock, and say who you are.')).not.toBeInTheDocument();
      });
      await step('three reads, each with her credential', () =>
        expect(journal).toHaveSent([...first, ...reads(read('grace'))], { anyOrder: true }),
      );
    },
  };
}

function asNobody(mechanism: Mechanism): Story {
  const { first, read } = tracesOf[mechanism];
  const signIn = {
    token: ['POST /api/login  same-origin  {"username":"ada","password":"lovelace"}'],
    cookie: [
      'GET /api/csrf  same-origin',
      'POST /api/login  same-origin  x-csrftoken: csrf-1  {"username":"ada","password":"lovelace"}',
    ],
    context: [],
  }[mechanism];
  return {
    globals: { mechanism, person: 'nobody', network: 'fast' },
    play: async ({ canvas, step, journal }) => {
      await step('nobody is signed in: there is a form, and nothing of anybody’s', async () => {
        await canvas.findByRole('form', { name: 'Sign in' });
        await expect(canvas.queryByRole('region')).not.toBeInTheDocument();
      });
      await step('nothing was asked for', () => expect(journal).toHaveSent(first));
      await step('Ada signs in, and sees her articles', async () => {
        if (mechanism === 'context')
          await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
        else await signsInAsAda(canvas);
        await seesAdas(canvas);
      });
      await step('the sign-in, and three reads', () =>
        expect(journal).toHaveSent([...first, ...signIn, ...reads(read('ada'))], { anyOrder: true }),
      );
    },
  };
}

function slow(mechanism: Mechanism): Story {
  const { first, read } = tracesOf[mechanism];
  return {
    globals: { mechanism, person: 'ada', network: 'slow' },
    beforeEach: slowness.start,
    play: async ({ canvas, step, journal }) => {
      await step('the session is restored, as slowly as anything', async () => {
        if (first.length === 0) return;
        await waitFor(() => expect(slowness.running).toBe(first.length));
        await canvas.findByText('One moment…');
        slowness.end();
      });
      await step('each widget says that it is loading', async () => {
        await waitFor(() => expect(slowness.running).toBe(3));
        await waitFor(() => expect(canvas.getAllByText('Loading…')).toHaveLength(3));
        slowness.end();
      });
      await step('Ada sees her articles', () => seesAdas(canvas));
      await step('three reads', () =>
        expect(journal).toHaveSent([...first, ...reads(read('ada'))], { anyOrder: true }),
      );
    },
  };
}

/** Whose session is on this page is known without the server. */
function offline(mechanism: 'token' | 'context'): Story {
  const { read } = tracesOf[mechanism];
  return {
    globals: { mechanism, person: 'ada', network: 'offline' },
    play: async ({ canvas, step, journal }) => {
      await step('each widget says so', () =>
        waitFor(() => expect(canvas.getAllByText(/The server could not be reached/)).toHaveLength(3)),
      );
      await step('Ada tries one again, which fails as well', async () => {
        const detail = within(canvas.getByRole('article', { name: 'Article 1' }));
        await userEvent.click(detail.getByRole('button', { name: 'Try again' }));
        await waitFor(() => expect(journal.entries).toHaveLength(4));
        await detail.findByText(/The server could not be reached/);
      });
      await step('three reads and the retry; nobody was signed out', () =>
        expect(journal).toHaveSent([...reads(read('ada')), ...reads(read('ada')).slice(-1)], { anyOrder: true }),
      );
    },
  };
}

/** Only the server can say whose a cookie is. */
const offlineWithCookie: Story = {
  globals: { mechanism: 'cookie', person: 'ada', network: 'offline' },
  play: async ({ canvas, step, journal }) => {
    await step('nobody is known to be signed in, and the form says so', async () => {
      await canvas.findByRole('form', { name: 'Sign in' });
      await expect(canvas.getByText(/^It could not be checked whether you are signed in/)).toBeVisible();
    });
    await step('a sign-in fails, and says why', async () => {
      await signsInAsAda(canvas);
      await expect(await canvas.findByRole('alert')).toHaveTextContent('The server could not be reached.');
    });
    await step('no request for data', () =>
      expect(journal).toHaveSent([
        ...tracesOf.cookie.first,
        `POST /api/login  ${tracesOf.cookie.write('ada')}  {"username":"ada","password":"lovelace"}`,
        // The lost answer may have set a cookie.
        ...tracesOf.cookie.first,
      ]),
    );
  },
};

/** All three reads are sent before the first 401 is known. */
async function areRefused() {
  const release = app.articles.hold();
  await waitFor(() => expect(app.articles.held).toBe(3));
  release();
}

function expired(mechanism: 'token' | 'context'): Story {
  const { read } = tracesOf[mechanism];
  const refresh = mechanism === 'token' ? ['POST /api/refresh  same-origin  {"refreshToken":"ada-refresh-1"}'] : [];
  return {
    globals: { mechanism, person: 'ada', network: 'expired' },
    beforeEach: () => void app.articles.hold(),
    play: async ({ canvas, step, journal }) => {
      await step('three reads arrive with a token that has expired', areRefused);
      await step('Ada sees her articles all the same', () => seesAdas(canvas));
      await step('one refresh, and three replays', () =>
        expect(journal).toHaveSent([...reads(read('ada')), ...refresh, ...reads(read('ada', 2))], { anyOrder: true }),
      );
    },
  };
}

const expiredCookie: Story = {
  globals: { mechanism: 'cookie', person: 'ada', network: 'expired' },
  beforeEach: () => void app.articles.hold(),
  play: async ({ canvas, step, journal }) => {
    await step('three reads arrive with a cookie that means nothing any more', areRefused);
    await step('the session has ended, and the form says so', async () => {
      await canvas.findByText('Your session has ended. Sign in to go on.');
      await expect(canvas.queryByRole('region')).not.toBeInTheDocument();
    });
    await step('nothing is sent again', () =>
      expect(journal).toHaveSent([...tracesOf.cookie.first, ...reads('same-origin')], { anyOrder: true }),
    );
  },
};

export const TokenOfAda = asAda('token');
export const TokenOfGrace = asGrace('token');
export const TokenOfNobody = asNobody('token');
export const TokenSlow = slow('token');
export const TokenOffline = offline('token');
export const TokenExpired = expired('token');

export const CookieOfAda = asAda('cookie');
export const CookieOfGrace = asGrace('cookie');
export const CookieOfNobody = asNobody('cookie');
export const CookieSlow = slow('cookie');
export const CookieOffline = offlineWithCookie;
export const CookieExpired = expiredCookie;

export const ContextTokenOfAda = asAda('context');
export const ContextTokenOfGrace = asGrace('context');
export const ContextTokenOfNobody = asNobody('context');
export const ContextTokenSlow = slow('context');
export const ContextTokenOffline = offline('context');
export const ContextTokenExpired = expired('context');
