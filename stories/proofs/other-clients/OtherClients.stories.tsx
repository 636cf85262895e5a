import createClient from 'openapi-fetch';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useMemo, useState } from 'react';
import { expect, userEvent } from 'storybook/test';
import { useSessionFetch, type SessionExpiredError, type SessionFetch } from '../../../src/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { CountedPage } from '../../support/CountedPage.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import type { MockAuth } from '../../../src/testing/index.js';

interface Answer {
  data?: { me: { name: string } };
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** Refuses a credential with status 200 and an error in the body, as GraphQL servers do. */
function graphqlHandler(auth: MockAuth, url: string) {
  return http.post(`${url}/graphql`, ({ request, cookies }) => {
    const refused = auth.authorize({ request, cookies });
    return HttpResponse.json<Answer>(
      refused
        ? { errors: [{ message: 'Sign in first.', extensions: { code: 'UNAUTHENTICATED' } }] }
        : { data: { me: { name: auth.personOf({ request, cookies })?.name ?? '' } } },
    );
  });
}

async function isRefused(response: Response): Promise<boolean> {
  if (!response.ok) return false;
  const { errors = [] } = (await response.json()) as Answer;
  return errors.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED');
}

/** Sends a query, and returns what the server answers. */
async function query(fetch: SessionFetch, url: string, text: string): Promise<Answer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: text }),
    isRefused,
  });
  return (await response.json()) as Answer;
}

const app = setupTokenApp({ url: ownApi });
const { sent } = app;
const REFRESH = sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' });

/** What openapi-typescript would write of the mock server. */
interface paths {
  '/article/{id}': {
    get: {
      parameters: { path: { id: string }; query: { n: number } };
      responses: { 200: { content: { 'application/json': { title: string } } } };
    };
  };
}

const TEN = Array.from({ length: 10 }, (_, index) => index);

/** Ten calls of a generated client and ten reads by hooks, all at once. */
function TenAndTen() {
  const fetch = useSessionFetch();
  const client = useMemo(() => createClient<paths>({ baseUrl: ownApi, fetch }), [fetch]);
  const getList = app.Articles.useGetList();
  const act = async () => {
    const calls = TEN.map(n => client.GET('/article/{id}', { params: { path: { id: '1' }, query: { n } } }));
    const reads = TEN.map(n => getList({ n }));
    const titles = (await Promise.all(calls)).map(({ data }) => data?.title);
    const lists = await Promise.all(reads);
    return `${titles.filter(title => title === 'On signing in').length} titles, ${lists.length} lists`;
  };
  return <ActionButton label="Ask twenty times" act={act} />;
}

function Graphql() {
  const fetch = useSessionFetch();
  const act = async () => {
    const { data, errors = [] } = await query(fetch, ownApi, '{ me { name } }');
    return data ? `I am ${data.me.name}` : errors.map(({ message }) => message).join();
  };
  return <ActionButton label="Who am I?" act={act} />;
}

function Upload() {
  const fetch = useSessionFetch();
  const act = async () => {
    const body = new FormData();
    body.set('file', new Blob(['a\r\nb'], { type: 'text/plain' }), 'notes.txt');
    const response = await fetch(new Request(`${ownApi}/upload`, { method: 'POST', body }));
    return response.text();
  };
  return <ActionButton label="Upload" act={act} />;
}

/** Asks for an address, and shows the status of the answer and its text. */
function Ask({ address }: { address: string }) {
  const fetch = useSessionFetch();
  const act = async () => {
    const response = await fetch(address);
    return `${response.status} ${await response.text()}`;
  };
  return <ActionButton label={`Ask for ${address}`} act={act} />;
}

/** Proves that code without endpoints shares the session with those that have one: a generated client, GraphQL, an upload. */
const meta = {
  title: 'Proofs/Other clients',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: app.start('ada'),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Ten calls of a generated client and ten reads by hooks meet one expired token: 20 requests, 1 refresh, 20 requests. */
export const GeneratedClient: Story = {
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={app} buttons={null}>
      <TenAndTen />
    </CountedPage>
  ),
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('authenticated');
    await step('Ada’s token expires, then twenty requests start, and all are answered', async () => {
      app.server.expire();
      await userEvent.click(canvas.getByRole('button', { name: 'Ask twenty times' }));
      await canvas.findByText('10 titles, 10 lists');
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await step('20 requests, one refresh, 20 requests', async () => {
      const withToken = (token: number) => [
        ...TEN.map(n => sent.get(`/article/1?n=${n}`).as('ada', token)),
        ...TEN.map(n => sent.get(`/article?n=${n}`).as('ada', token)),
      ];
      await expect(journal).toHaveSent([...withToken(1), REFRESH, ...withToken(2)], { anyOrder: true });
      await expect(journal.entries.findIndex(({ url }) => url.endsWith('/refresh'))).toBe(20);
    });
  },
};

/** GraphQL refuses a token with status 200: the app says so by `isRefused`, and the query is sent once more with a new token. */
export const GraphqlRefusal: Story = {
  beforeEach: ({ msw }) => msw.use(graphqlHandler(app.server, ownApi)),
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={app} buttons={null}>
      <Graphql />
    </CountedPage>
  ),
  play: async ({ canvas, step, journal }) => {
    const ask = () => userEvent.click(canvas.getByRole('button', { name: 'Who am I?' }));
    await canvas.findByText('authenticated');
    await step('Ada’s token expires, and her query is answered', async () => {
      app.server.expire();
      await ask();
      await canvas.findByText('I am Ada Lovelace');
    });
    await step('the server ends her session, and the page says so', async () => {
      app.server.revoke('ada');
      await ask();
      await canvas.findByText('anonymous: expired');
    });
    await step('one refresh each time, and one replay', () => {
      const query = sent.post('/graphql').json({ query: '{ me { name } }' });
      return expect(journal).toHaveSent([
        query.as('ada'),
        REFRESH,
        query.as('ada', 2),
        query.as('ada', 2),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-2' }),
      ]);
    });
  },
};

/** A form with a file is sent twice, field for field, when the token has expired. */
export const AnUpload: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      http.post(
        `${ownApi}/upload`,
        ({ request, cookies }) => app.server.authorize({ request, cookies }) ?? HttpResponse.text('uploaded'),
      ),
    ),
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={app} buttons={null}>
      <Upload />
    </CountedPage>
  ),
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('authenticated');
    await step('Ada’s token expires, and her upload arrives', async () => {
      app.server.expire();
      await userEvent.click(canvas.getByRole('button', { name: 'Upload' }));
      await canvas.findByText('uploaded');
    });
    await step('the same form twice, with one refresh between', () => {
      const upload = sent.post('/upload').body('form-data{file=‹notes.txt 4 bytes›}');
      return expect(journal).toHaveSent([upload.as('ada'), REFRESH, upload.as('ada', 2)]);
    });
  },
};

/** Every status is an answer and no error: 404, 500, and the 401 that ends the session. */
export const AnyStatus: Story = {
  beforeEach: ({ msw }) =>
    msw.use(
      http.get(`${ownApi}/broken`, () => HttpResponse.text('out of order', { status: 500 })),
      http.get(`${ownApi}/refused`, () => HttpResponse.text('never for you', { status: 401 })),
    ),
  render: function Render(_, { journal }) {
    const [last, setLast] = useState('');
    return (
      <CountedPage journal={journal} app={app} buttons={null}>
        <Ask address={`${ownApi}/article/99`} />
        <Ask address={`${ownApi}/broken`} />
        <Refused tell={setLast} />
        <p>{last}</p>
      </CountedPage>
    );
  },
  play: async ({ canvas, step, hasSent }) => {
    const press = (name: string) => userEvent.click(canvas.getByRole('button', { name }));
    await canvas.findByText('authenticated');
    await step('a 404 and a 500 are answers', async () => {
      await press('Ask for /api/article/99');
      await canvas.findByText(/^404 /);
      await press('Ask for /api/broken');
      await canvas.findByText('500 out of order');
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await step('a 401 that stays one ends the session; its error has the response', async () => {
      await press('Ask for what is refused');
      await canvas.findByText('Refused: 401');
      await canvas.findByText('anonymous: expired');
    });
    await hasSent('one refresh, one replay, and a late try', [
      sent.get('/article/99').as('ada'),
      sent.get('/broken').as('ada'),
      sent.get('/refused').as('ada'),
      REFRESH,
      sent.get('/refused').as('ada', 2),
      sent.get('/refused').as('ada', 2),
    ]);
  },
};

/** Asks for an address that the server refuses. The outcome outlives the component, which the end of the session unmounts. */
function Refused({ tell }: { tell: (outcome: string) => void }) {
  const fetch = useSessionFetch();
  const ask = async () => {
    const { response } = await fetch(`${ownApi}/refused`).then(
      answer => ({ response: answer }),
      (error: SessionExpiredError) => error,
    );
    tell(`Refused: ${response!.status}`);
  };
  return (
    <button type="button" onClick={() => void ask()}>
      Ask for what is refused
    </button>
  );
}

/** Nothing is sent to an origin that the session does not trust. */
export const AnUntrustedOrigin: Story = {
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={app} buttons={null}>
      <Ask address="https://evil.example/article" />
    </CountedPage>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await canvas.findByText('authenticated');
    await step('Ada’s page asks another origin, and sees the error', async () => {
      await userEvent.click(canvas.getByRole('button', { name: /evil/ }));
      await canvas.findByText(/^UntrustedOriginError: Credentials are not sent to https:\/\/evil\.example\./);
    });
    await hasSent('no request', []);
  },
};
