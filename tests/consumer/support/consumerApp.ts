import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, resolve } from 'node:path';
import { promisify } from 'node:util';

/** What the package asks of its user, and what it brings: nothing else can be found from it. */
const RUNTIME = ['react', 'react-dom', '@data-client/react', '@data-client/rest', '@tanstack/react-virtual'];
/** What a Vite and React app has of its own to be built and checked. */
const TOOLS = ['vite', '@vitejs/plugin-react', '@types/react', '@types/react-dom'];

export interface ConsumerAppOptions {
  /** The folder in `tests/consumer` that has the app. */
  source: string;
  /** What the app has installed besides. */
  modules?: readonly string[];
  /** A patch of the app, for `git apply`. */
  patch?: string;
  /** Without the package: an app that does not use it yet. */
  withoutPackage?: boolean;
}

/**
 * A folder outside of this project with a consumer's app, which has unpacked the published package and installed its peers.
 *
 * The peers are this project's own, linked one by one, since tests ask no registry.
 */
export function consumerApp({ source, modules = [], patch, withoutPackage = false }: ConsumerAppOptions) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'consumer-app-')));
  cpSync(join(import.meta.dirname, '..', source), folder, { recursive: true });
  // Without a repository around the folder, so that the paths of the patch begin there.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) };
  if (patch) execFileSync('git', ['apply', patch], { cwd: folder, env });
  const installed = join(folder, 'node_modules');
  mkdirSync(installed);
  if (!withoutPackage) unpack(folder, join(installed, 'data-client-auth'));

  for (const name of [...RUNTIME, ...TOOLS, ...modules]) {
    mkdirSync(dirname(join(installed, name)), { recursive: true });
    symlinkSync(resolve('node_modules', name), join(installed, name), 'junction');
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Packs the built package, and unpacks it there. */
function unpack(folder: string, place: string): void {
  if (!existsSync('dist/index.js'))
    throw new Error('There is no package to unpack. Build it with `npm run build`, or run `npm test`, which does.');
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      encoding: 'utf8',
      shell: process.platform === 'win32',
    }),
  ) as [{ filename: string }];
  execFileSync('tar', ['-xzf', packed.filename], { cwd: folder });
  renameSync(join(folder, 'package'), place);
}

/** The lines of a compiler that name an error in an app. */
export async function typeErrors(folder: string, compiler: string, ...args: string[]): Promise<string[]> {
  const command = [resolve(compiler, 'bin/tsc'), '-p', '.', '--pretty', 'false', ...args];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: folder }).catch(
    (failed: { stdout: string }) => failed,
  );
  return stdout.split('\n').filter(line => /error TS\d+/.test(line));
}

/** Every module that an entry loads: the files of the package by their paths below `dist`, the others by their names. */
export function loadedBy(dist: string, file: string, seen = new Set<string>()): Set<string> {
  for (const [, name = ''] of readFileSync(join(dist, file), 'utf8').matchAll(
    /^(?:import|export)\b[^'"]*["']([^'"]+)["']/gm,
  )) {
    const loaded = name.startsWith('.') ? `./${posix.join(posix.dirname(file), name)}` : name;
    if (seen.has(loaded)) continue;
    seen.add(loaded);
    if (loaded.startsWith('./')) loadedBy(dist, loaded, seen);
  }
  return seen;
}
