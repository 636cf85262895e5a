import { findChromium } from './find-chromium.mjs';

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
