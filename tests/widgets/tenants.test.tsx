// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { createContext, useContext, type ReactNode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Authenticated, hookifyResource, resource, TokenAuthProvider, useAuthInit } from '../../src/index.js';
import { ResourceForm, ResourceList } from '../../src/entries/widgets.js';
import { api, Article, createSession, serve } from './support/articles.js';

const Tenant = createContext('a');
const Articles = hookifyResource(resource({ urlPrefix: api, path: '/article/:id', schema: Article }), () => ({
  ...useAuthInit(),
  headers: { 'X-Tenant': useContext(Tenant) },
}));
const fields = [{ name: 'title', label: 'Title' }] as const;

/** Each tenant has an article with the id 1. */
const server = serve(
  http.get(`${api}/article`, ({ request }) =>
    HttpResponse.json([{ id: '1', title: `Article of ${request.headers.get('X-Tenant')}` }]),
  ),
  http.delete(`${api}/article/1`, () => new HttpResponse(null, { status: 204 })),
  http.get(`${api}/expired`, () => HttpResponse.json({}, { status: 401 })),
);
const requests: string[] = [];
server.events.on('request:start', ({ request }) => {
  requests.push(`${request.method} ${request.headers.get('X-Tenant')} ${request.headers.get('Access-Token')}`);
});

beforeEach(() => void requests.splice(0));

/** An app whose provider has the tenant as its key. */
function setup(screenOfTenant: ReactNode) {
  const session = createSession();
  const app = (tenant: string) => (
    <Tenant.Provider value={tenant}>
      <TokenAuthProvider key={tenant} session={session}>
        <Authenticated fallback="Signed out">{screenOfTenant}</Authenticated>
      </TokenAuthProvider>
    </Tenant.Provider>
  );
  const { rerender } = render(app('a'));
  return {
    signIn: () => session.login(),
    expire: async () => {
      await session.fetch(`${api}/expired`).catch(() => {});
      await screen.findByText('Signed out');
    },
    show: (tenant: string) => rerender(app(tenant)),
    title: () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Title' }),
  };
}

test('another tenant is another store, and a deletion goes to the tenant in whose list it was pressed', async () => {
  const { signIn, show } = setup(
    <ResourceList
      resource={Articles}
      deleteMode="undo"
      renderItem={({ title }, { remove }) => (
        <>
          {title} <button onClick={() => void remove()}>Delete</button>
        </>
      )}
    />,
  );
  await signIn();
  await screen.findByText(/Article of a/);
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));

  show('b');
  expect(screen.queryByText(/Article of a/)).toBeNull();
  await screen.findByText(/Article of b/);
  expect(requests.sort()).toEqual(['DELETE a ada-1', 'GET a ada-1', 'GET b ada-1']);
});

test.each([
  {
    form: 'edit',
    element: (
      <ResourceForm
        resource={Articles}
        action="partialUpdate"
        params={{ id: '1' }}
        initial={{ title: '' }}
        fields={fields}
      />
    ),
  },
  {
    form: 'creation',
    element: <ResourceList resource={Articles} create={{ push: fields }} renderItem={({ title }) => title} />,
  },
])('the text of the form ($form) comes back to the tenant for which it was typed', async ({ element }) => {
  const { signIn, expire, show, title } = setup(element);
  await signIn();
  await userEvent.type(await title(), 'A secret of tenant a');
  await expire();

  show('b');
  await signIn();
  expect((await title()).value).toBe('');

  await expire();
  show('a');
  await signIn();
  expect((await title()).value).toBe('A secret of tenant a');
});

test('without the `key`, the tenant of before stays on the screen, and a warning in development says what to do', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const session = createSession();
  await session.login();
  const app = (tenant: string) => (
    <Tenant.Provider value={tenant}>
      <TokenAuthProvider session={session}>
        <ResourceList resource={Articles} renderItem={({ title }) => title} />
      </TokenAuthProvider>
    </Tenant.Provider>
  );
  const { rerender } = render(app('a'));
  await screen.findByText('Article of a');
  expect(warn).not.toHaveBeenCalled();

  rerender(app('b'));
  rerender(app('c'));
  expect(screen.getByText('Article of a')).toBeTruthy();
  expect(warn.mock.calls.map(([text]: unknown[]) => String(text).split('.')[0])).toEqual([
    'data-client-auth: The header X-Tenant, which a useInit of hookifyResource() returns, has changed, and the screen has stayed',
  ]);
  warn.mockRestore();
});
