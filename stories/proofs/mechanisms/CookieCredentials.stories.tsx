import { useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent } from 'storybook/test';
import { resource, RestEndpoint } from '../../../src/index.js';
import { cookieAuthHandlers, requestLines, resourceHandlers } from '../../../src/testing/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api, Article, people, rows } from '../../support/articles.js';
import { PlainStore } from '../../support/PlainStore.js';
import type { StoryStart } from '../../support/StoryStart.js';
import { titlesOf } from '../../support/titlesOf.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { CookieEndpoint } from '../../mechanisms/shown/CookieEndpoint.js';
import { CsrfEndpoint } from '../../mechanisms/shown/CsrfEndpoint.js';
import { csrf } from '../../support/setupCookieApp.js';

const sent = requestLines({ prefix: '/api' });

/** Articles below an address, as endpoints of a class, with request settings of their own. */
function articlesOf(urlPrefix: string, Endpoint: unknown, requestInit?: RequestInit) {
  return resource({ urlPrefix, path: '/article/:id', schema: Article, Endpoint, ...(requestInit && { requestInit }) });
}

/** A server with a signed-in reader: the browser has their cookie. With `null` it has none. */
function signedIn(url: string, csrfOptions?: object, personId: string | null = 'ada'): StoryStart {
  const server = cookieAuthHandlers({ url, people, ...(csrfOptions && { csrf: csrfOptions }) });
  const articles = resourceHandlers(articlesOf(url, RestEndpoint), rows, { auth: server });
  return ({ msw }) => {
    server.reset();
    articles.reset();
    if (personId !== null) server.signIn(personId);
    msw.use(...server.handlers, ...articles.handlers);
    return () => server.reset();
  };
}

type Articles = ReturnType<typeof articlesOf>;

function List({ articles }: { articles: Articles }) {
  return (
    <ul>
      {useSuspense(articles.getList).map(({ id, title }) => (
        <li key={id}>{title}</li>
      ))}
    </ul>
  );
}

function Rename({ articles }: { articles: Articles }) {
  const controller = useController();
  return (
    <ActionButton
      label="Rename"
      act={async () =>
        `Now called ${(await controller.fetch(articles.partialUpdate, { id: '1' }, { title: 'On knocking' })).title}`
      }
    />
  );
}

/** Proves the first mechanism of data-client's guide: the endpoint class decides about cookies. */
const meta = {
  title: 'Proofs/Mechanisms',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly, cookies: ['session', 'csrftoken'] },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const articlesOfThisSite = articlesOf('/api', CookieEndpoint);

/** “Cookie credentials”: an asynchronous `getRequestInit` that returns the parent's result with `credentials` set to `same-origin`. */
export const CookieOfTheSession: Story = {
  beforeEach: signedIn('/api'),
  render: () => (
    <PlainStore>
      <List articles={articlesOfThisSite} />
      <Rename articles={articlesOfThisSite} />
    </PlainStore>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the server knows the reader by the cookie', async () => {
      await canvas.findByText('On signing in');
    });
    await step('it knows the writer as well', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename' }));
      await canvas.findByText('Now called On knocking');
    });
    await step('both requests carry the cookies of the page’s origin, and the parent’s body and headers', () =>
      expect(journal).toHaveSent(
        [
          sent.get('/article').headers({ 'content-type': 'application/json' }),
          sent.patch('/article/1').headers({ 'content-type': 'application/json' }).json({ title: 'On knocking' }),
        ],
        { headers: ['content-type'] },
      ),
    );
  },
};
const withoutCookies = articlesOf('/api', RestEndpoint, { credentials: 'omit' });
const withCookies = articlesOf('/api', CookieEndpoint, { credentials: 'omit' });

/** The class wins over the settings of the resource: both resources say `omit`, and only one has the class. */
export const TheClassDecides: Story = {
  parameters: { expectedConsoleErrors: [/^NetworkError: (\S+: )?Unauthorized/] },
  beforeEach: signedIn('/api'),
  render: () => (
    <>
      <PlainStore>
        <List articles={withoutCookies} />
      </PlainStore>
      <PlainStore>
        <List articles={withCookies} />
      </PlainStore>
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('without the class the server refuses the reader, with it the list is shown', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent(/^401: (\S+: )?Unauthorized$/);
      await canvas.findByText('On signing in');
      await expect(titlesOf(canvas)).toHaveLength(4);
    });
    await step('the first request goes without cookies', () =>
      expect(journal).toHaveSent([sent.get('/article').credentials('omit'), sent.get('/article')]),
    );
  },
};

const articlesElsewhere = articlesOf(api, CookieEndpoint);

/** `same-origin` (“makes cookies travel with same-origin requests”): another origin gets no cookie. */
export const AnotherOriginGetsNoCookie: Story = {
  parameters: { expectedConsoleErrors: [/^NetworkError: (\S+: )?Unauthorized/] },
  beforeEach: signedIn(api),
  render: () => (
    <PlainStore>
      <List articles={articlesElsewhere} />
    </PlainStore>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the other server does not know the reader', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent(/^401: (\S+: )?Unauthorized$/);
    });
    await step('one GET', () => expect(journal).toHaveSent([sent.get(`${api}/article`)]));
  },
};

const protectedArticles = articlesOf('/api', CsrfEndpoint);

/** “A variant with cross-site request forgery protection”: writes carry the CSRF cookie's value in a header too; reads need none. */
export const CsrfProtection: Story = {
  beforeEach: signedIn('/api', {}),
  render: () => (
    <PlainStore>
      <List articles={protectedArticles} />
      <Rename articles={protectedArticles} />
    </PlainStore>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the list', async () => {
      await canvas.findByText('On signing in');
    });
    await step('the writer renames an article', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename' }));
      await canvas.findByText('Now called On knocking');
    });
    await step('the GET without, the PATCH with the header', () =>
      expect(journal).toHaveSent([
        sent.get('/article'),
        sent.patch('/article/1').headers(csrf(1)).json({ title: 'On knocking' }),
      ]),
    );
  },
};

/** The user is signed out, so there is no CSRF cookie: the header is left out, not sent empty. */
export const SignedOutWithACookie: Story = {
  beforeEach: signedIn('/api', {}, null),
  render: () => (
    <PlainStore>
      <Rename articles={protectedArticles} />
    </PlainStore>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the server refuses the writer', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Rename' }));
      await canvas.findByText(/^NetworkError: /);
    });
    await step('one PATCH, without the header', () =>
      expect(journal).toHaveSent([sent.patch('/article/1').json({ title: 'On knocking' })]),
    );
  },
};

/** The same server, and the class without the CSRF variant: a cookie alone could come from a forged request, so the server refuses it. */
export const CsrfRefused: Story = {
  beforeEach: signedIn('/api', {}),
  render: () => (
    <PlainStore>
      <Rename articles={articlesOfThisSite} />
    </PlainStore>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the server refuses the writer', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Rename' }));
      await canvas.findByText(/^NetworkError: (\S+: )?Forbidden$/);
    });
    await step('one PATCH, without the header', () =>
      expect(journal).toHaveSent([sent.patch('/article/1').json({ title: 'On knocking' })]),
    );
  },
};
