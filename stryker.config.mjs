// `npm run test:mutation`: see docs/mutation-testing.md.

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: ['src/{session,mechanisms,stepUp,endpoints}/**/*.ts', '!src/**/*.test.ts'],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts' },
  plugins: ['@stryker-mutator/vitest-runner'],
  coverageAnalysis: 'perTest',
  // A mutant that times out counts as killed: with Stryker's 5 s, survivors with many tests did on a busy machine.
  timeoutMS: 30_000,
  // Some tests read the sources as text, and Vitest checks no types.
  disableTypeChecks: false,
  // Not below node_modules: Vitest would take the copy there for a package, and not compile it.
  tempDirName: 'reports/mutation/sandbox',
  ignorePatterns: ['/dist', '/storybook-static', '/coverage', '/reports'],
  reporters: ['clear-text', 'progress', 'html', 'json'],
  clearTextReporter: { logTests: false, reportTests: false },
  htmlReporter: { fileName: 'reports/mutation/index.html' },
  jsonReporter: { fileName: 'reports/mutation/mutation.json' },
  thresholds: { high: 95, low: 85, break: 80 },
};
