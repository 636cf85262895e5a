import { useController } from '@data-client/react';
import { createResource, Endpoint, RestEndpoint, type RestGenerics } from '@data-client/rest';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import { api, Article } from '../../support/articles.js';
import { ArticlesDemo } from '../../support/ArticlesDemo.js';
import { CountedPage } from '../../support/CountedPage.js';
import { useOutcomeLog } from '../../support/OutcomeLog.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';

const app = setupTokenApp();
const { sent } = app;

/** Proves what a 401 of another endpoint does below a provider of the kit. */
const meta = {
  title: 'Proofs/Requests',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: app.start('ada'),
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={app}>
      <Authenticated>
        <OldScreen />
        <ArticlesDemo articles={app.Articles} />
      </Authenticated>
    </CountedPage>
  ),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** A class that existed before the kit: data-client's own. */
class OldEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override getHeaders(headers: HeadersInit): HeadersInit {
    return { ...headers, 'Access-Token': 'ada-1' };
  }
}
const OldArticles = createResource({ urlPrefix: api, path: '/article/:id', schema: Article, Endpoint: OldEndpoint });

/** The error of a request by another library. */
const otherLibrary = new Endpoint(
  () => Promise.reject(Object.assign(new Error('Another library was refused.'), { status: 401 })),
  {
    name: 'otherLibrary',
    sideEffect: true,
  },
);

/** Sends requests by endpoints that are not the kit's, and shows the outcome of each. */
function OldScreen() {
  const controller = useController();
  const tell = useOutcomeLog();
  const settle = (act: Promise<unknown>) =>
    void act.then(
      () => tell('Done'),
      (error: Error) => tell(error.message),
    );
  const rename = (id: string) => controller.fetch(OldArticles.partialUpdate, { id }, { title: `Renamed ${id}` });
  return (
    <p>
      <button type="button" onClick={() => ['1', '2'].forEach(id => settle(rename(id)))}>
        Rename two by the old class
      </button>
      <button type="button" onClick={() => settle(controller.fetch(otherLibrary))}>
        Ask by another library
      </button>
    </p>
  );
}

const GRACE_SIGNS_IN = sent.post('/login').json({ username: 'grace', password: 'hopper' });
const oldRename = (id: string) =>
  sent
    .patch(`/article/${id}`)
    .as('ada')
    .json({ title: `Renamed ${id}` });

/** Under a provider of the kit, a 401 of another endpoint ends the session too: nothing is refreshed, and nothing is sent again. */
export const OfAnotherClassUnderTheKit: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step(
      'her token expires; two renames by an old class are refused, the session ends, and both calls reject',
      async () => {
        app.server.expire();
        await userEvent.click(canvas.getByRole('button', { name: 'Rename two by the old class' }));
        await canvas.findByText('anonymous: expired');
        // The first refusal ends the screen, and with it what else the screen has under way.
        await waitFor(() =>
          expect(canvas.getAllByText(/^((\S+: )?Unauthorized|The session has expired: .*)$/)).toHaveLength(2),
        );
        await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
      },
    );
    await step('Grace signs in; a request of another library fails with the status 401', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await userEvent.click(canvas.getByRole('button', { name: 'Ask by another library' }));
      await canvas.findByText('Another library was refused.');
      await canvas.findByText('anonymous: expired');
    });
    await hasSent('two renames that are refused, and no refresh', [
      sent.get('/article').as('ada'),
      oldRename('1'),
      oldRename('2'),
      GRACE_SIGNS_IN,
      sent.get('/article').as('grace'),
    ]);
  },
};

/** A 401 for a request of the user before does not end the session of the next one: the call was rejected at the switch. */
export const OfAnotherClassTooLate: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    app.server.expire();
    const release = app.articles.hold();
    await step('her token has expired; two renames by an old class are under way', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename two by the old class' }));
      await waitFor(() => expect(app.articles.held).toBe(2));
    });
    await step('Grace signs in: Ada’s renames reject at once, and their 401s arrive with Grace’s list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await waitFor(() => expect(app.articles.held).toBe(3));
      await waitFor(() =>
        expect(canvas.getAllByText(/^The identity changed while this request was under way/)).toHaveLength(2),
      );
      release();
      await canvas.findByText('A compiler for everyone');
    });
    await step('Grace is still signed in, and renames an article of hers', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await hasSent('Ada’s requests carry Ada’s token, Grace’s requests carry Grace’s', [
      sent.get('/article').as('ada'),
      oldRename('1'),
      oldRename('2'),
      GRACE_SIGNS_IN,
      sent.get('/article').as('grace'),
      sent.patch('/article/3').as('grace').json({ title: 'On knocking' }),
    ]);
  },
};
