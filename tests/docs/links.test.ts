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

test('links lead from the first page to every other one', () => {
  const linked = new Map(
    pages.map(({ text }) => [
      toId(/<Meta title="([^"]+)"/.exec(text)?.[1] ?? '', 'docs'),
      [...text.matchAll(/\]\(\?path=\/docs\/([^)#]+)/g)].map(([, id = '']) => id),
    ]),
  );
  expect(linked.size).toBe(pages.length);
  // A set visits what is added during its iteration.
  const reached = new Set(['start-here--docs']);
  for (const id of reached) for (const next of linked.get(id) ?? []) reached.add(next);
  expect([...linked.keys()].filter(id => !reached.has(id))).toEqual([]);
});

test('each guide and recipe has its place in the sidebar', () => {
  const preview = readFileSync('.storybook/preview.tsx', 'utf8');
  const titles = pages.flatMap(
    ({ text }) => /<Meta title="(?:Start|Build|Advanced|Recipes)\/([^"]+)"/.exec(text)?.[1] ?? [],
  );
  expect(titles.length).toBeGreaterThan(25);
  expect(titles.filter(title => !preview.includes(`'${title}'`) && !preview.includes(`"${title}"`))).toEqual([]);
});
