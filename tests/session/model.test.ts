import { test } from 'vitest';
import * as index from '../../src/index.js';
import { bindEndpoint } from '../../src/endpoints/bindEndpoint.js';
import { bindSession } from '../../src/endpoints/boundSession.js';
import { authInitOf } from '../../src/endpoints/useAuthInit.js';
import { createContextSession } from '../../src/mechanisms/createContextSession.js';
import { checkModel } from './support/model.js';
import type { Cast } from './support/modelSessions.js';

// Set by `npm run test:model`.
const { MODEL_RUNS, MODEL_SEED, MODEL_CAST } = process.env;
const numRuns = Number(MODEL_RUNS ?? 1_000);
const casts = MODEL_CAST === undefined ? undefined : [MODEL_CAST as Cast];
// A long run takes as long as it takes.
const timeout = MODEL_RUNS === undefined ? 120_000 : 0;

test(`whatever happens to two sessions of three people, the promises hold (${numRuns} runs)`, { timeout }, () =>
  checkModel({ ...index, createContextSession, bindEndpoint, bindSession, authInitOf }, { numRuns, ...(MODEL_SEED !== undefined && { seed: Number(MODEL_SEED) }) }, casts));
