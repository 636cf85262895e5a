import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useController } from '@data-client/react';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import {
  CookieAuthProvider,
  createCookieSession,
  createTokenSession,
  RestEndpoint,
  TokenAuthProvider,
  useEndpoint,
} from '../../../src/index.js';
import { requestLines } from '../../../src/testing/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api } from '../../support/articles.js';
import { AuthStatus } from '../../support/ArticlesDemo.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const sent = requestLines({ prefix: api });

const restore = async () => ({ accessToken: 'ada-1', user: { id: 'ada', name: 'Ada Lovelace' } });
const whoami = async () => ({ id: 'ada', name: 'Ada Lovelace' });
const login = async () => undefined;
const csrf = { read: () => 'csrf-1' };

const session = createTokenSession({ login: restore, restore, trustedOrigins: [api] });
const unlisted = createTokenSession({ login: restore, restore });
const unlistedCookie = createCookieSession({ login, whoami, csrf, tabs: false });
const listedCookie = createCookieSession({
  login,
  whoami,
  csrf,
  tabs: false,
  credentials: 'include',
  trustedOrigins: [api],
});

const call = (method: 'GET' | 'POST', urlPrefix: string, path: string) =>
  new RestEndpoint({ urlPrefix, path, method, body: undefined });
const read = (urlPrefix: string, path = '/article/1') => call('GET', urlPrefix, path);
const trusted = read(api);
const moved = read(api, '/moved');
/** Addresses that begin like the trusted one, or differ from it in the port or the scheme. */
const lookAlikes = [
  'https://api.example.com.evil.test',
  'https://api.example.com@evil.test',
  'https://api.example.com:8443',
  'http://api.example.com',
].map(prefix => read(prefix));

/** Reads by the endpoint with the session's credentials, and shows the outcome. */
function Read({ endpoint, children }: { endpoint: ReturnType<typeof call>; children: string }) {
  const controller = useController();
  const bound = useEndpoint(endpoint);
  return <ActionButton label={children} act={async () => JSON.stringify(await controller.fetch(bound))} />;
}

/** Three endpoints that write, by their destination. The address of the last one comes from data and ignores its `urlPrefix`. */
const CHANGES = {
  'the page’s own origin': call('POST', '', '/api/article'),
  'its urlPrefix': call('POST', api, '/article'),
  elsewhere: call('POST', api, '/article').extend({ url: () => 'https://elsewhere.example/article' }),
};

/** Writes to each of the three. */
function Changes({ label }: { label: string }) {
  return (
    <section aria-label={label}>
      <AuthStatus />
      {Object.entries(CHANGES).map(([where, endpoint]) => (
        <Read key={where} endpoint={endpoint}>
          {`Write to ${where}`}
        </Read>
      ))}
    </section>
  );
}

/** Where credentials go: to the origins that the session lists, and nowhere else. */
const meta = {
  title: 'Proofs/Requests',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: ({ msw }) => {
    for (const one of [session, unlisted, unlistedCookie, listedCookie]) one.dispose();
    msw.use(
      http.post(`${api}/article`, () => HttpResponse.json('Written')),
      http.post('/api/article', () => HttpResponse.json('Written')),
      http.get(`${api}/article/1`, () => HttpResponse.json({ title: 'On signing in' })),
      http.get(`${api}/moved`, () => HttpResponse.redirect('https://elsewhere.example/article/1')),
    );
  },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const KEPT_BACK = (origin: string) =>
  `UntrustedOriginError: Credentials are not sent to ${origin}. If its server takes the credentials of this session, add it to the session's \`trustedOrigins\`. If it is another API with a session of its own, put the component below a provider of that session. Or mark the endpoint \`public: true\`, or use plain \`fetch\`, to call it without credentials.`;

/** Origins are compared after parsing: an address that only looks like the trusted one gets no request at all. */
export const LookAlikeOrigins: Story = {
  render: () => (
    <TokenAuthProvider session={session}>
      <AuthStatus />
      {lookAlikes.map(endpoint => (
        <Read key={endpoint.urlPrefix} endpoint={endpoint}>
          {`Read from ${endpoint.urlPrefix}`}
        </Read>
      ))}
      <Read endpoint={trusted}>Read from the trusted one</Read>
    </TokenAuthProvider>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('each look-alike is refused, and the error names it', async () => {
      for (const { urlPrefix } of lookAlikes)
        await userEvent.click(await canvas.findByRole('button', { name: `Read from ${urlPrefix}` }));
      for (const { urlPrefix } of lookAlikes) await canvas.findByText(KEPT_BACK(new URL(urlPrefix).origin));
    });
    await step('the trusted one answers', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Read from the trusted one' }));
      await canvas.findByText('{"title":"On signing in"}');
    });
    await hasSent('one request, to the trusted one', [sent.get('/article/1').as('ada')]);
  },
};

/**
 * Without a list, credentials go to the page's own origin and to the endpoint's `urlPrefix`. With a list, they go to
 * the listed origins only. This holds for a cookie with its CSRF token as for an access token.
 */
export const OriginsByDefault: Story = {
  render: () => (
    <>
      <TokenAuthProvider session={unlisted}>
        <Changes label="A token, without a list" />
      </TokenAuthProvider>
      <CookieAuthProvider session={unlistedCookie}>
        <Changes label="A cookie, without a list" />
      </CookieAuthProvider>
      <TokenAuthProvider session={session}>
        <Changes label="A token, with a list" />
      </TokenAuthProvider>
      <CookieAuthProvider session={listedCookie}>
        <Changes label="A cookie, with a list" />
      </CookieAuthProvider>
    </>
  ),
  play: async ({ canvas, step, hasSent }) => {
    const at = (label: string) => within(canvas.getByRole('region', { name: label }));
    const write = (label: string, where: string) =>
      userEvent.click(at(label).getByRole('button', { name: `Write to ${where}` }));
    for (const credential of ['A token', 'A cookie']) {
      await step(`${credential} without a list goes to both, and to no other origin`, async () => {
        const label = `${credential}, without a list`;
        for (const where of Object.keys(CHANGES)) await write(label, where);
        await waitFor(() => expect(at(label).getAllByText('"Written"')).toHaveLength(2));
        await at(label).findByText(KEPT_BACK('https://elsewhere.example'));
      });
      await step(`${credential} with a list goes to the listed origin only`, async () => {
        const label = `${credential}, with a list`;
        for (const where of Object.keys(CHANGES)) await write(label, where);
        await at(label).findByText('"Written"');
        await at(label).findByText(KEPT_BACK(location.origin));
        await at(label).findByText(KEPT_BACK('https://elsewhere.example'));
      });
    }
    await hasSent(
      'six requests, none of them to another origin',
      [
        'POST /api/article  same-origin  access-token: ada-1',
        sent.post('/article').as('ada'),
        sent.post('/article').as('ada'),
        'POST /api/article  same-origin  x-csrf-token: csrf-1',
        sent.post('/article').headers({ 'x-csrf-token': 'csrf-1' }),
        sent.post('/article').credentials('include').headers({ 'x-csrf-token': 'csrf-1' }),
      ],
      { anyOrder: true },
    );
  },
};

const NOT_FOLLOWED =
  "RedirectRefusedError: https://api.example.com/moved redirected, and this request follows no redirect: its credentials would go to an unknown address. Let the endpoint's `urlPrefix` and `path` name the final address; where no user is signed in, let the server answer 401 instead of redirecting to its login page.";

/** A redirect may lead to any address, and browsers would send the header along, and the cookie of another origin: it is not followed. */
export const ARedirect: Story = {
  render: () => (
    <>
      <TokenAuthProvider session={session}>
        <AuthStatus />
        <Read endpoint={moved}>Read what has moved</Read>
      </TokenAuthProvider>
      <CookieAuthProvider session={listedCookie}>
        <AuthStatus />
        <Read endpoint={moved}>Read it with a cookie</Read>
      </CookieAuthProvider>
    </>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('the redirect is refused, for the token and for the cookie', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Read what has moved' }));
      await canvas.findByText(NOT_FOLLOWED);
      await userEvent.click(canvas.getByRole('button', { name: 'Read it with a cookie' }));
      await waitFor(() => expect(canvas.getAllByText(NOT_FOLLOWED)).toHaveLength(2));
    });
    await hasSent('nothing is sent to the target of the redirect', [
      sent.get('/moved').as('ada'),
      sent.get('/moved').credentials('include'),
    ]);
  },
};

const elsewhere = 'https://elsewhere.example';

/** An endpoint with `public: true` may go to any origin: it carries no credential, and the browser sends no cookie. */
export const PublicEndpoint: Story = {
  beforeEach: ({ msw }) =>
    msw.use(http.get(`${elsewhere}/article/1`, () => HttpResponse.json({ title: 'On the weather' }))),
  render: () => (
    <>
      <TokenAuthProvider session={session}>
        <AuthStatus />
        <Read endpoint={read(elsewhere).extend({ public: true })}>Read with a token</Read>
      </TokenAuthProvider>
      <CookieAuthProvider session={listedCookie}>
        <AuthStatus />
        <Read endpoint={read(elsewhere).extend({ public: true })}>Read with a cookie</Read>
      </CookieAuthProvider>
    </>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('both requests are answered while users are signed in', async () => {
      await waitFor(() => expect(canvas.getAllByText('authenticated')).toHaveLength(2));
      await userEvent.click(canvas.getByRole('button', { name: 'Read with a token' }));
      await userEvent.click(canvas.getByRole('button', { name: 'Read with a cookie' }));
      await waitFor(() => expect(canvas.getAllByText('{"title":"On the weather"}')).toHaveLength(2));
    });
    await hasSent('both requests carry no credential', [
      sent.get(`${elsewhere}/article/1`).credentials('omit'),
      sent.get(`${elsewhere}/article/1`).credentials('omit'),
    ]);
  },
};
