import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCookieTabs } from './support/cookieTabs.js';
import { randomOf } from './support/time.js';

const TIMEOUT_MS = 400;

interface Act {
  readonly tab: number;
  readonly what: 'note' | 'ada' | 'grace' | 'logout' | 'focus' | 'mount';
  readonly after: number;
}

const act: fc.Arbitrary<Act> = fc.record({
  tab: fc.nat(2),
  what: fc.constantFrom('note', 'note', 'note', 'note', 'ada', 'grace', 'logout', 'focus', 'mount'),
  /** How long after the act before, in milliseconds. */
  after: fc.oneof(fc.nat(10), fc.nat(300), fc.constant(6_000)),
});

type Play = [acts: Act[], seed: number, tabs: number];

/** Sign-outs that ended another tab's user: after a login without an answer, and with the arguments of an earlier one. */
const known: Play[] = [
  [
    [
      { tab: 1, what: 'note', after: 6_000 },
      { tab: 0, what: 'grace', after: 6_000 },
      { tab: 0, what: 'mount', after: 6_000 },
      { tab: 1, what: 'ada', after: 6_000 },
      { tab: 1, what: 'logout', after: 0 },
      { tab: 0, what: 'note', after: 0 },
      { tab: 0, what: 'note', after: 30 },
      { tab: 0, what: 'note', after: 0 },
    ],
    1773561973,
    2,
  ],
  [
    [
      { tab: 0, what: 'logout', after: 6_000 },
      { tab: 0, what: 'grace', after: 6_000 },
      { tab: 0, what: 'logout', after: 0 },
    ],
    2021423414,
    2,
  ],
];

const numRuns = Number(process.env.PLAYS ?? 200);

test('tabs of one cookie: no request goes with another user’s, every call settles, and tabs agree at rest', async () => {
  const totals = { notes: 0, aborted: 0, lost: 0, logins: 0, logouts: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 3, maxLength: 20 }),
      fc.nat(),
      fc.integer({ min: 2, max: 3 }),
      async (acts, seed, count) => {
        const browser = createCookieTabs({ random: randomOf(seed), timeoutMs: TIMEOUT_MS });
        const { tabs, faults, seen } = browser;
        for (let opened = 0; opened < count; opened++) browser.openTab();
        let open = 0;
        const follow = (call: Promise<unknown>, onDone = () => {}) => {
          open++;
          call.then(onDone, () => {}).finally(() => open--);
        };
        follow(tabs[0]!.login('ada'));
        for (const { tab: index, what, after } of acts) {
          await browser.pass(after);
          const tab = tabs[index % count]!;
          if (what === 'focus' || what === 'mount') tab[what]();
          else if (what === 'note') follow(tab.note());
          else if (what === 'logout') follow(tab.logout(), () => void totals.logouts++);
          else follow(tab.login(what), () => void totals.logins++);
        }
        await browser.pass(60_000);
        expect(faults).toEqual([]);
        expect(open, 'calls that do not settle').toBe(0);
        // What a message told nobody is found with the next request.
        browser.calm();
        for (const tab of tabs) follow(tab.note());
        await browser.pass(60_000);
        expect(faults).toEqual([]);
        expect(open, 'calls that do not settle').toBe(0);
        for (const tab of tabs) expect([undefined, browser.cookie()]).toContain(tab.user());
        for (const key of ['notes', 'aborted', 'lost'] as const) totals[key] += seen[key];
      },
    ),
    { numRuns, examples: known },
  );
  expect(totals.notes).toBeGreaterThan(numRuns);
  expect(totals.aborted).toBeGreaterThan(numRuns / 4);
  expect(totals.lost).toBeGreaterThan(numRuns / 2);
  expect(Math.min(totals.logins, totals.logouts)).toBeGreaterThan(numRuns / 4);
});

test('a page that nobody listens to any more keeps its lock until what it has sent is answered', async () => {
  let luck = 0.45;
  const browser = createCookieTabs({ random: () => luck, timeoutMs: 5_000 });
  const [first, second] = [browser.openTab(), browser.openTab()];
  void first.login('ada');
  await browser.pass(6_000);
  luck = 0.95;
  const slow = first.note();
  await browser.pass(20);
  luck = 0.45;
  first.mount();
  void second.login('grace');
  await browser.pass(6_000);
  await slow;
  expect(browser.faults).toEqual([]);
  expect([second.user(), browser.cookie()]).toEqual(['grace', 'grace']);
  expect(browser.seen.aborted).toBe(0);
});

test('a page whose login took too long, so that another page’s was sent, asks who is signed in before its next request', async () => {
  let luck = 0.45;
  const browser = createCookieTabs({ random: () => luck, timeoutMs: TIMEOUT_MS });
  const [first, second] = [browser.openTab(), browser.openTab()];
  void first.login('ada');
  await browser.pass(6_000);
  luck = 0.95;
  const slow = first.login('ada').catch((error: Error) => error.name);
  await browser.pass(20);
  // No event of the page makes it ask.
  first.mount();
  void second.login('grace');
  await browser.pass(1_500);
  luck = 0.45;
  await browser.pass(6_000);
  expect(await slow).toBe('RefreshUnavailableError');
  expect([second.user(), browser.cookie()]).toEqual(['grace', 'grace']);
  first.note().catch(() => {});
  await browser.pass(6_000);
  expect(browser.faults).toEqual([]);
  expect(first.user()).toBe('grace');
});
