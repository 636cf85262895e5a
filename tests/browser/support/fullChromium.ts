import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright';
import { chromiumOptions } from '../../../scripts/chromium.mjs';
import { OFFLINE } from './browserUnderTest.js';

export const NO_FULL_CHROMIUM =
  'Install Chrome or Chromium (on Debian `apt-get install chromium`), or set CHROMIUM_PATH to one: a headless shell will not do.';

/** Starts a Chromium with its back/forward cache, which Playwright turns off and the headless shell lacks. */
export function startFullChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({
    ...chromiumOptions(['--headless=new', OFFLINE]),
    executablePath,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
}

/** Opens an address in a Chromium that nobody watches: under a debugger, it prerenders nothing. Resolves with the function that closes it. */
export async function openUnwatched(executablePath: string, address: string): Promise<() => Promise<void>> {
  const profile = await mkdtemp(join(tmpdir(), 'chromium-profile-'));
  const { args = [] } = chromiumOptions([
    '--headless=new',
    '--no-sandbox',
    '--remote-debugging-port=0',
    OFFLINE,
    `--user-data-dir=${profile}`,
  ]);
  const browser = spawn(executablePath, [...args, address], { stdio: 'ignore' });
  const ended = new Promise(resolve => browser.once('close', resolve));
  return async () => {
    browser.kill();
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
}
