import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** What the package asks of its user, and what it brings: nothing else can be found from it. */
const RUNTIME = ['react', 'react-dom', '@data-client/react', '@data-client/rest', '@tanstack/react-virtual'];
/** What a Vite and React app has of its own to be built and checked. */
const TOOLS = ['vite', '@vitejs/plugin-react', '@types/react', '@types/react-dom'];

/**
 * A folder outside of this project with the app of a stranger, who has unpacked the published package and installed its peers.
 *
 * The peers are this project's own, linked one by one, since tests ask no registry.
 */
export function consumerApp(): { folder: string; remove: () => void } {
  if (!existsSync('dist/index.js'))
    throw new Error('There is no package to unpack. Build it with `npm run build`, or run `npm test`, which does.');
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'a-strangers-app-')));
  cpSync(join(import.meta.dirname, '../app'), folder, { recursive: true });
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);

  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      encoding: 'utf8',
      shell: process.platform === 'win32',
    }),
  ) as [{ filename: string }];
  execFileSync('tar', ['-xzf', packed.filename], { cwd: folder });
  renameSync(join(folder, 'package'), join(modules, 'data-client-auth'));

  for (const name of [...RUNTIME, ...TOOLS]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(resolve('node_modules', name), join(modules, name), 'junction');
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
