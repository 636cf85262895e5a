// The setup of every story: one worker, one journal, an empty browser state, and the guards that fail a story for errors that its
// play does not check.
import type { Preview } from '@storybook/react-vite';
import { setupWorker } from 'msw/browser';
import { mswLoader } from 'msw-storybook-addon/csf3';
import { configure, expect } from 'storybook/test';
import '../src/styles.css';
import './canvas.css';
import './theme.css';
import { createRequestJournal, journalMatchers, networkHandler } from '../src/testing/index.js';
import { clearBrowserState, cookieNames } from './browser-state.js';
import { takeConsoleErrors } from './console-errors.js';
import { darkContrastProblems } from './contrast.js';
import { fitFrame } from './fit-frame.js';
import { isPageAsset } from './page-assets.js';
import { describeProps } from './props-table.js';
import './story-ended.js';
import { globalsOfThePage, themeGlobalType } from './theme.js';
import { DocsPage, ThemedDocs } from './ThemedDocs.js';

/** How long the guards wait for the answers to a story's last requests. */
const SETTLE_TIMEOUT_MS = 200;

/** An example has no play that waits for its last request. It has ended when it has sent nothing for this time. */
const QUIET_MS = 50;

/** How long a play waits for an element. A thousand rows on a busy machine need more than the default of one second. */
configure({ asyncUtilTimeout: 4_000 });

const worker = setupWorker();
const journal = createRequestJournal(worker, { ignore: isPageAsset });
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

async function requestsSettled(isExample: boolean): Promise<void> {
  const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
  let sent: number;
  do {
    sent = journal.entries.length;
    await Promise.race([journal.settled(), pause(SETTLE_TIMEOUT_MS)]);
    if (isExample) await pause(QUIET_MS);
  } while (sent !== journal.entries.length);
}

export default {
  tags: ['autodocs'],
  argTypesEnhancers: [describeProps],
  globalTypes: { theme: themeGlobalType },
  initialGlobals: { mechanism: 'token', theme: 'system', ...globalsOfThePage() },
  parameters: {
    // The stories make their own sessions, and name their servers.
    auth: {
      people: { ada: 'Ada', grace: 'Grace' },
      mechanisms: { token: { title: 'Token' }, cookie: { title: 'Cookie' }, context: { title: 'Context token' } },
    },
    layout: 'padded',
    a11y: { test: 'error' },
    // The theme sets the background, and the toolbar has room for the four choices only.
    backgrounds: { disable: true },
    measure: { disable: true },
    outline: { disable: true },
    // In development React 18 also reports errors to the window that a boundary has caught. The static build keeps this guard.
    test: { dangerouslyIgnoreUnhandledErrors: import.meta.env.DEV },
    // Inline stories of a docs page would share one worker. In a frame, each has its own handlers.
    docs: { story: { inline: false, height: '320px' }, container: ThemedDocs, page: DocsPage },
    options: {
      storySort: {
        order: [
          'Demo app',
          'Start here',
          'Guides',
          [
            'Which provider?',
            'How a request travels',
            'Sign-in to sign-out',
            'Refresh',
            'Switching users',
            'Routers',
            'The user',
            'Your managers',
            'Lists and forms',
            'Permissions',
            'Step-up',
            "The session's clock",
            'Keep my place',
            'Other clients',
            'Server rendering',
            'Styles',
            'Security',
            'Your own mechanism',
            'Your own Storybook',
            'Testing your own stories',
            'Coming from plain data-client',
            'Benchmark',
            'Troubleshooting',
          ],
          'Recipes',
          ['Django', 'Laravel Sanctum', 'Rails', 'Spring', 'JWT API', 'An SDK'],
          'Widgets',
          'Providers',
          'Mechanisms',
          'Proofs',
        ],
      },
    },
  },
  loaders: [
    async context => {
      context.msw = worker;
      context.journal = journal;
      if (context.abortSignal.aborted || context.auth.isRerender) return;
      // For a story without credentials.
      context.auth.setServer({ networkHandler: (network, signal) => networkHandler(network, { signal }) });
      await startWorker(context);
      // The frames of a docs page share cookies and storage, as tabs do: one frame must not clear those of another.
      if (!globalsOfThePage()) await clearBrowserState();
      journal.clear();
      takeConsoleErrors();
    },
  ],
  mount: context => async () => {
    await context.renderToCanvas();
    if (globalsOfThePage() && !context.parameters.scrolls) fitFrame();
    return context.canvas;
  },
  async afterEach(context) {
    // The examples on a docs page share their cookies; each is checked when it is opened alone.
    if (context.auth.isRerender || globalsOfThePage() || !context.auth.isAsWritten) return;
    const { parameters, canvasElement } = context;
    await requestsSettled(context.playFunction === undefined);
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
  },
} satisfies Preview;
