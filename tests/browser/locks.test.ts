// The tests without a browser have Web Locks of their own: here, they and a browser's do the same.
import fc from 'fast-check';
import { expect } from 'vitest';
import { fakeLocks } from '../session/support/fakeLocks.js';
import { runLockScript, type Locks, type LockScript } from '../session/support/lockScript.js';
import { isFirefox } from './support/browserUnderTest.js';
import { test } from './support/test.js';

const HOLDERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

const options = fc.constantFrom(
  'shared',
  'shared',
  'shared signal',
  'exclusive',
  'exclusive signal',
  'exclusive signal',
  'shared ifAvailable',
  'exclusive ifAvailable',
  'steal',
  'shared steal',
  'steal ifAvailable',
  'steal signal',
);

/** Each holder asks once, in this order; in between, some let go, abort or look. */
const scripts: fc.Arbitrary<LockScript> = fc
  .array(
    fc.tuple(options, fc.array(fc.tuple(fc.nat(6), fc.constantFrom('lets go', 'aborts', 'query')), { maxLength: 2 })),
    {
      minLength: 3,
      maxLength: HOLDERS.length,
    },
  )
  .map(steps =>
    steps.flatMap(([asks, acts], index) => [
      `${HOLDERS[index]} ${asks}`,
      ...acts.map(([who, act]) => (act === 'query' ? act : `${HOLDERS[who % (index + 1)]} ${act}`)),
    ]),
  );

// Firefox and WebKit move the queue after an abort.
test.skipIf(isFirefox)(
  'the fake locks do what Chromium does (60 scripts)',
  { timeout: 120_000 },
  async ({ server, context }) => {
    const page = await context.newPage();
    await page.goto(`${server.url}/blank`);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(scripts, async script => {
        const locks = fakeLocks<never>({ here: () => undefined, run: (_, act) => act(), isGone: () => false }) as Locks;
        const name = `lock ${run++}`;
        const inPage = `(${runLockScript.toString()})(navigator.locks, ${JSON.stringify(script)}, '${name}')`;
        const [here, there] = await Promise.all([runLockScript(locks, script, name), page.evaluate(inPage)]);
        expect(here).toEqual(there);
      }),
      { numRuns: 60 },
    );
  },
);
