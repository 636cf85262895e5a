import { useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { Suspense, useState } from 'react';
import {
  Await,
  createMemoryRouter,
  Outlet,
  RouterProvider,
  useLoaderData,
  type LoaderFunctionArgs,
} from 'react-router';
import { expect, fn, waitFor } from 'storybook/test';
import { authEndpoint, createSdkSession, hookifyResource, resource, TokenAuthProvider } from '../../../src/index.js';
import { createGate, requestLines, tokenAuthHandlers } from '../../../src/testing/index.js';
import { api, Article, articleHandlers, articleResource, people } from '../../support/articles.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const server = tokenAuthHandlers({ url: api, people });
const articles = articleHandlers(server, { url: api });
const sent = requestLines({ prefix: api });

/** The SDK takes its time until the story opens the gate. */
const gate = createGate();
const getToken = fn(async () => {
  await gate.pass();
  return server.signIn('ada').accessToken;
});

/** Called when the widget's request is built, right before its credential is read. */
const getHeaders = fn((headers: HeadersInit) => headers);
const Articles = hookifyResource({ getList: articleResource().getList.extend({ getHeaders }) });

/** An app creates its session and its router once, outside React; a story creates them for each visit. */
function createApp() {
  const session = createSdkSession({ subject: () => 'ada', getToken, trustedOrigins: [api] });
  const { get } = resource({ urlPrefix: api, path: '/article/:id', schema: Article, Endpoint: authEndpoint(session) });
  const loader = async ({ params: { id = '' } }: LoaderFunctionArgs) => {
    await session.ready();
    return { article: get({ id }) };
  };
  const router = createMemoryRouter(
    [
      {
        element: <Outlet />,
        hydrateFallbackElement: <p>…</p>,
        children: [{ path: '/:id', loader, element: <Page /> }],
      },
    ],
    { initialEntries: ['/1'] },
  );
  return { session, router };
}

function Titles() {
  return useSuspense(Articles.useGetList()).map(({ id, title }) => <li key={id}>{title}</li>);
}

function Page() {
  const { article } = useLoaderData<{ article: Promise<Article> }>();
  return (
    <Suspense fallback={<p>…</p>}>
      <ul aria-label="Articles">
        <Titles />
      </ul>
      <Await resolve={article}>{({ content }) => <p>{content}</p>}</Await>
    </Suspense>
  );
}

function LoaderApp() {
  const [{ session, router }] = useState(createApp);
  return (
    <TokenAuthProvider session={session}>
      <RouterProvider router={router} />
    </TokenAuthProvider>
  );
}

/** The loader of a data router and a widget read at the same time, as the user of an SDK. */
const meta = {
  title: 'Proofs/Sign-in',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach({ msw }) {
    server.reset();
    articles.reset();
    getToken.mockClear();
    getHeaders.mockClear();
    gate.hold();
    msw.use(...server.handlers, ...articles.handlers);
  },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** The SDK is asked for one token, and each of the two reads is sent once. */
export const LoaderAndWidgetUnderAnSdk: Story = {
  render: () => <LoaderApp />,
  play: async ({ canvas, step, journal }) => {
    await step('the widget asks while the SDK still gets the token for the loader', async () => {
      const release = gate.hold();
      await release.reached;
      await waitFor(() => expect(getHeaders).toHaveBeenCalledTimes(1));
      release();
    });
    await step('the page has what its loader and its widget have read', async () => {
      await canvas.findByText('On signing out');
      await canvas.findByText('Knock, and say who you are.');
    });
    await step('one token, and one request a key', async () => {
      await expect(getToken).toHaveBeenCalledTimes(1);
      await expect(journal).toHaveSent([sent.get('/article/1').as('ada'), sent.get('/article').as('ada')], {
        anyOrder: true,
      });
    });
  },
};
