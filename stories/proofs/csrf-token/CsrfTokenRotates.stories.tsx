import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent } from 'storybook/test';
import { RestEndpoint, useEndpoint } from '../../../src/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { ArticlesDemo } from '../../support/ArticlesDemo.js';
import { CountedPage } from '../../support/CountedPage.js';
import { graceSignsIn } from '../../support/csrfGate.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { csrf, ownApi, setupCookieApp } from '../../support/setupCookieApp.js';

const app = setupCookieApp();
const { sent } = app;

/** Which requests carry a CSRF token, and which token. */
const meta = {
  title: 'Proofs/CSRF token',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly, cookies: app.cookies },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const ask = new RestEndpoint({ urlPrefix: ownApi, path: '/article', method: 'HEAD', schema: undefined });
const options = new RestEndpoint({
  urlPrefix: ownApi,
  path: '/article',
  method: 'OPTIONS',
  schema: undefined,
  body: undefined,
});

/** Sends requests that change nothing. */
function AskOnly() {
  const controller = useController();
  const head = useEndpoint(ask);
  const preflight = useEndpoint(options);
  const act = async () => {
    await controller.fetch(head);
    await controller.fetch(preflight);
    return 'Asked';
  };
  return <ActionButton label="Ask only" act={act} />;
}

/** Each write carries the current CSRF token: also after another tab or a login has changed it. HEAD and OPTIONS carry none. */
export const Rotates: Story = {
  beforeEach: [
    app.start('ada'),
    ({ msw }) => {
      const nothing = () => new HttpResponse(null, { status: 204 });
      msw.use(http.head(`${ownApi}/article`, nothing), http.options(`${ownApi}/article`, nothing));
    },
  ],
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={app}>
      <AskOnly />
      <ArticlesDemo articles={app.Articles} />
    </CountedPage>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada renames an article, and sends HEAD and OPTIONS', async () => {
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
      await userEvent.click(canvas.getByRole('button', { name: 'Ask only' }));
      await canvas.findByText('Asked');
    });
    await step('another tab gets another token; she writes an article', async () => {
      app.server.rotateCsrf();
      await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
      await canvas.findByText('On writing');
    });
    await step('Grace signs in, and renames one of hers', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await step(
      'four writes with three tokens, and no fetch of a token; whoami confirms that the cookie of the other tab is hers',
      () =>
        expect(journal).toHaveSent([
          sent.get('/whoami'),
          sent.get('/article'),
          sent.patch('/article/1').headers(csrf(1)).json({ title: 'On knocking' }),
          sent.head('/article'),
          sent.options('/article'),
          sent.get('/whoami'),
          sent.post('/article').headers(csrf(2)).json({ title: 'On writing' }),
          graceSignsIn(sent, 2),
          sent.get('/article'),
          sent.patch('/article/3').headers(csrf(3)).json({ title: 'On knocking' }),
        ]),
    );
  },
};
