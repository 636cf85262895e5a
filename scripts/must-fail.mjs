// `npm run test:must-fail`: proves that the guards of the stories work. Every story of stories/must-fail must fail with its own
// reason and no other. A story that passes or is missing fails this run. `--built` uses the last build of `npm run test:stories` or `npm test`.
import { pathToFileURL } from 'node:url';
import { buildStorybook, runStories, TEST_BUILD } from './story-runner.mjs';

/** Story name -> the reason that its failure must give. */
const REASONS = {
  UnhandledRequest: /unhandled request: GET \S+\/nobody-answers/,
  UnansweredRequest: /request without an answer: GET \S+\/never-answered/,
  ConsoleError: /console error: this story complains/,
  AccessibilityViolation: /image-alt/,
  LeakedCookie: /leaked cookie: left-behind/,
  JournalMismatch: /\+ GET \S+\/sent-without-being-expected/,
  FailingAssertion: /this text is not there/,
  ForgottenAwait: /Write `await expect\(journal\)\.toHaveSent\(.*`[^]*- GET \/never-sent/,
  ForgottenAwaitInThePlay: /Write `await expect\(journal\)\.toHaveSent\(.*`[^]*Expected other requests than these/,
};

/**
 * @param {{ folder: string }} build
 * @returns {Promise<{ passed: number, failed: number, output: string }>}
 */
export async function checkMustFail(build) {
  const { stories, output } = await runStories('must-fail', build, ['must-fail', '--includeTags', 'must-fail']);
  const names = new Set([...Object.keys(REASONS), ...stories.map(story => story.name)]);
  const verdicts = [...names].map(name => [
    name,
    complaint(
      name,
      stories.filter(story => story.name === name),
    ),
  ]);
  const lines = verdicts.map(([name, wrong]) =>
    wrong ? `not ok  ${name}: ${wrong}` : `ok      ${name} failed as it must`,
  );
  const failed = verdicts.filter(([, wrong]) => wrong).length;
  return { passed: verdicts.length - failed, failed, output: `${failed ? output : ''}${lines.join('\n')}\n` };
}

function complaint(name, [story, another]) {
  const reason = REASONS[name];
  if (!reason) return 'scripts/must-fail.mjs knows no reason for it';
  if (!story) return 'the story was not run';
  if (another) return 'two stories have this name';
  if (story.passed) return 'it passed';
  if (!reason.test(story.message)) return `it failed for another reason than ${reason}`;
  const other = Object.entries(REASONS).find(([key, pattern]) => key !== name && pattern.test(story.message));
  return other && `it failed for the reason of ${other[0]} as well`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const build = process.argv.includes('--built') ? { ok: true } : await buildStorybook(TEST_BUILD);
  const { failed, output } = build.ok ? await checkMustFail(TEST_BUILD) : { failed: 1, output: build.output };
  console.log(output);
  process.exitCode = failed ? 1 : 0;
}
