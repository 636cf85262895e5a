// The tests that `npm run test:mutation` runs on every mutant: the unit tests, made small. See docs/mutation-testing.md.
import { defineConfig } from 'vitest/config';
import { unit } from './vite.config.js';

const { MODEL_RUNS = '50', MODEL_SEED = '1', PROPERTY_RUNS = '25' } = process.env;

export default defineConfig({
  test: {
    ...unit,
    // The first breaks modules itself, and loads the kit again for each break. The others compile, or measure what was built. They are
    // slow, and they say nothing about a mutant.
    exclude: [
      ...unit.exclude,
      'tests/session/brokenModules.test.ts',
      'tests/{docs,bench}/**',
      'tests/{readme,styles}.test.ts',
      'tests/widgets/virtualizer.test.ts',
    ],
    // The model runs the same sequences always. The other properties run few, and others each time.
    env: { MODEL_RUNS, MODEL_SEED, PROPERTY_RUNS },
  },
});
