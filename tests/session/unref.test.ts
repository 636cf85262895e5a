import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'script-'));
  const result = await build({
    configFile: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      lib: { entry: join(import.meta.dirname, 'support/script.ts'), formats: ['es'] },
    },
  });
  const { output } = [result].flat()[0] as { output: readonly { code?: string }[] };
  await writeFile(join(folder, 'script.mjs'), output[0]!.code!);
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  ['users stay signed in', [], 'authenticated authenticated authenticated'],
  ['users stay signed in, with channels', ['window'], 'authenticated authenticated authenticated'],
  ['users sign out', ['logout'], 'anonymous anonymous authenticated'],
])('a script of Node ends when it has nothing else to do: %s', async (_name, args, statuses) => {
  const run = promisify(execFile)(process.execPath, [join(folder, 'script.mjs'), ...args], { timeout: 5_000 });
  expect((await run).stdout).toBe(statuses);
});
