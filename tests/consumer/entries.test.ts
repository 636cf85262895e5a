// Each entry of the package, alone: what it loads, and where.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build, type Rollup } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consumerApp, loadedBy } from './support/consumerApp.js';

const DATA_CLIENT = ['@data-client/react', '@data-client/rest'];
const REACT = ['react', 'react/jsx-runtime'];

interface Entry {
  /** What it asks its user to have installed. */
  readonly loads: readonly string[];
  /** A server component may run it. The others are a client boundary there. */
  readonly onServer?: true;
}

const ENTRIES: Readonly<Record<string, Entry>> = {
  '.': { loads: [...DATA_CLIENT, ...REACT] },
  './core': { loads: ['@data-client/rest'], onServer: true },
  './widgets': { loads: [...DATA_CLIENT, '@tanstack/react-virtual', ...REACT, 'react-dom'] },
  './lock': { loads: ['@data-client/rest', ...REACT] },
  './step-up': { loads: ['@data-client/rest', ...REACT, 'react-dom'] },
  './clock': { loads: ['@data-client/rest', ...REACT] },
  './permissions': { loads: ['@data-client/rest', ...REACT] },
  './managers': { loads: ['@data-client/react'] },
  './files': { loads: REACT },
  './live': { loads: [] },
  './accounts': { loads: ['@data-client/react', ...REACT] },
  './testing': { loads: ['msw'], onServer: true },
};

let app: ReturnType<typeof consumerApp>;
beforeAll(() => {
  app = consumerApp({ source: 'app', modules: ['msw'] });
});
afterAll(() => app?.remove());

const installed = (...path: string[]) => join(app.folder, 'node_modules/data-client-auth', ...path);
const manifest = () =>
  JSON.parse(readFileSync(installed('package.json'), 'utf8')) as {
    exports: Record<string, { default: string } | string>;
  };
const fileOf = (entry: string) => (manifest().exports[entry] as { default: string }).default.replace('./dist/', '');
const nameOf = (entry: string) => entry.replace('.', 'data-client-auth');

test('each entry of the package is in this table', () => {
  const others = /^\.\/(storybook\/|styles\.css$|package\.json$)/;
  expect(Object.keys(manifest().exports).filter(name => !others.test(name))).toEqual(Object.keys(ENTRIES));
});

describe.each(Object.entries(ENTRIES))('data-client-auth %s', (entry, { loads, onServer }) => {
  const files = () => [fileOf(entry), ...loadedBy(installed('dist'), fileOf(entry))];
  const textOf = (file: string) => readFileSync(installed('dist', file), 'utf8');

  test('loads its peers and no built-in module of Node', () => {
    const foreign = files()
      .slice(1)
      .filter(name => !name.startsWith('.'));
    expect(foreign.filter(name => name.startsWith('node:') || builtinModules.includes(name))).toEqual([]);
    expect(foreign.sort()).toEqual([...loads].sort());
  });

  test.runIf(onServer)('is no client boundary', () => {
    for (const file of files().filter(name => !/^[^.]/.test(name))) expect(textOf(file)).not.toContain('use client');
  });

  test.skipIf(onServer)('is a client boundary for server components', () => {
    expect(textOf(fileOf(entry))).toMatch(/^(["'])use client\1;/);
  });

  test.each([
    ['Node', []],
    ...(onServer ? [['a server component', ['--conditions=react-server']] as const] : []),
  ] as const)('can be imported alone in %s', async (_, conditions) => {
    const code = `console.log(typeof (await import('${nameOf(entry)}')))`;
    const args = [...conditions, '--input-type=module', '--eval', code];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: app.folder });
    expect([stdout.trim(), stderr]).toEqual(['object', '']);
  });

  test('can be imported alone in a Vite app, and docs/entries.md says its size', async () => {
    const input = join(app.folder, 'alone.js');
    writeFileSync(input, `import * as entry from '${nameOf(entry)}';\nglobalThis.entry = { ...entry };\n`);
    const warnings: string[] = [];
    const result = await build({
      root: app.folder,
      configFile: false,
      logLevel: 'error',
      build: {
        write: false,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input,
          external: [/^react/, /^@data-client/, /^@tanstack/, /^msw/],
          onLog: (_, { code, message }) => void (code === 'MODULE_LEVEL_DIRECTIVE' || warnings.push(message)),
        },
      },
    });
    const [{ output }] = [result].flat() as [Rollup.RollupOutput];
    expect([warnings, output]).toEqual([[], [expect.objectContaining({ type: 'chunk' })]]);
    const kilobytes = gzipSync(output[0].code).length / 1024;
    const [, said] =
      new RegExp(`\`${nameOf(entry)}\`\n\n(\\d+) KB\n`).exec(readFileSync('docs/entries.md', 'utf8')) ?? [];
    // The page need not follow each change.
    expect(Math.abs(Number(said) - kilobytes), `${kilobytes} KB`).toBeLessThan(1);
  });
});
