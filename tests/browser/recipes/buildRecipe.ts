import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type Rollup } from 'vite';
import { codeBlocks } from '../../docs/support/codeBlocks.js';
import { storyFiles } from '../../docs/support/pages.js';

const ROOT = join(import.meta.dirname, '../../..');
/** A folder that only the bundler sees. */
const FOLDER = join(import.meta.dirname, 'recipe.code');
const MAIN = `${FOLDER}/main.tsx`;

/** The address that the recipes give for an API of another origin. The test server has page and API on one. */
const EXAMPLE_API = "'https://api.example.com'";

/** The code of a recipe: its named blocks, and its first block without a name as `App.tsx`. Nothing is changed but the address of the API. */
function recipeFiles(page: string, app: string): Map<string, string> {
  const found = storyFiles('.mdx').find(({ file }) => file === `recipes/${page}.mdx`);
  if (!found) throw new Error(`stories/recipes/${page}.mdx does not exist.`);
  const files = new Map<string, string>();
  for (const { name, language, code } of codeBlocks(found)) {
    const file = name ?? (language === 'tsx' ? 'App.tsx' : undefined);
    if (file && !files.has(`${FOLDER}/${file}`))
      files.set(`${FOLDER}/${file}`, code.replaceAll(EXAMPLE_API, 'location.origin'));
  }
  files.set(
    MAIN,
    `import { createRoot } from 'react-dom/client';\nimport { App } from './${app}';\ncreateRoot(document.getElementById('root')!).render(<App />);`,
  );
  return files;
}

/** Resolves `data-client-auth` to this file, and the imports among the files of a recipe. */
function recipePlugin(files: ReadonlyMap<string, string>, kit: string): Plugin {
  return {
    name: 'recipe',
    enforce: 'pre',
    resolveId(id, importer) {
      if (id === 'data-client-auth') return kit;
      if (id === MAIN) return id;
      if (!importer?.startsWith(FOLDER) || !id.startsWith('./')) return undefined;
      return ['.ts', '.tsx'].map(ending => join(FOLDER, id + ending)).find(file => files.has(file));
    },
    load: id => files.get(id),
  };
}

/** The kit, and the kit with a list that writes. */
const KITS = {
  reads: `${ROOT}/src/index.ts`,
  writes: fileURLToPath(new URL('WritableList.tsx', import.meta.url)),
};

/** Builds an app of a recipe page, as it stands there. Resolves with its script. With `writes`, its list has forms and buttons. */
export async function buildRecipe(page: string, app: string, kit: keyof typeof KITS): Promise<string> {
  const files = recipeFiles(page, app);
  const before = process.env.NODE_ENV;
  // Bundlers and the React plugin read the mode from the environment, which says `test` here.
  process.env.NODE_ENV = 'production';
  try {
    const result = (await build({
      configFile: false,
      root: ROOT,
      mode: 'production',
      plugins: [recipePlugin(files, KITS[kit]), react()],
      logLevel: 'error',
      publicDir: false,
      build: { write: false, target: 'es2022', modulePreload: { polyfill: false }, rollupOptions: { input: MAIN } },
    })) as Rollup.RollupOutput;
    return result.output[0].code;
  } finally {
    process.env.NODE_ENV = before;
  }
}
