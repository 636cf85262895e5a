import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildApp } from '../../browser/support/buildApp.js';
import { preparePages } from '../../browser/support/preparePages.js';

/** Before the first test of a run: builds the page that all servers serve. */
export default function buildPage(project: TestProject): Promise<() => Promise<void>> {
  return preparePages(project, pages => buildApp(join(import.meta.dirname, '../app'), 'production', pages));
}
