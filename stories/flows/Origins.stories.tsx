import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useController } from '@data-client/react';
import { expect, userEvent } from 'storybook/test';
import { createTokenSession, RestEndpoint, TokenAuthProvider, useEndpoint } from '../../src/index.js';
import { Act } from '../support/Act.js';
import { api } from '../support/articles.js';
import { Who } from '../support/Desk.js';

const session = createTokenSession({
  login: new RestEndpoint({ urlPrefix: api, path: '/login', method: 'POST' }),
  restore: async () => ({ accessToken: 'ada-1', user: { id: 'ada', name: 'Ada Lovelace' } }),
  origins: [api],
});

const read = (urlPrefix: string, path = '/article/1') => new RestEndpoint({ urlPrefix, path });
const trusted = read(api);
const moved = read(api, '/moved');
/** Addresses that begin like the trusted one, or are it but for the port or the scheme. */
const lookAlikes = ['https://api.example.com.evil.test', 'https://api.example.com@evil.test', 'https://api.example.com:8443', 'http://api.example.com'].map(prefix => read(prefix));

/** Reads by the endpoint with the session's credentials, and says what came of it. */
function Read({ endpoint, children }: { endpoint: ReturnType<typeof read>; children: string }) {
  const controller = useController();
  const bound = useEndpoint(endpoint);
  return <Act label={children} act={async () => JSON.stringify(await controller.fetch(bound))} />;
}

/** Where credentials go: to the origins that the session lists, and nowhere else. */
const meta = {
  title: 'Flows/Origins',
  beforeEach: ({ msw }) => {
    session.dispose();
    msw.use(
      http.get(`${api}/article/1`, () => HttpResponse.json({ title: 'On signing in' })),
      http.get(`${api}/moved`, () => HttpResponse.redirect('https://elsewhere.example/article/1')),
    );
  },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const KEPT_BACK = (origin: string) =>
  `UntrustedOriginError: Credentials are not sent to ${origin}. Add it to the session's \`origins\`, or mark the endpoint \`public: true\` to call it without credentials.`;

/** Origins are compared after parsing: what only looks like the trusted one is sent nothing at all. */
export const LookAlikes: Story = {
  render: () => (
    <TokenAuthProvider session={session}>
      <Who />
      {lookAlikes.map(endpoint => (
        <Read key={endpoint.urlPrefix} endpoint={endpoint}>
          {`Read from ${endpoint.urlPrefix}`}
        </Read>
      ))}
      <Read endpoint={trusted}>Read from the trusted one</Read>
    </TokenAuthProvider>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('each look-alike is refused by its name', async () => {
      for (const { urlPrefix } of lookAlikes) await userEvent.click(await canvas.findByRole('button', { name: `Read from ${urlPrefix}` }));
      for (const { urlPrefix } of lookAlikes) await canvas.findByText(KEPT_BACK(new URL(urlPrefix).origin));
    });
    await step('the trusted one answers', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Read from the trusted one' }));
      await canvas.findByText('{"title":"On signing in"}');
    });
    await step('one request, to the trusted one', () => expect(journal).toHaveSent(['GET https://api.example.com/article/1  same-origin  access-token: ada-1']));
  },
};

/** A redirect leads who knows where, and browsers take the header along: so it is not followed. */
export const ARedirect: Story = {
  render: () => (
    <TokenAuthProvider session={session}>
      <Who />
      <Read endpoint={moved}>Read what has moved</Read>
    </TokenAuthProvider>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the redirect is refused', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Read what has moved' }));
      await canvas.findByText(
        "RedirectRefusedError: https://api.example.com/moved redirected, and credentials must not follow a redirect to an unknown address. Let the endpoint's `urlPrefix` and `path` name the final address.",
      );
    });
    await step('nothing was sent to where it leads', () => expect(journal).toHaveSent(['GET https://api.example.com/moved  same-origin  access-token: ada-1']));
  },
};
