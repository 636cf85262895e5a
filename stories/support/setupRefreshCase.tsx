// One refresh, by the session itself or by an SDK: the apps of two parametrized proofs, with the same controls.
import type { StoryContext } from '@storybook/react-vite';
import type { ReactNode } from 'react';
import type { RequestJournal, RequestLine } from '../../src/testing/index.js';
import { SdkSignInButtons, AuthStatus } from './ArticlesDemo.js';
import type { ArticleRow } from './articles.js';
import { CountedPage } from './CountedPage.js';
import { OutcomeLog } from './OutcomeLog.js';
import { createCounter, RenderCounter } from './RenderCounter.js';
import { RequestLog } from './RequestLog.js';
import { setupContextApp } from './setupContextApp.js';
import { setupTokenApp } from './setupTokenApp.js';
import type { StoryStart } from './StoryStart.js';

type Canvas = StoryContext['canvas'];
type TokenApp = ReturnType<typeof setupTokenApp>;

export interface RefreshCase extends Pick<TokenApp, 'Articles' | 'sent' | 'server'> {
  start: (personId: string) => StoryStart;
  /** The counts, and below them the provider with its sign-in buttons. */
  Page: (props: { journal: RequestJournal; children: ReactNode }) => ReactNode;
  /** Holds refreshes back until the returned function is called. */
  holdRefresh: () => () => void;
  /** Ends the user's login: the next refresh is refused. */
  endLogin: () => void;
  /** Refreshes fail for another reason than a refusal; `false` ends it. */
  failRefresh: (isDown?: boolean) => void;
  /** The lines of one refresh. */
  refreshLines: RequestLine[];
  /** The lines of a user's login. */
  loginLines: (username: string, password: string) => RequestLine[];
  /** Waits until the counts above the page are these. */
  seesCounts: (canvas: Canvas, counts: { data: number; refreshes: number; signIns: number }) => Promise<void>;
}

/** The session refreshes its token itself. */
export function setupTokenRefresh(rows?: readonly ArticleRow[]): RefreshCase {
  const app = setupTokenApp({ ...(rows && { rows }) });
  return {
    ...app,
    Page: ({ journal, children }) => (
      <CountedPage journal={journal} app={app}>
        {children}
      </CountedPage>
    ),
    holdRefresh: app.server.holdRefresh,
    endLogin: () => app.server.revoke('ada'),
    failRefresh: (isDown = true) => app.server.unavailable(isDown),
    refreshLines: [app.sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' })],
    loginLines: (username, password) => [app.sent.post('/login').json({ username, password })],
    seesCounts: async (canvas, { data, refreshes }) => {
      await canvas.findByText(`${data} for data, ${refreshes} to refresh`);
    },
  };
}

/** An SDK has the token and refreshes it. The journal has no lines for the requests of the SDK. */
export function setupSdkRefresh(
  rows?: readonly ArticleRow[],
): RefreshCase & Pick<ReturnType<typeof setupContextApp>, 'sdk'> {
  const signInsAskedFor = createCounter();
  const app = setupContextApp({ ...(rows && { rows }), onExpired: signInsAskedFor.add });
  const start = (personId: string): StoryStart => {
    const startApp = app.start(personId);
    return context => {
      signInsAskedFor.reset();
      return startApp(context);
    };
  };
  return {
    ...app,
    start,
    Page: ({ journal, children }) => (
      <>
        <RequestLog journal={journal} />
        <RenderCounter label="Fresh tokens asked of the SDK" counter={app.sdk.fresh} />
        <RenderCounter label="Sign-ins asked of the SDK" counter={signInsAskedFor} />
        <OutcomeLog>
          <app.Provider>
            <AuthStatus />
            <SdkSignInButtons />
            {children}
          </app.Provider>
        </OutcomeLog>
      </>
    ),
    holdRefresh: app.sdk.hold,
    endLogin: () => {
      app.server.refuseEverything();
      app.sdk.fail(Object.assign(new Error('Login required'), { error: 'login_required' }));
    },
    failRefresh: (isDown = true) => app.sdk.fail(isDown ? new TypeError('Failed to fetch') : undefined),
    refreshLines: [],
    loginLines: () => [],
    seesCounts: async (canvas, { data, refreshes, signIns }) => {
      await canvas.findByText(`${data} for data, 0 to refresh`);
      await canvas.findByText(`Fresh tokens asked of the SDK: ${refreshes}`);
      await canvas.findByText(`Sign-ins asked of the SDK: ${signIns}`);
    },
  };
}
