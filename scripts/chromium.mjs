// The Chromium that Playwright drives: found, or installed where that needs no question.
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { chromium } from 'playwright';

/** The headless shell comes first: it needs two thirds of the time. */
const SHELL = 'chromium-headless-shell';
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Chromium only recommends it, together with the whole stack of a desktop's printers. */
const FONTS = 'fonts-liberation';

/** Arguments that disable the browser's own network traffic. */
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The path of a Chromium, or undefined: CHROMIUM_PATH, Playwright's own download, or one on PATH.
 * @param {{ full?: boolean }} options `full`: not the headless shell, which lacks the back/forward cache
 * @throws when CHROMIUM_PATH names no file
 */
export function findChromium({ full = false } = {}) {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen && !existsSync(chosen))
    throw new Error(`CHROMIUM_PATH is "${chosen}", where no file is: correct it, or unset it to search for one.`);
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap(folder => NAMES.map(name => join(folder, name)));
  return [chosen, playwrightsOwn(), ...onPath].find(
    path => path && existsSync(path) && !(full && /headless[-_]shell/.test(basename(realpathSync(path)))),
  );
}

function playwrightsOwn() {
  try {
    return chromium.executablePath();
  } catch {
    return undefined; // Playwright has no build for this platform.
  }
}

/**
 * The path of a Chromium, which is installed if there is none.
 * @param {{ full?: boolean }} options as for `findChromium`
 * @throws an Error that says what to install, when there is none and none can be installed
 */
export function ensureChromium(options = {}) {
  const found = findChromium(options);
  if (found) return found;
  console.error('No Chromium was found; installing one for the tests ...');
  const isRootWithApt = process.getuid?.() === 0 && run('apt-get', ['--version'], 'ignore');
  // Not every release of Debian and Ubuntu has the shell.
  if (isRootWithApt && run('apt-get', ['update', '-q']))
    [...(options.full ? [] : [SHELL]), 'chromium'].some(name =>
      run('apt-get', ['install', '-y', '-q', '--no-install-recommends', name, FONTS]),
    );
  if (!findChromium(options)) run('npx', ['playwright', 'install', 'chromium']);
  const installed = findChromium(options);
  if (installed) return installed;
  throw new Error(
    'The tests need a Chromium, and none could be installed: install Chrome or Chromium (on Debian ' +
      '`apt-get install chromium`, elsewhere `npx playwright install chromium`), or set CHROMIUM_PATH to one.',
  );
}

function run(command, args, stdio = ['ignore', 2, 2]) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, args, { stdio, shell: process.platform === 'win32', env }).status === 0;
}

/**
 * How Playwright starts the Chromium of this computer: without a window, and without a sandbox, which neither root in a container nor
 * every CI machine can have; it sees our own pages only.
 * @param {readonly string[]} more arguments
 */
export function chromiumOptions(more = []) {
  const executablePath = findChromium();
  return {
    ...(executablePath && { executablePath }),
    headless: true,
    chromiumSandbox: false,
    args: [...QUIET, ...more],
  };
}
