import type { BrowserContext, Page } from 'playwright';
import { recordMessages } from '../../browser/support/recordMessages.js';
import type { Act, Done, PageState } from './pageScript.js';

/** A tab of the random user. */
export class Tab {
  /** What the page wrote into its console, and its uncaught errors. */
  readonly said: string[];
  /** The text of a form that the user has neither sent nor left. */
  typed: { text: string; who: string; changes: number } | undefined;
  /** True while the tab shows `about:blank`. */
  isAway = false;

  private constructor(
    readonly name: string,
    readonly page: Page,
  ) {
    this.said = recordMessages(page).said;
  }

  static async open(context: BrowserContext, name: string, address: string): Promise<Tab> {
    const tab = new Tab(name, await context.newPage());
    await tab.goTo(address);
    return tab;
  }

  async goTo(address: string): Promise<void> {
    this.typed = undefined;
    this.isAway = address === 'about:blank';
    // Offline, the browser shows a page of its own.
    await this.page.goto(address).catch(() => {});
  }

  /** Does nothing while the page is being replaced. */
  act(act: Act): Promise<Done | undefined> {
    return this.page.evaluate(given => window.watch?.act(given), act).catch(() => undefined);
  }

  /** Undefined while the page is being replaced, and for a page of the browser. */
  async state(): Promise<PageState | undefined> {
    const state = await this.page.evaluate(() => window.watch?.state()).catch(() => undefined);
    return state?.isApp ? state : undefined;
  }

  async comeBack(): Promise<void> {
    this.isAway = false;
    await this.page.evaluate(() => history.back()).catch(() => {});
    // Playwright does not wait for a page from the back/forward cache.
    for (let tries = 0; tries < 100 && !(await this.state()); tries += 1) await this.page.waitForTimeout(20);
  }

  async focus(): Promise<void> {
    await this.page.evaluate(() => void window.dispatchEvent(new Event('focus'))).catch(() => {});
  }
}
