import react from '@vitejs/plugin-react';
import { build } from 'vite';

/** Builds the page of a folder. Bundlers and the React plugin read the mode from the environment, which says `test` here. */
export async function buildApp(root: string, mode: 'production' | 'development', outDir: string): Promise<void> {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = mode;
  try {
    await build({
      configFile: false,
      root,
      mode,
      plugins: [react()],
      logLevel: 'error',
      publicDir: false,
      build: {
        outDir,
        emptyOutDir: true,
        target: 'es2022',
        chunkSizeWarningLimit: 2_000,
        modulePreload: { polyfill: false },
      },
    });
  } finally {
    process.env.NODE_ENV = before;
  }
}
