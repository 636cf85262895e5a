import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeBlocks } from './support/codeBlocks.js';
import { STORIES } from './support/pages.js';

/** The Storybook that `tests/consumer/ownStorybook.test.ts` builds and opens. */
const STORYBOOK = new URL('../consumer/storybook/', import.meta.url);

/** The blocks of a guide that are files of that Storybook. */
const FILES = {
  'guides/SignedInAs.mdx': [
    '.storybook/main.ts',
    'src/articles.ts',
    '.storybook/mocks.ts',
    '.storybook/preview.tsx',
    'src/Articles.stories.tsx',
  ],
};

test.each(Object.entries(FILES))('%s shows the files of a Storybook that is built and played', (file, names) => {
  const blocks = codeBlocks({ file, text: readFileSync(new URL(file, STORIES), 'utf8') });
  for (const name of names) {
    const run = readFileSync(new URL(name, STORYBOOK), 'utf8').replace(/^.*eslint-disable.*\n/gm, '');
    expect(blocks.find(block => block.name === name)?.code, name).toBe(run);
  }
});

test.each(Object.keys(FILES))('%s starts the worker as that Storybook does, which is played below a path', file => {
  const starts = (text: string) => text.match(/worker\.start\(.*/g);
  const run = readFileSync(new URL('.storybook/preview.tsx', STORYBOOK), 'utf8');
  expect(starts(readFileSync(new URL(file, STORIES), 'utf8'))).toEqual(starts(run));
});

test('no snippet of a guide but a test imports the preview: `storybook dev` would load it twice', () => {
  for (const file of Object.keys(FILES)) {
    const text = readFileSync(new URL(file, STORIES), 'utf8');
    const snippets = codeBlocks({ file, text }).filter(({ name }) => !name?.includes('.test.'));
    expect(snippets.map(({ code }) => code).join('\n')).not.toMatch(/from '\.{1,2}\/(.*\/)?preview'/);
    expect(text).not.toContain('access-token: ada');
  }
});
