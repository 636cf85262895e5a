// `npm run pictures`: takes the pictures of the README from the docs. `--built` uses the existing static build.
import { mkdir } from 'node:fs/promises';
import { chromium } from 'playwright';
import { chromiumOptions, ensureChromium } from './chromium.mjs';
import { serve } from './serve.mjs';
import { buildStorybook, FULL_BUILD } from './story-runner.mjs';

const FOLDER = 'docs/pictures';
const SIZE = { width: 1280, height: 800 };
const TIMEOUT_MS = 60_000;

/** The address of each picture, what to open there, and the parts that must be visible first. `frame` contains the story. */
const PICTURES = {
  'demo-app': {
    address: '?path=/story/demo-app--demo-app&globals=theme:light&addonPanel=data-client-auth/requests/panel',
    seen: (page, frame) => [
      frame.getByText('Sync stops at 99% when a photo is larger than 20 MB'),
      page.getByText('2 requests', { exact: true }).last(),
    ],
  },
  'demo-app-dark': {
    address: '?path=/story/demo-app--demo-app&globals=theme:dark&addonPanel=data-client-auth/requests/panel',
    open: frame => frame.getByText('Sync stops at 99% when a photo is larger than 20 MB').click(),
    seen: (page, frame) => [
      frame.getByRole('heading', { name: 'Sync stops at 99% when a photo is larger than 20 MB' }),
      page.getByRole('button', { name: /^Theme:/ }).getByText('Theme: Dark'),
    ],
  },
};

if (!process.argv.includes('--built')) {
  const { ok, output } = await buildStorybook(FULL_BUILD);
  if (!ok) throw new Error(output);
}
await mkdir(FOLDER, { recursive: true });
const server = await serve(FULL_BUILD.folder);
ensureChromium();
const browser = await chromium.launch(chromiumOptions());
try {
  for (const [name, picture] of Object.entries(PICTURES)) {
    await take(name, picture);
    console.log(`${FOLDER}/${name}.png`);
  }
} finally {
  await browser.close();
  await server.close();
}

async function take(name, { address, open, seen }) {
  const context = await browser.newContext({
    viewport: SIZE,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en',
  });
  const page = await context.newPage();
  await page.goto(`${server.url}/${address}`);
  const frame = page.frameLocator('#storybook-preview-iframe');
  await open?.(frame);
  for (const part of seen(page, frame)) await part.waitFor({ timeout: TIMEOUT_MS });
  for (const part of [page, page.frame('storybook-preview-iframe')])
    await part.evaluate(() => document.fonts.ready.then(() => {}));
  await page.screenshot({ path: `${FOLDER}/${name}.png`, animations: 'disabled', caret: 'hide' });
  await context.close();
}
