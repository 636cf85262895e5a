// `npm run bench`: measures the kit beside data-client and its peers. `-- --quick` takes three rounds and writes nothing,
// `-- --only rerender` measures one row, and `--keep` puts it into the last result; `-- --page` only generates the docs page again.
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';
import { ensureChromium } from './chromium.mjs';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
    only: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
if (!values.page) ensureChromium();
const { module } = await runnerImport('./tests/bench/run.ts', { configFile: false, logLevel: 'error' });
await module.run(values);
