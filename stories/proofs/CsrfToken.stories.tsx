import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import type { ReactNode } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated, RestEndpoint, useEndpoint } from '../../src/index.js';
import { resourceHandlers, type RequestJournal } from '../../src/testing/index.js';
import { api, articleHooks, articleResource, rows } from '../support/articles.js';
import { ActionButton } from '../support/ActionButton.js';
import { csrf, setupCookieApp, ownApi } from '../support/setupCookieApp.js';
import { ArticlesDemo, SignInButtons, AuthStatus } from '../support/ArticlesDemo.js';
import { manyArticles } from '../support/manyArticles.js';
import { ManyDetails } from '../support/ManyDetails.js';
import { Delete, Rename } from '../support/Rename.js';
import type { StoryStart } from '../support/StoryStart.js';
import { RequestLog } from '../support/RequestLog.js';
import { OutcomeLog } from '../support/OutcomeLog.js';
import { requestsOnly } from '../support/requestsOnly.js';

const TEN = 10;
const { ids: ten } = manyArticles(TEN);
const { ids: twenty } = manyArticles(20);

const app = setupCookieApp();
const { sent } = app;
const many = setupCookieApp({ rows: manyArticles(20).rows });
/** Its login and logout need no CSRF token, so that they work while the page's is stale. */
const lenient = setupCookieApp({ server: { csrf: { exempt: ['/login', '/logout'] } } });

/** Notes, so that one resource can be slow while the other is not. */
const notesApi = `${ownApi}/notes`;
const Notes = articleHooks(notesApi);
const notes = resourceHandlers(articleResource(notesApi), rows, { auth: app.server });

let answerCsrf = () => {};
let csrfWaits = 0;

/** Holds the first answer with a CSRF token back, until `answerCsrf()`. */
const holdsTheCsrfToken: StoryStart = ({ msw }) => {
  csrfWaits = 0;
  const held = new Promise<void>(resolve => (answerCsrf = resolve));
  msw.use(
    http.get(`${ownApi}/csrf`, async () => {
      csrfWaits += 1;
      await held;
    }),
  );
};

interface PageProps {
  journal: RequestJournal;
  of: Pick<typeof app, 'Provider'>;
  children: ReactNode;
}

/** The counts, and below them what stands below the provider. */
function Page({ journal, of, children }: PageProps) {
  return (
    <>
      <RequestLog journal={journal} />
      <OutcomeLog>
        <of.Provider>
          <AuthStatus />
          <SignInButtons />
          {children}
        </of.Provider>
      </OutcomeLog>
    </>
  );
}

/**
 * A session in a cookie, with a token against cross-site request forgery beside it: that is read when a request is sent, and fetched
 * anew, once, when the server refuses it. A 401 is the end of the session, since a cookie cannot be renewed.
 */
const meta = {
  title: 'Proofs/CSRF token',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly, cookies: app.cookies },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;
const renames = (ids: readonly string[], token: number) =>
  ids.map(id =>
    sent
      .patch(`/article/${id}`)
      .headers(csrf(token))
      .json({ title: `Renamed ${id}` }),
  );
const graceSignsIn = (token: number) =>
  sent.post('/login').headers(csrf(token)).json({ username: 'grace', password: 'hopper' });

/** Ten mutations at once are refused for a stale CSRF token: it is fetched once, and each is sent once more, unchanged. */
export const TenWithAStaleToken: Story = {
  beforeEach: [many.start('ada'), holdsTheCsrfToken],
  render: (_, { journal }) => (
    <Page journal={journal} of={many}>
      <Authenticated>
        <Rename articles={many.Articles} ids={ten}>
          Rename ten
        </Rename>
      </Authenticated>
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    const button = await canvas.findByRole('button', { name: 'Rename ten' });
    await step('the server wants another CSRF token, and refuses ten renames of Ada’s', async () => {
      many.server.expireCsrf();
      await userEvent.click(button);
      await waitFor(() => expect(journal.entries.filter(({ status }) => status === 403)).toHaveLength(TEN));
    });
    await step('the token is fetched, and all ten are renamed', async () => {
      answerCsrf();
      await waitFor(() => expect(canvas.getAllByText(/^Renamed \d+$/)).toHaveLength(TEN));
      await expect(canvas.getByText('20 for data, 1 to refresh')).toBeInTheDocument();
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await step('one fetch of it, and each rename twice', () =>
      expect(journal).toHaveSent([sent.get('/whoami'), ...renames(ten, 1), sent.get('/csrf'), ...renames(ten, 2)], {
        anyOrder: true,
      }),
    );
  },
};

/** A refusal for the old CSRF token arrives when there is a new one already: the request is sent again at once, without another fetch. */
export const LateRefusal: Story = {
  beforeEach: [
    app.start('ada'),
    ({ msw }) => {
      notes.reset();
      msw.use(...notes.handlers);
    },
  ],
  render: (_, { journal }) => (
    <Page journal={journal} of={app}>
      <Rename articles={Notes} ids={['1']}>
        Rename the note
      </Rename>
      <ArticlesDemo articles={app.Articles} />
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    app.server.expireCsrf();
    const release = notes.hold();
    await step('she renames a note with the stale token, and the answer dawdles', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the note' }));
      await waitFor(() => expect(notes.held).toBe(1));
    });
    await step('meanwhile she renames an article, which fetches the new one', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await step('the late refusal arrives, and the note is renamed all the same', async () => {
      release();
      await canvas.findByText('Renamed 1');
      await expect(canvas.getByText('5 for data, 1 to refresh')).toBeInTheDocument();
    });
    await step('one fetch for both', () =>
      expect(journal).toHaveSent([
        sent.get('/whoami'),
        sent.get('/article'),
        sent.patch('/notes/article/1').headers(csrf(1)).json({ title: 'Renamed 1' }),
        sent.patch('/article/1').headers(csrf(1)).json({ title: 'On knocking' }),
        sent.get('/csrf'),
        sent.patch('/article/1').headers(csrf(2)).json({ title: 'On knocking' }),
        sent.patch('/notes/article/1').headers(csrf(2)).json({ title: 'Renamed 1' }),
      ]),
    );
  },
};

/** The new CSRF token is refused as well: that is the server's last word on the request, and no reason to sign anybody out. */
export const RefusedTwice: Story = {
  beforeEach: [
    app.start('ada'),
    ({ msw }) => {
      // The server has yet another one when it has answered, as when a proxy keeps the answer.
      msw.use(http.get(`${ownApi}/csrf`, () => new HttpResponse(null, { status: 204 }), { once: true }));
    },
  ],
  render: (_, { journal }) => (
    <Page journal={journal} of={app}>
      <ArticlesDemo articles={app.Articles} />
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her rename is refused twice, and she stays signed in with what she sees', async () => {
      app.server.expireCsrf();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('Renamed: Forbidden');
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
      await expect(canvas.getByText('On signing in')).toBeInTheDocument();
    });
    await step('she tries again, and it works', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
      await expect(canvas.getByText('5 for data, 2 to refresh')).toBeInTheDocument();
    });
    await step('two tries for each act, with one fetch between', () => {
      const rename = (token: number) => sent.patch('/article/1').headers(csrf(token)).json({ title: 'On knocking' });
      return expect(journal).toHaveSent([
        sent.get('/whoami'),
        sent.get('/article'),
        rename(1),
        sent.get('/csrf'),
        rename(1),
        rename(1),
        sent.get('/csrf'),
        rename(2),
      ]);
    });
  },
};

/** The CSRF token cannot be fetched now: nobody is signed out, what was read stays on the screen, and later all goes on. */
export const Unavailable: Story = {
  beforeEach: app.start('ada'),
  render: (_, { journal }) => (
    <Page journal={journal} of={app}>
      <ArticlesDemo articles={app.Articles} />
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step(
      'the server wants another token and gives none: her act fails, and she stays signed in with what she sees',
      async () => {
        app.server.expireCsrf();
        app.server.unavailable();
        await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
        await canvas.findByText(
          'Renamed: The server that issues the credentials could not be reached. This signs no user out: try again when the network is back.',
        );
        await expect(canvas.getByText('authenticated')).toBeInTheDocument();
        await expect(canvas.getByText('On signing in')).toBeInTheDocument();
      },
    );
    await step('the server is back, and she does it again', async () => {
      app.server.unavailable(false);
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
      await expect(canvas.getByText('4 for data, 2 to refresh')).toBeInTheDocument();
    });
    await step('one fetch for each act', () => {
      const rename = (token: number) => sent.patch('/article/1').headers(csrf(token)).json({ title: 'On knocking' });
      return expect(journal).toHaveSent([
        sent.get('/whoami'),
        sent.get('/article'),
        rename(1),
        sent.get('/csrf'),
        rename(1),
        sent.get('/csrf'),
        rename(2),
      ]);
    });
  },
};

const ask = new RestEndpoint({ urlPrefix: ownApi, path: '/article', method: 'HEAD', schema: undefined });
const options = new RestEndpoint({
  urlPrefix: ownApi,
  path: '/article',
  method: 'OPTIONS',
  schema: undefined,
  body: undefined,
});

/** Sends what changes nothing. */
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

/** Each write carries the CSRF token of its moment: after one to another tab, and after the one that a login brings. Questions carry none. */
export const Rotates: Story = {
  beforeEach: [
    app.start('ada'),
    ({ msw }) => {
      const nothing = () => new HttpResponse(null, { status: 204 });
      msw.use(http.head(`${ownApi}/article`, nothing), http.options(`${ownApi}/article`, nothing));
    },
  ],
  render: (_, { journal }) => (
    <Page journal={journal} of={app}>
      <AskOnly />
      <ArticlesDemo articles={app.Articles} />
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada renames an article, and asks for headers and methods', async () => {
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
      await userEvent.click(canvas.getByRole('button', { name: 'Ask only' }));
      await canvas.findByText('Asked');
    });
    await step('another tab got another token; she writes an article', async () => {
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
    await step(
      'four writes, three tokens, and none was fetched; whoami confirms that the cookie of the other tab is still hers',
      () =>
        expect(journal).toHaveSent([
          sent.get('/whoami'),
          sent.get('/article'),
          sent.patch('/article/1').headers(csrf(1)).json({ title: 'On knocking' }),
          sent.head('/article'),
          sent.options('/article'),
          sent.get('/whoami'),
          sent.post('/article').headers(csrf(2)).json({ title: 'On writing' }),
          graceSignsIn(2),
          sent.get('/article'),
          sent.patch('/article/3').headers(csrf(3)).json({ title: 'On knocking' }),
        ]),
    );
  },
};

/** The page has no CSRF cookie: it is fetched once, before ten mutations are sent, and no empty header ever is. */
export const MissingToken: Story = {
  beforeEach: many.start('ada'),
  render: (_, { journal }) => (
    <Page journal={journal} of={many}>
      <Authenticated>
        <Rename articles={many.Articles} ids={ten}>
          Rename ten
        </Rename>
      </Authenticated>
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    const button = await canvas.findByRole('button', { name: 'Rename ten' });
    await step('the cookie is gone, and Ada renames ten articles all the same', async () => {
      document.cookie = 'csrftoken=; Path=/; Max-Age=0';
      await userEvent.click(button);
      await waitFor(() => expect(canvas.getAllByText(/^Renamed \d+$/)).toHaveLength(TEN));
      await expect(canvas.getByText('10 for data, 1 to refresh')).toBeInTheDocument();
    });
    await step('one fetch of it, and ten renames that carry it', () =>
      expect(journal).toHaveSent([sent.get('/whoami'), sent.get('/csrf'), ...renames(ten, 1)], {
        anyOrder: true,
      }),
    );
  },
};

/** Ada signs out while a CSRF token is fetched: what waited for it is told, and not sent again. */
export const SignOutMeanwhile: Story = {
  beforeEach: [lenient.start('ada'), holdsTheCsrfToken],
  render: (_, { journal }) => (
    <Page journal={journal} of={lenient}>
      <Authenticated>
        <Rename articles={lenient.Articles} ids={['1']}>
          Rename mine
        </Rename>
        <ArticlesDemo articles={lenient.Articles} />
      </Authenticated>
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her CSRF token is stale; a rename waits for the new one', async () => {
      lenient.server.expireCsrf();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename mine' }));
      await waitFor(() => expect(csrfWaits).toBe(1));
    });
    await step('she signs out, and the waiting caller is told so at once', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText('anonymous: signed-out');
      await canvas.findByText(
        'The person signed out while this request was under way, so its answer was dropped. Sign in, then start it again.',
      );
    });
    await step('the token comes, and she stays signed out; then Grace signs in', async () => {
      await waitFor(() => expect(lenient.server.counts.logouts).toBe(1));
      answerCsrf();
      await waitFor(() => expect(document.cookie).toContain('csrftoken=csrf-3'));
      await expect(canvas.getByText('anonymous: signed-out')).toBeInTheDocument();
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.getByText('3 for data, 1 to refresh')).toBeInTheDocument();
    });
    await step('the rename was sent once', () =>
      expect(journal).toHaveSent([
        sent.get('/whoami'),
        sent.get('/article'),
        ...renames(['1'], 1),
        sent.get('/csrf'),
        sent.post('/logout').headers(csrf(1)),
        graceSignsIn(3),
        sent.get('/article'),
      ]),
    );
  },
};

/** A deletion of Ada's waits for a CSRF token when Grace signs in: her login waits for the token, and the deletion is never sent with Grace's cookie. */
export const SwitchMeanwhile: Story = {
  beforeEach: [lenient.start('ada'), holdsTheCsrfToken],
  render: (_, { journal }) => (
    <Page journal={journal} of={lenient}>
      <Delete articles={lenient.Articles} id="1">
        Delete Ada’s
      </Delete>
      <ArticlesDemo articles={lenient.Articles} />
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her CSRF token is stale; a deletion waits for the new one', async () => {
      lenient.server.expireCsrf();
      await userEvent.click(canvas.getByRole('button', { name: 'Delete Ada’s' }));
      await waitFor(() => expect(csrfWaits).toBe(1));
    });
    await step('Grace signs in while the token is on its way; it comes, and the deletion is called off', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      answerCsrf();
      await canvas.findByText('A compiler for everyone');
      await canvas.findByText(
        'The identity changed while this request was under way, so its answer was dropped. Start it again if the new identity wants it.',
      );
    });
    await step('Grace renames one of hers', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await step('the deletion was sent once, with Ada’s cookie, and refused', () =>
      expect(journal).toHaveSent([
        sent.get('/whoami'),
        sent.get('/article'),
        sent.delete('/article/1').headers(csrf(1)),
        sent.get('/csrf'),
        graceSignsIn(2),
        sent.get('/article'),
        sent.patch('/article/3').headers(csrf(3)).json({ title: 'On knocking' }),
      ]),
    );
  },
};

/** The cookie means nothing to the server any more: twenty widgets are refused once each, the session ends once, and nothing is tried again. */
export const TwentyMeetTheEnd: Story = {
  beforeEach: many.start('ada'),
  render: (_, { journal }) => (
    <Page journal={journal} of={many}>
      <Authenticated>
        <ManyDetails articles={many.Articles} ids={twenty}>
          Show twenty
        </ManyDetails>
      </Authenticated>
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    const button = await canvas.findByRole('button', { name: 'Show twenty' });
    many.server.expire();
    const release = many.articles.hold();
    await step('Ada’s session has ended on the server when she opens a page of twenty widgets', async () => {
      await userEvent.click(button);
      await waitFor(() => expect(many.articles.held).toBe(20));
      release();
      await canvas.findByText('anonymous: expired');
      await expect(canvas.getByText('20 for data, 0 to refresh')).toBeInTheDocument();
    });
    await step('Grace can sign in without a reload', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('authenticated');
    });
    await step('each was sent once', () =>
      expect(journal).toHaveSent(
        [sent.get('/whoami'), ...twenty.map(id => sent.get(`/article/${id}`)), graceSignsIn(1)],
        { anyOrder: true },
      ),
    );
  },
};

/** Twenty mutations meet the same end: all are told the same. */
export const TwentyWritesMeetTheEnd: Story = {
  beforeEach: many.start('ada'),
  render: (_, { journal }) => (
    <Page journal={journal} of={many}>
      <Authenticated>
        <Rename articles={many.Articles} ids={twenty}>
          Rename twenty
        </Rename>
      </Authenticated>
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    const button = await canvas.findByRole('button', { name: 'Rename twenty' });
    many.server.expire();
    const release = many.articles.hold();
    await step(
      'Ada’s session has ended on the server when she renames twenty articles: all twenty are told why',
      async () => {
        await userEvent.click(button);
        await waitFor(() => expect(many.articles.held).toBe(20));
        release();
        await canvas.findByText('anonymous: expired');
        await waitFor(() =>
          expect(
            canvas.getAllByText(
              'The session has expired: the server refused its credentials. Sign in again, then start the request again.',
            ),
          ).toHaveLength(20),
        );
      },
    );
    await step('Grace can sign in without a reload', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('authenticated');
    });
    await step('each was sent once', () =>
      expect(journal).toHaveSent([sent.get('/whoami'), ...renames(twenty, 1), graceSignsIn(1)], {
        anyOrder: true,
      }),
    );
  },
};

/** The token that a server of another make wants now. */
let wanted = '';

interface Guard {
  url: string;
  header: string;
  /** How it refuses another token. */
  refuse: () => Response;
  /** How it hands out the one that it wants. */
  hand: () => Response;
  first: string;
}

/** Checks the CSRF token of what changes something, before it looks at anything else. */
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
 * Laravel's way, on another origin: the cookie holds the token URL-encoded and the header brings it decoded, 419 refuses it, before a 401
 * would, and the answer to a login tells nobody, so that `whoami` is asked.
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
    <Page journal={journal} of={laravel}>
      <Authenticated>
        <ArticlesDemo articles={laravel.Articles} />
      </Authenticated>
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada signs in, and sees her articles', async () => {
      await canvas.findByText('anonymous');
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await canvas.findByText('On signing in');
    });
    await step('the server wants another token; she renames an article all the same', async () => {
      wanted = 'laravel-2=';
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await step(
      'her session ends, and the token with it: her next act is refused for the token first, then for good',
      async () => {
        laravel.server.expire();
        wanted = 'laravel-3=';
        await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
        await canvas.findByText('anonymous: expired');
      },
    );
    await step('the token of its moment on each, decoded, and one fetch for each refusal', () => {
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
        patch('/article/1').headers(xsrf(2)).json({ title: 'On knocking' }),
        post('/article').headers(xsrf(2)).json({ title: 'On writing' }),
        get('/csrf'),
        post('/article').headers(xsrf(3)).json({ title: 'On writing' }),
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
 * Rails' way: the token stands in a `<meta>` tag and goes in the header `X-CSRF-Token`. It is refused with 422 as what is not valid is, so
 * `isRefused` tells the two apart.
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
    <Page journal={journal} of={rails}>
      <Rename articles={rails.Articles} ids={['2']}>
        Rename the second
      </Rename>
      <ArticlesDemo articles={rails.Articles} />
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step(
      'the server wants another token than the page holds; she renames the second article all the same',
      async () => {
        wanted = 'rails-2';
        await userEvent.click(canvas.getByRole('button', { name: 'Rename the second' }));
        await waitFor(() => expect(canvas.getAllByText('Renamed 2')).toHaveLength(2));
        await expect(metaTag()?.content).toBe('rails-2');
      },
    );
    await step('what she calls the first one is not valid: she is told, and that is the last word', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText(/^Renamed: Unprocessable/);
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await step('one fetch of the token, for the one refusal of it', () =>
      expect(journal).toHaveSent([
        sent.get('/whoami'),
        sent.get('/article'),
        sent.patch('/article/2').headers({ 'x-csrf-token': 'rails-1' }).json({ title: 'Renamed 2' }),
        sent.get('/csrf'),
        sent.patch('/article/2').headers({ 'x-csrf-token': 'rails-2' }).json({ title: 'Renamed 2' }),
        sent.patch('/article/1').headers({ 'x-csrf-token': 'rails-2' }).json({ title: 'On knocking' }),
      ]),
    );
  },
};
