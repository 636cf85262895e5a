import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent } from 'storybook/test';
import { RestEndpoint, useEndpoint } from '../../../src/index.js';
import type { MockAuth } from '../../../src/testing/index.js';
import { CountedPage } from '../../support/CountedPage.js';
import { useOutcomeLog } from '../../support/OutcomeLog.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupAppsByMechanism, type MechanismApp } from '../../support/setupAppsByMechanism.js';
import { ownApi } from '../../support/setupCookieApp.js';
import type { StoryStart } from '../../support/StoryStart.js';
import { inCases } from '../../support/inCases.js';

const apps = setupAppsByMechanism();

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
const posts = ({ sent, write }: MechanismApp, token: number) =>
  KINDS.map(kind =>
    write(sent.post(`/upload/${kind}`), 'ada', token)
      .headers({ 'idempotency-key': 'knock-1' })
      .body(SHOWN[kind]),
  );

/** Four bodies are refused, and sent again. */
function sendsBodies(app: MechanismApp): Story {
  // The server knows the token of an SDK once it has accepted it.
  const first = app === apps.context ? posts(app, 1).slice(0, 1) : [];
  const play: Story['play'] = async ({ canvas, step, hasSent }) => {
    await canvas.findByText('authenticated');
    if (first.length > 0)
      await step('Ada has a token that the server accepted', async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Send one' }));
        await canvas.findByText('json arrived at the first try');
      });
    await step('Ada sends four bodies of four kinds, and all arrive unchanged', async () => {
      app.expire();
      await userEvent.click(canvas.getByRole('button', { name: 'Send four' }));
      for (const kind of KINDS) await canvas.findByText(`${kind} arrived byte for byte`);
    });
    await hasSent(
      'each body is sent twice, with the same bytes and the same Idempotency-Key',
      [
        ...[...app.restores, ...first, ...posts(app, 1)],
        // A new CSRF token may be another user's, so whoami comes before the replays.
        ...[...app.refreshes, ...app.restores, ...posts(app, 2)],
      ],
      IDEMPOTENCY,
    );
  };
  return {
    parameters: { cookies: app.cookies },
    beforeEach: [app.start('ada'), uploads(app.server)],
    render: (_, { journal }) => (
      <CountedPage journal={journal} app={app} buttons={null}>
        <Send kinds={{ json: BODIES.json }}>Send one</Send>
        <Send kinds={BODIES}>Send four</Send>
      </CountedPage>
    ),
    play,
  };
}

/** Each kind of body is sent again unchanged with the new credential. */
export const BodiesSentAgain: Story = inCases({
  'an access token has expired: JSON, a form with a file, search params and a Blob are sent once more, with the new one':
    sendsBodies(apps.token),
  'the same after a stale CSRF token': sendsBodies(apps.cookie),
  'the same after the server has refused the token of an SDK': sendsBodies(apps.context),
});

const { token } = apps;
const stream = () => new Blob(['once']).stream();

/** A stream can be read once only: it is not sent a second time, and the error says so. The user stays signed in. */
export const AStreamIsNot: Story = {
  beforeEach: [token.start('ada'), uploads(token.server)],
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={token} buttons={null}>
      <Send kinds={{ stream }}>Send a stream</Send>
    </CountedPage>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await canvas.findByText('authenticated');
    await step('Ada’s token has expired when she sends a stream, and she sees the error', async () => {
      token.server.expire();
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
    await hasSent('one request each time', [
      token.sent.post('/upload/stream').as('ada').body('once'),
      ...token.refreshes,
      token.sent.post('/upload/stream').as('ada', 2).body('once'),
    ]);
  },
};
