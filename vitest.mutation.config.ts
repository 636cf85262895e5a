// The tests that `npm run test:mutation` runs on every mutant: the unit tests, made small. See docs/mutation-testing.md.
import { defineConfig } from 'vitest/config';
import { unit } from './vite.config.js';

const { MODEL_RUNS = '100', MODEL_SEED = '1' } = process.env;

export default defineConfig({
  test: {
    ...unit,
    // Breaks modules itself, and loads the kit again for each break: slow, and it says nothing about a mutant.
    exclude: [...unit.exclude, 'tests/session/brokenModules.test.ts'],
    // Always the same sequences, so that a mutant which was killed once is killed again.
    env: { MODEL_RUNS, MODEL_SEED },
  },
});
