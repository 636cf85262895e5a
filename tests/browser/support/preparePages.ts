import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startBrowser } from './browserUnderTest.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder in which the pages are that were built for the run. */
    pages: string;
    /** Where the run's browser listens. */
    browser: string;
  }
}

const CACHE = 'node_modules/.cache/data-client-auth';

/** Before the first test of a run: has the pages built in a folder of the run's own, and starts its one browser. */
export async function preparePages(
  project: TestProject,
  buildInto: (pages: string) => Promise<void>,
): Promise<() => Promise<void>> {
  await mkdir(CACHE, { recursive: true });
  const pages = await mkdtemp(join(process.cwd(), CACHE, 'pages-'));
  const forget = () => rm(pages, { recursive: true, force: true });
  try {
    await buildInto(pages);
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
