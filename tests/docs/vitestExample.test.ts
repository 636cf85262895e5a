import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeBlocks } from './support/codeBlocks.js';
import { STORIES } from './support/pages.js';

const file = 'guides/TestingYourStories.mdx';

test.each([
  ['session.test.ts', 'vitestExample.test.ts'],
  ['articles.test.tsx', 'componentExample.test.tsx'],
])('the example %s of the guide is the test that runs', (name, example) => {
  const text = readFileSync(new URL(file, STORIES), 'utf8');
  const shown = codeBlocks({ file, text }).find(block => block.name === name)?.code;
  const run = readFileSync(new URL(`../testing/${example}`, import.meta.url), 'utf8')
    .replace(/^.*eslint-disable.*\n/gm, '')
    .replace("'../../src/index.js'", "'data-client-auth'")
    .replaceAll("'../../src/testing/index.js'", "'data-client-auth/testing'");
  expect(shown).toBe(run);
});
