import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { consumerApp } from './consumerApp.js';

/** What a Storybook with msw has of its own. */
const TOOLS = ['storybook', '@storybook/react-vite', 'msw', 'msw-storybook-addon'];

/** Unpacks the published package for an app with its own Storybook, and builds that. */
export async function consumerStorybook(): Promise<{ app: string; folder: string; remove: () => void }> {
  const app = consumerApp();
  cpSync(join(import.meta.dirname, '../storybook'), app.folder, { recursive: true });
  cpSync('public/mockServiceWorker.js', join(app.folder, 'public/mockServiceWorker.js'));
  for (const name of TOOLS) {
    const link = join(app.folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve('node_modules', name), link, 'junction');
  }
  const folder = join(app.folder, 'storybook-static');
  await promisify(execFile)(
    process.execPath,
    [resolve('node_modules/storybook/dist/bin/dispatcher.js'), 'build', '--quiet', '--output-dir', folder],
    { cwd: app.folder, env: { ...process.env, STORYBOOK_DISABLE_TELEMETRY: '1' } },
  );
  return { app: app.folder, folder, remove: app.remove };
}
