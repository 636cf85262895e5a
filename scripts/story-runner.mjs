// Builds the static Storybook, and runs the test runner on it.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { run } from './run.mjs';
import { ensureChromium } from './chromium.mjs';
import { serve } from './serve.mjs';

const REPORT_FOLDER = 'node_modules/.cache/data-client-auth';

/** Long enough for a whole list of requests in a failure message; the runner's own limit is 1000. */
const MESSAGE_LIMIT = '20000';

/** The Storybook of its readers. */
export const FULL_BUILD = { folder: 'storybook-static', options: [] };

/** The stories without the docs pages. Storybook builds it in less than half of the time. */
export const TEST_BUILD = { folder: `${REPORT_FOLDER}/storybook`, options: ['--test'] };

export const buildStorybook = ({ folder, options }) =>
  run('storybook', ['build', ...options, '--quiet', '--output-dir', folder], { STORYBOOK_DISABLE_TELEMETRY: '1' });

/**
 * @param {string} name of the run, for its report file
 * @param {{ folder: string }} build
 * @param {string[]} args for the test runner; with `--index-json`, stories of one title share a page
 * @returns `ok`, what was printed, and one entry of `stories` for each story that ran
 */
export async function runStories(name, build, args) {
  ensureChromium();
  const report = `${REPORT_FOLDER}/${name}.json`;
  await mkdir(REPORT_FOLDER, { recursive: true });
  await rm(report, { force: true });
  const server = await serve(build.folder);
  try {
    // Jest's cache does not notice when tags or settings change what a story file becomes. In index mode the runner generates the tests.
    const selection = args.includes('--index-json') ? args : ['--no-cache', ...args];
    const { ok, output } = await run(
      'test-storybook',
      ['--url', server.url, '--maxWorkers', '2', '--json', '--outputFile', report, ...selection],
      { DEBUG_PRINT_LIMIT: MESSAGE_LIMIT },
    );
    return { ok, ...(await readReport(report)), output: withoutJson(output) };
  } finally {
    await server.close();
  }
}

async function readReport(file) {
  try {
    const { testResults } = JSON.parse(await readFile(file, 'utf8'));
    const results = testResults.flatMap(suite => suite.assertionResults);
    const stories = results
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ ancestorTitles, status, failureMessages }) => ({
        title: ancestorTitles.join(' / '),
        name: ancestorTitles.at(-1),
        passed: status === 'passed',
        message: failureMessages.join('\n').replace(/\u001b\[\d+m/g, ''),
      }));
    const brokenFiles = testResults.filter(suite => suite.status === 'failed' && suite.assertionResults.length === 0);
    return { stories, brokenFiles: brokenFiles.length };
  } catch {
    return { stories: [], brokenFiles: 1 };
  }
}

/** Jest also prints its whole report as one line of JSON. */
const withoutJson = output => output.replace(/^\{"numFailedTestSuites".*$/gm, '');
