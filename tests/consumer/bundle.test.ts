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

/** What a new Vite app's build makes of an import, without the peers, and its size in bytes after gzip. */
async function bundle(names: string, imported = `{ ${names} }`, live = ''): Promise<{ code: string; bytes: number }> {
  const entry = join(app.folder, 'entry.js');
  const more = live && `import { ${live} } from 'data-client-auth/live';\nconsole.log(${live});\n`;
  writeFileSync(entry, `import ${imported} from 'data-client-auth';\nconsole.log(${names});\n${more}`);
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

test('an app without permissions does not bring them, with or without widgets', async () => {
  const PERMISSIONS = /permissions of .* questions/;
  for (const names of ['TokenAuthProvider, createTokenSession, useAuth', 'ResourceList, ResourceForm'])
    expect((await bundle(names)).code).not.toMatch(PERMISSIONS);
  expect((await bundle('permissions, Can')).code).toMatch(PERMISSIONS);
});

test('an app without a session clock does not bring it, with or without widgets', async () => {
  const CLOCK = /warn all the time|visibilitychange[^]*pointermove/;
  for (const names of ['TokenAuthProvider, createTokenSession, useAuth', 'LoginForm, ResourceList'])
    expect((await bundle(names)).code).not.toMatch(CLOCK);
  expect((await bundle('sessionClock, SessionWarning')).code).toMatch(CLOCK);
});

test('an app without challenges does not bring them, with or without widgets', async () => {
  const STEP_UP = /cannot answer a challenge/;
  for (const names of ['TokenAuthProvider, createTokenSession, useAuth', 'ResourceList, LoginForm'])
    expect((await bundle(names)).code).not.toMatch(STEP_UP);
  expect((await bundle('createTokenSession, stepUp')).code).toMatch(STEP_UP);
});

test('an app without a lock does not bring its screen and its timer', async () => {
  const LOCK = /dca-locked/;
  for (const names of ['TokenAuthProvider, createTokenSession, useAuth', 'Authenticated, LoginForm'])
    expect((await bundle(names)).code).not.toMatch(LOCK);
  expect((await bundle('lock')).code).toMatch(LOCK);
});

test('an app without live data does not bring it; with it, it pays at most 2.5 KB', async () => {
  const LIVE = /4401/;
  const names = 'TokenAuthProvider, createTokenSession, useAuth';
  const without = await bundle(names);
  expect(without.code).not.toMatch(LIVE);
  expect((await bundle('kit', '* as kit')).code).not.toMatch(LIVE);
  const { code, bytes } = await bundle(names, undefined, 'liveManager, eventStream');
  expect(code).toMatch(LIVE);
  expect(bytes - without.bytes).toBeLessThan(2.5 * KB);
});

test('everything together stays within its budget, and so does the stylesheet', async () => {
  const { bytes } = await bundle('kit', '* as kit');
  expect(bytes).toBeLessThan(77 * KB);
  expect(gzipSync(readFileSync(join(app.folder, 'node_modules/data-client-auth/dist/styles.css'))).length).toBeLessThan(
    4 * KB,
  );
});

test('one widget does not bring the others', async () => {
  const { code } = await bundle('LoginForm');
  expect(code).toMatch(/dca-login/);
  expect(code).not.toMatch(/dca-(list|detail|more)/);
});
