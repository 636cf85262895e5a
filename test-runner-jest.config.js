// The test runner's Jest settings, with the Chromium that this computer has.
import { getJestConfig } from '@storybook/test-runner';
import { chromiumOptions } from './scripts/chromium.mjs';

const settings = getJestConfig();

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
