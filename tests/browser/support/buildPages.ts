import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildApp } from './buildApp.js';
import { preparePages } from './preparePages.js';

const APP = join(import.meta.dirname, '../app');

/** Before the first test of a run: builds the page in both modes. */
export default function buildPages(project: TestProject): Promise<() => Promise<void>> {
  return preparePages(project, async pages => {
    await buildApp(APP, 'production', join(pages, 'production'));
    await buildApp(APP, 'development', join(pages, 'development'));
  });
}
