import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

test('the README links to files that exist', () => {
  const files = [...read('../README.md').matchAll(/\]\((?!https:)([^)\s]+)\)/g)].map(([, file = '']) => file);
  expect(files).toEqual(
    expect.arrayContaining([
      'stories/proofs/refresh/Refresh.stories.tsx',
      'stories/guides/Routers.mdx',
      'stories/guides/Styles.mdx',
    ]),
  );
  expect(files.filter(file => !existsSync(new URL(`../${file}`, import.meta.url)))).toEqual([]);
});
