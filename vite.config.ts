// One config for three readers: Storybook and Vitest take it as it is, `vite build --mode lib` builds the package.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** What the kit's users bring themselves, so that there is one React, one store and one worker on the page; and the one dependency. */
const external = [/^react($|\/)/, /^react-dom($|\/)/, /^@data-client\//, /^@tanstack\//, /^msw($|\/)/, /^storybook($|\/)/];

const library = {
  publicDir: false as const,
  build: {
    lib: { entry: {
        index: 'src/index.ts',
        testing: 'src/testing/index.ts',
        'storybook/manager': 'src/storybook/manager.tsx',
        'storybook/preview': 'src/storybook/preview.ts',
      }, formats: ['es' as const] },
    sourcemap: true,
    minify: false,
    target: 'es2022',
    rolldownOptions: {
      external,
      output: {
        // The providers hold React state: a server component may import the kit, and gets a client boundary.
        banner: (chunk: { isEntry: boolean; name: string }) =>
          chunk.isEntry && chunk.name === 'index' ? "'use client';" : '',
      },
    },
  },
};

export default defineConfig(({ mode }) => ({
  plugins: [react()],
  ...(mode === 'lib' ? library : {}),
  test: {
    projects: [
      {
        extends: true as const,
        test: { name: 'unit', environment: 'node', include: ['tests/**/*.test.{ts,tsx}', 'src/**/*.test.{ts,tsx}'], exclude: ['tests/browser/**'] },
      },
      {
        // One browser for all files, two of them at a time: pages spend their time waiting.
        extends: true as const,
        test: {
          name: 'browser',
          environment: 'node',
          include: ['tests/browser/**/*.test.{ts,tsx}'],
          globalSetup: 'tests/browser/support/buildPages.ts',
          maxWorkers: 2,
          isolate: false,
          testTimeout: 30_000,
        },
      },
    ],
  },
}));
