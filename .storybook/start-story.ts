// The start of every story: one worker, one journal, and an empty browser state.
import type { StoryContext } from '@storybook/react-vite';
import { setupWorker } from 'msw/browser';
import { mswLoader } from 'msw-storybook-addon/csf3';
import { expect } from 'storybook/test';
import { createRequestJournal, isPageAsset, journalMatchers, networkHandler } from '../src/testing/index.js';
import { clearBrowserState } from './browser-state.js';
import { takeConsoleErrors } from './console-errors.js';
import { showPromise } from './promise.js';
import { globalsOfThePage } from './theme.js';

const worker = setupWorker();
const journal = createRequestJournal(worker);
expect.extend(journalMatchers);

const startWorker = mswLoader(async () => {
  await worker.start({
    quiet: true,
    serviceWorker: { url: './mockServiceWorker.js' },
    onUnhandledRequest(request) {
      if (isPageAsset(request)) return;
      // The page gets a network error: no story sends a request to a real server.
      // eslint-disable-next-line @typescript-eslint/only-throw-error
      throw Response.error();
    },
  });
  return worker;
});

export async function startStory(context: StoryContext): Promise<void> {
  context.msw = worker;
  context.journal = journal;
  context.hasSent = async (title, lines, options) =>
    context.step(title, () => expect(journal).toHaveSent(lines, options));
  showPromise(context);
  if (context.abortSignal.aborted || context.auth.isRerender) return;
  // For a story without credentials.
  context.auth.setServer({ networkHandler: (network, signal) => networkHandler(network, { signal }) });
  await startWorker(context);
  // The frames of a docs page share cookies and storage, as tabs do: one frame must not clear those of another.
  if (!globalsOfThePage()) await clearBrowserState();
  journal.clear();
  takeConsoleErrors();
}
