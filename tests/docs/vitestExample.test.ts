import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeBlocks } from './support/codeBlocks.js';
import { STORIES } from './support/pages.js';

const file = 'guides/TestingYourStories.mdx';

test('the Vitest example of the guide is the test that runs', () => {
  const text = readFileSync(new URL(file, STORIES), 'utf8');
  const shown = codeBlocks({ file, text }).find(({ name }) => name === 'session.test.ts')?.code;
  const run = readFileSync(new URL('../testing/vitestExample.test.ts', import.meta.url), 'utf8')
    .replace(/^.*eslint-disable.*\n/gm, '')
    .replace("'../../src/index.js'", "'data-client-auth'")
    .replaceAll("'../../src/testing/index.js'", "'data-client-auth/testing'");
  expect(shown).toBe(run);
});
