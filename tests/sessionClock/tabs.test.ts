import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { BrowserOptions } from '../session/support/fakeBrowser.js';
import { setupTabs } from '../session/support/setupTabs.js';
import { IDLE, MINUTE, SECOND, startClock } from './support/startClock.js';
import { expectNoTokenStored } from '../session/support/storedTokens.js';

const RECORD = 'data-client-auth:data-client-auth:activity';

afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

/** Two tabs of a browser in which Ada is signed in, each with a clock that has just begun. */
async function setupTwo(options: BrowserOptions = {}, clockOptions = IDLE) {
  const setup = setupTabs(options);
  const start = (opened: ReturnType<typeof setup.open>) => ({
    ...opened,
    ...opened.tab.run(() => startClock(opened.session, opened.tab.clock, clockOptions)),
    press: () => opened.tab.fire('keydown'),
    pressDuringWarning: () => opened.tab.fire('keyup'),
  });
  const [first, second] = (await setup.openTwo()).map(start) as [ReturnType<typeof start>, ReturnType<typeof start>];
  await setup.browser.pass(100);
  setup.server.clear();
  return { ...setup, start, first, second, logouts: () => setup.server.count('POST /logout') };
}

test('a system clock that is set back by an hour: the time that is stored is no activity of later, and new activity is shared at once', async () => {
  const { browser, first, second } = await setupTwo();
  second.stop();
  first.press();
  await browser.pass(2_000);
  browser.clock.setBack(60 * MINUTE);
  first.press();
  await browser.pass(10);
  first.press();
  expect(JSON.parse(browser.stored(RECORD)!)).toMatchObject({ at: browser.clock.now() });
  first.press();
  browser.clock.setBack(60 * MINUTE);
  for (let minutes = 0; minutes <= 30; minutes++) await browser.clock.advance(MINUTE);
  expect(first.now().reason).toBe('idle');
});

describe('two tabs of a browser', () => {
  test.each([
    ['with Web Locks, the server is told once', {}, 1],
    ['without, each tab tells it', { locks: 'missing' }, 2],
  ] as const)('without activity both end as idle: %s', async (_, options, times) => {
    const { browser, first, second, logouts, server } = await setupTwo(options);
    await browser.clock.advance(15 * MINUTE);
    await browser.pass(1_000);
    expect([first.now().reason, second.now().reason]).toEqual(['idle', 'idle']);
    expect([logouts(), server.seen.length]).toEqual([times, times]);
    expectNoTokenStored(browser.stored('data-client-auth'));
    expect(browser.holds()).toBe(0);
  });

  test('at most one write in a second, and the last key counts', async () => {
    const { browser, first, second } = await setupTwo();
    const written = browser.written().length;
    for (let times = 0; times < 100; times++) {
      first.press();
      await browser.pass(30);
    }
    await browser.pass(1_100);
    expect(
      browser
        .written()
        .slice(written)
        .filter(line => line.startsWith(`${RECORD}=`)).length,
    ).toBeLessThanOrEqual(5);
    expect(second.timer.getEndsIn()).toBe(first.timer.getEndsIn());
  });
});

describe('a tab that was frozen', () => {
  test('does not end what the user of another tab uses', async () => {
    const { browser, first, second } = await setupTwo();
    await browser.clock.advance(10 * MINUTE);
    browser.holdMessages();
    first.press();
    await browser.pass(100);
    await browser.clock.advance(5 * MINUTE);
    expect([first.now().status, second.now().status]).toEqual(['authenticated', 'authenticated']);
    expect(second.states).toEqual([]);
  });

  test('that another tab has ended ends as idle, and does not tell the server again', async () => {
    const { browser, first, second, logouts } = await setupTwo();
    const { now } = second.tab.clock;
    let isFrozen = true;
    Object.assign(second.tab.clock, { now: () => (isFrozen ? now() - 16 * MINUTE : now()) });
    browser.holdMessages();
    await browser.clock.advance(15 * MINUTE);
    await browser.pass(1_000);
    expect(first.now().reason).toBe('idle');
    isFrozen = false;
    second.tab.fire('pageshow');
    expect(second.now().reason).toBe('idle');
    await browser.deliverAll();
    await browser.pass(1_000);
    expect(second.now().reason).toBe('idle');
    expect(logouts()).toBe(1);
  });
});

test('a message about an end counts only for the activity that it names', async () => {
  const { browser, first } = await setupTwo();
  const at = browser.clock.now();
  await browser.clock.advance(MINUTE);
  first.press();
  await browser.post(`${RECORD}:end`, { at, ended: 'idle' });
  await browser.post(`${RECORD}:end`, { at: 'now', ended: 'idle' });
  await browser.post(`${RECORD}:end`, 'no message');
  expect(first.now().status).toBe('authenticated');
  await browser.post(`${RECORD}:end`, { at: browser.clock.now(), ended: 'idle' });
  expect(first.now().reason).toBe('idle');
});

describe('a page that is loaded', () => {
  test('goes on with the activity of before', async () => {
    const { browser, first, second, open, start } = await setupTwo();
    await browser.clock.advance(10 * MINUTE);
    first.tab.close();
    second.tab.close();
    const opened = open();
    opened.mount();
    const third = start(opened);
    await browser.pass(100);
    expect(third.timer.getEndsIn()).toBeLessThanOrEqual(5 * MINUTE);
    expect(third.timer.getEndsIn()).toBeGreaterThan(4 * MINUTE);
  });

  test('a day later, ends before it shows anything', async () => {
    const { browser, first, second, open, start, logouts } = await setupTwo();
    first.tab.close();
    second.tab.close();
    await browser.clock.advance(24 * 60 * MINUTE);
    const opened = open();
    const third = start(opened);
    opened.mount();
    await browser.pass(1_000);
    expect(third.now()).toMatchObject({ status: 'anonymous', reason: 'idle' });
    expect(logouts()).toBe(1);
  });

  /** After an idle end, a page is loaded, and the server has a session: of a sign-in at its own pages, or the one of before. */
  async function loadAfterEnd({ browser, first, second, open, start, issue }: Awaited<ReturnType<typeof setupTwo>>) {
    await browser.clock.advance(15 * MINUTE);
    await browser.pass(1_000);
    first.tab.close();
    second.tab.close();
    await browser.clock.advance(60 * MINUTE);
    const opened = open({ restore: () => Promise.resolve(issue('ada')) });
    const third = start(opened);
    opened.mount();
    await browser.pass(1_000);
    return third;
  }

  test('after an end that the server has confirmed, it begins with the whole time', async () => {
    const third = await loadAfterEnd(await setupTwo());
    expect(third.now().status).toBe('authenticated');
    expect(third.timer.getEndsIn()).toBeGreaterThan(14 * MINUTE);
  });

  test('after an end that the server has not confirmed, it ends again', async () => {
    const setup = await setupTwo();
    setup.server.routes['POST /logout'] = () => new Response(null, { status: 500 });
    const third = await loadAfterEnd(setup);
    expect(third.now()).toMatchObject({ status: 'anonymous', reason: 'idle' });
    expect(setup.logouts()).toBe(2);
  });
});

test('tabs that share nothing count for themselves, and store nothing', async () => {
  const { browser, first, second } = await setupTwo({}, { ...IDLE, tabs: false } as typeof IDLE);
  await browser.clock.advance(10 * MINUTE);
  first.press();
  await browser.clock.advance(5 * MINUTE);
  expect(second.now().reason).toBe('idle');
  expect(browser.stored(RECORD)).toBeNull();
});

test('a press counts from its own time, also where the page handles it late', async () => {
  const { browser, first } = await setupTwo({}, { ...IDLE, tabs: false } as typeof IDLE);
  await browser.clock.advance(14 * MINUTE + 59 * SECOND);
  first.pressDuringWarning();
  await browser.clock.advance(2 * SECOND);
  expect(first.now().status).toBe('authenticated');
});

test('where the storage is denied, each tab counts for itself', async () => {
  const { browser, first, second } = await setupTwo();
  const denied = () => {
    throw new DOMException('The storage is denied.', 'SecurityError');
  };
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, get: denied });
  await browser.clock.advance(14 * MINUTE);
  first.pressDuringWarning();
  await browser.pass(100);
  expect([first.states, second.states]).toEqual([['idle', false], ['idle']]);
});

test('the session of two tabs ends when neither had activity for the time, and never before', async () => {
  const AFTER = 2 * MINUTE;
  const step = fc.record({
    tab: fc.constantFrom('first', 'second', undefined),
    ms: fc.integer({ min: 100, max: AFTER * 1.2 }).map(ms => Math.round(ms / 100) * 100),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async steps => {
      const { browser, logouts, ...tabs } = await setupTwo({}, { idle: { after: AFTER } });
      let activeAt = browser.clock.now() - 100;
      for (const { tab, ms } of steps) {
        if (tab) {
          tabs[tab].press();
          tabs[tab].pressDuringWarning();
          // The press is handled in a task of its own.
          await browser.clock.advance(0);
          activeAt = browser.clock.now();
        }
        for (let passed = 0; passed < ms; passed += SECOND) {
          await browser.clock.advance(Math.min(SECOND, ms - passed));
          const isOver = browser.clock.now() - activeAt >= AFTER;
          const reasons = [tabs.first.now().reason, tabs.second.now().reason];
          expect(reasons).toEqual(isOver ? ['idle', 'idle'] : [undefined, undefined]);
          if (!isOver) continue;
          await browser.pass(500);
          expect(logouts()).toBe(1);
          return;
        }
      }
    }),
    {
      numRuns: 40,
      examples: [
        [
          [
            { tab: 'first', ms: 119_000 },
            { tab: 'first', ms: 1_000 },
          ],
        ],
      ],
    },
  );
}, 60_000);
