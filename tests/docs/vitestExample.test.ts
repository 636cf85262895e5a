import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeBlocks } from './support/codeBlocks.js';
import { STORIES } from './support/pages.js';

test.each([
  ['SignedInAs.mdx', 'session.test.ts', 'testing/vitestExample.test.ts'],
  ['SignedInAs.mdx', 'src/Articles.test.tsx', 'storybook/portableStories.test.tsx'],
])('%s: the example %s is the test that runs', (guide, name, example) => {
  const file = `guides/${guide}`;
  const text = readFileSync(new URL(file, STORIES), 'utf8');
  const shown = codeBlocks({ file, text }).find(block => block.name === name)?.code;
  const run = readFileSync(new URL(`../${example}`, import.meta.url), 'utf8')
    .replace(/^.*eslint-disable.*\n/gm, '')
    .replace("'../../src/index.js'", "'data-client-auth'")
    .replaceAll("'../../src/testing/index.js'", "'data-client-auth/testing'")
    .replace("'../consumer/storybook/.storybook/", "'../.storybook/")
    .replace("'../consumer/storybook/src/", "'./");
  expect(shown).toBe(run);
});

test('a test of components runs with the set-up for jsdom that the guide shows', () => {
  const file = 'guides/SignedInAs.mdx';
  const shown = codeBlocks({ file, text: readFileSync(new URL(file, STORIES), 'utf8') }).find(
    block => block.name === 'setup.ts',
  )?.code;
  const run = readFileSync(new URL('../testing/componentExample.test.tsx', import.meta.url), 'utf8');
  expect(run).toContain(shown);
});
