// @vitest-environment jsdom
import { useSuspense } from '@data-client/react';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { Suspense, useState } from 'react';
import { expect, test } from 'vitest';
import { Authenticated, createTokenSession, TokenAuthProvider } from '../../src/index.js';
import { ResourceForm } from '../../src/entries/widgets.js';
import { api, Articles, serve } from './support/articles.js';

const fields = [{ name: 'title', label: 'Title' }] as const;
const server = serve(http.get(`${api}/article/1`, () => HttpResponse.json({}, { status: 401 })));

function FirstArticle() {
  return useSuspense(Articles.useGet(), { id: '1' }).title;
}

/** A form, and an article that is loaded when the user wants it. While it loads, `<Suspense>` hides both. */
function Screen() {
  const [showsArticle, setShowsArticle] = useState(false);
  return (
    <Suspense fallback="Loading…">
      <ResourceForm resource={Articles} action="push" fields={fields} />
      <button onClick={() => setShowsArticle(true)}>Show the article</button>
      {showsArticle && <FirstArticle />}
    </Suspense>
  );
}

function setup() {
  const session = createTokenSession({
    login: async ({ id }: { id: string }) => ({ accessToken: `${id}-1`, user: { id } }),
    trustedOrigins: [api],
  });
  render(
    <TokenAuthProvider session={session}>
      <Authenticated fallback="Signed out">
        <Screen />
      </Authenticated>
    </TokenAuthProvider>,
  );
  const signIn = async (id: string) => {
    await act(() => session.login({ id }));
    return screen.getByLabelText<HTMLInputElement>('Title');
  };
  return { session, signIn };
}

test('the text of a form that `<Suspense>` hides when the session expires comes back to the same user only', async () => {
  const { signIn } = setup();
  fireEvent.change(await signIn('ada'), { target: { value: 'On hiding' } });
  fireEvent.click(screen.getByText('Show the article'));
  await screen.findByText('Loading…');
  await screen.findByText('Signed out');
  expect((await signIn('grace')).value).toBe('');
  expect((await signIn('ada')).value).toBe('On hiding');
});

test('the text of a form that is hidden when the user signs out is gone', async () => {
  server.use(http.get(`${api}/article/1`, () => new Promise<never>(() => {})));
  const { session, signIn } = setup();
  fireEvent.change(await signIn('ada'), { target: { value: 'On hiding' } });
  fireEvent.click(screen.getByText('Show the article'));
  await screen.findByText('Loading…');
  await act(() => session.logout());
  await screen.findByText('Signed out');
  expect((await signIn('ada')).value).toBe('');
});

test('a text that was restored comes back once: not when the form is hidden and shown again', async () => {
  const { session, signIn } = setup();
  fireEvent.change(await signIn('ada'), { target: { value: 'On hiding' } });
  fireEvent.click(screen.getByText('Show the article'));
  // A young token is tried once more after a second.
  await screen.findByText('Signed out', undefined, { timeout: 5_000 });
  const title = await signIn('ada');
  expect(title.value).toBe('On hiding');
  fireEvent.change(title, { target: { value: '' } });
  server.use(http.get(`${api}/article/1`, () => HttpResponse.json({ id: '1', title: 'An article' })));
  fireEvent.click(screen.getByText('Show the article'));
  await screen.findByText('Loading…');
  await screen.findByText('An article');
  expect(title.value).toBe('');
  session.dispose();
});
