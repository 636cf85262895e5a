// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  Authenticated,
  createTokenSession,
  Entity,
  hookifyResource,
  resource,
  RestEndpoint,
  TokenAuthProvider,
} from '../../src/index.js';
import { LoginForm, ResourceList } from '../../src/entries/widgets.js';
import { createRequestJournal, journalMatchers, resourceHandlers, tokenAuthHandlers } from '../../src/testing/index.js';
import type { JournalMatchers } from '../../src/testing/index.js';

declare module 'vitest' {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- the name and the parameter are Vitest's own
  interface Matchers<T> extends JournalMatchers<Promise<void>> {}
}
expect.extend(journalMatchers);

// jsdom has no modal dialogs: the confirmation of a deletion, <Challenge> and the lock of a session need these two.
HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement, returnValue = '') {
  this.open = false;
  this.returnValue = returnValue;
  this.dispatchEvent(new Event('close'));
};

class Article extends Entity {
  id = '';
  title = '';
}

const api = 'https://api.example.com';
const ArticleResource = resource({ urlPrefix: api, path: '/article/:id', schema: Article });
const Articles = hookifyResource(ArticleResource);

const auth = tokenAuthHandlers({
  url: api,
  header: 'Authorization',
  people: [{ id: 'ada', name: 'Ada Lovelace', password: 'lovelace' }],
});
const articles = resourceHandlers(ArticleResource, [{ id: '1', title: 'On signing in' }], { auth });
const server = setupServer(...auth.handlers, ...articles.handlers);
const journal = createRequestJournal(server);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  cleanup();
  localStorage.clear();
  auth.reset();
  articles.reset();
  journal.clear();
});
afterAll(() => server.close());

/** A session of the test's own, and the app below its provider. */
function renderApp() {
  const session = createTokenSession({
    login: new RestEndpoint({ urlPrefix: api, path: '/login', method: 'POST' }),
    refresh: new RestEndpoint({ urlPrefix: api, path: '/refresh', method: 'POST' }),
    header: 'Authorization',
    trustedOrigins: [api],
  });
  render(
    <TokenAuthProvider session={session}>
      <Authenticated fallback={<LoginForm />}>
        <ResourceList
          label="Articles"
          resource={Articles}
          deleteMode="confirm"
          getItemLabel={article => article.title}
          renderItem={(article, { remove }) => (
            <>
              {article.title} <button onClick={() => void remove()}>Delete</button>
            </>
          )}
        />
      </Authenticated>
    </TokenAuthProvider>,
  );
}

test('Ada signs in, and deletes an article after her token has expired', async () => {
  const user = userEvent.setup();
  renderApp();
  await user.type(await screen.findByLabelText('User name'), 'ada');
  await user.type(screen.getByLabelText('Password'), 'lovelace');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  auth.expire();
  const dialog = await screen.findByRole('alertdialog');
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }));

  await screen.findByText('Nothing here yet.');
  await expect(journal).toHaveSent([
    'POST https://api.example.com/login  same-origin  {"username":"ada","password":"lovelace"}',
    'GET https://api.example.com/article  same-origin  authorization: Bearer ada-1',
    'DELETE https://api.example.com/article/1  same-origin  authorization: Bearer ada-1',
    'POST https://api.example.com/refresh  same-origin  {"refreshToken":"ada-refresh-1"}',
    'DELETE https://api.example.com/article/1  same-origin  authorization: Bearer ada-2',
  ]);
});
