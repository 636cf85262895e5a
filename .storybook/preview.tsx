// The frame of every story: one worker, one journal, a browser as on a first visit, and the guards that fail a story
// for what its play did not look at.
import type { Preview } from '@storybook/react-vite';
import type { ArgTypesEnhancer } from 'storybook/internal/types';
import { setupWorker } from 'msw/browser';
import { mswLoader } from 'msw-storybook-addon/csf3';
import { configure, expect } from 'storybook/test';
import '../src/styles.css';
import './canvas.css';
import './theme.css';
import { createRequestJournal, journalMatchers } from '../src/testing/index.js';
import { clearBrowserState, cookieNames } from './browser-state.js';
import { takeConsoleErrors } from './console-errors.js';
import { darkContrastProblems } from './contrast.js';
import { setUpNetwork } from './network.js';
import { isPageAsset } from './page-assets.js';
import { isRerender, rememberStart } from './restart.js';
import { globalsOfThePage } from './theme.js';
import { ThemedDocs } from './ThemedDocs.js';
import { choicesOf, globalTypes, initialGlobals, isAsWritten } from './toolbar.js';

/** How long the last requests of a story may take to be answered before the guards look. */
const SETTLE_TIMEOUT_MS = 200;

/** How long a play waits for what it expects to see; a thousand rows on a busy machine take more than the usual second. */
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
      // Thrown, it reaches the page as a network error: no story ever talks to a real server.
      // eslint-disable-next-line @typescript-eslint/only-throw-error
      throw Response.error();
    },
  });
  return worker;
});

/** Words and switches can be changed in the table; sessions, resources, elements and functions cannot be written as JSON. */
function controlFor(type: string | undefined, value: unknown): { control?: false | { type: 'text' | 'boolean' } } {
  const plain = /^(string|boolean)( \| undefined)?$/.exec(type ?? '')?.[1];
  if (plain !== undefined) return { control: { type: plain === 'string' ? 'text' : 'boolean' } };
  return type !== undefined || typeof value === 'object' ? { control: false } : {};
}

/**
 * The props tables, from TSDoc: a type as it is written, and a `@default` in its column. Runs after Storybook has chosen
 * the controls.
 */
const describeProps: ArgTypesEnhancer = ({ argTypes, initialArgs }) =>
  Object.fromEntries(
    Object.entries(argTypes).map(([name, argType]) => {
      const [description, defaultValue] = argType.description?.split(/\s*@default\s+/) ?? [];
      const { raw } = (argType.type ?? {}) as { raw?: string };
      const table = {
        ...argType.table,
        ...(raw !== undefined && { type: { summary: raw } }),
        ...(defaultValue !== undefined && { defaultValue: { summary: defaultValue } }),
      };
      return [
        name,
        { ...argType, ...(description !== undefined && { description }), table, ...controlFor(raw, initialArgs[name]) },
      ];
    }),
  );
describeProps.secondPass = true;

export default {
  tags: ['autodocs'],
  argTypesEnhancers: [describeProps],
  globalTypes,
  initialGlobals: { ...initialGlobals, ...globalsOfThePage() },
  parameters: {
    layout: 'padded',
    a11y: { test: 'error' },
    // The background is that of the theme, and tools for designers leave their place to the four choices.
    backgrounds: { disable: true },
    measure: { disable: true },
    outline: { disable: true },
    // In development React 18 reports each error that a boundary catches to the window as well; the static build keeps this guard.
    test: { dangerouslyIgnoreUnhandledErrors: import.meta.env.DEV },
    // A docs page would share one worker between its stories; in a frame each has handlers of its own.
    docs: { story: { inline: false, height: '320px' }, container: ThemedDocs },
    options: {
      storySort: {
        order: [
          'Start here',
          'Guides',
          [
            'Which provider?',
            'How a request travels',
            'Sign-in to sign-out',
            'Refresh',
            'Switching users',
            'Routers',
            'Lists and forms',
            'Styles',
            'Security',
            'Your own mechanism',
            'Testing your own stories',
            'Coming from plain data-client',
            'Benchmark',
            'Troubleshooting',
          ],
          'Recipes',
          ['Django', 'Laravel Sanctum', 'Rails', 'JWT API', 'An SDK'],
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
      context.choices = choicesOf(context);
      context.isRerender = isRerender(context);
      if (context.abortSignal.aborted || context.isRerender) return;
      rememberStart(context);
      await startWorker(context);
      // The examples on a page of the docs share their cookies, as tabs do.
      if (!globalsOfThePage()) await clearBrowserState();
      journal.clear();
      takeConsoleErrors();
    },
  ],
  /** Comes after every `beforeEach` of a story, which may bring handlers of its own. */
  mount: context => async () => {
    if (!context.isRerender) setUpNetwork(context);
    await context.renderToCanvas();
    return context.canvas;
  },
  async afterEach(context) {
    if (context.isRerender || !isAsWritten(context)) return;
    const { parameters, canvasElement } = context;
    await Promise.race([journal.settled(), new Promise(resolve => setTimeout(resolve, SETTLE_TIMEOUT_MS))]);
    const leaked = cookieNames().filter(name => !parameters.cookies?.includes(name));
    const complaints = [
      ...journal.unhandled.map(line => `unhandled request: ${line}`),
      ...leaked.map(name => `leaked cookie: ${name}`),
      ...takeConsoleErrors(parameters.expectedConsoleErrors).map(line => `console error: ${line}`),
      ...(navigator.webdriver && parameters.a11y?.test === 'error' ? await darkContrastProblems(canvasElement) : []),
    ];
    // A reader goes on with the story after its play, signed in as it left them; a test run leaves nothing.
    if (navigator.webdriver) await clearBrowserState();
    if (complaints.length > 0) throw new Error(complaints.join('\n'));
  },
} satisfies Preview;
