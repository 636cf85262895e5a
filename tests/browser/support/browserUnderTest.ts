import { chromium, firefox, type BrowserServer, type BrowserType } from 'playwright';
import { chromiumOptions } from '../../../scripts/chromium-options.mjs';

/** The browser that the tests run in: Chromium, or Firefox with `TEST_BROWSER=firefox`. `BROWSER` alone is set on many desktops. */
export const isFirefox = process.env['TEST_BROWSER'] === 'firefox';

/** An installed Firefox, of which Playwright emulates no media features and no fingers. */
export const isDrivenByBidi = isFirefox && process.env['FIREFOX_PATH'] !== undefined;

export const browserType: BrowserType = isFirefox ? firefox : chromium;

/** Pages of others bring fonts from elsewhere; no test waits for the network. */
export const OFFLINE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';

/** Starts the one browser of a run. Firefox is Playwright's own, or the one at `FIREFOX_PATH`, which Playwright drives over WebDriver BiDi. */
export function startBrowser(): Promise<BrowserServer> {
  if (!isFirefox) return chromium.launchServer(chromiumOptions([OFFLINE]));
  const path = process.env['FIREFOX_PATH'];
  return firefox.launchServer({
    ...(path && { channel: 'moz-firefox', executablePath: path }),
    headless: true,
    firefoxUserPrefs: { 'network.dns.disabled': true },
  });
}
