import { existsSync } from 'node:fs';
import { serve } from '../../../scripts/serve.mjs';

const FOLDER = process.env.STORYBOOK_FOLDER ?? 'storybook-static';

/** Serves the static build of the Storybook, for a test that closes it. */
export async function serveStorybook() {
  if (!existsSync(`${FOLDER}/index.html`))
    throw new Error('There is no Storybook to look at. Build it with `npm run build-storybook`.');
  return serve(FOLDER);
}
