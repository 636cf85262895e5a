import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent, waitFor } from 'storybook/test';
import { useAuth } from '../../../src/index.js';
import { api } from '../../support/articles.js';
import { AuthStatus, SignInButtons } from '../../support/ArticlesDemo.js';
import { OutcomeLog, useOutcomeLog } from '../../support/OutcomeLog.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';

const app = setupTokenApp();
const { sent } = app;

/** Failed logins, refreshes and requests: a page may log every error and show every state. */
const meta = {
  title: 'Proofs/Requests',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: app.start(),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Everything that can be read of a value. Of an error also what JSON leaves out: the stack and the cause. */
const told = (value: unknown) =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner instanceof Error
      ? { ...inner, name: inner.name, message: inner.message, stack: inner.stack, cause: inner.cause }
      : inner,
  );

/** Shows the whole state of the session, and the outcome of Ada's rename. */
function TellsAll() {
  const auth = useAuth();
  const tell = useOutcomeLog();
  const controller = useController();
  const partialUpdate = app.Articles.usePartialUpdate();
  const rename = () =>
    controller.fetch(partialUpdate, { id: '1' }, { title: 'On knocking' }).then(
      article => tell(told(article)),
      (error: unknown) => tell(told(error)),
    );
  return (
    <>
      <button type="button" onClick={() => void rename()}>
        Rename
      </button>
      <pre aria-label="The state" tabIndex={0} style={{ whiteSpace: 'pre-wrap' }}>
        {told([auth, app.session, app.session.getSnapshot()])}
      </pre>
    </>
  );
}

/** Any token of Ada's: `ada-1`, `ada-refresh-1`. */
const TOKEN = /ada-(refresh-)?\d/;
const unreadable = () => new HttpResponse('ada-9', { headers: { 'Content-Type': 'application/json' } });

/** No message, stack, cause, state or element of the page ever contains a token, and no storage does without the `storage` option. */
export const NoErrorContainsAToken: Story = {
  render: () => (
    <OutcomeLog>
      <app.Provider>
        <AuthStatus />
        <SignInButtons />
        <TellsAll />
      </app.Provider>
    </OutcomeLog>
  ),
  play: async ({ canvas, canvasElement, step, journal, msw }) => {
    const shown: string[] = [];
    const look = () => shown.push(canvasElement.innerHTML);
    const observer = new MutationObserver(look);
    observer.observe(canvasElement, { subtree: true, childList: true, characterData: true, attributes: true });
    const state = () => canvas.getByLabelText('The state');
    const signIn = () => userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
    const rename = () => userEvent.click(canvas.getByRole('button', { name: 'Rename' }));
    await step(
      'the server answers one login with a token that is no JSON, the next with a token that no header can carry',
      async () => {
        msw.use(http.post(`${api}/login`, unreadable, { once: true }));
        await signIn();
        await waitFor(() => expect(state()).toHaveTextContent('The server did not answer with JSON'));
        msw.use(http.post(`${api}/login`, () => HttpResponse.json({ accessToken: 'ada-9\n' }), { once: true }));
        await signIn();
        await waitFor(() => expect(state()).toHaveTextContent('The access token contains a control character'));
      },
    );
    await step('Ada signs in, and the state names her', async () => {
      await signIn();
      await waitFor(() => expect(state()).toHaveTextContent('Ada Lovelace'));
    });
    await step('her token expires, and the refresh answers with something that is no JSON', async () => {
      app.server.expire();
      msw.use(http.post(`${api}/refresh`, unreadable, { once: true }));
      await rename();
      await expect(await canvas.findByText(/"RefreshUnavailableError"/)).toHaveTextContent('"cause":{');
    });
    await step('the next refresh works, and she renames an article; then the server revokes her login', async () => {
      await rename();
      await canvas.findByText(/"On knocking"/);
      app.server.revoke('ada');
      await rename();
      await canvas.findByText(/The session has expired/);
    });
    await step('the page has shown none of these tokens, and stores none', async () => {
      observer.disconnect();
      look();
      await expect(shown.filter(html => TOKEN.test(html))).toEqual([]);
      await expect(told([{ ...localStorage }, { ...sessionStorage }, document.cookie])).not.toMatch(TOKEN);
    });
    await step('logins, renames and refreshes, and nothing else', () =>
      expect(journal).toHaveSent([
        ...Array.from({ length: 3 }, () => sent.post('/login').json({ username: 'ada', password: 'lovelace' })),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-2' }),
      ]),
    );
  },
};
