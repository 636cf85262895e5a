// Starts an example that makes its own session: with a fresh mock server, and a user or none.
import type { CookieAuthOptions, TokenAuthOptions } from '../../src/testing/index.js';
import { cookieAuthHandlers, tokenAuthHandlers } from '../../src/testing/index.js';
import { articleHandlers, api, people } from './articles.js';
import type { StartContext } from './StoryStart.js';

interface ExampleSession {
  login(input: { username: string; password: string }): Promise<unknown>;
  dispose(): void;
}

/** An example with tokens: returns its server, and the `beforeEach` that signs the user in with a request, as in an app. */
export function tokenExample(session: ExampleSession, options: Partial<TokenAuthOptions> = {}) {
  const server = tokenAuthHandlers({ url: api, people, ...options });
  const articles = articleHandlers(server);
  const start = (personId?: string) => async (context: StartContext) => {
    if (context.auth.isRerender) return;
    session.dispose();
    server.reset();
    articles.reset();
    context.msw.use(...server.handlers, ...articles.handlers);
    context.auth.setServer(server);
    const startsWith = context.auth.personFor(personId);
    const person = people.find(({ id }) => id === startsWith);
    if (person) await session.login({ username: person.id, password: person.password });
  };
  return { server, start };
}

/** An example with a cookie: returns its server, and the `beforeEach` that gives the browser the user's cookie. */
export function cookieExample(session: ExampleSession, options: Partial<CookieAuthOptions> = {}) {
  const url = options.url ?? '/api';
  const server = cookieAuthHandlers({ url, people, ...options });
  const articles = articleHandlers(server, { url });
  const start = (personId?: string) => (context: StartContext) => {
    if (context.auth.isRerender) return;
    session.dispose();
    server.reset();
    articles.reset();
    context.msw.use(...server.handlers, ...articles.handlers);
    context.auth.setServer(server);
    const person = context.auth.personFor(personId);
    if (person !== undefined) server.signIn(person);
  };
  return { server, start };
}
