import type { BrowserContext } from 'playwright';
import type { FaultyServer, Variant } from './faultyServer.js';
import type { Tab } from './Tab.js';

/** How long a page may be busy after the last fault, in milliseconds. */
const UNTIL_QUIET_MS = 15_000;

/** For how long nothing has to be busy, in milliseconds: a widget shows after 300 ms that it loads. */
const QUIET_MS = 400;

/**
 * How long a tab may disagree with the server after a focus or a reload, in milliseconds: for ten seconds after a sign-out in another tab,
 * a cookie is not checked.
 */
const UNTIL_AGREED_MS = 12_000;

const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

/** The promise of the kit, as a user and a server can see it. Each check throws an error that names what it has found. */
export class Checks {
  /** What each user has meant to do: `ada DELETE /api/issues/140`. */
  readonly meant = new Set<string>();
  #checkedRequests = 0;

  constructor(
    readonly context: BrowserContext,
    readonly server: FaultyServer,
    readonly variant: Variant,
    readonly tabs: readonly Tab[],
  ) {}

  /** What is true at any time. */
  async always(): Promise<void> {
    this.#checkRequests();
    for (const tab of this.tabs) await this.#checkTab(tab);
  }

  /** A deletion, or a press of “Close”, has no text that names its user. So the test notes who has pressed the button. */
  #checkRequests(): void {
    const { seen, problems } = this.server;
    if (problems[0]) throw new Error(problems[0]);
    for (; this.#checkedRequests < seen.length; this.#checkedRequests += 1) {
      const { method, path, who, body } = seen[this.#checkedRequests]!;
      const hasNoText = method === 'DELETE' || (method === 'PATCH' && body.title === undefined);
      if (hasNoText && who !== undefined && !this.meant.has(`${who} ${method} ${path}`))
        throw new Error(`${method} ${path} went with a credential of ${who}'s, who did not mean it.`);
    }
  }

  async #checkTab(tab: Tab): Promise<void> {
    const { name, said } = tab;
    const complaint = said.find(isComplaint);
    if (complaint) throw new Error(`${name} says: ${complaint}`);
    const now = await tab.state();
    if (!now) return;
    if (now.problems[0]) throw new Error(`${name}: ${now.problems[0]}`);
    const saved = [...this.server.saved];
    for (const { who, title } of now.seen)
      if (!title.endsWith(`by-${who}`) && !saved.some(text => text.startsWith(title)))
        throw new Error(`${name} shows ${who} “${title}”, which was never saved.`);
    for (const text of now.inputs)
      if (/by-(ada|grace)/.test(text) && !text.includes(`by-${now.shown}`) && !saved.includes(text))
        throw new Error(`${name} shows ${now.shown} the unsaved text “${text}”.`);
  }

  /** After the last fault, no button stays busy, and no page stays in its loading state. A locked page waits for its user. */
  async untilQuiet(): Promise<void> {
    const until = Date.now() + UNTIL_QUIET_MS;
    let quietSince = Infinity;
    while (Date.now() - quietSince < QUIET_MS || quietSince === Infinity) {
      const busy = await this.#findBusy();
      quietSince = busy.length > 0 ? Infinity : Math.min(quietSince, Date.now());
      if (Date.now() > until) throw new Error(`Busy for ${UNTIL_QUIET_MS} ms: ${busy.join('; ')}`);
      await wait(40);
    }
  }

  async #findBusy(): Promise<string[]> {
    const busy = this.server.isQuiet() ? [] : ['the server'];
    for (const tab of this.tabs) {
      const state = await tab.state();
      if (!state) busy.push(`${tab.name} has no page`);
      else if (!state.isLocked) busy.push(...state.busy.map(one => `${tab.name} at ${state.path}: ${one}`));
    }
    return busy;
  }

  /** A text is on the server, or still in its form, unless the user has left the form or the user has changed. */
  async texts(): Promise<void> {
    for (const tab of this.tabs) {
      const { typed } = tab;
      tab.typed = undefined;
      if (!typed || this.server.saved.has(typed.text)) continue;
      const state = await tab.state();
      if (!state || state.changes !== typed.changes) continue;
      if (state.shown !== 'nobody' && !state.inputs.includes(typed.text))
        throw new Error(
          `${tab.name} has lost “${typed.text}”: neither the server nor the form at ${state.path} has it.`,
        );
      tab.typed = typed;
    }
  }

  /**
   * Each tab shows the user whom the server sees. Call after a reload, or with a cookie after a focus. After a focus, a tab may stay signed
   * out: see docs/decisions/0027-an-unconfirmed-sign-out-is-told.md.
   */
  async users(isReloaded: boolean): Promise<void> {
    const until = Date.now() + UNTIL_AGREED_MS;
    for (;;) {
      const problem = await this.#findDisagreement(isReloaded);
      if (!problem) return;
      if (Date.now() > until) throw new Error(problem);
      await wait(200);
    }
  }

  async #findDisagreement(isReloaded: boolean): Promise<string | undefined> {
    for (const tab of this.tabs) {
      const state = await tab.state();
      if (!state) continue;
      const shown = state.isLocked ? 'nobody' : state.shown;
      if (shown === 'nobody' && !isReloaded) continue;
      const accepted = this.server.whoHas(await this.#readToken(tab)) ?? 'nobody';
      if (shown !== accepted) return `${tab.name} shows ${shown} at ${state.path}, and the server sees ${accepted}.`;
    }
    return undefined;
  }

  async #readToken({ page }: Tab): Promise<string> {
    if (this.variant === 'cookie') {
      const cookies = await this.context.cookies(this.server.url);
      return cookies.find(({ name }) => name === 'sid')?.value ?? '';
    }
    return page.evaluate(() => {
      // Of one that was left there is the end only.
      const stored = [sessionStorage, localStorage].map(storage => storage.getItem('issue-tracker') ?? '').join();
      return /accessToken\\*": *\\*"([\w.-]+)/.exec(stored)?.[1] ?? '';
    });
  }
}

/** The browser's own lines about failed requests, and two warnings that “Troubleshooting” explains: here, the server does end new sign-ins. */
const KNOWN = /Failed to load resource|Support for defaultProps|refused \(401\) the (cookie|token) of a new sign-in/;

const isComplaint = (line: string): boolean => /^(warning|error|uncaught)/.test(line) && !KNOWN.test(line);
