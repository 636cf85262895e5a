// `npm run test:model -- --runs 100000`: runs the model of the sessions alone, without a time limit. `--seed` repeats a failed run: the
// failure names its seed. `--scenario tabs` runs one kind of sessions only: separate, tabs, cookie tabs, cookie or context.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const SCENARIOS = ['separate', 'tabs', 'cookie tabs', 'cookie', 'context'];
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '100000' }, seed: { type: 'string' }, scenario: { type: 'string' } },
});
if (!(Number.isSafeInteger(Number(values.runs)) && Number(values.runs) > 0))
  throw new TypeError('--runs takes a number above 0.');
if (values.seed !== undefined && !Number.isSafeInteger(Number(values.seed)))
  throw new TypeError('--seed takes the number that a failure has named.');
if (values.scenario !== undefined && !SCENARIOS.includes(values.scenario))
  throw new TypeError(`--scenario takes one of ${SCENARIOS.join(', ')}.`);

const env = {
  ...process.env,
  MODEL_RUNS: values.runs,
  ...(values.seed !== undefined && { MODEL_SEED: values.seed }),
  ...(values.scenario !== undefined && { MODEL_SCENARIO: values.scenario }),
};
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'tests/session/model.test.ts'],
  { stdio: 'inherit', env },
);
process.exitCode = status ?? 1;
