import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { consumerApp } from './consumerApp.js';

/** What a Storybook with msw has of its own. */
export const STORYBOOK_MODULES = ['storybook', '@storybook/react-vite', 'msw', 'msw-storybook-addon'];

/** Unpacks the published package for an app with its own Storybook, and builds that for a path of a site, as GitHub Pages has it. */
export async function consumerStorybook() {
  const app = consumerApp({ source: 'app', modules: STORYBOOK_MODULES });
  cpSync(join(import.meta.dirname, '../storybook'), app.folder, { recursive: true });
  const site = join(app.folder, 'site');
  const path = '/docs/kit/';
  mkdirSync(join(site, 'docs'), { recursive: true });
  renameSync(await buildStorybook(app.folder), join(site, path));
  return { app: app.folder, site, path, remove: app.remove };
}

/** Builds the Storybook of an app. Returns the folder of its pages. */
export async function buildStorybook(app: string, ...options: string[]): Promise<string> {
  cpSync('public/mockServiceWorker.js', join(app, 'public/mockServiceWorker.js'));
  const folder = join(app, 'storybook-static');
  await promisify(execFile)(
    process.execPath,
    [resolve('node_modules/storybook/dist/bin/dispatcher.js'), 'build', '--quiet', '--output-dir', folder, ...options],
    { cwd: app, env: { ...process.env, STORYBOOK_DISABLE_TELEMETRY: '1' } },
  );
  return folder;
}
