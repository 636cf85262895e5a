import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { codeBlocks } from '../../docs/support/codeBlocks.js';
import { storyFiles } from '../../docs/support/pages.js';
import type { Row } from './recipeServer.js';

/** In the repository, so that the server finds its packages. */
const FOLDER = 'node_modules/.cache/data-client-auth/express';

/** What the pages leave to their reader: the database, with the rows of every recipe. */
const DATA = `
export const rows = Array.from({ length: 250 }, (_, index) => ({ id: index + 1, title: 'Row ' + (index + 1) }));
let highest = rows.length;
const placeOf = id => rows.findIndex(row => row.id === id);
export const articles = {
  page: async number => rows.slice((number - 1) * 100, number * 100),
  find: async id => rows[placeOf(id)],
  insert: async title => rows[rows.push({ id: ++highest, title }) - 1],
  save: async (id, title) => (rows[placeOf(id)] = { id, title }),
  remove: async id => rows.splice(placeOf(id), 1),
};
export const checkPassword = async ({ username, password }) =>
  username === 'ada' && password === 'lovelace' ? { id: 'ada', name: 'Ada' } : undefined;
`;

/** The server of a recipe of Express, as it stands on the page. */
export async function expressApp(recipe: string) {
  const blocks = ['ExpressCookie', recipe].flatMap(name => {
    const page = storyFiles('.mdx').find(({ file }) => file === `recipes/${name}.mdx`);
    return page ? codeBlocks(page).filter(({ language }) => language === 'js') : [];
  });
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(join(FOLDER, 'app-'));
  const files = { 'package.json': '{ "type": "module" }', 'data.js': DATA };
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code);
  for (const { name, code } of blocks) if (name) writeFileSync(join(folder, name), code);
  process.env.SECRET ??= 'a secret of the tests, which is long enough';
  const load = (name: string) => import(pathToFileURL(join(folder, name)).href) as Promise<object>;
  const { app } = (await load('server.js')) as { app: RequestListener };
  const { rows } = (await load('data.js')) as { rows: Row[] };
  return { app, rows };
}
