// One config for three readers: Storybook and Vitest take it as it is, `vite build --mode lib` builds the package.
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** What the kit's users bring themselves, so that there is one React, one store and one worker on the page; and the one dependency. */
const external = [
  /^react($|\/)/,
  /^react-dom($|\/)/,
  /^@data-client\//,
  /^@tanstack\//,
  /^msw($|\/)/,
  // Storybook's own frame brings its icons too.
  /^storybook($|\/)/,
  /^@storybook\//,
  // The addon imports the kit by its name, as the app does, so that both have the same contexts.
  'data-client-auth',
];

/** TypeScript 6 takes `import 'data-client-auth/styles.css'` for an error where nothing declares it. */
const stylesDeclaration: Plugin = {
  name: 'styles-declaration',
  apply: (_, { mode }) => mode === 'lib',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'styles.d.css.ts', source: 'export {};\n' });
  },
};

/** esbuild inlines no constant of another file, and would leave in what is for developers: each file has the condition itself. */
const developmentOnly: Plugin = {
  name: 'development-only',
  apply: (_, { mode }) => mode === 'lib',
  transform: (code, id) =>
    /src.[^?]*\.tsx?$/.test(id) && !id.endsWith('isDevelopment.ts')
      ? code
          .replace(/^import \{ isDevelopment \} from .*$/m, '')
          .replace(/\bisDevelopment\b/g, "(process.env.NODE_ENV !== 'production')")
      : undefined,
};

/** `data-client-auth/<name>` is src/entries/<name>.ts. */
const ENTRIES = readdirSync(new URL('src/entries', import.meta.url)).map(
  file => `entries/${file.replace(/\.ts$/, '')}`,
);

const library = {
  publicDir: false as const,
  build: {
    lib: {
      entry: {
        index: 'src/index.ts',
        ...Object.fromEntries(ENTRIES.map(name => [name, `src/${name}.ts`])),
        testing: 'src/testing/index.ts',
        'storybook/manager': 'src/storybook/manager.tsx',
        'storybook/preview': 'src/storybook/preview.ts',
        styles: 'src/styles.css',
      },
      formats: ['es' as const],
    },
    // Readable as it is, so without source maps.
    minify: false,
    // The stylesheet is a file of its own, minified, with what the supported browsers know left as it is written.
    cssCodeSplit: true,
    cssMinify: 'lightningcss' as const,
    cssTarget: ['chrome120', 'firefox125', 'safari17.4'],
    target: 'es2022',
    rolldownOptions: {
      external,
      output: {
        // A file for each module: a bundler drops what an app does not import, and what it runs at its start, as a whole.
        preserveModules: true,
        preserveModulesRoot: 'src',
        // The docstrings are in the declarations.
        comments: { jsdoc: false },
        // The providers hold React state: a server component may import the kit, and gets a client boundary.
        banner: (chunk: { isEntry: boolean; name: string }) =>
          chunk.isEntry && /^(index|entries\/(?!core$).*)$/.test(chunk.name) ? "'use client';" : '',
      },
    },
  },
};

/** The tests without a browser; vitest.mutation.config.ts takes its own from here. */
export const unit = {
  environment: 'node' as const,
  // Vitest leaves one core to others. Of two, that is half.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  // A property with hundreds of runs takes more than the default of 5 s on a busy machine.
  testTimeout: 30_000,
  setupFiles: 'tests/session/support/setup.ts',
  include: ['tests/**/*.test.{ts,tsx}', 'src/**/*.test.{ts,tsx}'],
  exclude: ['tests/browser/**', 'tests/servers/**', 'tests/consumer/**'],
};

/**
 * Unit tests with a process for each file: a session goes on after its test, and would hear other files' tabs. The mocks of a preview go
 * on too. The others share one, which loads the modules once.
 */
const ISOLATED = [
  'tests/{session,typicalMistakes,live}/**/*.test.{ts,tsx}',
  'tests/storybook/portableStories.test.tsx',
  // The mock servers of other tests issue their tokens, which would be readable.
  'tests/testing/{journalMatchers,requestLines}.test.ts',
];

/** The tests of the model: it has to notice each of many broken modules. They test no code of the kit, so they are left to CI. */
const BROKEN_MODULES = 'tests/session/brokenModules.test.ts';

/**
 * Left to CI too: the same calls below data-client's own provider and the kit's, which wait as an app does, and the compiler on the
 * code of all docs pages.
 */
const SLOW_UNIT = ['tests/sideBySide/**/*.test.tsx', 'tests/docs/codeBlocks.test.ts'];

/** The browser tests of every run: who is signed in, and what is sent as whom. CI runs all of them. */
const EVERY_RUN =
  'tests/browser/{frames,hiddenPage,hydration,keepSignedIn,lifecycle,oldScreens,otherTabs,otherUser,routersBelow,sessionFetch,twoOrigins,typicalMistakes}.test.{ts,tsx}';

/** Firefox gives the focus to one window at a time, so the files that run in it take turns. */
const isFirefox = process.env.TEST_BROWSER === 'firefox';

/** One browser for all files, two of them at a time: pages spend their time waiting. */
const inBrowser = {
  environment: 'node' as const,
  globalSetup: 'tests/browser/support/buildPages.ts',
  maxWorkers: isFirefox ? 1 : 2,
  isolate: false,
  testTimeout: 30_000,
};

export default defineConfig(({ mode }) => ({
  plugins: [developmentOnly, react(), stylesDeclaration],
  // The demo app's stories render an example, which imports the package by its name: `paths` of its tsconfig.
  ...(mode === 'lib' ? library : { resolve: { tsconfigPaths: true } }),
  test: {
    projects: [
      {
        extends: true as const,
        test: { name: 'unit', ...unit, exclude: [...unit.exclude, ...ISOLATED, ...SLOW_UNIT], isolate: false },
      },
      {
        extends: true as const,
        test: { name: 'isolated', ...unit, include: ISOLATED, exclude: [BROKEN_MODULES] },
      },
      {
        extends: true as const,
        test: { name: 'broken-modules', ...unit, include: [BROKEN_MODULES] },
      },
      {
        extends: true as const,
        test: { name: 'slow-unit', ...unit, include: SLOW_UNIT, isolate: false },
      },
      {
        extends: true as const,
        test: { name: 'browser', include: [EVERY_RUN], ...inBrowser },
      },
      {
        // The others: widgets, a full Chromium, many sign-ins, Storybook's own window, servers of other frameworks.
        extends: true as const,
        test: {
          name: 'slow-browser',
          include: ['tests/browser/**/*.test.{ts,tsx}'],
          exclude: [EVERY_RUN],
          ...inBrowser,
        },
      },
      {
        // The package as it is published, in the hands of somebody else.
        extends: true as const,
        test: {
          name: 'consumer',
          environment: 'node',
          include: ['tests/consumer/**/*.test.ts'],
          env: { NODE_ENV: 'production' },
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Against servers whose sign-in is somebody else's: one browser, three files at a time, for tokens take seconds to expire.
        extends: true as const,
        test: {
          name: 'servers',
          environment: 'node',
          include: ['tests/servers/**/*.test.ts'],
          globalSetup: 'tests/servers/support/buildPage.ts',
          maxWorkers: isFirefox ? 1 : 3,
          testTimeout: 60_000,
        },
      },
    ],
  },
}));
