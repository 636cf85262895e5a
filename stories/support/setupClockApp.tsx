import { http, HttpResponse } from 'msw';
import { useEffect } from 'react';
import { Authenticated, RestEndpoint, useAuth } from '../../src/index.js';
import {
  sessionClock,
  SessionWarning,
  useSessionClock,
  type SessionClock,
  type SessionClockOptions,
} from '../../src/entries/clock.js';
import { lock } from '../../src/entries/lock.js';
import { LoginForm } from '../../src/entries/widgets.js';
import { ArticlesDemo, AuthStatus } from './ArticlesDemo.js';
import { manualClock } from './manualClock.js';
import { useMockSdk } from './MockSdk.js';
import { createCounter } from './RenderCounter.js';
import { ownApi } from './setupCookieApp.js';
import type { Mechanism } from './linesUnder.js';
import { setupWidgetApp } from './setupWidgetApp.js';
import type { StoryStart } from './StoryStart.js';

export const SECOND = 1_000;
export const MINUTE = 60_000;

/** The name under which the tabs of a story share their activity. */
const TABS = 'clock-story';
const ACTIVITY = `data-client-auth:${TABS}:activity`;

/** Writes to the storage as another tab does: this page gets the event. */
function writeElsewhere(key: string, value: object): void {
  const frame = document.body.appendChild(document.createElement('iframe'));
  frame.contentWindow!.localStorage.setItem(key, JSON.stringify(value));
  frame.remove();
}

/** How long a page stays locked. */
export const LOCKED_MS = 10 * MINUTE;

/** An app whose sessions have a clock that the story moves: a warning, a field, articles, and a login form. */
export function setupClockApp() {
  /** Answers of `profile` that the page has read. */
  const profiles = createCounter();
  const profile = new RestEndpoint({
    urlPrefix: ownApi,
    path: '/me',
    process(user: unknown) {
      profiles.add();
      return user;
    },
  });
  const app = setupWidgetApp({ profile });
  const clock = manualClock();
  const onExpiry = lock({ lockFor: LOCKED_MS, clock });
  /** Renders of a component that shows the user and the clock. */
  const renders = createCounter();
  let sdkLogout = () => {};
  let current: SessionClock = sessionClock();

  function Header() {
    useAuth();
    useSessionClock();
    useEffect(() => renders.add());
    return null;
  }

  /** The SDK's own logout. */
  function SdkLogout() {
    const { logout } = useMockSdk();
    useEffect(() => void (sdkLogout = logout), [logout]);
    return null;
  }

  function Page({ mechanism, locks = false }: { mechanism: Mechanism; locks?: boolean }) {
    return (
      <app.Provider clock={current} {...(locks && { onExpiry })}>
        {mechanism === 'context' && <SdkLogout />}
        <AuthStatus />
        <SessionWarning />
        <Authenticated fallback={<LoginForm />} locked={<LoginForm />}>
          <Header />
          <label>
            Notes <input />
          </label>
          <ArticlesDemo articles={app.Articles} />
        </Authenticated>
      </app.Provider>
    );
  }

  return {
    ...app,
    clock,
    profiles,
    renders,
    page: (mechanism: Mechanism) => <Page mechanism={mechanism} />,
    lockingPage: (mechanism: Mechanism) => <Page mechanism={mechanism} locks />,
    /** The user does something in another tab of the browser. */
    actElsewhere: () => writeElsewhere(ACTIVITY, { at: clock.now() }),
    /** Another tab ends the session of both tabs, because the user is idle. */
    endElsewhere: () => writeElsewhere(`${ACTIVITY}:end`, { at: clock.now(), ended: 'idle' }),
    /** A story's `beforeEach`: Ada is signed in, and the clock starts. */
    start:
      (options: SessionClockOptions<object> = {}): StoryStart =>
      context => {
        if (context.auth.isRerender) return;
        clock.reset();
        renders.reset();
        profiles.reset();
        const isSdk = context.auth.mechanism === 'context';
        current = sessionClock({
          idle: { after: 15 * MINUTE },
          tabs: TABS,
          clock,
          ...(isSdk && { signOut: () => sdkLogout() }),
          ...options,
        });
        const stop = app.start('ada')(context);
        context.msw.use(
          http.get(`${ownApi}/me`, incoming => {
            const { id, name } = app.auth.personOf(incoming) ?? {};
            return app.auth.authorize(incoming) ?? HttpResponse.json({ id, name });
          }),
        );
        return stop;
      },
  };
}
