import { test } from 'vitest';
import * as index from '../../src/index.js';
import { bindEndpoint } from '../../src/endpoints/bindEndpoint.js';
import { bindSession } from '../../src/endpoints/boundSession.js';
import { authInitOf } from '../../src/endpoints/useAuthInit.js';
import { createContextSession } from '../../src/mechanisms/context/createContextSession.js';
import { checkModel, type Play } from './support/model.js';
import type { Scenario } from './support/modelSessions.js';

// The MODEL_ ones are set by `npm run test:model`.
const { MODEL_RUNS, MODEL_SEED, MODEL_SCENARIO, PROPERTY_RUNS } = process.env;
const numRuns = Number(MODEL_RUNS ?? PROPERTY_RUNS ?? 1_000);
const scenarios = MODEL_SCENARIO === undefined ? undefined : [MODEL_SCENARIO as Scenario];
// A long run takes as long as it takes.
const timeout = MODEL_RUNS === undefined ? 120_000 : 0;

/** A sign-out removes a login of the other tab, which a refresh of that tab changes while it looks whether it is still stored. */
const refreshedLogin: Play = {
  scenario: 'tabs',
  variant: true,
  locks: false,
  restores: false,
  random: 0,
  latencies: [30],
  steps: [
    [{ type: 'wait', ms: 10_000 }, ''],
    [{ type: 'login', session: 0, person: 'ada' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'login', session: 1, person: 'ada' }, ''],
    [{ type: 'logout', session: 0 }, ''],
    [{ type: 'deliver', which: 0 }, ''],
    [{ type: 'wait', ms: 100 }, ''],
    [{ type: 'answer', which: 2, outcome: 'answered' }, ''],
    [{ type: 'refresh', session: 0 }, ''],
    [{ type: 'wait', ms: 50 }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'earlier screen' }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, 'and at once'],
    [{ type: 'login', session: 1, person: 'ada' }, ''],
    [{ type: 'answer', which: 6, outcome: '401' }, ''],
    [{ type: 'refresh', session: 1 }, ''],
  ],
};

/** A login is answered in the moment between the last comparison of a refresh and its new credential. */
const loginDuringRefresh: Play = {
  scenario: 'tabs',
  variant: false,
  locks: false,
  restores: false,
  random: 0,
  latencies: [],
  steps: [
    [{ type: 'login', session: 1, person: 'bob' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'wait', ms: 10_000 }, ''],
    [{ type: 'refresh', session: 1 }, ''],
    [{ type: 'wait', ms: 5_000 }, ''],
    [{ type: 'request', session: 1, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'wait', ms: 100 }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, 'and at once'],
    [{ type: 'login', session: 1, person: 'ada' }, 'and at once'],
    [{ type: 'refresh', session: 0 }, 'and at once'],
  ],
};

/**
 * Two tabs sign in within one millisecond, and the later login is stored again without the lock, which does not come in time. At that moment
 * the other tab removes its own login, which the server has refused.
 */
const removedUnseen: Play = {
  scenario: 'tabs',
  variant: false,
  locks: false,
  restores: false,
  random: 794805883,
  latencies: [50, 50, 0, 30, 0, 50],
  steps: [
    [{ type: 'wait', ms: 50 }, ''],
    [{ type: 'wait', ms: 50 }, ''],
    [{ type: 'login', session: 1, person: 'ada' }, ''],
    [{ type: 'refresh', session: 0 }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'refresh', session: 1 }, ''],
    [{ type: 'login', session: 0, person: 'ada' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'wait', ms: 5_000 }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'wait', ms: 100 }, ''],
    [{ type: 'wait', ms: 5_000 }, ''],
    [{ type: 'deliver', which: 0 }, ''],
  ],
};

/** A session reads the storage before a sign-out of the other tab, and listens to that tab after it. */
const signOutDuringCheck: Play = {
  scenario: 'tabs',
  variant: true,
  locks: false,
  restores: false,
  random: 0,
  latencies: [],
  steps: [
    [{ type: 'login', session: 0, person: 'ada' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'wait', ms: 50 }, ''],
    [{ type: 'dispose', session: 1 }, ''],
    [{ type: 'refresh', session: 1 }, 'and at once'],
    [{ type: 'logout', session: 0 }, 'and at once'],
  ],
};

/** The server answers a check at the end of its time. A sign-out of the other tab waits until a slow storage has the result. */
const restoredAtTheTimeout: Play = {
  scenario: 'tabs',
  variant: true,
  locks: false,
  restores: true,
  random: 0,
  latencies: [0, 10, 50],
  steps: [
    [{ type: 'login', session: 1, person: 'ada' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'wait', ms: 10_000 }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'logout', session: 1 }, ''],
    [{ type: 'deliver', which: 0 }, ''],
  ],
};

/** A page is shown again while its cookie login is under way, and the next login is called as the connection of the first one is lost. */
const shownDuringLogin: Play = {
  scenario: 'cookie',
  variant: false,
  locks: false,
  restores: false,
  random: 0,
  latencies: [],
  steps: [
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'login', session: 0, person: 'ada' }, ''],
    [{ type: 'logout', session: 0 }, ''],
    [{ type: 'show again', person: 'ada' }, 'and at once'],
    [{ type: 'login', session: 0, person: 'cy' }, ''],
    [{ type: 'answer', which: 1, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 1, outcome: 'kept' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, ''],
    [{ type: 'request', session: 0, mutation: true, abortable: false, from: 'module' }, ''],
  ],
};
/** A session is disposed of while its cookie login is under way, and the next login overtakes it on the server. */
const loginAfterDispose: Play = {
  scenario: 'cookie',
  variant: false,
  locks: false,
  restores: false,
  random: 0,
  latencies: [],
  steps: [
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'login', session: 0, person: 'ada' }, ''],
    [{ type: 'dispose', session: 0 }, ''],
    [{ type: 'login', session: 0, person: 'cy' }, ''],
    [{ type: 'answer', which: 1, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
  ],
};
/** After a sign-out that the server has not confirmed, the user asks for a check; its answer finds a page that was shown again meanwhile. */
const checkedBeforeTheFreeze: Play = {
  scenario: 'cookie',
  variant: false,
  locks: false,
  restores: false,
  random: 0,
  latencies: [],
  steps: [
    [{ type: 'logout', session: 0 }, ''],
    [{ type: 'wait', ms: 10_000 }, ''],
    [{ type: 'show again', person: 'ada' }, ''],
    [{ type: 'refresh', session: 0 }, ''],
    [{ type: 'answer', which: 0, outcome: 'challenged' }, ''],
    [{ type: 'answer', which: 0, outcome: 'answered' }, ''],
    [{ type: 'show again', person: null }, ''],
    [{ type: 'request', session: 0, mutation: false, abortable: false, from: 'module' }, ''],
  ],
};
/** After a sign-out that the server has not confirmed, a login is answered as the page is shown again, with the cookie of another user. */
const loginBeforeTheFreeze: Play = {
  scenario: 'cookie',
  variant: false,
  locks: false,
  restores: false,
  random: 0,
  latencies: [],
  steps: [
    [{ type: 'logout', session: 0 }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
    [{ type: 'login', session: 0, person: 'ada' }, ''],
    [{ type: 'answer', which: 0, outcome: '503' }, ''],
    [{ type: 'answer', which: 0, outcome: 'challenged' }, ''],
    [{ type: 'answer', which: 0, outcome: 'kept' }, 'and at once'],
    [{ type: 'show again', person: 'cy' }, ''],
    [{ type: 'request', session: 0, mutation: true, abortable: false, from: 'module' }, ''],
    [{ type: 'answer', which: 0, outcome: '401' }, ''],
  ],
};
const examples: [Play][] = [
  [refreshedLogin],
  [loginDuringRefresh],
  [removedUnseen],
  [signOutDuringCheck],
  [restoredAtTheTimeout],
  [shownDuringLogin],
  [loginAfterDispose],
  [checkedBeforeTheFreeze],
  [loginBeforeTheFreeze],
];

/** The first runs of a check prefer extreme values, so many short checks find more than a long one. */
const RUNS_PER_CHECK = 200;

test(`whatever happens to two sessions of three people, the promises hold (${numRuns} runs)`, { timeout }, async () => {
  const kit = { ...index, createContextSession, bindEndpoint, bindSession, authInitOf };
  if (MODEL_SEED !== undefined) return checkModel(kit, { numRuns, examples, seed: Number(MODEL_SEED) }, scenarios);
  for (let left = numRuns; left > 0; left -= RUNS_PER_CHECK)
    await checkModel(kit, { numRuns: Math.min(left, RUNS_PER_CHECK), examples }, scenarios);
});
