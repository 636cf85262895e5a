// `npm run test:model -- --runs 100000`: the model of the sessions alone, for as long as it takes. `--seed` repeats a run that
// failed: the failure names it.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '100000' }, seed: { type: 'string' } } });
if (!(Number.isSafeInteger(Number(values.runs)) && Number(values.runs) > 0)) throw new TypeError('--runs takes a number above 0.');
if (values.seed !== undefined && !Number.isSafeInteger(Number(values.seed))) throw new TypeError('--seed takes the number that a failure has named.');

const env = { ...process.env, MODEL_RUNS: values.runs, ...(values.seed !== undefined && { MODEL_SEED: values.seed }) };
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'tests/session/model.test.ts'], { stdio: 'inherit', env });
process.exitCode = status ?? 1;
