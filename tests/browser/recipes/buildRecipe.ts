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

interface RecipeOptions {
  /** What the recipe leaves to its reader: the file that renders the app, or signs in by an SDK. @default renders the app */
  readonly main?: string | undefined;
  /** What stands in the place of the recipe's addresses and ids: `{ "'https://id.example.com'": "'http://localhost:8080'" }`. */
  readonly replaced?: Readonly<Record<string, string>> | undefined;
  /** The code of modules that are not installed: `{ 'next/navigation': 'export const useRouter = …' }`. */
  readonly modules?: Readonly<Record<string, string>> | undefined;
}

/** The code of a page: its named blocks, and its first block without a name as `App.tsx`. Nothing is changed but addresses and ids. */
function recipeFiles(
  page: string,
  app: string,
  { main, replaced = {}, modules = {} }: RecipeOptions,
): Map<string, string> {
  const addresses = Object.entries({ [EXAMPLE_API]: 'location.origin', ...replaced });
  const withAddresses = (code: string) =>
    addresses.reduce((changed, [example, real]) => changed.replaceAll(example, real), code);
  const found = storyFiles('.mdx').find(({ file }) => file === `${page}.mdx`);
  if (!found) throw new Error(`stories/${page}.mdx does not exist.`);
  const files = new Map<string, string>(Object.entries(modules));
  for (const { name, language, code } of codeBlocks(found)) {
    const file = name ?? (language === 'tsx' ? 'App.tsx' : undefined);
    if (file && !files.has(`${FOLDER}/${file}`)) files.set(`${FOLDER}/${file}`, withAddresses(code));
  }
  files.set(MAIN, withAddresses(main ?? renderApp(app)));
  return files;
}

const renderApp = (app: string) =>
  `import { createRoot } from 'react-dom/client';\nimport { App } from './${app}';\ncreateRoot(document.getElementById('root')!).render(<App />);`;

/** Resolves the entries of the kit, with this file for the widgets, and the imports among the files of a recipe. */
function recipePlugin(files: ReadonlyMap<string, string>, widgets: string): Plugin {
  return {
    name: 'recipe',
    enforce: 'pre',
    resolveId(id, importer) {
      if (id === 'data-client-auth') return `${ROOT}/src/index.ts`;
      if (id === 'data-client-auth/widgets') return widgets;
      const [, entry] = /^data-client-auth\/([\w-]+)$/.exec(id) ?? [];
      if (entry) return `${ROOT}/src/entries/${entry}.ts`;
      if (files.has(id)) return id;
      if (!importer?.startsWith(FOLDER) || !id.startsWith('./')) return undefined;
      return ['.ts', '.tsx'].map(ending => join(FOLDER, id + ending)).find(file => files.has(file));
    },
    load: id => files.get(id),
  };
}

/** The widgets, and the widgets with a list that writes. */
const WIDGETS = {
  reads: `${ROOT}/src/entries/widgets.ts`,
  writes: fileURLToPath(new URL('WritableList.tsx', import.meta.url)),
};

/** Builds an app of a page, such as `recipes/Django`, as it stands there. Resolves with its script. With `writes`, its list has forms and buttons. */
export async function buildRecipe(
  page: string,
  app: string,
  list: keyof typeof WIDGETS,
  options: RecipeOptions = {},
): Promise<string> {
  const files = recipeFiles(page, app, options);
  const before = process.env.NODE_ENV;
  // Bundlers and the React plugin read the mode from the environment, which says `test` here.
  process.env.NODE_ENV = 'production';
  try {
    const result = (await build({
      configFile: false,
      root: ROOT,
      mode: 'production',
      plugins: [recipePlugin(files, WIDGETS[list]), react()],
      // The package `firebase` has the databases and all else, too; the recipe needs these two parts.
      resolve: { alias: { 'firebase/app': '@firebase/app', 'firebase/auth': '@firebase/auth' } },
      logLevel: 'error',
      publicDir: false,
      build: { write: false, target: 'es2022', modulePreload: { polyfill: false }, rollupOptions: { input: MAIN } },
    })) as Rollup.RollupOutput;
    return result.output[0].code;
  } finally {
    process.env.NODE_ENV = before;
  }
}
