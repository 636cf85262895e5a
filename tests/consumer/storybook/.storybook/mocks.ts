import { setupWorker } from 'msw/browser';
import { expect } from 'storybook/test';
import { createRequestJournal, journalMatchers, resourceHandlers, tokenAuthHandlers } from 'data-client-auth/testing';
import type { JournalMatchers } from 'data-client-auth/testing';
import { api, ArticleResource } from '../src/articles';

declare module 'storybook/test' {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- the name and the parameter are Storybook's own
  interface Assertion<T> extends JournalMatchers<Promise<void>> {}
}
expect.extend(journalMatchers);

export const server = tokenAuthHandlers({
  url: api,
  header: 'Authorization', // as the session has it
  people: [
    { id: 'ada', name: 'Ada Lovelace', password: 'lovelace' },
    { id: 'grace', name: 'Grace Hopper', password: 'hopper' },
  ],
});

export const articles = resourceHandlers(
  ArticleResource,
  [
    { id: '1', title: 'On signing in', author: 'ada' },
    { id: '2', title: 'On finding moths', author: 'grace' },
  ],
  { auth: server, owner: article => article.author, private: true }, // each user sees her own articles
);

export const worker = setupWorker(...server.handlers, ...articles.handlers);
export const journal = createRequestJournal(worker);
