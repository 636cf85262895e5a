// The data of the stories: articles of Ada and Grace, and these two users.
import { Entity, hookifyResource, resource } from '../../src/index.js';
import {
  resourceHandlers,
  type MockAuth,
  type MockPerson,
  type ResourceHandlersOptions,
} from '../../src/testing/index.js';

/** An API on an origin of its own; msw answers for it. */
export const api = 'https://api.example.com';

export const ada: MockPerson = { id: 'ada', name: 'Ada Lovelace', password: 'lovelace' };
export const grace: MockPerson = { id: 'grace', name: 'Grace Hopper', password: 'hopper' };
export const people = [ada, grace];

export class Article extends Entity {
  static override readonly key = 'Article';
  id = '';
  title = '';
  content = '';
  author = '';
}

export interface ArticleRow {
  id: string;
  title: string;
  content: string;
  author: string;
}

/** Two articles of each user. Neither may see those of the other. */
export const rows: ArticleRow[] = [
  { id: '1', title: 'On signing in', content: 'Knock, and say who you are.', author: 'ada' },
  { id: '2', title: 'On signing out', content: 'Leave nothing behind.', author: 'ada' },
  { id: '3', title: 'A compiler for everyone', content: 'Words before symbols.', author: 'grace' },
  { id: '4', title: 'On finding the moth', content: 'Tape it into the log.', author: 'grace' },
];

/** The articles of an API, as a resource without a session. */
export function articleResource(urlPrefix = api) {
  return resource({ urlPrefix, path: '/article/:id', schema: Article, paginationField: 'page' });
}

/** The same as hooks, with the credentials of the nearest provider. */
export function articleHooks(urlPrefix = api) {
  return hookifyResource(articleResource(urlPrefix));
}

interface ArticleHandlersOptions extends ResourceHandlersOptions<ArticleRow> {
  /** @default an API on an origin of its own */
  url?: string;
  /** The articles on the server at the start. @default two of each user */
  rows?: readonly ArticleRow[] | undefined;
}

/** A mock server's handlers for articles: each user sees and changes only their own. */
export function articleHandlers(
  auth: MockAuth,
  { url = api, rows: held = rows, ...options }: ArticleHandlersOptions = {},
) {
  return resourceHandlers(articleResource(url), held, {
    auth,
    owner: row => row.author,
    private: true,
    stamp: (row, author) => ({ content: '', ...row, author }),
    ...options,
  });
}
