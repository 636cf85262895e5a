// The setup of every story: how it starts, what its end is checked for, and how the docs show it.
import type { Preview } from '@storybook/react-vite';
import { configure } from 'storybook/test';
import '../src/styles.css';
import './canvas.css';
import './theme.css';
import { checkStory } from './check-story.js';
import { fitFrame } from './fit-frame.js';
import { describeProps } from './props-table.js';
import { addStartCase, emptyBetweenCases, endLastCase } from './start-case.js';
import { startStory } from './start-story.js';
import { markStoryEnd } from './story-ended.js';
import { globalsOfThePage, themeGlobalType } from './theme.js';
import { DocsPage, ThemedDocs } from './ThemedDocs.js';

/**
 * How long a play waits for an element: a thousand rows on a busy machine need more than the default of one second. A query by text finds what
 * is seen, and not what a list announces out of sight.
 */
configure({ asyncUtilTimeout: 4_000, defaultIgnore: 'script, style, .dca-status' });

markStoryEnd();

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
    docs: {
      story: { inline: false, height: '320px' },
      container: ThemedDocs,
      page: DocsPage,
      toc: { title: 'On this page', headingSelector: 'h2, h3' },
    },
    options: {
      storySort: {
        order: [
          'Start here',
          'Demo app',
          'Start',
          ['Which provider?', 'Sign-in to sign-out', 'Lists and forms', 'How do I ...?', 'Troubleshooting'],
          'Build',
          [
            'Styles',
            'Routers',
            'Permissions',
            'The user',
            'Keep my place',
            'Step-up',
            'Accounts',
            "The session's clock",
            'Live data',
            'Server rendering',
            'Other clients',
            'Files',
            'Your own Storybook',
          ],
          'Advanced',
          [
            'How a request travels',
            'Refresh',
            'Switching users',
            'Security',
            'Your managers',
            'Your own mechanism',
            'Coming from plain data-client',
            'Benchmark',
          ],
          'Recipes',
          [
            'Express with a cookie',
            'Express with JWTs',
            'Django',
            'FastAPI',
            'Laravel Sanctum',
            'Rails',
            'Spring',
            'ASP.NET',
            'JWT API',
            'Next.js',
            'An SDK',
          ],
          'Reference',
          'Widgets',
          'Providers',
          'Mechanisms',
          'Proofs',
        ],
      },
    },
  },
  loaders: [startStory, addStartCase],
  decorators: emptyBetweenCases,
  beforeEach: endLastCase,
  mount: context => async () => {
    await context.renderToCanvas();
    if (globalsOfThePage() && !context.parameters.scrolls) fitFrame();
    return context.canvas;
  },
  afterEach: checkStory,
} satisfies Preview;
