// Removes the declarations in dist that no entry of the package leads to: TypeScript writes one for each module.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ENDING = '.d.ts';
const reached = new Set();

/** @param {string} file */
function follow(file) {
  if (reached.has(file)) return;
  reached.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import\(?)\s*["'](\.[^"']+)["']/g)) {
    const imported = join(dirname(file), path.replace(/\.js$/, ENDING));
    if (imported.endsWith(ENDING) && existsSync(imported)) follow(imported);
  }
}

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const { types } of Object.values(exports)) if (types?.endsWith(ENDING)) follow(join(types));
for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  const file = join('dist', name);
  if (file.endsWith(ENDING) && !reached.has(file)) rmSync(file);
}
