import type { Meta, StoryContext, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { StrictMode } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import type { RequestLine } from '../../../src/testing/index.js';
import { MINUTE, SECOND, setupClockApp } from '../../support/setupClockApp.js';
import { untilTyping } from '../../support/untilTyping.js';
import { linesUnder, type Mechanism } from '../../support/linesUnder.js';

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

/** One warning, announced once, and the focus stays in the field. Without an answer, the session ends as idle. */
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

/** With tokens. */
export const EndsUnderTokenAuthProvider = warnsAndEnds('token');

/** With a cookie. */
export const EndsUnderCookieAuthProvider = warnsAndEnds('cookie');

/** With an SDK, which signs out by itself. */
export const EndsUnderContextTokenProvider = warnsAndEnds('context');

/** The user presses a key in another tab: the warning goes, and nothing is sent. */
export const ActivityElsewhere: Story = {
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

/** A key of the user's in this tab takes the warning away as well. */
export const TypesOn: Story = {
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

/** The button asks the server once, and the focus goes back to the field. */
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

/** A refresh. */
export const StaysUnderTokenAuthProvider = stays('token');

/** A `whoami`. */
export const StaysUnderCookieAuthProvider = stays('cookie');

/** A fresh token of the SDK, which sends no request here. */
export const StaysUnderContextTokenProvider = stays('context');

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

/** The user comes back to the page 20 times in 3 seconds: one check, and nothing renders. */
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

/** By `profile`. */
export const FocusUnderTokenAuthProvider = checksOnce('token');

/** By `whoami`. */
export const FocusUnderCookieAuthProvider = checksOnce('cookie');

/** By `profile`, with the token of an SDK. */
export const FocusUnderContextTokenProvider = checksOnce('context');

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

/** The computer slept for an hour. The first thing that wants to send a request ends the session in its place. */
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

/** With tokens. */
export const SleptUnderTokenAuthProvider = sleeps('token');

/** With a cookie. */
export const SleptUnderCookieAuthProvider = sleeps('cookie');

/** In StrictMode, which mounts everything twice: one warning, and one sign-out. */
const inStrictMode = (mechanism: Mechanism): Story => ({
  ...warnsAndEnds(mechanism),
  render: () => <StrictMode>{app.page(mechanism)}</StrictMode>,
});

/** With tokens. */
export const StrictModeUnderTokenAuthProvider = inStrictMode('token');

/** With a cookie. */
export const StrictModeUnderCookieAuthProvider = inStrictMode('cookie');

/** With an SDK. */
export const StrictModeUnderContextTokenProvider = inStrictMode('context');

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
