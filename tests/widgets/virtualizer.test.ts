import { fileURLToPath } from 'node:url';
import { build, type Rollup } from 'vite';
import { expect, test } from 'vitest';

const ENTRY = 'virtual:app';

/** The app's own code and all that it needs besides React and data-client, with what it does not use left out. */
async function bundleOf(widget: string): Promise<string[]> {
  const output = (await build({
    root: fileURLToPath(new URL('../..', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'app',
        resolveId: id => (id === ENTRY ? id : undefined),
        load: id =>
          id === ENTRY
            ? `import { ${widget} } from '/src/entries/widgets.ts'; globalThis.shown = ${widget};`
            : undefined,
      },
    ],
    build: {
      write: false,
      rollupOptions: { input: ENTRY, external: [/^react($|\/)/, /^react-dom($|\/)/, /^@data-client\//] },
    },
  })) as Rollup.RollupOutput;
  return Object.entries(output.output[0].modules).flatMap(([id, { renderedLength }]) =>
    renderedLength > 0 ? [id] : [],
  );
}

test('an app with ResourceList alone does not carry the virtualizer; one with PaginatedList does', async () => {
  const [plain, paginated] = await Promise.all([bundleOf('ResourceList'), bundleOf('PaginatedList')]);
  expect(plain.filter(id => id.includes('@tanstack'))).toEqual([]);
  expect(paginated.filter(id => id.includes('@tanstack')).length).toBeGreaterThan(0);
});
