// The test runner's Jest settings, with the Chromium that this computer has.
import { getJestConfig } from '@storybook/test-runner';
import { chromiumOptions } from './scripts/chromium-options.mjs';
import { sharePages } from './scripts/share-pages.mjs';

const settings = getJestConfig();

/** Two at a time; four, so that the one that is done first takes another. */
const PAGES = 4;

// In index mode, which runs all stories, the runner has written its tests to this folder.
if (process.env.TEST_ROOT) sharePages(process.env.TEST_ROOT, PAGES);

const isMustFailRun = process.env.STORYBOOK_INCLUDE_TAGS === 'must-fail';

export default {
  ...settings,
  testTimeout: 20_000,
  testPathIgnorePatterns: ['/node_modules/', ...(isMustFailRun ? [] : ['<rootDir>/stories/must-fail/'])],
  testEnvironmentOptions: {
    'jest-playwright': {
      ...settings.testEnvironmentOptions['jest-playwright'],
      browsers: ['chromium'],
      launchOptions: chromiumOptions(),
    },
  },
};
