// `npm run test:stories`: builds the stories and runs every example and every proof. Arguments go to the test runner. `--built` as the
// first argument uses the last build of this script or of `npm test`.
import { buildStorybook, runStories, TEST_BUILD } from './story-runner.mjs';

const args = process.argv.slice(2);
if (args[0] === '--built') args.shift();
else await build();

const { ok, output, stories } = await runStories('stories', TEST_BUILD, args.length > 0 ? args : ['--index-json']);
console.log(output);
if (stories.length === 0) console.log('No story was tested.');
process.exitCode = ok && stories.length > 0 ? 0 : 1;

async function build() {
  const { ok, output } = await buildStorybook(TEST_BUILD);
  if (ok) return;
  console.log(output);
  process.exit(1);
}
