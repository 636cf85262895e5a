// The guards: they fail a story for errors that its play does not check.
import type { StoryContext } from '@storybook/react-vite';
import { clearBrowserState, cookieNames } from './browser-state.js';
import { takeConsoleErrors } from './console-errors.js';
import { darkContrastProblems } from './contrast.js';
import { globalsOfThePage } from './theme.js';

/** How long the guards wait for the answers to a story's last requests. */
const SETTLE_TIMEOUT_MS = 200;

/** An example has no play that waits for its last request. It has ended when it has sent nothing for this time. */
const QUIET_MS = 50;

async function requestsSettled({ journal, playFunction }: StoryContext): Promise<void> {
  const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
  let sent: number;
  do {
    sent = journal.entries.length;
    await Promise.race([journal.settled(), pause(SETTLE_TIMEOUT_MS)]);
    if (!playFunction) await pause(QUIET_MS);
  } while (sent !== journal.entries.length);
}

export async function checkStory(context: StoryContext): Promise<void> {
  // The examples on a docs page share their cookies; each is checked when it is opened alone.
  if (context.auth.isRerender || globalsOfThePage() || !context.auth.isAsWritten) return;
  const { canvasElement, journal, parameters } = context;
  await requestsSettled(context);
  const leaked = cookieNames().filter(name => !parameters.cookies?.includes(name));
  const complaints = [
    ...journal.unhandled.map(line => `unhandled request: ${line}`),
    ...leaked.map(name => `leaked cookie: ${name}`),
    ...takeConsoleErrors(parameters.expectedConsoleErrors).map(line => `console error: ${line}`),
    ...(navigator.webdriver && parameters.a11y?.test === 'error' ? await darkContrastProblems(canvasElement) : []),
  ];
  // A reader can go on with the story after its play, with the cookies that it has set. A test run clears them.
  if (navigator.webdriver) await clearBrowserState();
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
}
