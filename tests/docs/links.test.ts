import { readFileSync } from 'node:fs';
import { toId } from 'storybook/internal/csf';
import { expect, test } from 'vitest';
import { addresses } from './support/addresses.js';
import { storyFiles } from './support/pages.js';

const pages = storyFiles('.mdx');
const known = addresses();

test.each(pages)('$file links to stories and pages that exist', ({ text }) => {
  const links = [...text.matchAll(/\?path=([^)\s"'#&]+)/g)].map(([, address = '']) => address);
  const proofs = [...text.matchAll(/<Proof\b[^>]*>/g)].flatMap(([badge]) =>
    [...badge.matchAll(/['"]([^'"]+)['"]/g)].map(([, id = '']) => `/story/${id}`),
  );
  expect([...links, ...proofs].filter(link => !known.has(link))).toEqual([]);
});

test.each(pages)('$file links to headings of its own that exist', ({ text }) => {
  const slugs = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  const links = [...text.matchAll(/\]\(#([^)]*)\)/g)].map(([, slug = '']) => slug);
  expect(links.filter(slug => !slugs.includes(slug))).toEqual([]);
});

test('every page is reached from the first one', () => {
  const start = pages.find(({ file }) => file === 'StartHere.mdx')?.text ?? '';
  const others = pages
    .filter(({ file }) => file !== 'StartHere.mdx')
    .map(({ text }) => /<Meta title="([^"]+)"/.exec(text)?.[1] ?? '');
  const linked = [...start.matchAll(/\]\(\?path=(\/docs\/[^)]+)\)/g)].map(([, address]) => address);
  expect(others).not.toEqual([]);
  expect(others.filter(title => !linked.includes(`/docs/${toId(title, 'docs')}`))).toEqual([]);
});

test('each guide and recipe has its place in the sidebar', () => {
  const preview = readFileSync('.storybook/preview.tsx', 'utf8');
  const titles = pages.flatMap(({ text }) => /<Meta title="(?:Guides|Recipes)\/([^"]+)"/.exec(text)?.[1] ?? []);
  expect(titles.length).toBeGreaterThan(25);
  expect(titles.filter(title => !preview.includes(`'${title}'`) && !preview.includes(`"${title}"`))).toEqual([]);
});
