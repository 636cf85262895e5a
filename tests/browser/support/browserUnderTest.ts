import { chromium, firefox, type BrowserServer, type BrowserType } from 'playwright';
import { chromiumOptions } from '../../../scripts/chromium.mjs';

const { TEST_BROWSER, FIREFOX_PATH } = process.env;

/** The tests run in Chromium, or in Firefox with `TEST_BROWSER=firefox`. Not `BROWSER`, which desktops set for links. */
export const isFirefox = TEST_BROWSER === 'firefox';

/** An installed Firefox, of which Playwright emulates no media features and no fingers. */
export const isDrivenByBidi = isFirefox && Boolean(FIREFOX_PATH);

export const browserType: BrowserType = isFirefox ? firefox : chromium;

/** Pages of others bring fonts from elsewhere; no test waits for the network. */
export const OFFLINE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';

/** Starts the one browser of a run. Firefox is Playwright's own, or the one at `FIREFOX_PATH`, which Playwright drives over WebDriver BiDi. */
export function startBrowser(): Promise<BrowserServer> {
  if (!isFirefox) return chromium.launchServer(chromiumOptions([OFFLINE]));
  return firefox.launchServer({
    ...(FIREFOX_PATH && { channel: 'moz-firefox', executablePath: FIREFOX_PATH }),
    headless: true,
    firefoxUserPrefs: { 'network.dns.disabled': true },
  });
}
