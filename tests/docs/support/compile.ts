// Compiles the code on the pages as it stands there: nothing is copied, so nothing can differ.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { codeBlocks } from './codeBlocks.js';
import { STORIES, type Page } from './pages.js';

const ROOT = fileURLToPath(new URL('..', STORIES));

/** The languages that the type check knows. */
export const COMPILED = new Set(['ts', 'tsx']);

/** A block as a file of a folder that only the compiler sees: its page's name without the ending. */
interface Source {
  readonly path: string;
  readonly code: string;
  readonly page: Page;
  readonly line: number;
}

function sourcesOf(page: Page): Source[] {
  const folder = `${ROOT}stories/${page.file.replace(/\.mdx$/, '.code')}`;
  return codeBlocks(page)
    .filter(block => COMPILED.has(block.language))
    .map(({ name, language, code, line }) => ({
      path: `${folder}/${name ?? `line-${line}.${language}`}`,
      code,
      page,
      line,
    }));
}

function compilerOptions(): ts.CompilerOptions {
  const config = {
    extends: './tsconfig.json',
    compilerOptions: {
      moduleDetection: 'force',
      types: ['vite/client'],
      paths: { 'data-client-auth': ['./src/index.ts'], 'data-client-auth/*': ['./src/*/index.ts', './src/*.ts'] },
    },
    files: [],
    include: [],
  };
  return ts.parseJsonConfigFileContent(config, ts.sys, ROOT).options;
}

/** What the type check says of the pages' code, by page, each with the line of the page. */
export function compile(pages: readonly Page[]): (page: Page) => string[] {
  const sources = pages.flatMap(sourcesOf);
  const byPath = new Map(sources.map(source => [source.path, source]));
  const folders = new Set(sources.map(({ path }) => dirname(path)));
  const options = compilerOptions();
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, directoryExists } = host;
  host.fileExists = path => byPath.has(path) || fileExists.call(host, path);
  host.readFile = path => byPath.get(path)?.code ?? readFile.call(host, path);
  host.directoryExists = path => folders.has(path) || (directoryExists?.call(host, path) ?? true);
  const sdks = fileURLToPath(new URL('../sdks.d.ts', import.meta.url));
  const program = ts.createProgram([...byPath.keys(), sdks], options, host);
  return page => sources.filter(source => source.page === page).flatMap(source => diagnose(program, source));
}

function diagnose(program: ts.Program, { path, page, line }: Source): string[] {
  const file = program.getSourceFile(path);
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
    ({ start = 0, messageText }) => {
      const { line: offset = 0 } = file?.getLineAndCharacterOfPosition(start) ?? {};
      return `stories/${page.file}:${line + offset} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    },
  );
}
