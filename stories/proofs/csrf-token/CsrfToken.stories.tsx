import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated, RestEndpoint, useEndpoint } from '../../../src/index.js';
import { createGate, resourceHandlers, type Release, type RequestLine } from '../../../src/testing/index.js';
import { api, articleHooks, articleResource, rows } from '../../support/articles.js';
import { ArticlesDemo } from '../../support/ArticlesDemo.js';
import { CountedPage } from '../../support/CountedPage.js';
import { manyArticles } from '../../support/manyArticles.js';
import { Delete, Rename } from '../../support/Rename.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { csrf, ownApi, setupCookieApp } from '../../support/setupCookieApp.js';
import { inCases } from '../../support/inCases.js';
import { useController } from '@data-client/react';
import { http, HttpResponse } from 'msw';
import { ActionButton } from '../../support/ActionButton.js';
import type { ReactNode } from 'react';
import { ManyDetails } from '../../support/ManyDetails.js';
import type { StoryStart } from '../../support/StoryStart.js';

const gate = createGate();
let release: Release | undefined;

/** Delays each answer with a CSRF token until `release()`. `start` is a story's `beforeEach`. */
const csrfGate = {
  /** How many fetches of the token wait now. */
  get waiting() {
    return gate.held;
  },
  release: () => release?.(),
  start: (({ msw }) => {
    gate.reset();
    release = gate.hold();
    msw.use(http.get(`${ownApi}/csrf`, () => gate.pass().then(() => undefined)));
  }) satisfies StoryStart,
};

type Sent = ReturnType<typeof setupCookieApp>['sent'];

/** The lines of one rename for each id, with the CSRF token of this number. */
const renameLines = (sent: Sent, ids: readonly string[], token: number) =>
  ids.map(id =>
    sent
      .patch(`/article/${id}`)
      .headers(csrf(token))
      .json({ title: `Renamed ${id}` }),
  );

/** The line of Grace's login, with the CSRF token of this number. */
const graceSignsIn = (sent: Sent, token: number) =>
  sent.post('/login').headers(csrf(token)).json({ username: 'grace', password: 'hopper' });

const TEN = 10;
const { ids: ten } = manyArticles(TEN);

const app = setupCookieApp();
const { sent } = app;
const many = setupCookieApp({ rows: manyArticles(20).rows });

/** Notes, so that one resource can be slow while the other is not. */
const notesApi = `${ownApi}/notes`;
const Notes = articleHooks(notesApi);
const notes = resourceHandlers(articleResource(notesApi), rows, { auth: app.server });

/**
 * Proves the CSRF token of a cookie session: the session reads it when a request is sent, and fetches it once when the server refuses it.
 * A 401 ends the session, because a cookie cannot be refreshed.
 */
const meta = {
  title: 'Proofs/CSRF token',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly, cookies: app.cookies },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const renamesTen: Story['render'] = (_, { journal }) => (
  <CountedPage journal={journal} app={many}>
    <Authenticated>
      <Rename articles={many.Articles} ids={ten}>
        Rename ten
      </Rename>
    </Authenticated>
  </CountedPage>
);

const tenWithAStaleToken: Story = {
  beforeEach: [many.start('ada'), csrfGate.start],
  render: renamesTen,
  play: async ({ canvas, step, journal, hasSent }) => {
    const button = await canvas.findByRole('button', { name: 'Rename ten' });
    await step('the server expects another CSRF token, and refuses ten renames of Ada’s', async () => {
      many.server.expireCsrf();
      await userEvent.click(button);
      await waitFor(() => expect(journal.entries.filter(({ status }) => status === 403)).toHaveLength(TEN));
    });
    await step('the token is fetched, and all ten are renamed', async () => {
      csrfGate.release();
      await waitFor(() => expect(canvas.getAllByText(/^Renamed \d+$/)).toHaveLength(TEN));
      await expect(canvas.getByText('20 for data, 1 to refresh')).toBeInTheDocument();
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await hasSent(
      'one fetch of the token, one whoami before the replays, and each rename twice',
      [
        ...[sent.get('/whoami'), ...renameLines(sent, ten, 1)],
        ...[sent.get('/csrf'), sent.get('/whoami'), ...renameLines(sent, ten, 2)],
      ],
      {
        anyOrder: true,
      },
    );
  },
};

/** A refusal for the old CSRF token arrives after the new token: the request is sent again at once, without another fetch. */
export const LateRefusal: Story = {
  beforeEach: [
    app.start('ada'),
    ({ msw }) => {
      notes.reset();
      msw.use(...notes.handlers);
    },
  ],
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={app}>
      <Rename articles={Notes} ids={['1']}>
        Rename the note
      </Rename>
      <ArticlesDemo articles={app.Articles} />
    </CountedPage>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    app.server.expireCsrf();
    const release = notes.hold();
    await step('she renames a note with the stale token, and the server does not answer yet', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the note' }));
      await waitFor(() => expect(notes.held).toBe(1));
    });
    await step('she renames an article, which fetches the new token', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await step('the refusal for the note arrives, and the note is renamed', async () => {
      release();
      await canvas.findByText('Renamed 1');
      await expect(canvas.getByText('5 for data, 1 to refresh')).toBeInTheDocument();
    });
    await hasSent('one fetch and one whoami for both', [
      sent.get('/whoami'),
      sent.get('/article'),
      sent.patch('/notes/article/1').headers(csrf(1)).json({ title: 'Renamed 1' }),
      sent.patch('/article/1').headers(csrf(1)).json({ title: 'On knocking' }),
      sent.get('/csrf'),
      sent.get('/whoami'),
      sent.patch('/article/1').headers(csrf(2)).json({ title: 'On knocking' }),
      sent.patch('/notes/article/1').headers(csrf(2)).json({ title: 'Renamed 1' }),
    ]);
  },
};

const missingToken: Story = {
  beforeEach: many.start('ada'),
  render: renamesTen,
  play: async ({ canvas, step, hasSent }) => {
    const button = await canvas.findByRole('button', { name: 'Rename ten' });
    await step('the cookie is gone, and Ada renames ten articles', async () => {
      document.cookie = 'csrftoken=; Path=/; Max-Age=0';
      await userEvent.click(button);
      await waitFor(() => expect(canvas.getAllByText(/^Renamed \d+$/)).toHaveLength(TEN));
      await expect(canvas.getByText('10 for data, 1 to refresh')).toBeInTheDocument();
    });
    await hasSent(
      'one fetch of the token, one whoami, and ten renames that carry it',
      [sent.get('/whoami'), sent.get('/csrf'), sent.get('/whoami'), ...renameLines(sent, ten, 1)],
      { anyOrder: true },
    );
  },
};

/** Ten writes at once have a stale CSRF token or none: it is fetched once for all, and each write carries the new one. */
export const TenWithAStaleToken: Story = inCases({
  'the server refuses all ten: each is sent again, unchanged': tenWithAStaleToken,
  'the page has no CSRF cookie: the token is fetched before the ten are sent, and no empty header is sent':
    missingToken,
});

const ask = new RestEndpoint({ urlPrefix: ownApi, path: '/article', method: 'HEAD', schema: undefined });
const options = new RestEndpoint({
  urlPrefix: ownApi,
  path: '/article',
  method: 'OPTIONS',
  schema: undefined,
  body: undefined,
});

/** Sends requests that change nothing. */
function AskOnly() {
  const controller = useController();
  const head = useEndpoint(ask);
  const preflight = useEndpoint(options);
  const act = async () => {
    await controller.fetch(head);
    await controller.fetch(preflight);
    return 'Asked';
  };
  return <ActionButton label="Ask only" act={act} />;
}

/** Each write carries the current CSRF token: also after another tab or a login has changed it. HEAD and OPTIONS carry none. */
export const Rotates: Story = {
  beforeEach: [
    app.start('ada'),
    ({ msw }) => {
      const nothing = () => new HttpResponse(null, { status: 204 });
      msw.use(http.head(`${ownApi}/article`, nothing), http.options(`${ownApi}/article`, nothing));
    },
  ],
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={app}>
      <AskOnly />
      <ArticlesDemo articles={app.Articles} />
    </CountedPage>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada renames an article, and sends HEAD and OPTIONS', async () => {
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
      await userEvent.click(canvas.getByRole('button', { name: 'Ask only' }));
      await canvas.findByText('Asked');
    });
    await step('another tab gets another token; she writes an article', async () => {
      app.server.rotateCsrf();
      await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
      await canvas.findByText('On writing');
    });
    await step('Grace signs in, and renames one of hers', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await hasSent(
      'four writes with three tokens, and no fetch of a token; whoami confirms that the cookie of the other tab is hers',
      [
        sent.get('/whoami'),
        sent.get('/article'),
        sent.patch('/article/1').headers(csrf(1)).json({ title: 'On knocking' }),
        sent.head('/article'),
        sent.options('/article'),
        sent.get('/whoami'),
        sent.post('/article').headers(csrf(2)).json({ title: 'On writing' }),
        graceSignsIn(sent, 2),
        sent.get('/article'),
        sent.patch('/article/3').headers(csrf(3)).json({ title: 'On knocking' }),
      ],
    );
  },
};

const { ids: twenty } = manyArticles(20);

type Canvas = Parameters<NonNullable<Story['play']>>[0]['canvas'];

const EXPIRED =
  'The session has expired: the server refused its credentials. Sign in again, then start the request again.';

interface Twenty {
  /** The button that starts the twenty requests. */
  label: string;
  widgets: ReactNode;
  title: string;
  /** One more look at the ended session. */
  sees?: (canvas: Canvas) => Promise<unknown>;
  lines: RequestLine[];
}

/** The server has forgotten the cookie when twenty requests arrive: it refuses each once, and Grace signs in without a reload. */
function twentyMeetTheEnd({ label, widgets, title, sees, lines }: Twenty): Story {
  return {
    beforeEach: many.start('ada'),
    render: (_, { journal }) => (
      <CountedPage journal={journal} app={many}>
        <Authenticated>{widgets}</Authenticated>
      </CountedPage>
    ),
    play: async ({ canvas, step, hasSent }) => {
      const button = await canvas.findByRole('button', { name: label });
      many.server.expire();
      const release = many.articles.hold();
      await step(`Ada’s session has ended on the server; ${title}`, async () => {
        await userEvent.click(button);
        await waitFor(() => expect(many.articles.held).toBe(20));
        release();
        await canvas.findByText('anonymous: expired');
        await sees?.(canvas);
        await expect(canvas.getByText('20 for data, 0 to refresh')).toBeInTheDocument();
      });
      await step('Grace signs in without a reload', async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
        await canvas.findByText('authenticated');
      });
      await hasSent(
        'each request was sent once, and one whoami for all',
        [sent.get('/whoami'), ...lines, sent.get('/whoami'), graceSignsIn(sent, 1)],
        {
          anyOrder: true,
        },
      );
    },
  };
}

const twentyMeetTheEndCase: Story = twentyMeetTheEnd({
  label: 'Show twenty',
  widgets: (
    <ManyDetails articles={many.Articles} ids={twenty}>
      Show twenty
    </ManyDetails>
  ),
  title: 'she opens twenty widgets, and the session ends',
  lines: twenty.map(id => sent.get(`/article/${id}`)),
});

const twentyWritesMeetTheEnd: Story = twentyMeetTheEnd({
  label: 'Rename twenty',
  widgets: (
    <Rename articles={many.Articles} ids={twenty}>
      Rename twenty
    </Rename>
  ),
  title: 'she renames twenty articles, and each call rejects with the reason',
  sees: canvas => waitFor(() => expect(canvas.getAllByText(EXPIRED)).toHaveLength(20)),
  lines: renameLines(sent, twenty, 1),
});

/** The server has forgotten the cookie: each request is refused once, the session ends once, and nothing is sent again. */
export const TwentyMeetTheEnd: Story = inCases({
  'twenty widgets': twentyMeetTheEndCase,
  'twenty writes, which reject with the same reason': twentyWritesMeetTheEnd,
});

interface FailedRename {
  beforeEach?: StoryStart;
  /** The first rename: what the server does before it, and what the page shows after it. */
  fails: { title: string; before?: () => void; message: RegExp };
  /** The second rename. */
  works: { title: string; before?: () => void; counts: string };
  sends: { title: string; lines: RequestLine[] };
}

/** The new token may be another user’s, so whoami comes before the replay. */
const fetchesToken = [sent.get('/csrf'), sent.get('/whoami')];

const renameWith = (token: number) => sent.patch('/article/1').headers(csrf(token)).json({ title: 'On knocking' });

/** A rename fails for its CSRF token, Ada stays signed in with her articles, and a later try succeeds. */
function renameFails({ beforeEach = () => {}, fails, works, sends }: FailedRename): Story {
  return {
    beforeEach: [app.start('ada'), beforeEach],
    render: (_, { journal }) => (
      <CountedPage journal={journal} app={app}>
        <ArticlesDemo articles={app.Articles} />
      </CountedPage>
    ),
    play: async ({ canvas, step, journal }) => {
      const rename = () => userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await step('Ada sees her articles', async () => {
        await canvas.findByText('On signing in');
      });
      await step(`${fails.title}, and she stays signed in with her articles`, async () => {
        app.server.expireCsrf();
        fails.before?.();
        await rename();
        await canvas.findByText(fails.message);
        await expect(canvas.getByText('authenticated')).toBeInTheDocument();
        await expect(canvas.getByText('On signing in')).toBeInTheDocument();
      });
      await step(works.title, async () => {
        works.before?.();
        await rename();
        await canvas.findByText('On knocking');
        await expect(canvas.getByText(works.counts)).toBeInTheDocument();
      });
      await step(sends.title, () =>
        expect(journal).toHaveSent([sent.get('/whoami'), sent.get('/article'), ...sends.lines]),
      );
    },
  };
}

const refusedTwice: Story = renameFails({
  beforeEach: ({ msw }) => {
    // The server has yet another one when it has answered, as when a proxy keeps the answer.
    msw.use(http.get(`${ownApi}/csrf`, () => new HttpResponse(null, { status: 204 }), { once: true }));
  },
  fails: { title: 'her rename is refused twice', message: /^Renamed: (\S+: )?Forbidden$/ },
  works: { title: 'she renames the article again, and it works', counts: '5 for data, 2 to refresh' },
  sends: {
    title: 'two tries for each rename, with one fetch between',
    lines: [
      ...[renameWith(1), ...fetchesToken, renameWith(1)],
      // The refusal after a fresh token says that somebody else may be signed in.
      ...[sent.get('/whoami'), renameWith(1), ...fetchesToken, renameWith(2)],
    ],
  },
});

const unavailable: Story = renameFails({
  fails: {
    title: 'the server expects another token and issues none: her rename fails',
    before: () => app.server.unavailable(),
    message:
      /^Renamed: The server that issues the credentials could not be reached\. This signs no user out: try again when the network is back\.$/,
  },
  works: {
    title: 'the server issues tokens again, and she renames the article',
    before: () => app.server.unavailable(false),
    counts: '4 for data, 2 to refresh',
  },
  sends: {
    title: 'one fetch for each rename',
    lines: [renameWith(1), sent.get('/csrf'), sent.get('/whoami'), renameWith(1), ...fetchesToken, renameWith(2)],
  },
});

/** The server refuses the CSRF token, and there is no new one that helps: only the request fails, the user stays signed in with her data, and a later try succeeds. */
export const RefusedTwice: Story = inCases({
  'the new token is refused too': refusedTwice,
  'the token cannot be fetched now': unavailable,
});

/** Its login and logout need no CSRF token, so they work while the token of the page is stale. */
const lenient = setupCookieApp({ server: { csrf: { exempt: ['/login', '/logout'] } } });

/** Ada signs out while a CSRF token is fetched: the request that waits for it rejects, and is not sent again. */
export const SignOutDuringACsrfFetch: Story = {
  beforeEach: [lenient.start('ada'), csrfGate.start],
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={lenient}>
      <Authenticated>
        <Rename articles={lenient.Articles} ids={['1']}>
          Rename mine
        </Rename>
        <ArticlesDemo articles={lenient.Articles} />
      </Authenticated>
    </CountedPage>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her CSRF token is stale; a rename waits for the new one', async () => {
      lenient.server.expireCsrf();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename mine' }));
      await waitFor(() => expect(csrfGate.waiting).toBe(1));
    });
    await step('she signs out, and the waiting call rejects at once', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText('anonymous: signed-out');
      await canvas.findByText(
        'The user signed out while this request was under way, so its answer was dropped. Sign in, then start it again.',
      );
    });
    await step('the token arrives, and she stays signed out; then Grace signs in', async () => {
      csrfGate.release();
      await waitFor(() => expect(lenient.server.counts.logouts).toBe(1));
      await expect(canvas.getByText('anonymous: signed-out')).toBeInTheDocument();
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.getByText('3 for data, 2 to refresh')).toBeInTheDocument();
    });
    await hasSent('the rename was sent once', [
      sent.get('/whoami'),
      sent.get('/article'),
      ...renameLines(sent, ['1'], 1),
      sent.get('/csrf'),
      // The sign-out waits for the token, and asks whose cookie it is.
      sent.get('/whoami'),
      sent.post('/logout').headers(csrf(2)),
      sent.get('/csrf'),
      graceSignsIn(sent, 3),
      sent.get('/article'),
    ]);
  },
};

/**
 * A deletion of Ada's waits for a CSRF token when Grace signs in: her login waits for the token, and the deletion is
 * never sent with Grace's cookie.
 */
export const SwitchDuringACsrfFetch: Story = {
  beforeEach: [lenient.start('ada'), csrfGate.start],
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={lenient}>
      <Delete articles={lenient.Articles} id="1">
        Delete Ada’s
      </Delete>
      <ArticlesDemo articles={lenient.Articles} />
    </CountedPage>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her CSRF token is stale; a deletion waits for the new one', async () => {
      lenient.server.expireCsrf();
      await userEvent.click(canvas.getByRole('button', { name: 'Delete Ada’s' }));
      await waitFor(() => expect(csrfGate.waiting).toBe(1));
    });
    await step(
      'Grace signs in while the token is fetched; the token arrives, and the deletion is called off',
      async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
        csrfGate.release();
        await canvas.findByText('A compiler for everyone');
        await canvas.findByText(
          'The identity changed while this request was under way, so its answer was dropped. Start it again if the new identity wants it.',
        );
      },
    );
    await step('Grace renames one of hers', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await hasSent('the deletion was sent once, with Ada’s cookie, and refused', [
      sent.get('/whoami'),
      sent.get('/article'),
      sent.delete('/article/1').headers(csrf(1)),
      sent.get('/csrf'),
      graceSignsIn(sent, 2),
      sent.get('/article'),
      sent.patch('/article/3').headers(csrf(3)).json({ title: 'On knocking' }),
    ]);
  },
};

/** The CSRF token that the server expects now. */
let wanted = '';

interface Guard {
  url: string;
  header: string;
  /** How it refuses another token. */
  refuse: () => Response;
  /** How it hands out the token that it expects. */
  hand: () => Response;
  first: string;
}

/** Checks the CSRF token of each write, before anything else. */
function guardedBy({ url, header, refuse, hand, first }: Guard): StoryStart {
  return ({ msw }) => {
    wanted = first;
    msw.use(
      http.get(`${url}/csrf`, hand),
      http.all(`${url}/*`, ({ request }) =>
        request.method === 'GET' || request.headers.get(header) === wanted ? undefined : refuse(),
      ),
    );
  };
}

const laravel = setupCookieApp({
  url: api,
  csrf: false,
  session: {
    credentials: 'include',
    trustedOrigins: [api],
    csrf: { cookie: 'XSRF-TOKEN', header: 'X-XSRF-TOKEN', fetch: new RestEndpoint({ urlPrefix: api, path: '/csrf' }) },
  },
});

/**
 * Laravel, on another origin. The cookie holds the token URL-encoded, and the header brings it decoded. 419 refuses
 * the token, before a 401 would. The answer to a login names no user, so the page asks `whoami`.
 */
export const AsLaravelHasIt: Story = {
  parameters: { cookies: [...laravel.cookies, 'XSRF-TOKEN'] },
  beforeEach: [
    laravel.start(),
    ({ msw }) => {
      const signIn = () => {
        laravel.server.signIn('ada');
        return HttpResponse.json({ two_factor: false });
      };
      msw.use(http.post(`${api}/login`, signIn));
    },
    guardedBy({
      url: api,
      first: 'laravel-1=',
      header: 'X-XSRF-TOKEN',
      refuse: () => HttpResponse.json({ message: 'CSRF token mismatch.' }, { status: 419 }),
      hand: () => {
        document.cookie = `XSRF-TOKEN=${encodeURIComponent(wanted)}; Path=/; SameSite=Lax`;
        return new HttpResponse(null, { status: 204 });
      },
    }),
  ],
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={laravel}>
      <Authenticated>
        <ArticlesDemo articles={laravel.Articles} />
      </Authenticated>
    </CountedPage>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada signs in, and sees her articles', async () => {
      await canvas.findByText('anonymous');
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await canvas.findByText('On signing in');
    });
    await step('the server expects another token; she renames an article', async () => {
      wanted = 'laravel-2=';
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await step(
      'her session ends, and the token with it: her write is refused for the token, and then whoami finds nobody',
      async () => {
        laravel.server.expire();
        wanted = 'laravel-3=';
        await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
        await canvas.findByText('anonymous: expired');
      },
    );
    await step('each write carries the current token, decoded, and each refusal costs one fetch and one whoami', () => {
      const { get, patch, post } = laravel.sent;
      const xsrf = (number: number) => ({ 'X-XSRF-TOKEN': `laravel-${number}=` });
      return expect(journal).toHaveSent([
        get('/whoami'),
        get('/csrf'),
        post('/login').headers(xsrf(1)).json({ username: 'ada', password: 'lovelace' }),
        get('/whoami'),
        get('/article'),
        patch('/article/1').headers(xsrf(1)).json({ title: 'On knocking' }),
        get('/csrf'),
        get('/whoami'),
        patch('/article/1').headers(xsrf(2)).json({ title: 'On knocking' }),
        post('/article').headers(xsrf(2)).json({ title: 'On writing' }),
        get('/csrf'),
        get('/whoami'),
      ]);
    });
  },
};

const metaTag = () => document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]');

const railsToken = new RestEndpoint({ urlPrefix: ownApi, path: '/csrf' });

const rails = setupCookieApp({
  csrf: false,
  session: {
    csrf: {
      read: () => metaTag()?.content,
      fetch: async () => {
        const { token } = (await railsToken()) as { token: string };
        metaTag()?.setAttribute('content', token);
      },
      isRefused: async response =>
        response.status === 422 && !('errors' in ((await response.clone().json()) as object)),
    },
  },
  articles: { validate: ({ title }) => (title === 'On knocking' ? { title: ['is taken'] } : undefined) },
});

/**
 * Rails: the token is in a `<meta>` tag, and is sent in the header `X-CSRF-Token`. A stale token and invalid values
 * are both refused with 422, and `isRefused` tells the two apart.
 */
export const AsRailsHasIt: Story = {
  beforeEach: [
    rails.start('ada'),
    guardedBy({
      url: ownApi,
      first: 'rails-1',
      header: 'X-CSRF-Token',
      refuse: () => HttpResponse.json({ status: 422, error: 'Unprocessable Content' }, { status: 422 }),
      hand: () => HttpResponse.json({ token: wanted }),
    }),
    () => {
      document.head.insertAdjacentHTML('beforeend', '<meta name="csrf-token" content="rails-1">');
      return () => metaTag()?.remove();
    },
  ],
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={rails}>
      <Rename articles={rails.Articles} ids={['2']}>
        Rename the second
      </Rename>
      <ArticlesDemo articles={rails.Articles} />
    </CountedPage>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('the server expects another token than the page has; she renames the second article', async () => {
      wanted = 'rails-2';
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the second' }));
      await waitFor(() => expect(canvas.getAllByText('Renamed 2')).toHaveLength(2));
      await expect(metaTag()?.content).toBe('rails-2');
    });
    await step(
      'her new title for the first article is invalid: the page says so, and nothing is sent again',
      async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
        await canvas.findByText(/^Renamed: (\S+: )?Unprocessable/);
        await expect(canvas.getByText('authenticated')).toBeInTheDocument();
      },
    );
    await hasSent('one fetch of the token, for the one refusal of it', [
      sent.get('/whoami'),
      sent.get('/article'),
      sent.patch('/article/2').headers({ 'x-csrf-token': 'rails-1' }).json({ title: 'Renamed 2' }),
      sent.get('/csrf'),
      sent.get('/whoami'),
      sent.patch('/article/2').headers({ 'x-csrf-token': 'rails-2' }).json({ title: 'Renamed 2' }),
      sent.patch('/article/1').headers({ 'x-csrf-token': 'rails-2' }).json({ title: 'On knocking' }),
    ]);
  },
};
