import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codeBlocks } from './support/codeBlocks.js';
import { compile, COMPILED } from './support/compile.js';
import { storyFiles } from './support/pages.js';

/** The compiler reads React's and data-client's types once for all pages. */
const COMPILE_TIMEOUT_MS = 120_000;

/** What is not for this kit's type check: commands, addresses, sentences, and the code of servers. */
const NOT_COMPILED = new Set(['sh', 'js', 'http', 'text', 'html', 'css', 'python', 'php', 'ruby', 'java']);

const pages = storyFiles('.mdx');

/** A page with a mistake in its fifth line: proof that mistakes are found. */
const mistaken = {
  file: 'Mistaken.mdx',
  text: "# Mistaken\n\n```ts\nimport { createTokenSession } from 'data-client-auth';\ncreateTokenSession({});\n```\n",
};

test('the code on every page compiles as it stands there', { timeout: COMPILE_TIMEOUT_MS }, () => {
  const errorsOf = compile([...pages, mistaken]);
  expect(pages.flatMap(errorsOf)).toEqual([]);
  expect(errorsOf(mistaken)).toEqual([expect.stringMatching(/^stories\/Mistaken\.mdx:5 .*'login' is missing/)]);
});

test(
  'the code of the README compiles, and `Register` gives `useAuth().user` its type',
  { timeout: COMPILE_TIMEOUT_MS },
  () => {
    const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const readme = { file: 'README.mdx', text };
    // By itself: `Register` may be declared once in a program.
    expect(compile([readme])(readme)).toEqual([]);
    const mistaken = { file: 'Mistaken.mdx', text: text.replace('user?.name', 'user?.surname') };
    expect(compile([mistaken])(mistaken)).toEqual([expect.stringMatching(/Property 'surname' does not exist/)]);
  },
);

test.each(pages)('$file names the language of each of its blocks', page => {
  const others = codeBlocks(page).filter(({ language }) => !COMPILED.has(language) && !NOT_COMPILED.has(language));
  expect(others.map(({ line, language }) => `${line}: ${language}`)).toEqual([]);
});
