// Makes sure that there is a Chromium for the stories: finds one, or installs one where that needs no question.
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { findChromium } from './find-chromium.mjs';

/** Of Debian and Ubuntu; not every release has the first. */
const PACKAGES = ['chromium-headless-shell', 'chromium'];
/** Chromium only recommends it, together with the whole stack of a desktop's printers. */
const FONTS = 'fonts-liberation';

/**
 * The path of a Chromium.
 * @throws an Error that says what to install, when there is none and none can be installed
 */
export function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  console.error('No Chromium was found; installing one for the stories ...');
  const isRootWithApt = process.getuid?.() === 0 && run('apt-get', ['--version'], 'ignore');
  if (isRootWithApt && run('apt-get', ['update', '-q']))
    PACKAGES.some(name => run('apt-get', ['install', '-y', '-q', '--no-install-recommends', name, FONTS]));
  if (!findChromium()) run('npx', ['playwright', 'install', 'chromium']);
  const installed = findChromium();
  if (installed) return installed;
  throw new Error(
    'The stories need a Chromium, and none could be installed: install Chrome or Chromium (on Debian ' +
      '`apt-get install chromium`, elsewhere `npx playwright install chromium`), or set CHROMIUM_PATH to one.',
  );
}

function run(command, args, stdio = ['ignore', 2, 2]) {
  const shell = process.platform === 'win32';
  return (
    spawnSync(command, args, { stdio, shell, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    console.log(ensureChromium());
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
