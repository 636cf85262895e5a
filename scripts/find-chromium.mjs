// Finds a Chromium that Playwright can drive: CHROMIUM_PATH, Playwright's own download, the usual names on PATH, the
// usual places on Mac and Windows. As a command it prints the path, or exits with 1.
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright';

/** The headless shell comes first: it needs two thirds of the time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'msedge',
  'microsoft-edge',
];

const MAC_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

const WINDOWS_PLACES = ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData']
  .map(name => process.env[name])
  .filter(Boolean)
  .flatMap(root => [
    join(root, 'Google/Chrome/Application/chrome.exe'),
    join(root, 'Chromium/Application/chrome.exe'),
    join(root, 'Microsoft/Edge/Application/msedge.exe'),
  ]);

/**
 * The path of a Chromium, or undefined.
 * @param {{ full?: boolean }} options `full`: not the headless shell, which lacks the back/forward cache
 * @throws when CHROMIUM_PATH names no file
 */
export function findChromium({ full = false } = {}) {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen && !existsSync(chosen))
    throw new Error(
      `CHROMIUM_PATH is "${chosen}", where no file is: correct it, or unset it to search the usual places.`,
    );
  if (chosen && !(full && isHeadlessShell(chosen))) return chosen;
  return [playwrightsOwn(), ...onPath(), ...usualPlaces()].find(
    path => isRunnable(path) && !(full && isHeadlessShell(path)),
  );
}

function isHeadlessShell(path) {
  return /headless[-_]shell/.test(basename(realpathSync(path)));
}

function playwrightsOwn() {
  try {
    return chromium.executablePath();
  } catch {
    return undefined; // Playwright has no build for this platform.
  }
}

function onPath() {
  const ending = process.platform === 'win32' ? '.exe' : '';
  return (process.env.PATH ?? '').split(delimiter).flatMap(folder => NAMES.map(name => join(folder, name + ending)));
}

function usualPlaces() {
  return { darwin: MAC_PLACES, win32: WINDOWS_PLACES }[process.platform] ?? [];
}

function isRunnable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const path = findChromium();
  console.log(path ?? 'No Chromium was found.');
  process.exitCode = path ? 0 : 1;
}
