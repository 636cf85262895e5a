// The articles that the widgets show, their server, and a signed-in user.
import { cleanup, render } from '@testing-library/react';
import type { RequestHandler } from 'msw';
import { setupServer } from 'msw/node';
import type { ReactNode } from 'react';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { createTokenSession, Entity, hookifyResource, resource, TokenAuthProvider } from '../../../src/index.js';

export class Article extends Entity {
  id = '';
  title = '';
}

export const api = 'https://api.example.com';
export const Articles = hookifyResource(resource({ urlPrefix: api, path: '/article/:id', schema: Article }));

/** Serves these handlers in all tests of the file; another request is an error. After each test, unmounts what it has rendered. */
export function serve(...handlers: RequestHandler[]) {
  const server = setupServer(...handlers);
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  afterEach(() => {
    cleanup();
    server.resetHandlers();
  });
  afterAll(() => server.close());
  return server;
}

/** A session whose login signs Ada in. */
export const createSession = () =>
  createTokenSession({ login: async () => ({ accessToken: 'ada-1', user: { id: 'ada' } }), trustedOrigins: [api] });

/** Shows the content to Ada. Returns a function that shows other content in its place. */
export async function showToAda(content: ReactNode): Promise<(content: ReactNode) => void> {
  const session = createSession();
  await session.login();
  const below = (shown: ReactNode) => <TokenAuthProvider session={session}>{shown}</TokenAuthProvider>;
  const { rerender } = render(below(content));
  return shown => rerender(below(shown));
}
