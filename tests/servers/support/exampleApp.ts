import { execFile, spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { test as browserTest } from '../../browser/support/test.js';

const FOLDER = resolve('examples/issue-tracker');

/** Bundlers and React read the mode from the environment, which says `test` here. */
const env = { ...process.env, NODE_ENV: undefined, FORCE_COLOR: undefined, NO_COLOR: '1' };

export interface ExampleApp {
  readonly url: string;
  /** The requests that the server has answered, as it prints them: `GET /api/issues  ada  200`. */
  requests(): string[];
}

interface Fixtures {
  /** Runs an npm script of the example on a free port; it stops with the test. */
  run: (script: string, ...args: string[]) => Promise<ExampleApp>;
  /** Builds the example for a mode, once for all tests of a file. Resolves with the folder. */
  build: (mode: string) => Promise<string>;
  /** Serves the built example, with a server of the test's own. */
  serveBuilt: (mode: string) => Promise<ExampleApp>;
}

/** Tests of the example in `examples/issue-tracker`, with its own server. */
export const test = browserTest.extend<Fixtures>({
  run: async ({}, give) => {
    const children: ChildProcess[] = [];
    await give((script, ...args) => {
      // In a group of its own: npm starts a shell, and that starts Vite.
      const command = ['run', script, '--', '--port', '0', ...args];
      const child = spawn('npm', command, { cwd: FOLDER, env, detached: true, stdio: 'pipe' });
      children.push(child);
      return untilListening(child);
    });
    await Promise.all(children.map(stop));
  },
  build: [
    async ({}, give) => {
      const folder = await mkdtemp(join(tmpdir(), 'issue-tracker-'));
      const built = new Map<string, Promise<unknown>>();
      await give(async mode => {
        const outDir = join(folder, mode);
        const args = ['build', '--mode', mode, '--outDir', outDir];
        if (!built.has(mode))
          built.set(mode, promisify(execFile)(resolve('node_modules/.bin/vite'), args, { cwd: FOLDER, env }));
        await built.get(mode);
        return outDir;
      });
      await rm(folder, { recursive: true });
    },
    { scope: 'file' },
  ],
  serveBuilt: async ({ run, build }, give) => {
    await give(async mode => run('preview', '--mode', mode, '--outDir', await build(mode)));
  },
});

/** Resolves when the server has printed its address. */
async function untilListening(child: ChildProcessWithoutNullStreams): Promise<ExampleApp> {
  let output = '';
  const url = new Promise<string>((found, fail) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const address = /http:\/\/localhost:\d+/.exec(output)?.[0];
      if (address) found(address);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', fail);
    child.once('exit', code => fail(new Error(`The server ended with ${code}:\n${output}`)));
  });
  return {
    url: await url,
    requests: () => output.split('\n').filter(line => /^[A-Z]+ \/api\//.test(line)),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise(done => child.once('close', done));
  process.kill(-child.pid);
  await ended;
}
