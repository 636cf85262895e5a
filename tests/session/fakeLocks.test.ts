// The fake Web Locks of the tests: what tests/browser/locks.test.ts sees in a browser.
import { expect, test } from 'vitest';
import { fakeLocks } from './support/fakeLocks.js';
import { runLockScript, type Locks } from './support/lockScript.js';

const onePage = () => fakeLocks<never>({ here: () => undefined, run: (_, act) => act(), isGone: () => false }) as Locks;

const cases: [string, [line: string, happened: string][]][] = [
  [
    'shared holders hold at once, and an exclusive one waits for all of them',
    [
      ['a shared', 'a has shared'],
      ['b shared', 'b has shared'],
      ['c exclusive', ''],
      ['a lets go', 'a is done'],
      ['b lets go', 'b is done, c has exclusive'],
    ],
  ],
  [
    'a waiting exclusive holds back a later shared',
    [
      ['a shared', 'a has shared'],
      ['b exclusive', ''],
      ['c shared', ''],
      ['query', 'shared | exclusive shared'],
      ['a lets go', 'a is done, b has exclusive'],
      ['b lets go', 'b is done, c has shared'],
    ],
  ],
  [
    'steal robs all holders at once, before the queue',
    [
      ['a shared', 'a has shared'],
      ['b shared', 'b has shared'],
      ['c exclusive', ''],
      ['d steal', 'a rejects: AbortError, b rejects: AbortError, d has exclusive'],
      ['a lets go', ''],
      ['d lets go', 'c has exclusive, d is done'],
    ],
  ],
  [
    'ifAvailable gets nothing while the lock is held in another mode, or a request waits',
    [
      ['a shared', 'a has shared'],
      ['b exclusive ifAvailable', 'b has nothing, b is done'],
      ['c shared ifAvailable', 'c has shared'],
      ['d exclusive', ''],
      ['e shared ifAvailable', 'e has nothing, e is done'],
    ],
  ],
  [
    'an abort before the grant rejects with its reason, and one after the grant is ignored',
    [
      ['a exclusive signal', 'a has exclusive'],
      ['b exclusive signal', ''],
      ['a aborts', ''],
      ['b aborts', 'b rejects: TimeoutError'],
      ['a lets go', 'a is done'],
    ],
  ],
  [
    'behind an aborted exclusive, shared requests wait until a lock is let go',
    [
      ['a shared', 'a has shared'],
      ['b exclusive signal', ''],
      ['c shared', ''],
      ['b aborts', 'b rejects: TimeoutError'],
      ['d shared', ''],
      ['query', 'shared | shared shared'],
      ['a lets go', 'a is done, c has shared, d has shared'],
    ],
  ],
  [
    'options that exclude each other are refused',
    [
      ['a shared steal', 'a rejects: NotSupportedError'],
      ['b steal ifAvailable', 'b rejects: NotSupportedError'],
      ['c steal signal', 'c rejects: NotSupportedError'],
      ['d shared ifAvailable signal', 'd rejects: NotSupportedError'],
    ],
  ],
];

test.each(cases)('%s', async (_, steps) => {
  const script = steps.map(([line]) => line);
  expect(await runLockScript(onePage(), script, 'lock')).toEqual(steps.map(([, happened]) => happened));
});

test('the locks of a tab that is gone are free, and its requests leave the queue', async () => {
  let here = 'ada';
  const gone = new Set<string>();
  const locks = fakeLocks<string>({ here: () => here, run: (_, act) => act(), isGone: tab => gone.has(tab) });
  const log: string[] = [];
  const hold = (tab: string) => {
    here = tab;
    void locks.request('lock', () => {
      log.push(tab);
      return new Promise(() => {});
    });
  };
  for (const tab of ['ada', 'bob', 'cy']) hold(tab);
  await Promise.resolve();
  for (const tab of ['bob', 'ada']) {
    gone.add(tab);
    locks.forget(tab);
  }
  await new Promise(setImmediate);
  expect(log).toEqual(['ada', 'cy']);
  expect(locks.count()).toBe(1);
});
