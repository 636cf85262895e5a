import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RememberedStorage } from '../../src/entries/core.js';
import { json } from './support/answers.js';
import { OLD, type BrowserOptions } from './support/fakeBrowser.js';
import { setupTabs } from './support/setupTabs.js';
import { userOf } from './support/people.js';

const KEY = 'data-client-auth';
const REMEMBER = { remember: true };
const LAG_MS = 200;

afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

type Setup = ReturnType<typeof setupTabs>;
type Opened = ReturnType<Setup['open']>;

const subjectIn = (text: string | null) =>
  text === null ? undefined : (JSON.parse(text) as { subject: string }).subject;

function setup(otherwise: RememberedStorage['otherwise'] = 'session', browser: BrowserOptions = {}) {
  const tabs = setupTabs(browser, { storage: { remembered: 'local', otherwise } });
  const pass = () => tabs.browser.pass(LAG_MS);
  return {
    ...tabs,
    pass,
    /** A mounted tab that has checked for an existing session. */
    async openTab(...args: Parameters<typeof tabs.open>) {
      const opened = tabs.open(...args);
      opened.mount();
      await pass();
      return opened;
    },
    /** The same tab after a reload: a new session. */
    async reload({ tab, session }: Opened) {
      tab.run(() => session.dispose());
      const opened = tabs.open({}, tab);
      opened.mount();
      await pass();
      return opened;
    },
    async login(tab: Opened, name: string, choice?: { remember: boolean }) {
      await tab.login(name, choice);
      await pass();
    },
    shared: () => subjectIn(tabs.browser.stored(KEY)),
    own: ({ tab }: Opened) => subjectIn(tabs.browser.storedIn(tab, KEY)),
  };
}

const userIn = (tab: Opened) => tab.now().user?.id;

describe('a sign-in with `remember`', () => {
  test('is in the storage of all tabs, and outlives the tab', async () => {
    const { openTab, login, shared, own } = setup();
    const first = await openTab();
    await login(first, 'ada', REMEMBER);
    expect([shared(), own(first)]).toEqual(['ada', undefined]);
    first.tab.close();
    expect(userIn(await openTab())).toBe('ada');
  });
});

describe('a sign-in without `remember`', () => {
  test('is in the storage of its tab: it outlives a reload, and another tab does not have it', async () => {
    const { openTab, reload, login, shared, own } = setup();
    const first = await openTab();
    await login(first, 'ada');
    expect([shared(), own(first)]).toEqual([undefined, 'ada']);
    expect(userIn(await reload(first))).toBe('ada');
    expect((await openTab()).now()).toMatchObject({ status: 'anonymous', reason: undefined });
  });

  test('in memory: no storage has it, a refresh keeps it there, and a reload ends it', async () => {
    const { openTab, reload, login, shared, own, browser } = setup('memory');
    const tab = await openTab();
    await login(tab, 'ada', { remember: false });
    await tab.refresh();
    expect(await browser.until(tab.get())).toMatchObject({ title: 'of ada' });
    expect([shared(), own(tab)]).toEqual([undefined, undefined]);
    expect(browser.written().join()).not.toContain('ada-');
    expect((await reload(tab)).now().status).toBe('anonymous');
  });

  test('stays where it is at a refresh', async () => {
    const { openTab, login, shared, own, browser } = setup();
    const tab = await openTab();
    await login(tab, 'ada');
    await tab.refresh();
    expect([shared(), own(tab)]).toEqual([undefined, 'ada']);
    expect(browser.storedIn(tab.tab, KEY)).toContain('ada-2');
  });

  test.each(['session', 'memory'] as const)(
    'in %s: each tab has its own, and a sign-out ends no other',
    async place => {
      const { openTab, login, server, browser, pass } = setup(place);
      const [first, second] = [await openTab(), await openTab()];
      await login(first, 'ada');
      await login(second, 'bob');
      await first.refresh();
      await pass();
      expect([userIn(first), userIn(second)]).toEqual(['ada', 'bob']);
      await second.logout();
      await pass();
      expect([userIn(first), second.now().reason]).toEqual(['ada', 'signed-out']);
      expect(await browser.until(first.get())).toMatchObject({ title: 'of ada' });
      expect(server.count('/login')).toBe(2);
    },
  );

  describe.each(['session', 'memory'] as const)('in %s', place => {
    test('stays when another tab cannot store a sign-in with `remember`, because the storage is full', async () => {
      const { openTab, login } = setup(place);
      const [first, second] = [await openTab(), await openTab()];
      await login(first, 'ada');
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
      onTestFinished(() => warn.mockRestore());
      vi.spyOn(globalThis.localStorage, 'setItem').mockImplementation((key: string) => {
        if (key === KEY) throw new DOMException('full', 'QuotaExceededError');
      });
      await login(second, 'bob', REMEMBER);
      expect([userIn(first), userIn(second)]).toEqual(['ada', 'bob']);
    });

    test('follows a later shared sign-in, and does not come back when that one ends', async () => {
      const { openTab, login, pass } = setup(place);
      const [first, second] = [await openTab(), await openTab()];
      await login(first, 'ada');
      await login(second, 'bob', REMEMBER);
      expect(userIn(first)).toBe('bob');
      await second.logout();
      await pass();
      await login(second, 'bob', REMEMBER);
      await second.logout();
      await pass();
      expect(first.now()).toMatchObject({ status: 'anonymous', reason: 'elsewhere' });
    });
  });
});

describe.each([
  ['with Web Locks and BroadcastChannel', {}],
  ['with neither', OLD],
] as const)('a login leaves nothing in the other storage, in a browser %s', (_name, browser) => {
  test.each(['session', 'memory'] as const)(
    'to %s: the shared sign-in is removed, and its tabs are signed out',
    async place => {
      const { openTab, reload, login, shared } = setup(place, browser);
      const [first, second] = [await openTab(), await openTab()];
      await login(first, 'ada', REMEMBER);
      await login(first, 'bob');
      expect(shared()).toBeUndefined();
      expect(userIn(first)).toBe('bob');
      expect(second.now()).toMatchObject({ status: 'anonymous', reason: 'elsewhere' });
      expect(userIn(await reload(second))).toBeUndefined();
    },
  );

  test('from the tab’s own: a tab with its own sign-in follows, and does not come back to it', async () => {
    const { openTab, reload, login, shared, own, pass } = setup('session', browser);
    const [first, second] = [await openTab(), await openTab()];
    await login(first, 'ada');
    await login(second, 'bob', REMEMBER);
    expect([userIn(first), own(first), shared()]).toEqual(['bob', undefined, 'bob']);
    await second.logout();
    await pass();
    expect(userIn(first)).toBeUndefined();
    expect(userIn(await reload(first))).toBeUndefined();
  });

  test('the same user, from one to the other and back: the identity stays', async () => {
    const { openTab, login, shared, own } = setup('session', browser);
    const tab = await openTab();
    await login(tab, 'ada', REMEMBER);
    const { epoch } = tab.now();
    await login(tab, 'ada');
    expect([shared(), own(tab)]).toEqual([undefined, 'ada']);
    await login(tab, 'ada', REMEMBER);
    expect([shared(), own(tab)]).toEqual(['ada', undefined]);
    expect(tab.now().epoch).toBe(epoch);
  });
});

test('a tab that was closed before the other sign-in finds the later of the two', async () => {
  const { openTab, reload, login, own } = setup();
  const first = await openTab();
  await login(first, 'ada');
  first.tab.run(() => first.session.dispose());
  await login(await openTab(), 'bob', REMEMBER);
  const again = await reload(first);
  expect([userIn(again), own(again)]).toEqual(['bob', undefined]);
});

test('a sign-out and an expiry leave nothing in either storage', async () => {
  const { openTab, login, shared, own, server } = setup();
  const tab = await openTab();
  for (const choice of [{ remember: false }, REMEMBER]) {
    await login(tab, 'ada', choice);
    await tab.logout();
    expect([shared(), own(tab)]).toEqual([undefined, undefined]);
    await login(tab, 'ada', choice);
    server.routes['POST /refresh'] = () => json({}, 401);
    await tab.refresh().catch(() => undefined);
    expect(tab.now().reason).toBe('expired');
    expect([shared(), own(tab)]).toEqual([undefined, undefined]);
  }
});

test('`enter` takes the choice as its second argument', async () => {
  const { openTab, issue, pass, shared, own } = setup();
  const tab = await openTab();
  await tab.tab.run(() => tab.session.enter(issue('ada')));
  await pass();
  expect([shared(), own(tab)]).toEqual([undefined, 'ada']);
  await tab.tab.run(() => tab.session.enter(issue('ada'), REMEMBER));
  await pass();
  expect([shared(), own(tab)]).toEqual(['ada', undefined]);
  expect(tab.now().user).toEqual(userOf('ada'));
});

test('the choice is a property of the first argument, and anything else is none', async () => {
  const { open, browser, shared, own } = setup();
  for (const remember of ['true', 1, {}, undefined]) {
    const tab = open();
    await tab.login('ada', { remember } as never);
    await browser.pass(LAG_MS);
    expect([shared(), own(tab)]).toEqual([undefined, 'ada']);
  }
});

describe('with a lock on expiry', () => {
  async function setupLocked(choice?: { remember: boolean }) {
    const tabs = setup();
    const [first, second] = [await tabs.openTab(), await tabs.openTab()];
    for (const tab of [first, second]) tab.lockOnExpiry();
    await tabs.login(first, 'ada', choice);
    tabs.server.routes['POST /refresh'] = () => json({}, 401);
    first.refresh().catch(() => undefined);
    await tabs.pass();
    return { ...tabs, first, second, statuses: () => [first.now().status, second.now().status] };
  }

  test('a locked sign-in that one tab alone has stays locked when another tab signs out', async () => {
    const { second, login, pass, statuses } = await setupLocked();
    expect(statuses()).toEqual(['locked', 'anonymous']);
    await login(second, 'bob');
    await second.logout();
    await pass();
    expect(statuses()).toEqual(['locked', 'anonymous']);
    await login(second, 'bob', REMEMBER);
    expect(statuses()).toEqual(['authenticated', 'authenticated']);
  });
});

describe.each([
  ['stays open', false],
  ['is closed', true],
])('a login for one tab during a refresh in another one, which then %s,', (_outcome, isClosed) => {
  test.each(['at once', 'after the refresh'])(
    'leaves no shared tokens, when the other tab hears of it %s',
    async when => {
      const { openTab, login, holdRefresh, browser, shared, pass } = setup();
      const [first, second] = [await openTab(), await openTab()];
      await login(first, 'ada', REMEMBER);
      const answer = holdRefresh();
      second.refresh().catch(() => undefined);
      await pass();
      if (when !== 'at once') browser.holdMessages();
      const ownLogin = first.login('bob');
      await browser.pass(10);
      answer.resolve();
      await browser.pass(10);
      if (isClosed) second.tab.close();
      await ownLogin;
      await pass();
      await browser.deliverAll();
      await pass();
      expect(shared()).toBeUndefined();
      expect(userIn(first)).toBe('bob');
      if (!isClosed) expect(second.now()).toMatchObject({ status: 'anonymous', reason: 'elsewhere' });
    },
  );
});

describe.each([
  ['a `RememberedStorage`', { storage: { remembered: 'local', otherwise: 'session' } }],
  ['session storage', { storage: 'session' }],
] as const)('frames of one tab, with %s', (_name, options) => {
  async function openFrames(more = {}) {
    const { browser, openTab, login, own, pass, server } = setup();
    const settings = { ...options, ...more };
    // Tabs that have signed in before and after this one.
    const before = await openTab(settings);
    await login(before, 'ada');
    const first = await openTab(settings);
    const frame = await openTab(settings, browser.openFrame(first.tab));
    await login(first, 'ada');
    const after = await openTab(settings);
    await login(after, 'ada');
    return { browser, first, frame, others: [before, after], login, own, pass, server };
  }

  test('follow each other’s sign-ins, refreshes and sign-outs; other tabs do not', async () => {
    const { browser, first, frame, others, login, own, pass } = await openFrames();
    expect(userIn(frame)).toBe('ada');
    const { epoch } = first.now();
    await frame.refresh();
    await pass();
    expect(first.now().epoch).toBe(epoch);
    await login(frame, 'bob');
    expect([userIn(first), userIn(frame)]).toEqual(['bob', 'bob']);
    expect(await browser.until(first.get())).toMatchObject({ title: 'of bob' });
    await first.logout();
    await pass();
    expect(frame.now()).toMatchObject({ status: 'anonymous', reason: 'elsewhere' });
    expect(own(frame)).toBeUndefined();
    expect(others.map(userIn)).toEqual(['ada', 'ada']);
  });

  test('do not follow each other with `tabs: false`', async () => {
    const { browser, openTab, login } = setup();
    const settings = { ...options, tabs: false as const };
    const first = await openTab(settings);
    await login(first, 'ada');
    const frame = await openTab(settings, browser.openFrame(first.tab));
    await login(first, 'bob');
    expect([first, frame].map(userIn)).toEqual(['bob', 'ada']);
  });
});
