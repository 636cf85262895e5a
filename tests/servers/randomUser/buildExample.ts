import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import type { Variant } from './faultyServer.js';

/** Builds the example for development, where React and the kit warn, into a folder of its own. Resolves with the folder. */
export async function buildExample(variant: Variant): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'random-user-'));
  const before = process.env.NODE_ENV;
  // Bundlers and React read the mode from the environment, which says `test` here.
  process.env.NODE_ENV = 'development';
  try {
    await build({
      root: join(import.meta.dirname, '../../../examples/issue-tracker'),
      mode: variant === 'cookie' ? 'cookie' : 'development',
      logLevel: 'error',
      build: {
        outDir,
        chunkSizeWarningLimit: 10_000,
        // In one file: data-client loads its button of the devtools later, and offline that would fail.
        rolldownOptions: { output: { codeSplitting: false } },
      },
    });
  } finally {
    process.env.NODE_ENV = before;
  }
  return outDir;
}
