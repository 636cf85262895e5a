import type { StoryContext } from '@storybook/react-vite';
import type { ReactNode } from 'react';
import { resourceHandlers, type PretendAuth } from '../../src/testing/index.js';
import { articleHooks, articleResource, rows } from './articles.js';
import { contextWorld } from './contextWorld.js';
import { cookieWorld, ownApi } from './cookieWorld.js';
import { SdkDoor } from './Desk.js';
import type { StoryStart } from './StoryStart.js';
import { tokenWorld, type TokenWorldOptions } from './tokenWorld.js';

export type Mechanism = NonNullable<StoryContext['globals']['mechanism']>;

/**
 * The world of a widget: under whichever mechanism the toolbar says, with one resource and one element tree below its provider. The
 * API stands on the page's own origin, where cookies travel.
 *
 * `server` and `session` are those of the token mechanism, which a play runs under unless its story declares another.
 */
export function widgetWorld({ server, session, ...options }: Omit<TokenWorldOptions, 'url'> = {}) {
  // The articles are one for all three; those of the worlds are never asked for.
  const rowless = { rows: [] };
  const tokens = tokenWorld({ url: ownApi, ...rowless, ...(server && { server }), ...(session && { session }) });
  const worlds = { token: tokens, cookie: cookieWorld(rowless), context: contextWorld({ url: ownApi, ...rowless }) };
  let current: (typeof worlds)[Mechanism] = worlds.token;

  /** Judges as the server of the mechanism does, for more resources of the same story. */
  const auth: PretendAuth = { authorize: judged => current.server.authorize(judged), personOf: judged => current.server.personOf(judged) };
  const articles = resourceHandlers(articleResource(ownApi), options.rows ?? rows, {
    auth,
    owner: row => row.author,
    private: true,
    stamp: (row, author) => ({ content: '', ...row, author }),
    ...options.articles,
  });

  return {
    server: tokens.server,
    session: tokens.session,
    auth,
    articles,
    Articles: articleHooks(ownApi),
    Provider: ({ children }: { children: ReactNode }) => (
      <current.Provider>
        {/* An SDK brings a sign-in of its own. */}
        {current === worlds.context && <SdkDoor />}
        {children}
      </current.Provider>
    ),
    /** The cookies that a story under the cookie mechanism may leave: `parameters: { cookies: world.cookies }`. */
    cookies: worlds.cookie.cookies,
    /** A story's `beforeEach`: a server as on its first day, and somebody (or nobody) signed in without a request. */
    start:
      (personId?: string): StoryStart =>
      context => {
        current = worlds[context.globals.mechanism ?? 'token'];
        const stop = current.start(personId)(context);
        articles.reset();
        context.msw.use(...articles.handlers);
        return stop;
      },
  };
}
