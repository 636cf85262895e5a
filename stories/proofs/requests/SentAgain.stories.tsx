import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent } from 'storybook/test';
import { RestEndpoint, useEndpoint } from '../../../src/index.js';
import type { MockAuth, RequestLine } from '../../../src/testing/index.js';
import { setupContextApp } from '../../support/setupContextApp.js';
import { setupCookieApp, ownApi } from '../../support/setupCookieApp.js';
import type { StoryStart } from '../../support/StoryStart.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { useOutcomeLog } from '../../support/OutcomeLog.js';
import type { Mechanism } from '../../support/setupWidgetApp.js';
import { withCredential } from '../../support/withCredential.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { CountedPage } from '../../support/CountedPage.js';

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

/** What a request is when it is sent a second time, after a refusal: the same to the byte. And when it is not sent a second time at all. */
const meta = {
  title: 'Proofs/Requests',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
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
    <CountedPage journal={journal} app={tokens} buttons={null}>
      <Send kinds={BODIES}>Send four</Send>
    </CountedPage>
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
    <CountedPage journal={journal} app={cookies} buttons={null}>
      <Send kinds={BODIES}>Send four</Send>
    </CountedPage>
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
    <CountedPage journal={journal} app={contexts} buttons={null}>
      <Send kinds={{ json: BODIES.json }}>Send one</Send>
      <Send kinds={BODIES}>Send four</Send>
    </CountedPage>
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
    <CountedPage journal={journal} app={tokens} buttons={null}>
      <Send kinds={{ stream }}>Send a stream</Send>
    </CountedPage>
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
