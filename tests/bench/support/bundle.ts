import { relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, minifySync, type Rollup } from 'vite';

const ENTRY = 'virtual:bench-entry';

interface Import {
  from: string;
  /** @default all that there is */
  names?: readonly string[];
}

interface Bundle {
  /** What an app downloads beyond what it has already: a minified production build, in bytes after gzip. */
  bytes: number;
  /** The ten largest modules of it, each minified and compressed alone: path and bytes, largest first. */
  largest: readonly (readonly [string, number])[];
}

/** Builds what an app gets for these imports. */
export async function bundle(imports: readonly Import[], external: readonly RegExp[]): Promise<Bundle> {
  const lines = imports.map(({ from, names }, place) =>
    names
      ? `import { ${names.join(', ')} } from '${from}'; keep(${names.join(', ')});`
      : `import * as all${place} from '${from}'; keep({ ...all${place} });`,
  );
  const { output } = (await build({
    configFile: false,
    logLevel: 'error',
    mode: 'production',
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'bench-entry',
        resolveId: id => (id === ENTRY ? `\0${ENTRY}` : undefined),
        load: id =>
          id === `\0${ENTRY}` ? `const keep = (...kept) => (globalThis.kept = kept);\n${lines.join('\n')}` : undefined,
      },
    ],
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: { input: ENTRY, external: [...external] },
    },
  }).then(result => (Array.isArray(result) ? result[0] : result))) as Rollup.RollupOutput;
  const chunks = output.filter(file => file.type === 'chunk');
  const modules = chunks
    .flatMap(({ modules }) => Object.entries(modules))
    .map(([path, { code }]) => [relative(process.cwd(), path), compressed(minifySync(path, code ?? '').code)] as const);
  return {
    bytes: chunks.reduce((sum, { code }) => sum + compressed(code), 0),
    largest: modules.sort(([, one], [, other]) => other - one).slice(0, 10),
  };
}

const compressed = (code: string) => gzipSync(code).length;
