import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

test('the README’s example is the one that the type check compiles, twelve lines within the first forty', () => {
  const readme = read('../README.md');
  const example = /```tsx\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const compiled = read('types/readme.test-d.tsx').replace(/^\/\/.*\n/gm, '').replace('../../src/index.js', 'data-client-auth');
  expect(example).toBe(compiled);
  expect(example.trimEnd().split('\n').length).toBeLessThanOrEqual(12);
  expect(readme.slice(0, readme.indexOf(example) + example.length).split('\n').length).toBeLessThanOrEqual(40);
});

test('the README links to files that exist', () => {
  const files = [...read('../README.md').matchAll(/\]\((?!https:)([^)\s]+)\)/g)].map(([, file = '']) => file);
  expect(files).toContain('stories/flows/Refresh.stories.tsx');
  expect(files.filter(file => !existsSync(new URL(`../${file}`, import.meta.url)))).toEqual([]);
});
