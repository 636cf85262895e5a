// The guards: they fail a story for errors that its play does not check.
import type { StoryContext } from '@storybook/react-vite';
import { clearBrowserState, cookieNames } from './browser-state.js';
import { takeConsoleErrors } from './console-errors.js';
import { darkContrastProblems } from './contrast.js';
import { globalsOfThePage } from './theme.js';

/** How long the guards wait for the answers to a story's last requests. A slow machine needs seconds. */
const SETTLE_TIMEOUT_MS = 4_000;

/** An example has no play that waits for its last request. It has ended when it has sent nothing for this time. */
const QUIET_MS = 50;

const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));

/** Waits for the last answer. A request after the story's end would be counted as one of the next story. */
async function requestsSettled({ journal, playFunction, parameters }: StoryContext): Promise<void> {
  if (parameters.unanswered) return pause(QUIET_MS);
  let sent: number;
  do {
    sent = journal.entries.length;
    await Promise.race([journal.settled(), pause(SETTLE_TIMEOUT_MS)]);
    if (!playFunction) await pause(QUIET_MS);
  } while (sent !== journal.entries.length);
}

/** The requests that still wait for an answer. msw reports a request that the page has aborted when its handler returns. */
const waiting = ({ journal, parameters }: StoryContext) =>
  parameters.unanswered ? [] : journal.entries.filter(entry => entry.endedAt === undefined);

export async function checkStory(context: StoryContext): Promise<void> {
  // The examples on a docs page share their cookies; each is checked when it is opened alone.
  if (context.auth.isRerender || globalsOfThePage() || !context.auth.isAsWritten) return;
  try {
    await checkCase(context);
  } finally {
    // A reader can go on with the story after its play, with the cookies that it has set. A test run clears them.
    if (navigator.webdriver) await clearBrowserState();
  }
}

/** The check at the end of a story, and of each case of a proof. */
export async function checkCase(context: StoryContext): Promise<void> {
  const { canvasElement, journal, parameters } = context;
  await requestsSettled(context);
  const leaked = cookieNames().filter(name => !parameters.cookies?.includes(name));
  const complaints = [
    ...journal.unhandled.map(line => `unhandled request: ${line}`),
    ...waiting(context).map(({ method, url }) => `request without an answer: ${method} ${url}`),
    ...leaked.map(name => `leaked cookie: ${name}`),
    ...takeConsoleErrors(parameters.expectedConsoleErrors).map(line => `console error: ${line}`),
    ...(navigator.webdriver && parameters.a11y?.test === 'error' ? await darkContrastProblems(canvasElement) : []),
  ];
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
}
