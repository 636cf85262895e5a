// What somebody gets who installs the package and knows nothing else of this project.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import react from '@vitejs/plugin-react';
import { chromium, type Browser } from 'playwright';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumOptions } from '../../scripts/chromium.mjs';
import { notesServer } from './support/notesServer.js';
import { consumerApp, loadedBy, typeErrors } from './support/consumerApp.js';

let app: ReturnType<typeof consumerApp>;
beforeAll(() => {
  // npm puts it beside data-client's other packages, and declarations name it.
  app = consumerApp({ source: 'app', modules: ['@data-client/endpoint'] });
});
afterAll(() => app?.remove());

const installed = (...path: string[]) => join(app.folder, 'node_modules/data-client-auth', ...path);

describe('types', () => {
  /** Where each compiler is; all but this project's own are dependencies of a folder, so that none takes the place of its `tsc`. */
  const compilers = {
    '5.4': 'tests/consumer/compilers/5.4/node_modules/typescript',
    '5.9': 'tests/consumer/compilers/5.9/node_modules/typescript',
    '6': 'node_modules/typescript',
    '7': 'tests/consumer/compilers/7/node_modules/typescript',
  };

  test.each(Object.entries(compilers))(
    'TypeScript %s finds no error in the app or in the declarations of the package',
    async (version, compiler) => {
      const manifest = JSON.parse(readFileSync(join(compiler, 'package.json'), 'utf8')) as { version: string };
      expect(manifest.version.startsWith(`${version}.`)).toBe(true);
      expect(ofTheKit(await compile(compiler))).toEqual([]);
    },
  );

  test.each(Object.entries(compilers))(
    'TypeScript %s writes the declarations of an app’s library, and they compile elsewhere',
    async (_version, compiler) => {
      const library = join(app.folder, 'library');
      const config = (name: string, content: object) =>
        writeFileSync(join(app.folder, name), JSON.stringify({ extends: './tsconfig.json', ...content }));
      const emit = { declaration: true, emitDeclarationOnly: true, noEmit: false, rootDir: 'src', outDir: 'library' };
      config('tsconfig.write.json', { compilerOptions: emit, include: [], files: ['src/library.ts'] });
      config('tsconfig.read.json', { include: ['library'] });
      try {
        expect(ofTheKit(await typeErrors(app.folder, compiler, '-p', 'tsconfig.write.json'))).toEqual([]);
        expect(readdirSync(library)).toContain('library.d.ts');
        expect(
          ofTheKit(await typeErrors(app.folder, compiler, '-p', 'tsconfig.read.json', ...CHECK_LIBRARIES)),
        ).toEqual([]);
      } finally {
        rmSync(library, { recursive: true, force: true });
      }
    },
  );

  test('a wrong prop is an error, so the compilers have read the declarations', async () => {
    const file = join(app.folder, 'src/wrong.tsx');
    writeFileSync(
      file,
      "import { LoginForm } from 'data-client-auth/widgets';\nexport const wrong = <LoginForm onSucces={() => {}} />;\n",
    );
    const errors = await compile(compilers['7']).finally(() => rmSync(file));
    expect(errors.join('\n')).toMatch(/^src\/wrong\.tsx\(2,.*onSucces/m);
  });

  /** Libraries are checked as well, so that no declaration is passed over. */
  const CHECK_LIBRARIES = ['--skipLibCheck', 'false'];
  const compile = (compiler: string) => typeErrors(app.folder, compiler, ...CHECK_LIBRARIES);

  /** The errors of the app and of the kit, without those of other packages. */
  const ofTheKit = (errors: readonly string[]) =>
    errors.filter(line => !/^node_modules\/(?!data-client-auth\/)/.test(line) && !line.startsWith('../'));
});

const loads = (entry: string) => loadedBy(installed('dist'), entry);

describe('what is for React', () => {
  test.each([
    ['which identity a provider serves', 'index', 'useCurrentStore'],
    ['which element has the focus', 'entries/widgets', 'useRestoreFocus'],
    ['the time that is left', 'entries/clock', 'useSessionClock'],
  ])('tells React Compiler not to cache %s', (_, entry, hook) => {
    const files = [...loads(`${entry}.js`)].filter(name => name.startsWith('./'));
    const code = files.map(name => readFileSync(installed('dist', name), 'utf8')).join('\n');
    expect(code).toMatch(new RegExp(`function ${hook}\\([^)]*\\) \\{\\s*(["'])use no memo\\1;`));
  });

  test('renders on a server, in plain Node', async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['server.mjs'], { cwd: app.folder });
    expect(stderr).toBe('');
    const { token, cookie, context } = JSON.parse(stdout) as Record<string, string>;
    expect(token).toContain('Nobody is here.');
    expect(cookie).toContain('One moment…');
    expect(context).toContain('aria-label="Notes"');
  });
});

describe('data-client-auth/core', () => {
  test.each([
    ['refreshes its token ahead', '{ ...login, server: true, refresh: { call: async () => ({}), auto: true } }'],
    ['listens to other tabs', '{ ...login, storage: { get: () => null, set() {}, remove() {} } }'],
  ])('a script in Node ends while its session %s', async (_, options) => {
    const script = `
      import { createTokenSession } from 'data-client-auth/core';
      globalThis.window = globalThis;
      const login = { login: async () => ({ accessToken: 'a', refreshToken: 'r', expiresIn: 3600 }), refresh: async () => ({}) };
      const session = createTokenSession(${options});
      session.subscribe(() => {});
      await session.login();
      console.log(session.getSnapshot().status);
    `;
    const args = ['--input-type=module', '--eval', script];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: app.folder, timeout: 20_000 });
    expect(stdout.trim()).toBe('authenticated');
  });

  test('serves a server component: each request as its own user, and no hook', async () => {
    const server = await notesServer(app.folder);
    try {
      const args = ['--conditions=react-server', 'serverComponent.mjs', server.url];
      const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: app.folder });
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)).toEqual(['Buy ink', 'status 401', 'Buy ink', 'the token was refused']);
      // The made-up token is young, so one late try may find it accepted.
      expect(server.log.sort()).toEqual([
        'GET /api/note ada',
        'GET /api/note ada',
        'GET /api/note nobody',
        'GET /api/note nobody',
        'GET /api/note nobody',
      ]);
    } finally {
      await server.close();
    }
  });
});

describe('the app', () => {
  let server: Awaited<ReturnType<typeof notesServer>>;
  let browser: Browser;
  beforeAll(async () => {
    await build({ root: app.folder, configFile: false, logLevel: 'error', plugins: [react()] });
    browser = await chromium.launch(chromiumOptions());
  });
  afterAll(() => browser?.close());

  const ownCalls = { token: [], cookie: ['GET /api/whoami nobody'], context: [] };

  test.each(['token', 'cookie', 'context'] as const)(
    'signs in, writes, deletes and signs out under the %s provider',
    async mechanism => {
      server = await notesServer(join(app.folder, 'dist'));
      const context = await browser.newContext();
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on(
        'console',
        message =>
          message.type() === 'error' &&
          !message.text().startsWith('Failed to load resource') &&
          complaints.push(message.text()),
      );
      page.on('pageerror', error => complaints.push(error.message));
      try {
        await page.goto(`${server.url}/${mechanism}`);
        if (mechanism === 'context') await page.getByRole('button', { name: 'Sign in at the SDK' }).click();
        else {
          await page.getByLabel('User name').fill('ada');
          await page.getByLabel('Password', { exact: true }).fill('lovelace');
          await page.keyboard.press('Enter');
        }
        await page.getByText('Buy ink').first().waitFor();
        await page.getByLabel('Title').fill('Write to Charles');
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'Delete Write to Charles' }).click();
        await page.getByText('Write to Charles').waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByRole('button', { name: mechanism === 'context' ? 'Sign in at the SDK' : 'Sign in' }).waitFor();
        const ends = mechanism === 'context' ? [] : ['POST /api/logout ada'];
        await expect
          .poll(() => server.log)
          .toEqual([
            ...ownCalls[mechanism],
            'POST /api/login nobody',
            'GET /api/note ada',
            'POST /api/note ada',
            'DELETE /api/note/2 ada',
            ...ends,
          ]);
        expect(complaints).toEqual([]);
      } finally {
        await context.close();
        await server.close();
      }
    },
  );
});

test('what is published is the package, its changelog and nothing else: less than 1 MB, and a page of changes', () => {
  expect(readdirSync(installed()).sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json']);
  const files = readdirSync(installed(), { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const bytes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1024 ** 2);
  expect(readFileSync(installed('CHANGELOG.md'), 'utf8').split(/\s+/).length).toBeLessThan(500);
});
