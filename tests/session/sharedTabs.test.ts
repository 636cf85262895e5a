import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTabs } from './support/sharedTabs.js';
import { randomOf } from './support/time.js';

const DAY_MS = 86_400_000;

interface Act {
  readonly tab: number;
  readonly what: 'login' | 'logout' | 'refresh' | 'focus' | 'clear' | 'clock' | 'open' | 'close' | 'leave';
  /** How long after the act before, in milliseconds. */
  readonly after: number;
}

const USUAL = ['login', 'logout', 'refresh', 'refresh', 'refresh', 'focus', 'clock'] as const;

const actsOf = (...more: Act['what'][]): fc.Arbitrary<Act[]> =>
  fc.array(
    fc.record<Act>({
      tab: fc.nat(2),
      what: fc.constantFrom<Act['what']>(...USUAL, ...more),
      after: fc.oneof(fc.nat(10), fc.nat(200)),
    }),
    { minLength: 3, maxLength: 25 },
  );

interface Play {
  readonly acts: readonly Act[];
  readonly seed: number;
  /** How many tabs there are. */
  readonly count: number;
  readonly hasLocks: boolean;
  readonly totals: Totals;
}

interface Totals {
  refreshes: number;
  signOuts: number;
}

async function play({ acts, seed, count, hasLocks, totals }: Play): Promise<void> {
  const browser = createTabs({ random: randomOf(seed), lagMs: 142, hasLocks });
  for (let opened = 0; opened < count; opened++) browser.openTab();
  void browser.tabs[0]!.login();
  let offset = 0;
  for (const { tab: index, what, after } of acts) {
    await browser.pass(after);
    const { tabs } = browser;
    const tab = tabs[index % tabs.length]!;
    if (what === 'clear') browser.clear();
    else if (what === 'open') browser.openTab();
    else if (what === 'clock') tab.clock((offset -= DAY_MS));
    else if (what === 'close' || what === 'leave') {
      // A sign-out in a tab that is closed at once.
      if (what === 'leave') void tab.logout();
      if (tabs.length > 1) tab.close();
    } else void tab[what]();
  }
  await browser.pass(5_000);
  // What a storage told nobody is seen at focus.
  for (const tab of browser.tabs) tab.focus();
  await browser.pass(5_000);
  totals.refreshes += browser.seen.refreshes;
  totals.signOuts += browser.signedOut.size;

  const { tabs } = browser;
  const stored = browser.stored();
  expect(new Set(tabs.map(tab => tab.state())).size, 'the tabs agree').toBe(1);
  for (const tab of tabs) expect(tab.view()).toBe(stored === undefined ? null : JSON.stringify(stored));
  for (const id of [...browser.signedOut, ...browser.removed]) {
    if (stored?.id === id) expect(stored.credential, 'no sign-out is undone').toBe(undefined);
    for (const tab of tabs) expect(tab.state()).not.toMatch(`"authenticated",{"id":"${id}"`);
  }
  // A removal that a tab hears of late ends no sign-in that came after it.
  if (stored?.ended === 'signed-out' && stored.revision === 0)
    expect([...browser.signedOut, ...browser.removed], 'sign-outs of nobody').toContain(stored.id);
  if (hasLocks) expect(browser.seen.twice, 'tokens that were sent twice').toBe(0);
  expect(browser.locks.count(), 'locks that are kept').toBe(0);
}

const numRuns = Number(process.env.PLAYS ?? 400);

test.each([
  ['that are closed, or opened', ['close', 'leave', 'open'], true],
  ['whose storage is emptied', ['clear'], true],
  ['without locks', ['clear'], false],
] as const)('tabs %s agree at rest, no sign-out is undone, no token is sent twice', async (_name, more, hasLocks) => {
  const totals: Totals = { refreshes: 0, signOuts: 0 };
  await fc.assert(
    fc.asyncProperty(actsOf(...more), fc.nat(), fc.integer({ min: 2, max: 3 }), (acts, seed, count) =>
      play({ acts, seed, count, hasLocks, totals }),
    ),
    { numRuns },
  );
  expect(totals.refreshes).toBeGreaterThan(numRuns / 2);
  expect(totals.signOuts).toBeGreaterThan(numRuns / 4);
});
