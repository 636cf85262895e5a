import { gzipSync } from 'node:zlib';
import { build, type Rollup } from 'vite';

const ENTRY = 'virtual:bench-entry';

interface Import {
  from: string;
  /** @default all that there is */
  names?: readonly string[];
}

/** What an app downloads for these imports beyond what it has already: a minified production build, in bytes after gzip. */
export async function bundleBytes(imports: readonly Import[], external: readonly RegExp[]): Promise<number> {
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
  return output.reduce((sum, file) => sum + (file.type === 'chunk' ? gzipSync(file.code).length : 0), 0);
}
