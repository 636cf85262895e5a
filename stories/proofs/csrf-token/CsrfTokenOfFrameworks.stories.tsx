import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated, RestEndpoint } from '../../../src/index.js';
import { api } from '../../support/articles.js';
import { setupCookieApp, ownApi } from '../../support/setupCookieApp.js';
import { ArticlesDemo } from '../../support/ArticlesDemo.js';
import { Rename } from '../../support/Rename.js';
import type { StoryStart } from '../../support/StoryStart.js';
import { CountedPage } from '../../support/CountedPage.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const app = setupCookieApp();
const { sent } = app;

/** Servers that hand out and refuse CSRF tokens in their own ways. */
const meta = {
  title: 'Proofs/CSRF token',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly, cookies: app.cookies },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

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
  play: async ({ canvas, step, journal }) => {
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
    await step('one fetch of the token, for the one refusal of it', () =>
      expect(journal).toHaveSent([
        sent.get('/whoami'),
        sent.get('/article'),
        sent.patch('/article/2').headers({ 'x-csrf-token': 'rails-1' }).json({ title: 'Renamed 2' }),
        sent.get('/csrf'),
        sent.get('/whoami'),
        sent.patch('/article/2').headers({ 'x-csrf-token': 'rails-2' }).json({ title: 'Renamed 2' }),
        sent.patch('/article/1').headers({ 'x-csrf-token': 'rails-2' }).json({ title: 'On knocking' }),
      ]),
    );
  },
};
