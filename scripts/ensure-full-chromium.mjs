// Makes sure that there is a full Chromium, for the tests of what the headless shell lacks: finds one, or unpacks Debian's own into
// node_modules/.cache without installing it. As a command it prints the path, or exits with 1.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findChromium } from './find-chromium.mjs';

const CACHE = resolve('node_modules/.cache/data-client-auth');
const FOLDER = join(CACHE, 'full-chromium');
/** Inside of the unpacked packages. */
const BINARY = 'usr/lib/chromium/chromium';
const PACKAGES = ['chromium', 'chromium-common'];
const TIMEOUT_MS = 120_000;

/**
 * The path of a full Chromium that starts.
 * @throws an Error that says what to install, when there is none and none can be unpacked
 */
export function ensureFullChromium() {
  const found = findChromium({ full: true });
  if (found && starts(found)) return found;
  const unpacked = join(FOLDER, BINARY);
  if (!existsSync(unpacked)) unpack();
  if (existsSync(unpacked) && starts(unpacked)) return unpacked;
  throw new Error(
    'There is no full Chromium that starts: install Chrome or Chromium (on Debian `apt-get install chromium`), or set CHROMIUM_PATH to one. ' +
      'A headless shell will not do.',
  );
}

/** On Windows, Chrome opens a window instead of printing its version. */
function starts(path) {
  return (
    process.platform === 'win32' || spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0
  );
}

/** Downloads Debian's packages and takes the files out of them; whole or not at all. */
function unpack() {
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(join(CACHE, 'unpacking-'));
  try {
    if (!run('apt-get', ['download', '-q', ...PACKAGES], work)) return;
    const content = join(work, 'content');
    const archives = readdirSync(work).filter(name => name.endsWith('.deb'));
    if (!archives.every(name => run('dpkg', ['-x', name, content], work))) return;
    // Another process may have been faster.
    if (existsSync(join(FOLDER, BINARY))) return;
    rmSync(FOLDER, { recursive: true, force: true });
    renameSync(content, FOLDER);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function run(command, args, cwd) {
  return spawnSync(command, args, { cwd, stdio: 'ignore', timeout: TIMEOUT_MS }).status === 0;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    console.log(ensureFullChromium());
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
