// Compiles the code on the pages as it stands there: nothing is edited, so nothing can differ.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeBlocks } from './codeBlocks.js';
import { STORIES, type Page } from './pages.js';

const ROOT = fileURLToPath(new URL('..', STORIES));
const COMPILER = join(ROOT, 'tests/consumer/compilers/7/node_modules/typescript/bin/tsc');

/** Where the blocks are written, so that they find the packages. No other check reads this folder. */
const FOLDER = join(ROOT, 'node_modules/.cache/data-client-auth/pages');

/** The languages that the type check knows. */
export const COMPILED = new Set(['ts', 'tsx']);

/** A block as a file of a folder that is named like its page. */
interface Source {
  readonly path: string;
  readonly code: string;
  readonly page: Page;
  readonly line: number;
}

function sourcesOf(page: Page): Source[] {
  const folder = join(FOLDER, page.file.replace(/\.mdx$/, '.code'));
  return codeBlocks(page)
    .filter(block => COMPILED.has(block.language))
    .map(({ name, language, code, line }) => ({
      path: join(folder, name ?? `line-${line}.${language}`),
      code,
      page,
      line,
    }));
}

function writeProject(sources: readonly Source[]): void {
  rmSync(FOLDER, { recursive: true, force: true });
  for (const { path, code } of sources) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      moduleDetection: 'force',
      types: ['vite/client'],
      paths: {
        'data-client-auth': [join(ROOT, 'src/index.ts')],
        'data-client-auth/*': [join(ROOT, 'src/entries/*.ts'), join(ROOT, 'src/*/index.ts'), join(ROOT, 'src/*.ts')],
      },
    },
    files: [...sources.map(({ path }) => path), fileURLToPath(new URL('../sdks.d.ts', import.meta.url))],
    include: [],
  };
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(config));
}

/** What the type check says of the pages' code, by page, each with the line of the page. */
export function compile(pages: readonly Page[]): (page: Page) => string[] {
  const sources = pages.flatMap(sourcesOf);
  writeProject(sources);
  const { stdout } = spawnSync(process.execPath, [COMPILER, '-p', FOLDER, '--pretty', 'false'], {
    cwd: FOLDER,
    encoding: 'utf8',
  });
  // One error begins at the start of a line; the lines with its reasons are indented.
  const errors = stdout.split(/\n(?=\S)/).filter(Boolean);
  const byFile = new Map(sources.map(source => [relative(FOLDER, source.path).replaceAll('\\', '/'), source]));
  const found = errors.flatMap(error => {
    const [, file = '', line, message = ''] = /^(.+?)\((\d+),\d+\): (.*)$/s.exec(error) ?? [];
    // A page that declares `Register` changes types in src, which has a type check of its own.
    if (file.startsWith('..')) return [];
    const source = byFile.get(file);
    if (!source) throw new Error(`The code of the pages could not be compiled: ${error}`);
    return {
      page: source.page,
      text: `stories/${source.page.file}:${source.line + Number(line) - 1} ${message.trim()}`,
    };
  });
  return page => found.filter(error => error.page === page).map(({ text }) => text);
}
