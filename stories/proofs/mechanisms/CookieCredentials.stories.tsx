import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent } from 'storybook/test';
import { RestEndpoint } from '../../../src/index.js';
import { CookieEndpoint } from '../../mechanisms/shown/CookieEndpoint.js';
import { CsrfEndpoint } from '../../mechanisms/shown/CsrfEndpoint.js';
import { api } from '../../support/articles.js';
import { articlesBy, RenameFirst, Titles } from '../../support/PlainArticles.js';
import { PlainStore } from '../../support/PlainStore.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { csrf, ownApi, setupCookieApp } from '../../support/setupCookieApp.js';
import { titlesOf } from '../../support/titlesOf.js';
import { inCases } from '../../support/inCases.js';

/** Both users may read every article. */
const articles = { private: false };
const app = setupCookieApp({ csrf: false, articles });
const elsewhere = setupCookieApp({ url: api, csrf: false, articles });
const protectedApp = setupCookieApp({ articles });
const { sent } = app;

/** Proves the first mechanism of data-client's guide: the endpoint class decides about cookies. */
const meta = {
  title: 'Proofs/Mechanisms',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly, cookies: ['session', 'csrftoken'] },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const articlesOfThisSite = articlesBy(CookieEndpoint, ownApi);

/** “Cookie credentials”: an asynchronous `getRequestInit` that returns the parent's result with `credentials` set to `same-origin`. */
export const CookieOfTheSession: Story = {
  beforeEach: app.start('ada'),
  render: () => (
    <PlainStore>
      <Titles by={articlesOfThisSite.getList} />
      <RenameFirst by={articlesOfThisSite.partialUpdate} />
    </PlainStore>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('the server knows the reader by the cookie', async () => {
      await canvas.findByText('On signing in');
    });
    await step('it knows the writer as well', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('Now called On knocking');
    });
    await hasSent(
      'both requests carry the cookies of the page’s origin, and the parent’s body and headers',
      [
        sent.get('/article').headers({ 'content-type': 'application/json' }),
        sent.patch('/article/1').headers({ 'content-type': 'application/json' }).json({ title: 'On knocking' }),
      ],
      { headers: ['content-type'] },
    );
  },
};
const withoutCookies = articlesBy(RestEndpoint, ownApi, { credentials: 'omit' });
const withCookies = articlesBy(CookieEndpoint, ownApi, { credentials: 'omit' });

const theClassDecides: Story = {
  parameters: { expectedConsoleErrors: [/^NetworkError: (\S+: )?Unauthorized/] },
  beforeEach: app.start('ada'),
  render: () => (
    <>
      <PlainStore>
        <Titles by={withoutCookies.getList} />
      </PlainStore>
      <PlainStore>
        <Titles by={withCookies.getList} />
      </PlainStore>
    </>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('without the class the server refuses the reader, with it the list is shown', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent(/^401: (\S+: )?Unauthorized$/);
      await canvas.findByText('On signing in');
      await expect(titlesOf(canvas)).toHaveLength(4);
    });
    await hasSent('the first request goes without cookies', [
      sent.get('/article').credentials('omit'),
      sent.get('/article'),
    ]);
  },
};

const articlesElsewhere = articlesBy(CookieEndpoint);

const anotherOriginGetsNoCookie: Story = {
  parameters: { expectedConsoleErrors: [/^NetworkError: (\S+: )?Unauthorized/] },
  beforeEach: elsewhere.start('ada'),
  render: () => (
    <PlainStore>
      <Titles by={articlesElsewhere.getList} />
    </PlainStore>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('the other server does not know the reader', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent(/^401: (\S+: )?Unauthorized$/);
    });
    await hasSent('one GET', [sent.get(`${api}/article`)]);
  },
};

/** The class decides which requests carry a cookie, and wins over the settings of the resource. */
export const TheClassDecides: Story = inCases({
  'both resources say `omit`, and only one has the class': theClassDecides,
  '`same-origin`: another origin gets no cookie': anotherOriginGetsNoCookie,
});

const protectedArticles = articlesBy(CsrfEndpoint, ownApi);

/** “A variant with cross-site request forgery protection”: writes carry the CSRF cookie's value in a header too; reads need none. */
export const CsrfProtection: Story = {
  beforeEach: protectedApp.start('ada'),
  render: () => (
    <PlainStore>
      <Titles by={protectedArticles.getList} />
      <RenameFirst by={protectedArticles.partialUpdate} />
    </PlainStore>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('the reader sees the list', async () => {
      await canvas.findByText('On signing in');
    });
    await step('the writer renames an article', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('Now called On knocking');
    });
    await hasSent('the GET without, the PATCH with the header', [
      sent.get('/article'),
      sent.patch('/article/1').headers(csrf(1)).json({ title: 'On knocking' }),
    ]);
  },
};

const signedOutWithACookie: Story = {
  beforeEach: protectedApp.start(),
  render: () => (
    <PlainStore>
      <RenameFirst by={protectedArticles.partialUpdate} />
    </PlainStore>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('the server refuses the writer', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Rename the first' }));
      await canvas.findByText(/^NetworkError: /);
    });
    await hasSent('one PATCH, without the header', [sent.patch('/article/1').json({ title: 'On knocking' })]);
  },
};

const csrfRefused: Story = {
  beforeEach: protectedApp.start('ada'),
  render: () => (
    <PlainStore>
      <RenameFirst by={articlesOfThisSite.partialUpdate} />
    </PlainStore>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('the server refuses the writer', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Rename the first' }));
      await canvas.findByText(/^NetworkError: (\S+: )?Forbidden$/);
    });
    await hasSent('one PATCH, without the header', [sent.patch('/article/1').json({ title: 'On knocking' })]);
  },
};

/** A write without the CSRF header is refused. */
export const CsrfRefused: Story = inCases({
  'the user is signed out, so there is no CSRF cookie: the header is left out, not sent empty': signedOutWithACookie,
  'the class without the CSRF variant: a cookie alone could come from a forged request': csrfRefused,
});
