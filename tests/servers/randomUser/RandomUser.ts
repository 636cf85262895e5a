import type { BrowserContext } from 'playwright';
import { Checks } from './Checks.js';
import type { Fault, FaultyServer, Variant } from './faultyServer.js';
import { watchPage, type Done } from './pageScript.js';
import { Tab } from './Tab.js';

const PASSWORDS = { ada: 'lovelace', grace: 'hopper' } as const;
type Person = keyof typeof PASSWORDS;

/** A user of two tabs who does things at random. The same seed draws the same numbers. */
export class RandomUser {
  readonly steps: string[] = [];
  readonly #random: () => number;
  readonly #tabs: Tab[] = [];
  readonly #checks: Checks;
  readonly #startedAt = Date.now();
  #tab!: Tab;
  #texts = 0;
  #opened = 0;
  #isOffline = false;

  constructor(
    readonly seed: number,
    readonly context: BrowserContext,
    readonly server: FaultyServer,
    readonly variant: Variant,
  ) {
    this.#random = mulberry32(seed);
    this.#checks = new Checks(context, server, variant, this.#tabs);
  }

  async start(): Promise<void> {
    await this.context.addInitScript(watchPage);
    for (const who of ['ada', 'grace'])
      for (const number of [1, 2])
        await this.server.send(who, 'POST', '/api/issues', {
          title: `Secret ${number} only-${who}`,
          body: `only-${who}`,
          label: 'bug',
          confidential: true,
        });
    await this.#openTab();
    await this.#openTab();
    this.#tab = this.#tabs[0]!;
  }

  /** Does a number of steps, with a look at everything after each, and with quiet moments. */
  async play(count: number, everyQuiet = 12): Promise<void> {
    for (let step = 1; step <= count; step += 1) {
      await this.#step();
      if (this.#chance(0.6)) await this.#wait(this.#below(this.#chance(0.2) ? 600 : 120));
      await this.#checks.always();
      if (step % everyQuiet === 0) await this.#rest();
    }
    await this.#rest();
  }

  #below = (limit: number) => Math.floor(this.#random() * limit);
  #chance = (part: number) => this.#random() < part;
  #pick = <T>(all: readonly T[]): T => all[this.#below(all.length)]!;
  #wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
  #say = (text: string) => void this.steps.push(`${String(Date.now() - this.#startedAt).padStart(6)} ${text}`);

  async #openTab(): Promise<void> {
    const name = `tab ${(this.#opened += 1)}`;
    this.#tabs.push(await Tab.open(this.context, name, `${this.server.url}/issues`));
  }

  #goTo(tab: Tab, path: string): Promise<void> {
    this.server.notePageLeft();
    return tab.goTo(this.server.url + path);
  }

  async #click(tab: Tab, selector: string, text?: string): Promise<Done | undefined> {
    const done = await tab.act({
      kind: 'click',
      selector,
      index: this.#below(1_000),
      ...(text !== undefined && { text }),
    });
    if (done) this.#say(`${tab.name} (${done.shown}): clicks ${done.what.slice(0, 60)}`);
    return done;
  }

  /** A link or a button that leaves the form. */
  async #leave(tab: Tab, selector: string, text?: string): Promise<void> {
    if (await this.#click(tab, selector, text)) tab.typed = undefined;
  }

  async #mean(tab: Tab, method: string, selector: string, text: string): Promise<void> {
    const done = await this.#click(tab, selector, text);
    if (done)
      this.#checks.meant.add(
        `${done.shown} ${method} /api${done.what.includes('all closed') ? '/closed-issues' : done.href}`,
      );
  }

  /** One step that does something: most pages lack most of the buttons. */
  async #step(): Promise<void> {
    if (!this.#tabs.includes(this.#tab) || this.#chance(0.35)) this.#tab = this.#pick(this.#tabs);
    const before = this.steps.length;
    if (this.#tab.isAway && this.#chance(0.6)) return this.#comeBack(this.#tab);
    if (this.#chance(0.2)) return void (await this.#pick(this.#inServer)());
    if (this.#chance(0.15)) return void (await this.#pick(this.#byBrowser)(this.#tab));
    for (let tries = 0; tries < 15 && this.steps.length === before; tries += 1)
      await this.#pick(this.#byClick)(this.#tab);
  }

  async #comeBack(tab: Tab): Promise<void> {
    this.#say(`${tab.name}: comes back`);
    await tab.comeBack();
  }

  #signIn = async (tab: Tab, who: Person = this.#pick(['ada', 'ada', 'grace'])) => {
    const values = { username: who, password: PASSWORDS[who], remember: String(this.#chance(0.5)) };
    const done = await tab.act({ kind: 'signIn', values });
    if (!done) return;
    this.#say(`${tab.name} (${done.shown}${done.isLocked ? ', locked' : ''}): signs in as ${who}, ${values.remember}`);
    if (tab.typed?.who !== who) tab.typed = undefined;
  };

  #type = async (tab: Tab) => {
    const text = `T${(this.#texts += 1)}`;
    const done = await tab.act({ kind: 'type', text, values: { confidential: String(this.#chance(0.5)) } });
    if (!done) return;
    this.#say(`${tab.name} (${done.shown}): types ${done.what}`);
    tab.typed = { text: done.what, who: done.shown, changes: done.changes };
  };

  /** Types the password for a large deletion. */
  #answer = async (tab: Tab) => {
    const done = await tab.act({ kind: 'answer', values: PASSWORDS });
    if (done) this.#say(`${tab.name} (${done.shown}): types the password`);
  };

  readonly #byClick: ((tab: Tab) => unknown)[] = [
    this.#signIn,
    this.#signIn,
    this.#signIn,
    this.#signIn,
    this.#type,
    this.#type,
    this.#type,
    this.#type,
    tab => this.#leave(tab, 'header button', 'Sign out'),
    tab => this.#leave(tab, '.demo button', 'Switch to'),
    tab => this.#leave(tab, '.demo button', 'Switch to'),
    tab => this.#leave(tab, 'main li a[href^="/issues/"]'),
    tab => this.#leave(tab, 'main a', 'Edit'),
    tab => this.#leave(tab, 'main a', 'Edit'),
    tab => this.#leave(tab, 'main a', 'New issue'),
    tab => this.#leave(tab, 'main a', 'All issues'),
    tab => this.#leave(tab, 'main a', 'Cancel'),
    tab => this.#click(tab, 'main form.dca-form button[type=submit]'),
    tab => this.#click(tab, 'main form.dca-form button[type=submit]'),
    tab => this.#click(tab, 'main form.dca-form button[type=submit]'),
    tab => this.#mean(tab, 'DELETE', 'main button', 'Delete'),
    tab => this.#mean(tab, 'DELETE', 'main button', 'Delete'),
    tab => this.#mean(tab, 'PATCH', 'main button', 'Close'),
    tab => this.#mean(tab, 'PATCH', 'main button', 'Reopen'),
    tab => this.#answer(tab),
    tab => this.#answer(tab),
    tab => this.#click(tab, 'button', 'Undo'),
    tab => this.#click(tab, 'button', 'Load more'),
    tab => this.#click(tab, 'button', 'Load more'),
    tab => this.#click(tab, 'button', 'Try again'),
    tab => this.#click(tab, 'button', 'Not me').then(done => done && (tab.typed = undefined)),
    tab => this.#click(tab, '.demo button', 'Let the session expire'),
    tab => this.#click(tab, '.demo button', 'Let the token expire'),
    async tab => {
      const values = { state: this.#pick(['open', 'closed', 'all']), label: this.#pick(['', '', 'bug', 'security']) };
      const done = await tab.act({ kind: 'filter', values });
      if (done) this.#say(`${tab.name} (${done.shown}): filters ${done.what}`);
    },
    async tab => {
      const done = await tab.act({ kind: 'filter', values: { q: this.#pick(['', 'a', 'only', 'by-', 'zzz']) } });
      if (done) this.#say(`${tab.name} (${done.shown}): filters ${done.what}`);
    },
  ];

  readonly #byBrowser: ((tab: Tab) => unknown)[] = [
    async tab => {
      const direction = this.#pick([-1, -1, 1]);
      this.#say(`${tab.name}: history.go(${direction})`);
      tab.typed = undefined;
      this.server.notePageLeft();
      await tab.page.evaluate(by => history.go(by), direction).catch(() => {});
      await this.#wait(20);
    },
    async tab => {
      if (tab.isAway) return;
      this.#say(`${tab.name}: reloads`);
      tab.typed = undefined;
      this.server.notePageLeft();
      await tab.page.reload().catch(() => {});
    },
    async tab => {
      const path = this.#pick([
        '/issues',
        '/issues/140',
        '/issues/136/edit',
        '/issues?state=closed',
        '/issues/new',
        '/login',
      ]);
      this.#say(`${tab.name}: opens ${path}`);
      await this.#goTo(tab, path);
    },
    async tab => {
      if (tab.isAway) return;
      this.#say(`${tab.name}: leaves to about:blank`);
      this.server.notePageLeft();
      await tab.goTo('about:blank');
    },
    async tab => {
      this.#say(`${tab.name}: is closed, another one opens`);
      this.#tabs.splice(this.#tabs.indexOf(tab), 1);
      this.server.notePageLeft();
      await tab.page.close({ runBeforeUnload: true });
      await this.#openTab();
    },
    tab => tab.focus(),
    async () => {
      this.#say('both tabs sign in at once');
      await Promise.all(this.#tabs.map(tab => this.#signIn(tab)));
    },
  ];

  readonly #inServer: (() => unknown)[] = [
    () => this.#plan('slow'),
    () => this.#plan('late'),
    () => this.#plan('late'),
    () => this.#plan('unavailable'),
    () => this.#plan('broken'),
    () => this.#plan('cut'),
    () => this.#plan('lost'),
    () => this.#setOffline(!this.#isOffline),
    () => {
      this.#say('the access tokens expire');
      if (this.variant === 'token') this.server.expireTokens();
      else this.server.endSessions();
    },
    () => {
      this.#say('all sessions end');
      this.server.endSessions();
    },
    async () => {
      const id = this.#pick(['140', '136', '139', '138']);
      this.#say(`another program changes issue ${id}`);
      await this.server.send('ada', 'PATCH', `/api/issues/${id}`, { title: `Changed ${(this.#texts += 1)}` });
    },
  ];

  #plan(fault: Fault) {
    const count = 1 + this.#below(3);
    const delay = this.#below(700);
    this.#say(`the next ${count} requests: ${fault} ${delay}`);
    this.server.plan(fault, count, delay);
  }

  async #setOffline(isOffline: boolean) {
    this.#say(isOffline ? 'goes offline' : 'goes online');
    this.#isOffline = isOffline;
    await this.context.setOffline(isOffline);
  }

  /** The faults end, the user waits, and then the pages agree with the server. */
  async #rest(): Promise<void> {
    this.#say('--- a quiet moment');
    this.server.endFaults();
    if (this.#isOffline) await this.#setOffline(false);
    for (const tab of this.#tabs) {
      if (tab.isAway) await this.#comeBack(tab);
      if (!(await tab.state())) await this.#goTo(tab, '/issues');
    }
    await this.#checks.untilQuiet();
    await this.#checks.always();
    await this.#checks.texts();
    if (this.#chance(0.5)) await this.#lookAtAll();
  }

  /** Each tab finds out who is signed in: by a reload, and a page with a cookie also by a focus, at most once in five seconds. */
  async #lookAtAll(): Promise<void> {
    const reloads = this.variant === 'token' || this.#chance(0.7);
    this.#say(reloads ? 'reloads all tabs' : 'looks at all tabs');
    if (!reloads) await this.#wait(5_100);
    for (const tab of this.#tabs) await (reloads ? this.#goTo(tab, '/issues') : tab.focus());
    await this.#checks.untilQuiet();
    await this.#checks.always();
    await this.#checks.users(reloads);
  }
}

/** Numbers from 0 to 1 from a seed. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
