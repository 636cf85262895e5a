import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(file => /\.tsx?$/.test(file));
const known = new Set(files);

/** What each file of src imports, types counted. */
const imports = new Map(
  files.map(file => {
    const text = readFileSync(`src/${file}`, 'utf8');
    const names = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)\.js'/g)].map(([, name = '']) =>
      posix.join(posix.dirname(file), name),
    );
    return [file, names.flatMap(name => [`${name}.ts`, `${name}.tsx`].filter(one => known.has(one)))];
  }),
);

/** Takes out the files that import none of the rest, until each one left is in a circle, or imports one that is. */
function inCircles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const left = new Map(graph);
  const before = () => [...left].filter(([, targets]) => !targets.some(target => left.has(target)));
  for (let leaves = before(); leaves.length > 0; leaves = before()) leaves.forEach(([file]) => left.delete(file));
  return [...left.keys()].sort();
}

test('no imports of src go in a circle, types counted', () => {
  expect([...imports.values()].flat().length).toBeGreaterThan(500);
  expect(inCircles(imports)).toEqual([]);
});
