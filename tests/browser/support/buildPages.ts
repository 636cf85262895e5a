import react from '@vitejs/plugin-react';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type BrowserServer } from 'playwright';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';
import { findChromium } from '../../../scripts/find-chromium.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the builds of the page are: a folder for each mode. */
    pages: string;
    /** Where the run's browser listens. */
    browser: string;
  }
}

const CACHE = 'node_modules/.cache/data-client-auth';

/** Bundlers and the React plugin read the mode from the environment, which says `test` here. */
async function buildPage(mode: 'production' | 'development', pages: string): Promise<void> {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = mode;
  try {
    await build({
      configFile: false,
      root: join(import.meta.dirname, '../app'),
      mode,
      plugins: [react()],
      logLevel: 'error',
      publicDir: false,
      build: { outDir: join(pages, mode), emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 2_000, modulePreload: { polyfill: false } },
    });
  } finally {
    process.env.NODE_ENV = before;
  }
}

/** Before the first test of a run: builds the page in both modes, and starts the one browser of the run. */
export default async function buildPages(project: TestProject): Promise<() => Promise<void>> {
  await mkdir(CACHE, { recursive: true });
  // A folder of its own, for runs side by side.
  const pages = await mkdtemp(join(process.cwd(), CACHE, 'pages-'));
  const forget = () => rm(pages, { recursive: true, force: true });
  try {
    await buildPage('production', pages);
    await buildPage('development', pages);
    const server = await startBrowser();
    project.provide('pages', pages);
    project.provide('browser', server.wsEndpoint());
    return async () => {
      await server.close();
      await forget();
    };
  } catch (error) {
    await forget();
    throw error;
  }
}

function startBrowser(): Promise<BrowserServer> {
  const executablePath = findChromium();
  return chromium.launchServer({
    ...(executablePath && { executablePath }),
    chromiumSandbox: false,
    args: ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}
