import { test } from 'vitest';
import { lock } from '../../src/entries/lock.js';
import { stepUp } from '../../src/entries/step-up.js';
import * as index from '../../src/index.js';
import { bindEndpoint, authInitOf } from '../../src/endpoints/hookifyResource.js';
import { bindSession } from '../../src/endpoints/boundSession.js';
import { createContextSession } from '../../src/mechanisms/context.js';
import { checkModel } from './support/model.js';
import { plays } from './support/plays.js';
import type { Scenario } from './support/modelSessions.js';

// `MODEL_RUNS=100000 npx vitest run tests/session/model.test.ts` has no time limit. MODEL_SEED repeats a failed run, and MODEL_SCENARIO runs
// one kind of sessions: separate, tabs, cookie tabs, cookie or context.
const { MODEL_RUNS, MODEL_SEED, MODEL_SCENARIO, PROPERTY_RUNS } = process.env;
const numRuns = Number(MODEL_RUNS ?? PROPERTY_RUNS ?? 1_000);
const scenarios = MODEL_SCENARIO === undefined ? undefined : [MODEL_SCENARIO as Scenario];
// A long run takes as long as it takes.
const timeout = MODEL_RUNS === undefined ? 120_000 : 0;

/** The first runs of a check prefer extreme values, so many short checks find more than a long one. */
const RUNS_PER_CHECK = 200;

test(`whatever happens to two sessions of three people, the promises hold (${numRuns} runs)`, { timeout }, async () => {
  const kit = { ...index, lock, stepUp, createContextSession, bindEndpoint, bindSession, authInitOf };
  if (MODEL_SEED !== undefined)
    return checkModel(kit, { numRuns, examples: plays, seed: Number(MODEL_SEED) }, scenarios);
  for (let left = numRuns; left > 0; left -= RUNS_PER_CHECK)
    await checkModel(kit, { numRuns: Math.min(left, RUNS_PER_CHECK), examples: plays }, scenarios);
});
