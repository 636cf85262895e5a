// What a bundler makes of the package for somebody who imports a part of it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Rollup } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consumerApp } from './support/consumerApp.js';

let app: ReturnType<typeof consumerApp>;
beforeAll(() => {
  app = consumerApp({ source: 'app' });
});
afterAll(() => app?.remove());

/**
 * What a new Vite app's build makes of imports, without the peers, and its size in bytes after gzip. The names are those of the main entry,
 * and of others: `'useAuth', { widgets: 'LoginForm' }`; `*` is all that an entry has.
 */
async function bundle(names: string, others: Record<string, string> = {}): Promise<{ code: string; bytes: number }> {
  const entry = join(app.folder, 'entry.js');
  const lines = Object.entries({ '': names, ...others }).map(([name, imported], index) => {
    const from = `data-client-auth${name && '/'}${name}`;
    return imported === '*'
      ? `import * as all${index} from '${from}'; console.log(all${index});`
      : `import { ${imported} } from '${from}'; console.log(${imported});`;
  });
  writeFileSync(entry, lines.join('\n'));
  const { output } = (await build({
    root: app.folder,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: entry, external: [/^react/, /^@data-client/, /^@tanstack/] },
    },
  }).then(result => (Array.isArray(result) ? result[0] : result))) as Rollup.RollupOutput;
  const { code } = output[0];
  return { code, bytes: gzipSync(code).length };
}

const KB = 1024;
const WIDGETS = /dca-(list|form|detail|login)/;
/** The core knows the word `csrf-rejected`. */
const CSRF = /csrf(?!-rejected)/i;
const TABS = /BroadcastChannel/;
/** An app that uses no other entry. */
const APP = 'TokenAuthProvider, createTokenSession, useAuth, Authenticated';

test('only the files that package.json names do something when they are loaded', async () => {
  const folder = join(app.folder, 'node_modules/data-client-auth');
  const { sideEffects } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { sideEffects: string[] };
  const files = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.js'))
    .map(name => `./dist/${name.replaceAll('\\', '/')}`);
  const active: string[] = [];
  for (const file of files) {
    const entry = join(folder, file);
    const { output } = (await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        write: false,
        minify: true,
        rolldownOptions: {
          input: entry,
          preserveEntrySignatures: false,
          external: id => id !== entry,
          treeshake: { moduleSideEffects: true, propertyReadSideEffects: false, manualPureFunctions: ['styled'] },
        },
      },
    })) as Rollup.RollupOutput;
    // Texts do nothing, and stay in.
    const left = output[0].code.replace(/import[^;]*;|\b(?:var|const) |\w+=(?=["`])|"[^"]*"|`[^`]*`|[\s,;]/g, '');
    if (left !== '') active.push(file);
  }
  expect(files.length).toBeGreaterThan(100);
  expect(active.sort()).toEqual(sideEffects.filter(name => name.endsWith('.js')).sort());
});

test('each file asks for itself whether it runs in production: esbuild inlines no constant of another file', () => {
  const folder = join(app.folder, 'node_modules/data-client-auth/dist');
  expect(readdirSync(folder)).not.toContain('isDevelopment.js');
  expect(readFileSync(join(folder, 'endpoints/RestEndpoint.js'), 'utf8')).toMatch(
    /if \(process\.env\.NODE_ENV !== .production.\) warnOfAddress/,
  );
});

test('one endpoint brings no mechanism, provider or widget', async () => {
  const { code, bytes } = await bundle('RestEndpoint');
  expect(code).not.toMatch(WIDGETS);
  expect(code).not.toMatch(CSRF);
  expect(code).not.toMatch(TABS);
  expect(bytes).toBeLessThan(3.4 * KB);
});

test('one provider brings neither the widgets nor the other mechanisms', async () => {
  const { code, bytes } = await bundle('TokenAuthProvider, createTokenSession, hookifyResource, resource, useAuth');
  expect(code).not.toMatch(WIDGETS);
  expect(code).not.toMatch(CSRF);
  expect(code).toMatch(TABS);
  // Every session has its `fetch` and `reload`, every provider can host managers and read the user: no bundler can leave them out.
  expect(bytes).toBeLessThan(29 * KB);
});

test('an app without permissions does not bring them, with widgets or without', async () => {
  const PERMISSIONS = /permissions of .* questions/;
  expect((await bundle(APP, { widgets: '*' })).code).not.toMatch(PERMISSIONS);
  expect((await bundle(APP, { permissions: '*' })).code).toMatch(PERMISSIONS);
});

test('an app without a session clock does not bring it, with widgets or without', async () => {
  const CLOCK = /warn all the time|visibilitychange[^]*pointermove/;
  expect((await bundle(APP, { widgets: '*' })).code).not.toMatch(CLOCK);
  expect((await bundle(APP, { clock: '*' })).code).toMatch(CLOCK);
});

test('an app without challenges does not bring them, with widgets or without', async () => {
  const STEP_UP = /cannot answer a challenge/;
  expect((await bundle(APP, { widgets: '*' })).code).not.toMatch(STEP_UP);
  expect((await bundle(APP, { 'step-up': '*' })).code).toMatch(STEP_UP);
});

test('an app without a lock does not bring its screen and its timer', async () => {
  const LOCK = /dca-locked/;
  expect((await bundle(APP, { widgets: '*' })).code).not.toMatch(LOCK);
  expect((await bundle(APP, { lock: '*' })).code).toMatch(LOCK);
});

test.each([
  { entry: 'live', code: /4401/, kilobytes: 2.5 },
  { entry: 'files', code: /showSaveFilePicker|XMLHttpRequest|createObjectURL/, kilobytes: 2.7 },
])('an app without /$entry does not bring it; with it, it pays at most $kilobytes KB', async each => {
  const without = await bundle(APP);
  expect((await bundle('*', { widgets: '*' })).code).not.toMatch(each.code);
  const { code, bytes } = await bundle(APP, { [each.entry]: '*' });
  expect(code).toMatch(each.code);
  expect(bytes - without.bytes).toBeLessThan(each.kilobytes * KB);
});

test('an app without accounts does not bring them; with them, it pays at most 2 KB', async () => {
  const ACCOUNTS = /:accounts/;
  const without = await bundle(APP);
  expect(without.code).not.toMatch(ACCOUNTS);
  expect((await bundle('*', { widgets: '*' })).code).not.toMatch(ACCOUNTS);
  const { code, bytes } = await bundle(APP, { accounts: '*' });
  expect(code).toMatch(ACCOUNTS);
  expect(bytes - without.bytes).toBeLessThan(2 * KB);
});

test('everything together stays within its budget, and so does the stylesheet', async () => {
  const names = ['widgets', 'lock', 'step-up', 'clock', 'permissions', 'managers'];
  const { bytes } = await bundle('*', Object.fromEntries(names.map(name => [name, '*'])));
  expect(bytes).toBeLessThan(77 * KB);
  expect(gzipSync(readFileSync(join(app.folder, 'node_modules/data-client-auth/dist/styles.css'))).length).toBeLessThan(
    4 * KB,
  );
});

test('one widget does not bring the others', async () => {
  const { code } = await bundle('useAuth', { widgets: 'LoginForm' });
  expect(code).toMatch(/dca-login/);
  expect(code).not.toMatch(/dca-(list|detail|more)/);
});
