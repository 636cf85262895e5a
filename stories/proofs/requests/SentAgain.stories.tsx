import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useRef, type ReactNode } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { RestEndpoint, useEndpoint } from '../../../src/index.js';
import type { MockAuth, RequestJournal, RequestLine } from '../../../src/testing/index.js';
import { setupContextApp } from '../../support/setupContextApp.js';
import { setupCookieApp, ownApi } from '../../support/setupCookieApp.js';
import { SignInButtons, AuthStatus, type ArticleHooks } from '../../support/ArticlesDemo.js';
import type { StoryStart } from '../../support/StoryStart.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { RequestLog } from '../../support/RequestLog.js';
import { useOutcomeLog, OutcomeLog } from '../../support/OutcomeLog.js';
import type { Mechanism } from '../../support/setupWidgetApp.js';
import { withCredential } from '../../support/withCredential.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const tokens = setupTokenApp({ url: ownApi });
const { sent } = tokens;
const cookies = setupCookieApp();
const contexts = setupContextApp({ url: ownApi });

/** The bodies that a browser can send twice, made for each story. */
const BODIES = {
  json: () => ({ title: 'Über Bücher' }),
  form: () => {
    const form = new FormData();
    form.set('title', 'Über Bücher');
    form.set('file', new Blob(['a\r\nb'], { type: 'text/plain' }), 'notes.txt');
    return form;
  },
  search: () => new URLSearchParams({ title: 'Bücher & Hefte' }),
  blob: () => new Blob(['Über\tBücher'], { type: 'text/plain' }),
};
const KINDS = Object.keys(BODIES) as (keyof typeof BODIES)[];

const upload = new RestEndpoint({
  urlPrefix: ownApi,
  path: '/upload/:kind',
  method: 'POST',
  body: {},
  schema: undefined,
  requestInit: { headers: { 'Idempotency-Key': 'knock-1' } },
});

/** Says whether a body has the bytes of the first try. The boundary of a form differs each time, so it is ignored. */
function uploads(auth: MockAuth): StoryStart {
  return ({ msw }) => {
    const first = new Map<unknown, string>();
    msw.use(
      http.post(`${ownApi}/upload/:kind`, async ({ request, cookies: received, params: { kind } }) => {
        const boundary = /boundary=(.+)$/.exec(request.headers.get('content-type') ?? '')?.[1] ?? '\0';
        const body = (await request.clone().text()).replaceAll(boundary, 'boundary');
        const before = first.get(kind);
        first.set(kind, body);
        const said = before === undefined ? 'at the first try' : before === body ? 'byte for byte' : 'changed';
        return auth.authorize({ request, cookies: received }) ?? HttpResponse.json(`${String(kind)} arrived ${said}`);
      }),
    );
  };
}

/** Sends bodies of these kinds at once, and shows the outcome of each. */
function Send({ kinds, children }: { kinds: Record<string, () => object>; children: string }) {
  const controller = useController();
  const send = useEndpoint(upload);
  const tell = useOutcomeLog();
  const one = ([kind, body]: [string, () => object]) =>
    controller.fetch(send, { kind }, body()).then(
      (said: string) => tell(said),
      (error: Error) => tell(`${kind}: ${error.message}`),
    );
  return (
    <button type="button" onClick={() => void Promise.all(Object.entries(kinds).map(one))}>
      {children}
    </button>
  );
}

/** Renames two articles at once; the first can be aborted. */
function RenameTwo({ articles }: { articles: ArticleHooks }) {
  const controller = useController();
  const partialUpdate = articles.usePartialUpdate();
  const tell = useOutcomeLog();
  const giveUp = useRef<AbortController>(undefined);
  const rename = (id: string, signal?: AbortSignal) =>
    controller.fetch(partialUpdate.extend({ signal }), { id }, { title: `Renamed ${id}` }).then(
      () => tell(`Renamed ${id}`),
      (error: Error) => tell(error.message),
    );
  const both = () => {
    giveUp.current = new AbortController();
    void Promise.all([rename('1', giveUp.current.signal), rename('2')]);
  };
  return (
    <>
      <button type="button" onClick={both}>
        Rename both
      </button>
      <button type="button" onClick={() => giveUp.current?.abort(new Error('Ada has given up the first.'))}>
        Give up the first
      </button>
    </>
  );
}

interface PageProps {
  journal: RequestJournal;
  Provider: (props: { children: ReactNode }) => ReactNode;
  children: ReactNode;
}

/** The counts, and below them the provider with its children. */
function Page({ journal, Provider, children }: PageProps) {
  return (
    <>
      <RequestLog journal={journal} />
      <OutcomeLog>
        <Provider>
          <AuthStatus />
          {children}
        </Provider>
      </OutcomeLog>
    </>
  );
}

/** What a request is when it is sent a second time, after a refusal: the same to the byte. And when it is not sent a second time at all. */
const meta = {
  title: 'Proofs/Requests',
  tags: ['proof', '!autodocs'],
  parameters: requestsOnly,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const IDEMPOTENCY = { anyOrder: true, headers: ['idempotency-key'] };

/** The four bodies, as the journal prints them. */
const SHOWN = {
  json: '{"title":"Über Bücher"}',
  form: 'form-data{title=Über Bücher, file=‹notes.txt 4 bytes›}',
  search: 'title=B%C3%BCcher+%26+Hefte',
  blob: 'Über\tBücher',
};
const posts = (mechanism: Mechanism, token: number) =>
  KINDS.map(kind =>
    withCredential[mechanism]
      .write(sent.post(`/upload/${kind}`), 'ada', token)
      .headers({ 'idempotency-key': 'knock-1' })
      .body(SHOWN[kind]),
  );
const REFRESH = sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' });

interface Bodies {
  /** Makes the server refuse the credential of the page. */
  expire: () => void;
  asked?: RequestLine[];
  refreshed?: RequestLine[];
  mechanism: Mechanism;
}

/** Four bodies are refused, and sent again. */
function sendsBodies({ expire, asked = [], refreshed = [], mechanism }: Bodies): NonNullable<Story['play']> {
  return async ({ canvas, step, journal }) => {
    await canvas.findByText('authenticated');
    await step('Ada sends four bodies of four kinds, and all arrive unchanged', async () => {
      expire();
      await userEvent.click(canvas.getByRole('button', { name: 'Send four' }));
      for (const kind of KINDS) await canvas.findByText(`${kind} arrived byte for byte`);
    });
    await step('each body is sent twice, with the same bytes and the same Idempotency-Key', () =>
      expect(journal).toHaveSent([...asked, ...posts(mechanism, 1), ...refreshed, ...posts(mechanism, 2)], IDEMPOTENCY),
    );
  };
}

/** An access token has expired: JSON, a form with a file, search params and a Blob are sent once more, with the new one. */
export const BodiesAfterAToken: Story = {
  beforeEach: [tokens.start('ada'), uploads(tokens.server)],
  render: (_, { journal }) => (
    <Page journal={journal} Provider={tokens.Provider}>
      <Send kinds={BODIES}>Send four</Send>
    </Page>
  ),
  play: sendsBodies({
    expire: tokens.server.expireAccessTokens,
    refreshed: [REFRESH],
    mechanism: 'token',
  }),
};

/** The same after a stale CSRF token. */
export const BodiesAfterACsrfToken: Story = {
  parameters: { cookies: cookies.cookies },
  beforeEach: [cookies.start('ada'), uploads(cookies.server)],
  render: (_, { journal }) => (
    <Page journal={journal} Provider={cookies.Provider}>
      <Send kinds={BODIES}>Send four</Send>
    </Page>
  ),
  play: sendsBodies({
    expire: cookies.server.expireCsrf,
    asked: [sent.get('/whoami')],
    refreshed: [sent.get('/csrf')],
    mechanism: 'cookie',
  }),
};

/** The same after the server has refused the token of an SDK. */
export const BodiesAfterAnSdkToken: Story = {
  beforeEach: [contexts.start('ada'), uploads(contexts.server)],
  render: (_, { journal }) => (
    <Page journal={journal} Provider={contexts.Provider}>
      <Send kinds={{ json: BODIES.json }}>Send one</Send>
      <Send kinds={BODIES}>Send four</Send>
    </Page>
  ),
  play: async context => {
    const { canvas, step } = context;
    await step('Ada has a token that the server accepted', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Send one' }));
      await canvas.findByText('json arrived at the first try');
    });
    await sendsBodies({
      expire: contexts.server.expireAccessTokens,
      asked: posts('context', 1).slice(0, 1),
      mechanism: 'context',
    })(context);
  },
};

const stream = () => new Blob(['once']).stream();

/** A stream can be read once only: it is not sent a second time, and the error says so. The user stays signed in. */
export const AStreamIsNot: Story = {
  beforeEach: [tokens.start('ada'), uploads(tokens.server)],
  render: (_, { journal }) => (
    <Page journal={journal} Provider={tokens.Provider}>
      <Send kinds={{ stream }}>Send a stream</Send>
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('authenticated');
    await step('Ada’s token has expired when she sends a stream, and she sees the error', async () => {
      tokens.server.expireAccessTokens();
      await userEvent.click(canvas.getByRole('button', { name: 'Send a stream' }));
      await canvas.findByText(
        'stream: The credentials had expired and the body is a stream, which cannot be sent twice. Start the request again, or send a Blob.',
      );
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await step('she sends it again, with the new token', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Send a stream' }));
      await canvas.findByText('stream arrived byte for byte');
    });
    await step('one request each time', () =>
      expect(journal).toHaveSent([
        sent.post('/upload/stream').as('ada').body('once'),
        REFRESH,
        sent.post('/upload/stream').as('ada', 2).body('once'),
      ]),
    );
  },
};

interface GivenUp {
  expire: () => void;
  /** Holds back the credential that both renames wait for; returns the function that releases it. */
  hold: () => () => void;
  /** Resolves when the new credential has been requested. */
  isHeld: () => void | Promise<void>;
  asked?: RequestLine[];
  refreshed?: RequestLine[];
  mechanism: Mechanism;
}

/** Two requests wait, and one of them is aborted. */
function givesUpOne({
  expire,
  hold,
  isHeld,
  asked = [],
  refreshed = [],
  mechanism,
}: GivenUp): NonNullable<Story['play']> {
  const rename = (id: string, token: number) =>
    withCredential[mechanism].write(sent.patch(`/article/${id}`), 'ada', token).json({ title: `Renamed ${id}` });
  return async ({ canvas, step, journal }) => {
    await canvas.findByText('authenticated');
    expire();
    const release = hold();
    await step('Ada renames two articles, which wait for a new credential', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename both' }));
      await waitFor(() =>
        expect(journal.entries.filter(({ status }) => status === 401 || status === 403)).toHaveLength(2),
      );
      await waitFor(isHeld);
    });
    await step('she aborts the first, and its call rejects at once', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Give up the first' }));
      await canvas.findByText('Ada has given up the first.');
    });
    await step('the credential arrives, and the second article is renamed', async () => {
      release();
      await canvas.findByText('Renamed 2');
      await expect(canvas.queryByText('Renamed 1')).not.toBeInTheDocument();
    });
    await step('the first rename is not sent again', () =>
      expect(journal).toHaveSent([...asked, rename('1', 1), rename('2', 1), ...refreshed, rename('2', 2)], {
        anyOrder: true,
      }),
    );
  };
}

/** A request that is aborted while it waits for a refresh is not sent again; the other one is. */
export const GivenUpDuringARefresh: Story = {
  beforeEach: tokens.start('ada'),
  render: (_, { journal }) => (
    <Page journal={journal} Provider={tokens.Provider}>
      <RenameTwo articles={tokens.Articles} />
    </Page>
  ),
  play: givesUpOne({
    expire: tokens.server.expireAccessTokens,
    hold: tokens.server.holdRefresh,
    isHeld: () => expect(tokens.server.held).toBe(1),
    refreshed: [REFRESH],
    mechanism: 'token',
  }),
};

/** The same during the fetch of a CSRF token. */
export const GivenUpDuringACsrfFetch: Story = {
  parameters: { cookies: cookies.cookies },
  beforeEach: cookies.start('ada'),
  render: (_, { journal }) => (
    <Page journal={journal} Provider={cookies.Provider}>
      <RenameTwo articles={cookies.Articles} />
    </Page>
  ),
  play: givesUpOne({
    expire: cookies.server.expireCsrf,
    hold: cookies.server.hold,
    isHeld: () => expect(cookies.server.held).toBe(1),
    asked: [sent.get('/whoami')],
    refreshed: [sent.get('/csrf')],
    mechanism: 'cookie',
  }),
};

/** The same while the SDK gets a token. */
export const GivenUpWhileTheSdkIsAsked: Story = {
  beforeEach: contexts.start('ada'),
  render: (_, { journal }) => (
    <Page journal={journal} Provider={contexts.Provider}>
      <RenameTwo articles={contexts.Articles} />
    </Page>
  ),
  play: givesUpOne({
    // Its first token is issued only when it is sent, so it cannot have expired before.
    expire: contexts.server.refuseEverything,
    hold: () => {
      const release = contexts.sdk.hold();
      return () => {
        contexts.server.refuseEverything(false);
        release();
      };
    },
    isHeld: () => expect(contexts.sdk.held).toBe(1),
    mechanism: 'context',
  }),
};

const notice = new RestEndpoint({ urlPrefix: ownApi, path: '/notice/:id', schema: undefined, public: true });

/** Reads a public notice, and shows the outcome. */
function ReadNotice({ id, children }: { id: string; children: string }) {
  const controller = useController();
  const get = useEndpoint(notice);
  const tell = useOutcomeLog();
  const read = () =>
    controller.fetch(get, { id }).then(
      (said: string) => tell(said),
      (error: { status?: number }) => tell(`Refused: ${error.status}`),
    );
  return (
    <button type="button" onClick={() => void read()}>
      {children}
    </button>
  );
}

/** A public endpoint waits for no refresh and carries no credential, and its 401 starts no refresh. A login does not wait either. */
export const PublicNeverWaits: Story = {
  beforeEach: [
    tokens.start('ada'),
    ({ msw }) => {
      msw.use(
        http.get(`${ownApi}/notice/:id`, ({ params }) =>
          params.id === 'open' ? HttpResponse.json('Open from nine') : new HttpResponse(null, { status: 401 }),
        ),
      );
    },
  ],
  render: (_, { journal }) => (
    <Page journal={journal} Provider={tokens.Provider}>
      <SignInButtons />
      <ReadNotice id="closed">Read a closed notice</ReadNotice>
      <ReadNotice id="open">Read the notice</ReadNotice>
      <RenameTwo articles={tokens.Articles} />
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('authenticated');
    await step('a public endpoint answers 401, and Ada stays signed in', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Read a closed notice' }));
      await canvas.findByText('Refused: 401');
      await expect(canvas.getByText('1 for data, 0 to refresh')).toBeInTheDocument();
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    tokens.server.expireAccessTokens();
    const release = tokens.server.holdRefresh();
    await step('two renames of hers wait for a refresh', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename both' }));
      await waitFor(() =>
        expect(journal.entries.filter(({ method, status }) => method === 'PATCH' && status === 401)).toHaveLength(2),
      );
      await waitFor(() => expect(tokens.server.held).toBe(1));
    });
    await step('she reads a public notice, which does not wait', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Read the notice' }));
      await canvas.findByText('Open from nine');
    });
    await step('Grace signs in, which calls the renames off', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await waitFor(() =>
        expect(canvas.getAllByText(/^The identity changed while this request was under way/)).toHaveLength(2),
      );
      release();
    });
    await step('the notices are read without credentials', () =>
      expect(journal).toHaveSent(
        [
          sent.get('/notice/closed').credentials('omit'),
          sent.patch('/article/1').as('ada').json({ title: 'Renamed 1' }),
          sent.patch('/article/2').as('ada').json({ title: 'Renamed 2' }),
          REFRESH,
          sent.get('/notice/open').credentials('omit'),
          sent.post('/login').json({ username: 'grace', password: 'hopper' }),
        ],
        { anyOrder: true },
      ),
    );
  },
};
