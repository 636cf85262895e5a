import type { Meta, StoryContext, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, screen, userEvent, waitFor, within } from 'storybook/test';
import type { RequestLine } from '../../../src/testing/index.js';
import { inCases } from '../../support/inCases.js';
import { linesUnder, type Mechanism } from '../../support/linesUnder.js';
import { useEffect } from 'react';
import { Authenticated, RestEndpoint, useAuth } from '../../../src/index.js';
import {
  sessionClock,
  SessionWarning,
  useSessionClock,
  type SessionClock,
  type SessionClockOptions,
} from '../../../src/entries/clock.js';
import { lock } from '../../../src/entries/lock.js';
import { LoginForm } from '../../../src/entries/widgets.js';
import { ArticlesDemo, AuthStatus } from '../../support/ArticlesDemo.js';
import { manualClock } from '../../support/manualClock.js';
import { useMockSdk } from '../../support/MockSdk.js';
import { createCounter } from '../../support/RenderCounter.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import type { StoryStart } from '../../support/StoryStart.js';

const SECOND = 1_000;
const MINUTE = 60_000;

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
const LOCKED_MS = 10 * MINUTE;

/** An app whose sessions have a clock that the story moves: a warning, a field, articles, and a login form. */
function setupClockApp() {
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

/** Waits for Ada's articles, and types into the field of `setupClockApp`. Returns the field. */
async function untilTyping(canvas: StoryContext['canvas']): Promise<HTMLElement> {
  await canvas.findByText('On signing in');
  const field = canvas.getByLabelText('Notes');
  await userEvent.type(field, 'Half a sent');
  await expect(field).toHaveFocus();
  return field;
}

const app = setupClockApp();
const { clock, sent } = app;

/** The clock of a session: a warning before the end, one end in all tabs, and checks that find a revoked session. */
const meta = {
  title: 'Proofs/Session clock',
  tags: ['proof', '!autodocs'],
  parameters: { cookies: app.cookies },
  beforeEach: app.start(),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = StoryContext['canvas'];

/** The requests with which the page begins: its articles, and a cookie session's check. */
const begun = (mechanism: Mechanism) => [
  ...linesUnder[mechanism].restores,
  linesUnder[mechanism].read(sent.get('/article'), 'ada'),
];

/** Counts how often screen readers announce a warning. */
function countAlerts(element: HTMLElement) {
  let count = 0;
  const isAlert = (node: Node) =>
    node instanceof HTMLElement && (node.matches('[role=alert]') || node.querySelector('[role=alert]') !== null);
  const observer = new MutationObserver(records => {
    for (const { addedNodes } of records) count += [...addedNodes].filter(isAlert).length;
  });
  observer.observe(element, { subtree: true, childList: true });
  return () => count;
}

type Journal = StoryContext['journal'];

/** Waits for the last request, and compares all of them. On a busy machine, a logout may be sent more than a second after the page shows its end. */
async function expectSent(journal: Journal, lines: readonly RequestLine[]) {
  await waitFor(() => expect(journal.entries.length).toBeGreaterThanOrEqual(lines.length), { timeout: 10_000 });
  await expect(journal).toHaveSent(lines);
}

const warning = (canvas: Canvas) => canvas.findByRole('alert');
const noWarning = (canvas: Canvas) => waitFor(() => expect(canvas.queryByRole('alert')).not.toBeInTheDocument());

function warnsAndEnds(mechanism: Mechanism): Story {
  return {
    globals: { mechanism },
    render: () => app.page(mechanism),
    play: async ({ canvas, canvasElement, step, journal }) => {
      const field = await untilTyping(canvas);
      const alerts = countAlerts(canvasElement);
      await step('a minute before the end, a warning; the focus stays', async () => {
        clock.advance(14 * MINUTE);
        await expect(await warning(canvas)).toHaveTextContent('You will soon be signed out');
        await expect(canvas.getByRole('timer')).toHaveTextContent('1 minute left');
        await expect(field).toHaveFocus();
      });
      await step('the time runs, and is not announced again', async () => {
        clock.advance(30 * SECOND);
        await waitFor(() => expect(canvas.getByRole('timer')).toHaveTextContent('30 seconds left'));
        await expect(alerts()).toBe(1);
        await expect(field).toHaveFocus();
      });
      await step('the time is no part of the description of the button: it would be read each second', () =>
        expect(canvas.getByRole('button', { name: 'Stay signed in' })).toHaveAccessibleDescription(
          'You will soon be signed out, because you have not used this page for a while.',
        ),
      );
      await step('silence: the login form says why', async () => {
        clock.advance(30 * SECOND);
        await canvas.findByText('You were signed out because you were away. Sign in to continue.');
        await expect(canvas.getByText('anonymous: idle')).toBeInTheDocument();
        await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
        await noWarning(canvas);
      });
      const logout = linesUnder[mechanism].write(sent.post('/logout'), 'ada');
      await step('one sign-out on the server, where the session can', () =>
        expectSent(journal, [...begun(mechanism), ...(mechanism === 'context' ? [] : [logout])]),
      );
      clock.advance(SECOND);
    },
  };
}

/** One warning, announced once, and the focus stays in the field. Without an answer, the session ends as idle. */
export const Ends: Story = inCases({
  'with tokens': warnsAndEnds('token'),
  'with a cookie': warnsAndEnds('cookie'),
  'with an SDK, which signs out by itself': warnsAndEnds('context'),
});

const activityElsewhere: Story = {
  render: () => app.page('token'),
  play: async ({ canvas, step, journal }) => {
    await untilTyping(canvas);
    clock.advance(14 * MINUTE);
    await warning(canvas);
    await step('a key in the other tab', async () => {
      app.actElsewhere();
      await noWarning(canvas);
    });
    await step('the whole time begins again', async () => {
      clock.advance(14 * MINUTE - 1);
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
      clock.advance(1);
      await warning(canvas);
    });
    await step('no request', () => expectSent(journal, begun('token')));
  },
};

/** Another tab has ended the session: this one ends as idle too, and tells the server nothing. */
export const EndedElsewhere: Story = {
  render: () => app.page('token'),
  play: async ({ canvas, step, journal }) => {
    await untilTyping(canvas);
    await step('the other tab ends', async () => {
      app.endElsewhere();
      await canvas.findByText('You were signed out because you were away. Sign in to continue.');
    });
    await step('no request', () => expectSent(journal, begun('token')));
  },
};

const typesOn: Story = {
  render: () => app.page('token'),
  play: async ({ canvas, step, journal }) => {
    const field = await untilTyping(canvas);
    clock.advance(14 * MINUTE);
    await warning(canvas);
    await step('Ada types on', async () => {
      await userEvent.type(field, 'ence', { skipClick: true });
      clock.advance(0);
      await noWarning(canvas);
      await expect(field).toHaveValue('Half a sentence');
    });
    await step('no request', () => expectSent(journal, begun('token')));
  },
};

/** A key of the user’s takes the warning away, and nothing is sent. */
export const Activity: Story = inCases({
  'in another tab: the whole time begins again': activityElsewhere,
  'in this tab': typesOn,
});

function stays(mechanism: Mechanism): Story {
  const asked = {
    token: [sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' })],
    cookie: [sent.get('/whoami')],
    context: [],
  };
  return {
    globals: { mechanism },
    render: () => app.page(mechanism),
    play: async ({ canvas, step, journal }) => {
      const field = await untilTyping(canvas);
      clock.advance(14 * MINUTE);
      await warning(canvas);
      await step('Ada goes to the button by keyboard, and presses it', async () => {
        canvas.getByRole('button', { name: 'Stay signed in' }).focus();
        await userEvent.keyboard('{Enter}');
        await noWarning(canvas);
        await expect(field).toHaveFocus();
        await expect(field).toHaveValue('Half a sent');
      });
      await step('the server is asked once, or the SDK', async () => {
        await expectSent(journal, [...begun(mechanism), ...asked[mechanism]]);
        await waitFor(() => expect(app.sdk.fresh.read()).toBe(mechanism === 'context' ? 1 : 0));
      });
    },
  };
}

/** The button asks the server once, and the focus goes back to the field. */
export const Stays: Story = inCases({
  'a refresh': stays('token'),
  'a `whoami`': stays('cookie'),
  'a fresh token of the SDK, which sends no request here': stays('context'),
});

/** By pointer: the warning does not go away while the pointer moves to its button. */
export const SignsOutNow: Story = {
  render: () => app.page('token'),
  play: async ({ canvas, step, journal }) => {
    await untilTyping(canvas);
    clock.advance(14 * MINUTE);
    await warning(canvas);
    await step('Ada moves the pointer to the button, and presses it', async () => {
      const button = canvas.getByRole('button', { name: 'Sign out now' });
      // Two places on the screen: a pointer that rests there is no activity.
      const move = (screenX: number) => ({ target: button, coords: { screenX, screenY: 1 } });
      await userEvent.pointer([move(1), move(2)]);
      clock.advance(0);
      await expect(button).toBeInTheDocument();
      await userEvent.click(button);
      await canvas.findByText('You are signed out.');
    });
    await step('one sign-out', () => expectSent(journal, [...begun('token'), sent.post('/logout').as('ada')]));
  },
};

function checksOnce(mechanism: Mechanism): Story {
  const check = mechanism === 'cookie' ? sent.get('/whoami') : linesUnder[mechanism].read(sent.get('/me'), 'ada');
  return {
    globals: { mechanism },
    beforeEach: app.start({ idle: undefined, recheck: { onFocus: true, cooldown: 30 * SECOND } }),
    render: () => app.page(mechanism),
    play: async ({ canvas, step, journal }) => {
      await canvas.findByText('On signing in');
      await step('the first check describes her', async () => {
        clock.advance(MINUTE);
        if (mechanism !== 'cookie') window.dispatchEvent(new Event('focus'));
        await expectSent(journal, [...begun(mechanism), ...(mechanism === 'cookie' ? [] : [check])]);
        // A focus before the page has the answer would join this check.
        if (mechanism !== 'cookie') await waitFor(() => expect(app.profiles.read()).toBe(1));
      });
      await step('20 times in 3 seconds', async () => {
        clock.advance(MINUTE);
        app.renders.reset();
        const before = journal.entries.length;
        for (let times = 0; times < 20; times++) {
          window.dispatchEvent(new Event('focus'));
          // Answered: the others do not join a check under way.
          if (times === 0) {
            await waitFor(() => expect(journal.entries).toHaveLength(before + 1));
            await journal.settled();
          }
          clock.advance(150);
        }
      });
      await step('one check, no render', async () => {
        // After the answer to a later request, no check can be on its way.
        await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
        await canvas.findByText('On writing');
        const written = linesUnder[mechanism].write(sent.post('/article'), 'ada').json({ title: 'On writing' });
        await expectSent(journal, [...begun(mechanism), ...(mechanism === 'cookie' ? [] : [check]), check, written]);
        await expect(app.renders.read()).toBe(0);
      });
    },
  };
}

/** The user comes back to the page 20 times in 3 seconds: one check, and nothing renders. */
export const Focus: Story = inCases({
  'by `profile`': checksOnce('token'),
  'by `whoami`': checksOnce('cookie'),
  'by `profile`, with the token of an SDK': checksOnce('context'),
});

/** The server has revoked the session, and the page asks every five minutes: one departure. */
export const Revoked: Story = {
  beforeEach: app.start({ recheck: { every: 5 * MINUTE } }),
  render: () => app.page('token'),
  play: async ({ canvas, step, journal, msw }) => {
    await untilTyping(canvas);
    const refuse = () => HttpResponse.json({}, { status: 401 });
    msw.use(http.get('/api/me', refuse), http.post('/api/refresh', refuse));
    await step('five minutes later, the page says that the session has ended', async () => {
      clock.advance(5 * MINUTE);
      await canvas.findByText('Your session has ended. Sign in to continue.');
    });
    await step('and asks no more', async () => {
      clock.advance(14 * MINUTE);
      await expectSent(journal, [
        ...begun('token'),
        sent.get('/me').as('ada'),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      ]);
    });
  },
};

function sleeps(mechanism: 'token' | 'cookie'): Story {
  return {
    globals: { mechanism },
    render: () => app.page(mechanism),
    play: async ({ canvas, step, journal }) => {
      await untilTyping(canvas);
      await step('an hour later, a click writes an article', async () => {
        const create = canvas.getByRole('button', { name: 'Write' });
        clock.sleep(60 * MINUTE);
        create.click();
        await canvas.findByText('You were signed out because you were away. Sign in to continue.');
      });
      await step('the server got the sign-out alone', () =>
        expectSent(journal, [...begun(mechanism), linesUnder[mechanism].write(sent.post('/logout'), 'ada')]),
      );
      clock.advance(SECOND);
    },
  };
}

/** The computer slept for an hour. The first thing that wants to send a request ends the session in its place. */
export const Slept: Story = inCases({
  'with tokens': sleeps('token'),
  'with a cookie': sleeps('cookie'),
});

const isOver = (a: Element, b: Element) => {
  const [one, other] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
  const isBeside = one.right <= other.left || one.left >= other.right;
  return !isBeside && one.top < other.bottom && one.bottom > other.top;
};

/** The warning is not shown over the element that has the focus (WCAG 2.4.11), at no size of the window. */
export const FocusIsVisible: Story = {
  render: () => (
    <>
      {app.page('token')}
      {Array.from({ length: 40 }, (_, index) => (
        <p key={index}>
          <label>
            Field {index + 1} <input style={{ inlineSize: '100%' }} />
          </label>
        </p>
      ))}
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    const inWindow = canvas
      .getAllByLabelText(/^Field/)
      .filter(field => field.getBoundingClientRect().bottom < window.innerHeight);
    const [first, last] = [inWindow[0]!, inWindow.at(-1)!];
    await step('the focus is at the lower edge when the warning comes', async () => {
      last.focus();
      clock.advance(14 * MINUTE);
      const region = (await warning(canvas)).closest('.dca-warning')!;
      await expect(isOver(region, last)).toBe(false);
      await expect(region).toBeVisible();
      await expect(last).toHaveFocus();
    });
    await step('it moves to the upper one', async () => {
      const region = canvas.getByRole('alert').closest('.dca-warning')!;
      window.scrollTo(0, first.getBoundingClientRect().top - 20);
      await waitFor(() => expect(isOver(region, first)).toBe(true));
      first.focus();
      await waitFor(() => expect(isOver(region, first)).toBe(false));
      await expect(first).toHaveFocus();
    });
    await step('no request', () => expectSent(journal, begun('token')));
  },
};

/** The requests that are no reads of the page's beginning. */
const acts = (journal: Journal) =>
  journal.entries
    .map(({ method, url }) => `${method} ${new URL(url).pathname}`)
    .filter(line => /POST|DELETE|PATCH|PUT/.test(line));
const reads = (journal: Journal) => journal.entries.filter(({ url }) => url.endsWith('/article')).length;

const findLock = async () => within(await screen.findByRole('dialog', { name: /^Your session has ended/ }));

/** Pastes the password, as a password manager or a user does (WCAG 3.3.8). */
async function signIn(dialog: Awaited<ReturnType<typeof findLock>>, person: string, password: string) {
  await userEvent.type(dialog.getByLabelText('User name'), person);
  await userEvent.click(dialog.getByLabelText('Password'));
  await userEvent.paste(password);
  await userEvent.click(dialog.getByRole('button', { name: 'Sign in' }));
}

function keepsThePlace(mechanism: Mechanism): Story {
  return {
    globals: { mechanism },
    render: () => app.lockingPage(mechanism),
    play: async ({ canvas, step, journal }) => {
      const field = await untilTyping(canvas);
      clock.advance(15 * MINUTE);
      const dialog = await findLock();
      await step('nothing of the page can be seen, and its warning is gone', async () => {
        await expect(field).not.toBeVisible();
        await waitFor(() => expect(canvas.queryByRole('alert')).not.toBeInTheDocument());
      });
      await step('the form names what a password manager fills in', async () => {
        await expect(dialog.getByLabelText('User name')).toHaveAttribute('autocomplete', 'username');
        await expect(dialog.getByLabelText('Password')).toHaveAttribute('autocomplete', 'current-password');
      });
      await step('a wrong password leaves the page locked', async () => {
        await signIn(dialog, 'ada', 'wrong');
        await expect(await dialog.findByRole('alert')).toBeInTheDocument();
        await expect(canvas.getByText('locked: idle')).toBeInTheDocument();
        await userEvent.clear(dialog.getByLabelText('User name'));
        await userEvent.clear(dialog.getByLabelText('Password'));
      });
      await step('she signs in: the same field, with her text', async () => {
        await signIn(dialog, 'ada', 'lovelace');
        await canvas.findByText('authenticated');
        await expect(canvas.getByLabelText('Notes')).toBe(field);
        await expect(field).toBeVisible();
        await expect(field).toHaveValue('Half a sent');
      });
      await step('one sign-out, two logins, and the articles are not read again', async () => {
        const sent = ['POST /api/logout', 'POST /api/login', 'POST /api/login'];
        await waitFor(() => expect(acts(journal)).toEqual(sent));
        await expect(reads(journal)).toBe(1);
      });
      clock.advance(SECOND);
    },
  };
}

/** The user signs in again, and goes on where she was: in the same field, with her text. */
export const KeepsThePlace: Story = inCases({
  'with tokens': keepsThePlace('token'),
  'with a cookie': keepsThePlace('cookie'),
});

/** Nobody comes back in the time of the lock: the identity ends, and the next sign-in starts a new page. */
export const NobodyComesBack: Story = {
  globals: { mechanism: 'token' },
  render: () => app.lockingPage('token'),
  play: async ({ canvas, step, journal }) => {
    const field = await untilTyping(canvas);
    clock.advance(15 * MINUTE);
    await findLock();
    clock.advance(LOCKED_MS - SECOND);
    await expect(await screen.findByRole('dialog')).toBeInTheDocument();
    clock.advance(SECOND);
    await step('the page is gone, and the form says why', async () => {
      await canvas.findByText('You were signed out because you were away. Sign in to continue.');
      await expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
      await expect(field).not.toBeInTheDocument();
      await expect(canvas.getByText('anonymous: idle')).toBeInTheDocument();
    });
    await step('Ada signs in: an empty field, and articles that were read again', async () => {
      await signIn(within(canvas.getByRole('form', { name: 'Sign in' })), 'ada', 'lovelace');
      await canvas.findByText('On signing in');
      await expect(canvas.getByLabelText('Notes')).toHaveValue('');
      await expect(reads(journal)).toBe(2);
      await expect(acts(journal)).toEqual(['POST /api/logout', 'POST /api/login']);
    });
  },
};

/** The page locks, and the server does not confirm the sign-out: the form says it, and has no button for it, because a second sign-out would end the lock. */
export const NotConfirmed: Story = {
  globals: { mechanism: 'cookie' },
  render: () => app.lockingPage('cookie'),
  play: async ({ canvas, msw, step, journal }) => {
    msw.use(http.post('/api/logout', () => HttpResponse.json({}, { status: 500 })));
    const field = await untilTyping(canvas);
    clock.advance(15 * MINUTE);
    const dialog = await findLock();
    await step('the form says that the server may still have the session', async () => {
      const form = await dialog.findByRole('form', { name: 'Sign in' });
      await waitFor(() =>
        expect(form).toHaveAccessibleDescription(/^You are signed out on this page, but the server did/),
      );
      await expect(dialog.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
    });
    await step('Ada signs in, and her text is there', async () => {
      await signIn(dialog, 'ada', 'lovelace');
      await canvas.findByText('authenticated');
      await expect(field).toHaveValue('Half a sent');
    });
    await step('one sign-out, and no other', () =>
      waitFor(() => expect(acts(journal)).toEqual(['POST /api/logout', 'POST /api/login'])),
    );
    clock.advance(SECOND);
  },
};
