// A user who does things at random in two tabs of the example, against its own server with faults. The same seed draws the same steps, but the
// times of a browser differ, so a failure may take a few runs to come again. A long run, in tests of 100 steps:
// RANDOM_USER_SEED=1 RANDOM_USER_RUNS=20 RANDOM_USER_STEPS=100 npx vitest run --project servers tests/servers/randomUser.test.ts
import { rm } from 'node:fs/promises';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, vi } from 'vitest';
import { findChromium } from '../../scripts/chromium.mjs';
import { isFirefox } from '../browser/support/browserUnderTest.js';
import { startFullChromium } from '../browser/support/fullChromium.js';
import { newContext, test } from '../browser/support/test.js';
import { buildExample } from './randomUser/buildExample.js';
import { startFaultyServer, type Variant } from './randomUser/faultyServer.js';
import { RandomUser } from './randomUser/RandomUser.js';

const { RANDOM_USER_SEED = '44', RANDOM_USER_STEPS = '36', RANDOM_USER_RUNS = '1', RANDOM_USER_VARIANT } = process.env;
const seeds = Array.from({ length: Number(RANDOM_USER_RUNS) }, (_, run) => Number(RANDOM_USER_SEED) + run);
const variants = (['token', 'cookie'] as const).filter(one => !RANDOM_USER_VARIANT || one === RANDOM_USER_VARIANT);

describe.skipIf(isFirefox).each(variants)('with a %s', (variant: Variant) => {
  let pages: string;
  let chromium: Browser | undefined;
  beforeAll(async () => {
    // The example prints its requests.
    vi.spyOn(console, 'log').mockImplementation(() => {});
    pages = await buildExample(variant);
    // The headless shell has no back/forward cache, but the rest can be tested with it.
    const path = findChromium({ full: true });
    if (path) chromium = await startFullChromium(path);
  }, 120_000);
  afterAll(async () => {
    await chromium?.close();
    await rm(pages, { recursive: true });
  });

  test.for(seeds)('a random user keeps the promise, seed %i', { timeout: 600_000 }, async (seed, { browser }) => {
    const server = await startFaultyServer(variant, pages);
    const context = await newContext(chromium ?? browser);
    const user = new RandomUser(seed, context, server, variant);
    try {
      await user.start();
      await user.play(Number(RANDOM_USER_STEPS));
    } catch (error) {
      const { message } = error as Error;
      const again = `RANDOM_USER_SEED=${seed} RANDOM_USER_STEPS=${RANDOM_USER_STEPS} RANDOM_USER_VARIANT=${variant}`;
      throw new Error([message, again, ...user.steps, 'The last requests:', ...server.lastLines()].join('\n'), {
        cause: error,
      });
    } finally {
      await context.close();
      await server.close();
    }
  });
});
