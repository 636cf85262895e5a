// `npm test`: the types and the tests. `-- --servers` is the whole check, as CI runs it: also the docs pages, lint, format and unused
// code, the package in a consumer app, the guards of the stories and of the model, another compiler, the browser's caches, many
// sign-ins, and servers with a sign-in of their own.
// Prints each step as it ends, the full output of failed steps, then a line for each failed test, and as its last line the sum of the
// tests. Exits with 1 when anything
// failed, or when a step that should run tests ran none.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { ensureChromium } from './chromium.mjs';
import { checkMustFail } from './must-fail.mjs';
import { run } from './run.mjs';
import { buildStorybook, FULL_BUILD, runStories, TEST_BUILD } from './story-runner.mjs';

const REPORT_FOLDER = 'node_modules/.cache/data-client-auth';

const isWhole = process.argv.includes('--servers');

const build = isWhole ? FULL_BUILD : TEST_BUILD;

/** How many sequences the model and the other properties try: 1,000 in the whole check, fewer in the one for every change. */
const PROPERTY_RUNS = isWhole ? '1000' : '100';

/** Stories of more than a second each, such as those with ten thousand rows, are left to the whole check. */
const SKIPPED_STORIES = isWhole ? [] : ['--excludeTags', 'must-fail,slow'];

/** TypeScript 7 checks in a quarter of the time. Tools such as ESLint need TypeScript 6 for its API, and it builds the declarations. */
const TSC_7 = 'tests/consumer/compilers/7/node_modules/typescript/bin/tsc';
const typecheck = (...args) => check(run('node', [TSC_7, ...args]));

/** Checks without a browser, two at a time; then the stories, alone, so that nothing slows down what they wait for. */
const QUIET_LANES = [
  [
    ['unit tests', () => vitestTests('unit,isolated', { PROPERTY_RUNS, ...(!isWhole && { PLAYS: '100' }) })],
    ['typecheck', () => typecheck('--noEmit')],
    ['type tests', () => typecheck('-p', 'tests/types')],
    ['example', () => typecheck('-p', 'examples/issue-tracker')],
    ...inWholeCheck(
      ['broken modules', () => vitestTests('broken-modules')],
      ['slow unit tests', () => vitestTests('slow-unit')],
      ['knip', () => check(run('knip', []))],
      ['format', () => check(run('prettier', ['--check', '.']))],
      // The package's build compiles `src` with it; these are the types as a user meets them.
      ['typescript 6', () => check(run('tsc', ['-p', 'tests/types']))],
    ),
  ],
  [
    ['storybook build', () => check(buildStorybook(build))],
    ...inWholeCheck(
      ['lint', () => check(run('eslint', ['.', '--max-warnings', '0']))],
      ['package', packageCheck],
      ['consumer app', () => vitestTests('consumer')],
    ),
  ],
];
const BROWSER_LANE = [
  ['stories', storyTests],
  ['browser tests', () => vitestTests('browser', { STORYBOOK_FOLDER: build.folder })],
  ...inWholeCheck(
    ['must fail', () => checkMustFail(build)],
    ['slow browser', () => vitestTests('slow-browser')],
    ['real servers', () => vitestTests('servers')],
  ),
];

const results = [];
console.log('Each step is named when it ends; the stories take longest.');
try {
  ensureChromium();
  // For what the headless shell lacks, as the back/forward cache.
  if (isWhole) ensureChromium({ full: true });
  await Promise.all(QUIET_LANES.map(runLane));
  await runLane(wasBuilt() ? BROWSER_LANE : BROWSER_LANE.map(([name]) => [name, notBuilt]));
} catch (error) {
  results.push({ name: 'test', passed: 0, failed: 1, output: error.message });
}
report();

function inWholeCheck(...steps) {
  return isWhole ? steps : [];
}

function wasBuilt() {
  return results.some(result => result.name === 'storybook build' && isGood(result));
}

async function notBuilt() {
  return { passed: 0, failed: 1, output: 'Not run: the Storybook was not built.' };
}

async function runLane(steps) {
  for (const [name, step] of steps) {
    const start = Date.now();
    const result = { name, ...(await step().catch(error => ({ passed: 0, failed: 1, output: error.stack }))) };
    results.push(result);
    const seconds = ((Date.now() - start) / 1000).toFixed(1).padStart(5);
    const verdict = isGood(result) ? 'ok    ' : 'FAILED';
    console.log(`${verdict}  ${name.padEnd(16)} ${seconds} s  ${result.passed} passed, ${result.failed} failed`);
  }
}

function report() {
  for (const { name, output } of results.filter(result => !isGood(result))) console.log(`\n--- ${name} ---\n${output}`);
  const sum = key => results.reduce((total, result) => total + result[key], 0);
  const failed = sum('failed') + results.filter(ranNothing).length;
  process.exitCode = failed ? 1 : 0;
  // Once more at the end: a log may be cut at its start.
  for (const { name, failures = [] } of results.filter(result => !isGood(result)))
    for (const failure of failures.length ? failures : ['(see its output)']) console.log(`failed: ${name} ${failure}`);
  console.log(`\n${sum('passed')} passed, ${failed} failed`);
}

function isGood(result) {
  return result.failed === 0 && !ranNothing(result);
}

function ranNothing({ passed, failed }) {
  return passed + failed === 0;
}

async function check(command) {
  const { ok, output } = await command;
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, output };
}

/** @param {string} projects of vite.config.ts, with commas between them */
async function vitestTests(projects, env = {}) {
  const file = `${REPORT_FOLDER}/${projects}.json`;
  await mkdir(REPORT_FOLDER, { recursive: true });
  await rm(file, { force: true });
  const selection = projects.split(',').map(project => `--project=${project}`);
  const args = ['run', ...selection, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { ok, output } = await run('vitest', args, env);
  const report = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
  const { numPassedTests: passed = 0, numFailedTests: failed = 0, testResults = [] } = report;
  const failures = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName);
  return { passed, failed: ok ? failed : Math.max(failed, 1), failures, output };
}

/** `npm pack` builds the package first (`prepack`). */
async function packageCheck() {
  await rm('dist', { recursive: true, force: true });
  return checkAll([
    ['attw', ['--pack', '--profile', 'esm-only']],
    ['publint', ['--strict']],
  ]);
}

/** Runs one command after the other, up to the first that fails. */
async function checkAll(steps) {
  const all = { passed: 0, failed: 0, output: '' };
  for (const [command, args, env] of steps) {
    const { passed, failed, output } = await check(run(command, args, env));
    all.passed += passed;
    all.failed += failed;
    all.output += `${command} ${args.join(' ')}\n${output}\n`;
    if (failed) break;
  }
  return all;
}

async function storyTests() {
  const { ok, stories, brokenFiles, output } = await runStories('stories', build, ['--index-json', ...SKIPPED_STORIES]);
  const passed = stories.filter(story => story.passed).length;
  const failed = stories.length - passed + brokenFiles;
  return {
    passed,
    failed: ok ? failed : Math.max(failed, 1),
    failures: stories.filter(story => !story.passed).map(story => story.title),
    output: stories.length ? output : `${output}\nNo story was tested.`,
  };
}
